#pragma once
// A measured hysteresis loop, and what can be read off it without a law.
//
//     const fit::Loop loop = files::read_loop("loop.csv");        // columns u, f and, for laws that need it, t
//     const auto seen = fit::features(loop);                    // seen.stiffness, seen.slip_force, ..

#include <string>
#include <vector>

#include "faying/laws/loop_features.hpp"

namespace faying::fit {

/// Displacement and force in the order they were measured.
struct Loop {
    std::vector<double> u, f;
    std::vector<double> t = {};   ///< empty: not known
    std::string source = "loop";  ///< for messages

    std::size_t size() const { return u.size(); }
    /// Throws BadInput unless it has at least `points` points, finite, with a displacement that turns.
    void check(std::size_t points = 8) const;
    /// The first point is (0, 0) within 0.1 % of the extent: the record holds the virgin curve.
    bool from_virgin() const;
};

/// Stretches in which the displacement moves one way: first and last index, at least three points each.
struct Branch {
    std::size_t first = 0, last = 0;
    int direction = 1;
};
std::vector<Branch> branches(const Loop& loop);

using laws::LoopFeatures;
LoopFeatures features(const Loop& loop);
/// Of the widest loop, with the growth of dissipation over all of them.
LoopFeatures features(const std::vector<Loop>& loops);

}  // namespace faying::fit
