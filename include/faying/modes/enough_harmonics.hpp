#pragma once
// As many harmonics as the joints need. A motion of some orders drives joint forces of all orders; what falls on orders
// that the motion lacks is neglected. Orders are added, those that matter and no others, until that part is small.
//
//     const auto enough = with_enough_harmonics(model, interface, options, {.tolerance = 1e-3},
//         [&](const HarmonicOptions& o) { return epmc(model, interface, 1, amplitudes, o); });
//     enough.harmonics.orders();                                // 0, 1, 3, 5, ..

#include <functional>
#include <vector>

#include "faying/modes/harmonic_balance.hpp"

namespace faying::modes {

/// Joint forces of a motion by order, 0 to `highest`: |F_k| over all joint coordinates.
Eigen::VectorXd joint_force_spectrum(const structure::Model& model, const Interface& interface,
                                     const HarmonicPoint& motion, const core::Harmonics& harmonics, int highest,
                                     const harmonic::HarmonicOptions& joints = {});

struct EnoughOptions {
    double tolerance = 1e-3;  ///< of the joints' oscillating force, root mean square, that may be neglected
    int most = 101;           ///< the highest order that may be added
    int looked_at = 3;        ///< orders are looked at up to this many times the highest one there is, and 9

    void check() const;
};

struct EnoughHarmonics {
    core::Harmonics harmonics = core::Harmonics::up_to(1);
    double neglected = 0;  ///< at the worst point, of the orders looked at
    bool enough = false;   ///< within the tolerance
    int rounds = 0;
    std::vector<HarmonicPoint> points;  ///< of the last run
    std::vector<double> neglected_at;   ///< point by point; NaN where it did not converge
};

using HarmonicRun = std::function<std::vector<HarmonicPoint>(const HarmonicOptions&)>;
/// Begins with orders 0 and 1, whatever `options.harmonics` are.
EnoughHarmonics with_enough_harmonics(const structure::Model& model, const Interface& interface,
                                      HarmonicOptions options, const EnoughOptions& wanted, const HarmonicRun& run);

}  // namespace faying::modes
