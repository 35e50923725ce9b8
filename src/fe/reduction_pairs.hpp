#pragma once
// Private to the reduction: contact pairs.

#include "faying/fe/reduction.hpp"

namespace faying::fe {

/// Relative motions of all pairs become the boundary; loads and outputs give static shapes beside the modes.
void reduce_to_pairs(const Deck& deck, const ReduceOptions& options, Reduction& r, const Eigen::MatrixXd& motions);

/// The deck without ties between the two sides of an interface or a pair: the joint takes their place.
Deck without_ties_across(const Deck& deck, const std::string& one, const std::string& other, std::vector<Note>& notes);
Deck without_ties_across_pairs(const Deck& deck, const ReduceOptions& options, std::vector<Note>& notes);

/// Sites of a pair and what they read of its relative motions along the global axes.
structure::ContactPair sites_of(const PairedFaces& pair);
/// A hundred times the mean stiffness per area that the pair's nodes have by themselves; `own`: the block of the node
/// whose first relative motion, of the pair's, is given.
double penalty_of(const PairedFaces& pair, const std::function<Eigen::MatrixXd(Eigen::Index)>& own);

}  // namespace faying::fe
