#pragma once
// Private to the reduction: contact pairs.

#include "faying/fe/reduction.hpp"

namespace faying::fe {

/// Relative motions of all pairs become the boundary; loads and outputs give static shapes beside the modes.
void reduce_to_pairs(const Deck& deck, const ReduceOptions& options, Reduction& r, const Eigen::MatrixXd& motions);

}  // namespace faying::fe
