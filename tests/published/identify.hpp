#pragma once
// [S4] 2.3: the parameters of the generalized Valanis law from one branch of a simulated loop (fit/branch_fit.hpp).
// Slopes are taken as the paper takes them: with the speeds of the simulation, and differenced across reversals too.

#include <vector>

#include "faying/fit/branch_fit.hpp"
#include "published/oscillator.hpp"

namespace faying::tests {

using fit::LoopPoint;
using Identified = fit::LinearFit;

/// df/dx by central differences of equally spaced samples; the ends are dropped.
inline std::vector<LoopPoint> central_differences(const std::vector<Motion>& samples) {
    std::vector<LoopPoint> points;
    for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
        const auto &before = samples[i - 1], &here = samples[i], &after = samples[i + 1];
        points.push_back({here.x, here.v, here.f, (after.f - before.f) / (after.x - before.x)});
    }
    return points;
}

template <class Slope>
std::vector<LoopPoint> exact_slopes(const std::vector<Motion>& samples, Slope slope) {
    std::vector<LoopPoint> points;
    for (const auto& m : samples) points.push_back({m.x, m.v, m.f, slope(m.x, m.v, m.f, m.direction)});
    return points;
}

/// The points travelling in direction s faster than `cut` of the fastest: drops the ends of the branch.
inline std::vector<LoopPoint> branch(const std::vector<LoopPoint>& points, double s, double cut) {
    double fastest = 0;
    for (const auto& p : points) fastest = std::max(fastest, s * p.v);
    std::vector<LoopPoint> kept;
    for (const auto& p : points)
        if (s * p.v > cut * fastest) kept.push_back(p);
    return kept;
}

}  // namespace faying::tests
