#pragma once
// From a solved point of a branch to what a user sees of it.

#include "faying/modes/harmonic_balance.hpp"
#include "faying/solve/continuation.hpp"
#include "harmonic_system.hpp"

namespace faying::modes {

/// Of the system's last evaluation: all but frequency, damping, force, harmonics and whether it converged.
HarmonicPoint point_of(const HarmonicSystem& system, const solve::BranchPoint& found, double a_scale);

}  // namespace faying::modes
