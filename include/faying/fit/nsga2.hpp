#pragma once
// NSGA-II (Deb et al. 2002; simulated binary crossover, polynomial mutation and non-dominated sorting by pagmo) with
// crowding in parameter space, as [S0] 3.5.2: members of equal rank are kept for being different in their parameters.
// The front is that of all members evaluated in the last generations, pooled.
//
//     fit::Nsga2Options options{.population = 100, .generations = 200, .seed = 7};
//     const auto state = fit::nsga2(space, objective, options);
//     const auto front = fit::merged_front(state.pooled());
//
// Deterministic: the random numbers of a generation come from the seed and its number alone, and evaluations are
// ordered by index, so that threads do not matter and a run can go on from any state the callback has seen, to the bit.
// A member whose evaluation did not converge ranks behind every one that did, by residual (constrained domination).

#include <cstdint>
#include <functional>
#include <vector>

#include "faying/fit/problem.hpp"
#include "faying/fit/space.hpp"

namespace faying::fit {

enum class Crowding { parameters, objectives };

struct Nsga2Options {
    int population = 100;  ///< even
    int generations = 200;
    int pooled = 50;              ///< last generations whose members make the front
    double crossover = 0.95;      ///< probability that a pair is crossed
    double crossover_index = 10;  ///< greater: children nearer to their parents
    double mutation = 0;          ///< probability for each parameter; 0: one parameter a child on average
    double mutation_index = 50;
    Crowding crowding = Crowding::parameters;
    std::uint64_t seed = 1;
    int threads = 0;                               ///< 0: all cores
    std::vector<std::vector<double>> starts = {};  ///< parameter values in the first generation, such as earlier fronts

    void check() const;
};

/// Coordinates in the space's unit cube, and what came of them (without the Jacobian).
struct Member {
    std::vector<double> coordinates;
    std::vector<double> values;
    Evaluation evaluation;
};

/// All that a run is after a generation.
struct Nsga2State {
    int generation = 0;                       ///< generations evaluated; the first one is random (and `starts`)
    std::vector<Member> population;           ///< survivors, best rank first
    std::vector<std::vector<Member>> recent;  ///< members evaluated in each of the last `pooled` generations
    long evaluations = 0, not_converged = 0;

    std::vector<Candidate> pooled() const;  ///< population and recent members
};

/// Called after every generation; false ends the run.
using AfterGeneration = std::function<bool(const Nsga2State&)>;

/// Runs until `options.generations` are done. `resume`, a state of an earlier run with the same space, objective and
/// options, is where it goes on. Throws BadInput for options or a state that do not fit.
Nsga2State nsga2(const Space& space, const Objective& objective, const Nsga2Options& options,
                 const AfterGeneration& after = {}, Nsga2State resume = {});

/// The distance of each point to its neighbours, summed over the axes and scaled to the extent of all; infinite at the
/// ends of every axis that has an extent.
std::vector<double> crowding_distances(const std::vector<std::vector<double>>& points);

}  // namespace faying::fit
