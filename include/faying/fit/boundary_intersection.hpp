#pragma once
// Boundary intersection ([S0] Eq. 43): from the utopian point F*, the best each objective can be alone, along rays,
//
//     min t   such that   F(X) - F* = t (cos psi, sin psi),   0 < psi < pi/2,
//
// by sequential quadratic programming (NLopt's SLSQP) with exact gradients. Every ray starts from several points: the
// minimisers of the single objectives, earlier fronts, random ones, and then the solutions of the neighbouring rays,
// until no ray improves. The ends of the front are the single-objective minimisers, of which there may be many: those
// where the other objective is least.
//
//     const auto result = fit::boundary_intersection(space, objective, {.rays = 20, .seed = 3});
//     const auto front = fit::certified_front(result.candidates, tight);
//
// With `inside` the ray bounds F(X) from above (F - F* <= t d) instead of holding it: the same points where the front
// meets the ray, and ends of gaps where it does not, while the equality then finds dominated points.

#include <cstdint>
#include <vector>

#include "faying/fit/problem.hpp"
#include "faying/fit/space.hpp"

namespace faying::fit {

enum class Ray { on, inside };

struct BoundaryOptions {
    int rays = 20;
    Ray ray = Ray::on;
    int random_starts = 8;      ///< beside the given ones, for the single objectives and for every ray
    int tries = 0;              ///< of the starts at hand, how many each ray takes: those that reach furthest; 0: all
    int rounds = 4;             ///< of restarting each ray from its neighbours' solutions, while something improves
    int evaluations = 300;      ///< most for one start
    double tolerance = 1e-9;    ///< change of the coordinates at which a start ends
    double feasibility = 1e-6;  ///< greatest distance from the ray, in units of the objectives
    double slack = 1e-3;  ///< of the front's extent, by which an end may miss its least value for the other's sake
    std::uint64_t seed = 1;
    int threads = 0;
    std::vector<std::vector<double>> starts = {};  ///< parameter values, such as an earlier front

    void check() const;
};

struct RaySolution {
    double psi = 0;
    double distance = 0;  ///< t
    bool solved = false;  ///< on the ray (or inside) and a stationary point
    std::vector<double> values;
    Evaluation evaluation;
};

struct BoundaryResult {
    std::vector<double> utopia;         ///< F*
    std::vector<RaySolution> rays;      ///< by psi
    std::vector<Candidate> candidates;  ///< single-objective minimisers, then solved rays; may dominate each other
    std::vector<Candidate> seen;        ///< the front of all that was evaluated on the way
    long evaluations = 0, not_converged = 0;
};

/// Needs an objective with two objectives and a Jacobian; throws BadInput without, and NotConverged when no start could
/// be evaluated at all.
BoundaryResult boundary_intersection(const Space& space, const Objective& objective,
                                     const BoundaryOptions& options = {});

/// Of candidates found otherwise (by a genetic search, or on the way) those that the rays have not overtaken: below the
/// line through the solved rays, or with an objective under its least.
std::vector<Candidate> not_overtaken(const std::vector<Candidate>& candidates, const BoundaryResult& result);

}  // namespace faying::fit
