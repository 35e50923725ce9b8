#pragma once
// Boxes and polytopes: few sliders joined by springs, fitted to a network's answers.

#include "faying/network/condense.hpp"

namespace faying::network {

/// One for each number of states from 1 to options.states. Those below `first` are on the way there: boxes, whatever is
/// asked for.
std::vector<Condensed> condense_sliders(const Network& network, const std::vector<KnownHistory>& training,
                                        const CondenseOptions& options, int first,
                                        const std::function<void(int)>& done = {});

/// Largest less smallest.
double range_of(const std::vector<double>& x);

}  // namespace faying::network
