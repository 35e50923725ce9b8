#pragma once
// What independent proposals are drawn from, learnt from the warm-up of all chains and then by importance: places drawn
// from it, weighed by the density over its own, are what the next one is fitted to. Chains that have not met one another
// in their warm-up are given their due shares by this.

#include "faying/fit/nuts.hpp"

namespace faying::fit {

/// The same on any number of threads. Adds to `densities` what it took; none when SampleOptions::stop said so.
std::optional<Proposal> learnt_proposal(const Target& target, const std::vector<Chain>& chains,
                                        const SampleOptions& options, long& densities);

}  // namespace faying::fit
