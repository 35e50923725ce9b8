#pragma once
// Backbones at given amplitudes of an output: the displacement |o.d| at +q of a row o of the model, or the acceleration
// omega^2 |o.d|, instead of the modal amplitude q.
//
//     const auto points = backbone_at_output(
//         model, Interface(model), 1,
//         {structure::find_output(model, "tip"), Quantity::acceleration, {1, 10, 100}});
//
// ln q is found for all amplitudes at once by secants on whole backbones; both grow nearly in step, so that three or
// four backbones do.

#include "faying/modes/backbone.hpp"

namespace faying::modes {

enum class Quantity { displacement, acceleration };

struct OutputAmplitudes {
    Eigen::VectorXd row;  ///< of the output
    Quantity quantity = Quantity::displacement;
    std::vector<double> values;  ///< ascending, > 0
};

/// What the output does at a point: the amplitude of its displacement or acceleration.
double amplitude_of(const BackbonePoint& point, const Eigen::VectorXd& row, Quantity quantity);

/// Points where the output has the given amplitudes, to 1e-10; a point that misses them is marked as not converged.
/// Throws BadInput for an output that the mode does not move, NotConverged when the output's amplitude does not grow
/// with q, so that the question has no one answer.
std::vector<BackbonePoint> backbone_at_output(const structure::Model& model, const Interface& interface, int mode,
                                              const OutputAmplitudes& wanted, const BackboneOptions& options = {});

}  // namespace faying::modes
