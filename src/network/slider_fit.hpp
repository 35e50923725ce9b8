#pragma once
// Boxes and polytopes: few sliders joined by springs, fitted to a network's answers.

#include "faying/network/condense.hpp"

namespace faying::network {

Condensed condense_sliders(const Network& network, const std::vector<KnownHistory>& training,
                           const CondenseOptions& options);

/// Largest less smallest.
double range_of(const std::vector<double>& x);

}  // namespace faying::network
