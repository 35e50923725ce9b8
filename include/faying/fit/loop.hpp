#pragma once
// A measured hysteresis loop, and what can be read off it without a law.
//
//     const fit::Loop loop = fit::read_loop("loop.csv");        // columns u, f and, for laws that need it, t
//     const auto seen = fit::features(loop);                    // seen.stiffness, seen.slip_force, ..

#include <string>
#include <vector>

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

/// Columns by name (u or x or displacement, f or force, t or time), else the first two are u and f.
Loop read_loop(const std::string& path);

/// Stretches in which the displacement moves one way: first and last index, at least three points each.
struct Branch {
    std::size_t first = 0, last = 0;
    int direction = 1;
};
std::vector<Branch> branches(const Loop& loop);

struct LoopFeatures {
    double amplitude = 0;       ///< greatest |u|
    double force = 0;           ///< greatest |f|
    double stiffness = 0;       ///< just after a reversal
    double slip_stiffness = 0;  ///< at the end of the branches
    double slip_force = 0;      ///< half the width of the loop at u = 0 where it slips, the slip stiffness taken off
    double dissipation = 0;     ///< of the largest closed loop
    double dissipation_slope =
        3;  ///< d ln D / d ln amplitude, from loops of different amplitude; 3 if there is only one
};
LoopFeatures features(const Loop& loop);

}  // namespace faying::fit
