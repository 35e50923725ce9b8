#pragma once
// Single-mode implicit condensation and expansion (SICE), [S1] 2.2: static points on both sides, limit points, a fit of
// every order, and which order has settled.
//
//     const SiceResult s = sice(system, rest, mode, {.amplitudes = {-1e-3, 1e-3, ..}});

#include <functional>
#include <vector>

#include "faying/geometric/condensation.hpp"
#include "faying/geometric/nnm.hpp"

namespace faying::geometric {

/// What the static points are held at: the amplitude passes limit points of the load, load and displacement end at
/// theirs, arc length (of q, alpha / omega^2, from rest) passes both.
enum class HeldBy { amplitude, load, displacement, arc_length };

struct SiceOptions {
    HeldBy held_by = HeldBy::amplitude;
    Index row = -1;                       ///< whose displacement from rest is held
    std::vector<double> amplitudes = {};  ///< or loads, displacements, lengths, of either sign; empty: none with
                                          ///< `taylor` alone, else a range of its own
    int lowest = 2, highest = 7;          ///< orders fitted
    bool orders_asked_for = false;        ///< else those that the points allow
    int taylor = 0;                       ///< order of the exact coefficients; 0: none
    double settled = 1e-3;                ///< backbones of all higher orders within this share: the order chosen
    std::function<void(double)> done = {};
};

struct Fold {
    double q = 0, alpha = 0;
};

struct SiceResult {
    Taylor taylor = {};
    std::vector<PathPoint> points;  ///< in the order asked for
    std::vector<double> asked;      ///< amplitude, load, .. of each
    PathPoint last[2] = {};         ///< that converged, on the positive and the negative side
    std::vector<Fold> folds;        ///< limit points of the load between them
    std::vector<Fit> fits;
    int order = 0;  ///< chosen; 0 where none has settled

    /// Free motion of a fit up to the largest amplitude.
    std::vector<NnmPoint> backbone_of(int order, int points = 40) const;
};

/// Points that did not converge are marked. Throws BadInput for an order above the number of points.
SiceResult sice(System& system, const Rest& rest, const Mode& mode, const SiceOptions& options);

}  // namespace faying::geometric
