#pragma once
// What can be read off a measured loop without a law, and what a law makes of it: starting values for a fit.

#include <algorithm>

#include "faying/core/parameter.hpp"

namespace faying::laws {

struct LoopFeatures {
    double amplitude = 0;          ///< greatest |u|
    double force = 0;              ///< greatest |f|
    double stiffness = 0;          ///< just after a reversal
    double slip_stiffness = 0;     ///< at the end of the branches
    double slip_force = 0;         ///< half the width of the loop at u = 0 where it slips, the slip stiffness taken off
    double dissipation = 0;        ///< of the largest closed loop
    double dissipation_slope = 3;  ///< d ln D / d ln amplitude, from loops of different amplitude; 3 if there is one

    /// What is left of the stiffness when a spring of the slip stiffness stands beside the law.
    double sticking_stiffness() const { return std::max(stiffness - slip_stiffness, 0.05 * stiffness); }
    /// A spring that takes the slip stiffness.
    double post_slip_stiffness() const { return std::max(slip_stiffness, 1e-3 * stiffness); }
};

/// Sets of starting values that a loop suggests, the likeliest first.
using Starts = std::vector<core::ParameterValues>;

/// What the user holds or starts from, or else the given value.
inline double known_or(const core::ParameterValues& known, const char* key, double otherwise) {
    const auto found = known.find(key);
    return found != known.end() ? found->second : otherwise;
}

}  // namespace faying::laws
