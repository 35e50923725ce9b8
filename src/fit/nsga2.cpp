#include "faying/fit/nsga2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <pagmo/utils/genetic_operators.hpp>
#include <random>

#include "faying/core/error.hpp"
#include "faying/fit/certify.hpp"
#include "faying/fit/pareto.hpp"

namespace faying::fit {

namespace {

using Engine = std::mt19937;  // what pagmo's operators take

Engine engine_of(std::uint64_t seed, int generation) {
    std::seed_seq words{std::uint32_t(seed), std::uint32_t(seed >> 32), std::uint32_t(generation)};
    return Engine(words);
}

double uniform(Engine& random) { return (random() + 0.5) * 0x1p-32; }
std::size_t below(std::size_t count, Engine& random) { return std::size_t(uniform(random) * double(count)); }

template <class T>
void shuffle(std::vector<T>& items, Engine& random) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i, random)]);
}

/// Latin hypercube: every axis is cut into as many slices as there are points, one point in each.
std::vector<std::vector<double>> latin_hypercube(std::size_t count, std::size_t axes, Engine& random) {
    std::vector<std::vector<double>> points(count, std::vector<double>(axes));
    std::vector<std::size_t> slices(count);
    std::iota(slices.begin(), slices.end(), std::size_t(0));
    for (std::size_t a = 0; a < axes; ++a) {
        shuffle(slices, random);
        for (std::size_t i = 0; i < count; ++i) points[i][a] = (double(slices[i]) + uniform(random)) / double(count);
    }
    return points;
}

/// Front by front; behind those that are usable each of the others alone, least violation first.
std::vector<std::vector<std::size_t>> ranked(const std::vector<Member>& members) {
    std::vector<std::size_t> usable, others;
    std::vector<Point> points;
    for (std::size_t i = 0; i < members.size(); ++i) {
        (members[i].evaluation.usable() ? usable : others).push_back(i);
        if (members[i].evaluation.usable()) points.push_back(members[i].evaluation.objectives);
    }
    std::vector<std::vector<std::size_t>> fronts;
    for (auto& front : non_dominated_sort(points)) {
        for (auto& i : front) i = usable[i];
        fronts.push_back(std::move(front));
    }
    std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
        return violation(members[a].evaluation) < violation(members[b].evaluation);
    });
    for (const std::size_t i : others) fronts.push_back({i});
    return fronts;
}

std::vector<double> crowding(const std::vector<Member>& members, const std::vector<std::size_t>& front, Crowding by) {
    std::vector<std::vector<double>> points;
    for (const std::size_t i : front)
        points.push_back(by == Crowding::parameters ? members[i].coordinates : members[i].evaluation.objectives);
    return crowding_distances(points);
}

/// Members in order of fitness, with what the tournament compares.
struct Ranking {
    std::vector<std::size_t> order;
    std::vector<std::size_t> rank;  ///< by position in `order`
    std::vector<double> distance;   ///< likewise
};

Ranking ranking_of(const std::vector<Member>& members, Crowding by) {
    Ranking r;
    const auto fronts = ranked(members);
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        const auto distance = crowding(members, fronts[f], by);
        std::vector<std::size_t> local(fronts[f].size());
        std::iota(local.begin(), local.end(), std::size_t(0));
        std::stable_sort(local.begin(), local.end(),
                         [&](std::size_t a, std::size_t b) { return distance[a] > distance[b]; });
        for (const std::size_t k : local) {
            r.order.push_back(fronts[f][k]);
            r.rank.push_back(f);
            r.distance.push_back(distance[k]);
        }
    }
    return r;
}

class Run {
 public:
    Run(const Space& space, const Objective& objective, const Nsga2Options& options)
        : space_(space),
          objective_(objective),
          o_(options),
          bounds_{std::vector<double>(space.size(), 0.0), std::vector<double>(space.size(), 1.0)},
          mutation_(options.mutation > 0 ? options.mutation : 1.0 / double(space.size())) {}

    std::vector<std::vector<double>> first() const {
        Engine random = engine_of(o_.seed, 0);
        auto points = latin_hypercube(std::size_t(o_.population), space_.size(), random);
        for (std::size_t i = 0; i < std::min(o_.starts.size(), points.size()); ++i)
            points[i] = space_.coordinates(o_.starts[i]);
        return points;
    }

    /// Children of the population: binary tournaments, crossover, mutation.
    std::vector<std::vector<double>> children(const std::vector<Member>& population, int generation) const {
        Engine random = engine_of(o_.seed, generation);
        const Ranking r = ranking_of(population, o_.crowding);
        const auto parent = [&]() -> const std::vector<double>& {
            const std::size_t a = below(r.order.size(), random), b = below(r.order.size(), random);
            const bool first = r.rank[a] != r.rank[b] ? r.rank[a] < r.rank[b] : r.distance[a] >= r.distance[b];
            return population[r.order[first ? a : b]].coordinates;
        };
        std::vector<std::vector<double>> all;
        while (all.size() < std::size_t(o_.population)) {
            const auto& mother = parent();
            const auto& father = parent();
            auto [one, other] =
                pagmo::sbx_crossover(mother, father, bounds_, 0, o_.crossover, o_.crossover_index, random);
            for (auto* child : {&one, &other}) {
                pagmo::polynomial_mutation(*child, bounds_, 0, mutation_, o_.mutation_index, random);
                all.push_back(std::move(*child));
            }
        }
        return all;
    }

    std::vector<Member> evaluated(std::vector<std::vector<double>> coordinates) const {
        std::vector<std::vector<double>> values;
        for (const auto& x : coordinates) values.push_back(space_.values(x));
        auto evaluations = evaluate_all(objective_, values, o_.threads);
        std::vector<Member> members;
        for (std::size_t i = 0; i < values.size(); ++i) {
            evaluations[i].jacobian.resize(0, 0);
            members.push_back({std::move(coordinates[i]), std::move(values[i]), std::move(evaluations[i])});
        }
        return members;
    }

    std::vector<Member> survivors(std::vector<Member> members) const {
        const Ranking r = ranking_of(members, o_.crowding);
        std::vector<Member> best;
        for (std::size_t k = 0; k < std::min(r.order.size(), std::size_t(o_.population)); ++k)
            best.push_back(std::move(members[r.order[k]]));
        return best;
    }

    void advance(Nsga2State& state) const {
        auto members = evaluated(state.generation == 0 ? first() : children(state.population, state.generation));
        state.evaluations += long(members.size());
        for (const auto& m : members) state.not_converged += !m.evaluation.usable();
        auto all = state.population;
        all.insert(all.end(), members.begin(), members.end());
        state.population = survivors(std::move(all));
        state.recent.push_back(std::move(members));
        if (state.recent.size() > std::size_t(o_.pooled)) state.recent.erase(state.recent.begin());
        ++state.generation;
    }

 private:
    const Space& space_;
    const Objective& objective_;
    const Nsga2Options& o_;
    std::pair<std::vector<double>, std::vector<double>> bounds_;
    double mutation_;
};

void check_resume(const Nsga2State& state, const Space& space, const Nsga2Options& options) {
    if (state.generation == 0) return;
    const bool sized = state.population.size() == std::size_t(options.population);
    const bool fits = std::all_of(state.population.begin(), state.population.end(),
                                  [&](const Member& m) { return m.coordinates.size() == space.size(); });
    if (!sized || !fits)
        throw core::BadInput("nsga2", fmt::format("the state to resume has {} members; {} with {} parameters each are "
                                                  "needed",
                                                  state.population.size(), options.population, space.size()));
}

}  // namespace

void Nsga2Options::check() const {
    core::require(population >= 4 && population % 2 == 0, "nsga2", "population >= 4 and even");
    core::require(generations >= 1, "nsga2", "generations >= 1");
    core::require(pooled >= 1, "nsga2", "pooled >= 1");
    core::require(crossover >= 0 && crossover <= 1, "nsga2", "0 <= crossover <= 1");
    core::require(crossover_index >= 1 && crossover_index <= 100, "nsga2", "1 <= crossover_index <= 100");
    core::require(mutation >= 0 && mutation <= 1, "nsga2", "0 <= mutation <= 1");
    core::require(mutation_index >= 1 && mutation_index <= 100, "nsga2", "1 <= mutation_index <= 100");
    core::require(threads >= 0, "nsga2", "threads >= 0");
}

std::vector<Candidate> Nsga2State::pooled() const {
    std::vector<Candidate> all;
    const auto add = [&](const std::vector<Member>& members) {
        for (const auto& m : members) all.push_back({m.values, m.evaluation});
    };
    add(population);
    for (const auto& members : recent) add(members);
    return all;
}

std::vector<double> crowding_distances(const std::vector<std::vector<double>>& points) {
    std::vector<double> distance(points.size(), 0.0);
    if (points.empty()) return distance;
    std::vector<std::size_t> order(points.size());
    for (std::size_t a = 0; a < points.front().size(); ++a) {
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t i, std::size_t j) { return points[i][a] < points[j][a]; });
        const double extent = points[order.back()][a] - points[order.front()][a];
        if (!(extent > 0)) continue;
        distance[order.front()] = distance[order.back()] = core::infinity;
        for (std::size_t k = 1; k + 1 < order.size(); ++k)
            distance[order[k]] += (points[order[k + 1]][a] - points[order[k - 1]][a]) / extent;
    }
    return distance;
}

Nsga2State nsga2(const Space& space, const Objective& objective, const Nsga2Options& options,
                 const AfterGeneration& after, Nsga2State state) {
    options.check();
    check_resume(state, space, options);
    const Run run(space, objective, options);
    while (state.generation < options.generations) {
        run.advance(state);
        if (after && !after(state)) break;
    }
    return state;
}

}  // namespace faying::fit
