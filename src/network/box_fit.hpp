#pragma once
// m sliders joined by springs, fitted to a network's answers.

#include "faying/network/condense.hpp"

namespace faying::network {

/// One for each number of states from 1 to options.states.
std::vector<Condensed> condense_boxes(const Network& network, const std::vector<KnownHistory>& training,
                                      const CondenseOptions& options, const std::function<void(int)>& done = {});

/// Largest less smallest.
double range_of(const std::vector<double>& x);

}  // namespace faying::network
