#pragma once
// Private to geometric/: when a step of Newton's counts, and whether it stayed on its branch.

#include <cmath>

#include "faying/core/newton.hpp"

namespace faying::geometric {

constexpr double loosest = 1e-5;  ///< residual of a point that counts
constexpr double settled = 1e-8;  ///< and its last correction

/// Whole steps of Newton until the problem says that it has settled.
inline core::NewtonRules until_settled(int most_iterations) {
    return {
        .enough = -1, .most_iterations = most_iterations, .most_cuts = 0, .near = -1};  // also from no residual at all
}

inline double relative(double part, double whole) { return whole > 0 ? part / whole : part; }

/// An end of a step: amplitude and load, and how they change along it, per step.
struct End {
    double q, alpha, dq, dalpha;
};

struct Work {
    double done, size;  ///< Int alpha dq, Int |alpha dq|
};

/// Along a step, cubic between its ends.
inline Work work_between(const End& a, const End& b) {
    Work work{0, 0};
    for (const double at : {-1.0, 0.0, 1.0}) {  // Gauss, three points
        const double s = 0.5 * (1 + at * std::sqrt(0.6)), c = 1 - s, weight = at == 0 ? 4. / 9 : 5. / 18;
        const double alpha =
            c * c * ((1 + 2 * s) * a.alpha + s * a.dalpha) + s * s * ((1 + 2 * c) * b.alpha - c * b.dalpha);
        const double dq = 6 * s * c * (b.q - a.q) + c * (1 - 3 * s) * a.dq + s * (1 - 3 * c) * b.dq;
        work.done += weight * alpha * dq;
        work.size += weight * std::abs(alpha * dq);
    }
    return work;
}

/// On one branch the load's work is the energy gained; beyond a limit point, where Newton leapt to another branch, both
/// part.
inline bool on_one_branch(const End& a, const End& b, double gained, double energy) {
    const Work work = work_between(a, b);
    return std::abs(gained - work.done) <= 1e-3 * work.size + 1e-11 * std::abs(energy);
}

}  // namespace faying::geometric
