#pragma once
// Private to the reduction: loads and outputs of the deck in reduced coordinates.

#include "faying/fe/reduction.hpp"

namespace faying::fe {

/// A load case on free DOF.
Eigen::VectorXd free_load(const Deck& deck, const LinearModel& model, const LoadCase& load);
/// The row of an output on free DOF.
Eigen::VectorXd free_output(const Deck& deck, const LinearModel& model, const OutputPoint& output);
void add_loads(const Deck& deck, const ReduceOptions& options, Reduction& r);
void add_outputs(const Deck& deck, const ReduceOptions& options, Reduction& r);

}  // namespace faying::fe
