#include "faying/fit/boundary_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <random>
#include <utility>

#include "faying/core/error.hpp"
#include "faying/fit/pareto.hpp"
#include "local_search.hpp"
#include "parallel.hpp"

namespace faying::fit {

namespace {

using Vector = std::vector<double>;

/// A point in coordinates with its evaluation.
struct Found {
    Vector coordinates;
    Evaluation evaluation;
    double t = core::infinity;
};

class Sweep {
 public:
    Sweep(const Space& space, const Objective& objective, const BoundaryOptions& options)
        : space_(space), function_(space, objective), o_(options) {}

    BoundaryResult run() {
        for (int k = 1; k <= o_.rays; ++k) psi_.push_back(k * std::numbers::pi / 2 / (o_.rays + 1));
        best_.resize(psi_.size());
        starts_ = evaluated(starts());
        single_objectives(pointers(starts_));
        first_round();
        if (single_objectives(nearest_to_ends())) rays_again();
        for (int round = 0; round < o_.rounds; ++round)
            if (!neighbour_round()) break;
        return result();
    }

 private:
    const Space& space_;
    Counted function_;
    const BoundaryOptions& o_;
    std::vector<Found> starts_;
    std::vector<Found> ends_;  ///< the minimiser of each objective
    Vector utopia_;
    std::vector<double> psi_;
    std::vector<Found> best_;  ///< by ray; t infinite: none yet

    std::vector<Vector> starts() const {
        std::vector<Vector> all;
        for (const auto& values : o_.starts) all.push_back(space_.coordinates(values));
        std::seed_seq words{std::uint32_t(o_.seed), std::uint32_t(o_.seed >> 32)};
        std::mt19937 random(words);
        for (int k = 0; k < o_.random_starts; ++k) {
            all.emplace_back();
            for (std::size_t i = 0; i < space_.size(); ++i) all.back().push_back((random() + 0.5) * 0x1p-32);
        }
        return all;
    }

    std::vector<Found> evaluated(const std::vector<Vector>& places) const {
        std::vector<Found> found(places.size());
        for_each_index(places.size(), o_.threads, [&](std::size_t i) { found[i] = {places[i], function_(places[i])}; });
        return found;
    }

    /// Those of the starts for which `reached` is least; all of them where no number of tries is set.
    template <class Reached>
    std::vector<const Found*> promising(const std::vector<const Found*>& all, Reached reached) const {
        if (o_.tries == 0 || all.size() <= std::size_t(o_.tries)) return all;
        std::vector<const Found*> some = all;
        std::stable_sort(some.begin(), some.end(), [&](auto* a, auto* b) { return reached(*a) < reached(*b); });
        some.resize(std::size_t(o_.tries));
        return some;
    }

    static std::vector<const Found*> pointers(const std::vector<Found>& all) {
        std::vector<const Found*> p;
        for (const auto& f : all) p.push_back(&f);
        return p;
    }

    /// Each objective alone, from these starts. Whether one got less than before by more than the slack; only then are
    /// the ends and the utopian point changed.
    bool single_objectives(const std::vector<const Found*>& starts) {
        std::vector<std::pair<std::size_t, const Found*>> tasks;
        for (std::size_t j = 0; j < 2; ++j)
            for (const auto* start : promising(starts, [j](const Found& f) {
                     return f.evaluation.usable() ? f.evaluation.objectives[j] : core::infinity;
                 }))
                tasks.emplace_back(j, start);
        std::vector<Found> found(tasks.size());
        for_each_index(tasks.size(), o_.threads, [&](std::size_t k) {
            auto x = LocalSearch(function_, space_.size(), o_).least(int(tasks[k].first), tasks[k].second->coordinates);
            auto e = function_(x);
            found[k] = {std::move(x), std::move(e)};
        });
        Vector least = utopia_.empty() ? Vector{core::infinity, core::infinity} : utopia_;
        std::vector<Found> ends = ends_;
        ends.resize(2);
        for (std::size_t j = 0; j < 2; ++j) {
            const double enough = ends_.empty() ? core::infinity : utopia_[j] - slack(j);
            for (const auto& f : found)
                if (f.evaluation.usable() && f.evaluation.objectives[j] < std::min(least[j], enough)) {
                    least[j] = f.evaluation.objectives[j];
                    ends[j] = f;
                }
            if (!std::isfinite(least[j]))
                throw core::NotConverged(
                    fmt::format("boundary intersection: none of {} starts could be evaluated", found.size()),
                    core::infinity);
        }
        if (least == utopia_) return false;
        utopia_ = std::move(least);
        ends_ = std::move(ends);
        std::vector<Found> tidy(2);
        for_each_index(2, o_.threads, [&](std::size_t j) { tidy[j] = tidied(j); });
        ends_ = std::move(tidy);
        return true;
    }

    /// The rays' solutions with the least of each objective: minimising it alone may have stopped in a worse place.
    std::vector<const Found*> nearest_to_ends() const {
        std::vector<const Found*> nearest;
        for (std::size_t j = 0; j < 2; ++j) {
            const Found* least = nullptr;
            for (const auto& f : best_)
                if (std::isfinite(f.t) && (!least || f.evaluation.objectives[j] < least->evaluation.objectives[j]))
                    least = &f;
            if (least) nearest.push_back(least);
        }
        return nearest;
    }

    /// What end j may give up of its objective.
    double slack(std::size_t j) const {
        return o_.slack * std::max(0.0, ends_[1 - j].evaluation.objectives[j] - utopia_[j]);
    }

    /// What an objective alone leaves free is given to the other: minimisers of one objective are often many, and only
    /// the one where the other is least lies on the front.
    Found tidied(std::size_t j) const {
        const double bound = utopia_[j] + slack(j);
        auto x = LocalSearch(function_, space_.size(), o_).least_within(int(j), bound, ends_[j].coordinates);
        auto e = function_(x);
        const auto& before = ends_[j].evaluation.objectives;
        const bool better =
            e.usable() && e.objectives[j] <= bound + o_.feasibility && e.objectives[1 - j] < before[1 - j];
        return better ? Found{std::move(x), std::move(e)} : ends_[j];
    }

    double reach_of(std::size_t k, const Found& f) const {
        return reach(f.evaluation, utopia_, {std::cos(psi_[k]), std::sin(psi_[k])});
    }

    /// The solution of ray k from a start; t infinite when it is off the ray.
    Found solved(std::size_t k, const Vector& start) const {
        auto answer = LocalSearch(function_, space_.size(), o_).along(utopia_, psi_[k], start);
        Found f{std::move(answer.coordinates), {}, core::infinity};
        f.evaluation = function_(f.coordinates);
        if (o_.ray == Ray::inside) {
            f.t = reach_of(k, f);  // whatever the solver says, this is what the point achieves
        } else if (f.evaluation.usable()) {
            const double d[2] = {std::cos(psi_[k]), std::sin(psi_[k])};
            double off = 0;
            for (std::size_t j = 0; j < 2; ++j)
                off = std::max(off, std::abs(f.evaluation.objectives[j] - utopia_[j] - answer.t * d[j]));
            if (off <= o_.feasibility) f.t = answer.t;
        }
        return f;
    }

    void first_round() {
        std::vector<Found> from = starts_;
        for (const auto& end : ends_) from.push_back(end);
        Vector middle = ends_[0].coordinates;
        for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = (middle[i] + ends_[1].coordinates[i]) / 2;
        from.push_back(evaluated({middle}).front());
        improve([&](std::size_t) { return pointers(from); });
    }

    /// From another utopian point the rays are others: once more from their solutions so far.
    void rays_again() {
        const std::vector<Found> before = std::exchange(best_, std::vector<Found>(psi_.size()));
        improve([&](std::size_t k) {
            auto from = beside(before, k);
            if (std::isfinite(before[k].t)) from.push_back(&before[k]);
            for (const auto& end : ends_) from.push_back(&end);
            return from;
        });
    }

    /// Every ray once more from the solutions beside it.
    bool neighbour_round() {
        const std::vector<Found> before = best_;
        return improve([&](std::size_t k) { return beside(before, k); });
    }

    static std::vector<const Found*> beside(const std::vector<Found>& solutions, std::size_t k) {
        std::vector<const Found*> both;
        for (const std::size_t other : {k - 1, k + 1})
            if (other < solutions.size() && std::isfinite(solutions[other].t)) both.push_back(&solutions[other]);
        return both;
    }

    /// Solves every ray k from what `from(k)` gives; whether any got better.
    template <class From>
    bool improve(From from) {
        std::vector<std::pair<std::size_t, const Found*>> tasks;
        for (std::size_t k = 0; k < psi_.size(); ++k)
            for (const auto* start : promising(from(k), [&](const Found& f) { return reach_of(k, f); }))
                tasks.emplace_back(k, start);
        std::vector<Found> found(tasks.size());
        for_each_index(tasks.size(), o_.threads,
                       [&](std::size_t i) { found[i] = solved(tasks[i].first, tasks[i].second->coordinates); });
        bool improved = false;
        for (std::size_t i = 0; i < tasks.size(); ++i) improved = take(tasks[i].first, found[i]) || improved;
        if (o_.ray == Ray::inside) share(found);
        return improved;
    }

    /// What one ray has found may be better for another.
    void share(const std::vector<Found>& found) {
        for (std::size_t k = 0; k < psi_.size(); ++k)
            for (Found f : found) {
                f.t = reach_of(k, f);
                take(k, std::move(f));
            }
    }

    bool take(std::size_t k, Found f) {
        if (!(f.t < best_[k].t - 1e-9 * std::max(1.0, std::abs(best_[k].t))) && std::isfinite(best_[k].t)) return false;
        if (!std::isfinite(f.t)) return false;
        best_[k] = std::move(f);
        return true;
    }

    Candidate candidate(const Found& f) const {
        Candidate c{space_.values(f.coordinates), f.evaluation};
        c.evaluation.jacobian.resize(0, 0);
        return c;
    }

    BoundaryResult result() const {
        BoundaryResult r;
        r.utopia = utopia_;
        for (const auto& end : ends_) r.candidates.push_back(candidate(end));
        for (std::size_t k = 0; k < psi_.size(); ++k) {
            RaySolution s;
            s.psi = psi_[k];
            s.solved = std::isfinite(best_[k].t);
            if (s.solved) {
                s.distance = best_[k].t;
                const Candidate c = candidate(best_[k]);
                s.values = c.values;
                s.evaluation = c.evaluation;
                r.candidates.push_back(c);
            }
            r.rays.push_back(std::move(s));
        }
        r.seen = function_.seen();
        r.evaluations = function_.evaluations;
        r.not_converged = function_.not_converged;
        return r;
    }
};

}  // namespace

void BoundaryOptions::check() const {
    core::require(rays >= 1, "boundary intersection", "rays >= 1");
    core::require(random_starts >= 0 && random_starts + int(starts.size()) >= 1, "boundary intersection",
                  "at least one start");
    core::require(rounds >= 0, "boundary intersection", "rounds >= 0");
    core::require(evaluations >= 10, "boundary intersection", "evaluations >= 10");
    core::require(tries >= 0, "boundary intersection", "tries >= 0");
    core::require(slack >= 0, "boundary intersection", "slack >= 0");
    core::require(tolerance > 0, "boundary intersection", "tolerance > 0");
    core::require(feasibility > 0, "boundary intersection", "feasibility > 0");
    core::require(threads >= 0, "boundary intersection", "threads >= 0");
}

BoundaryResult boundary_intersection(const Space& space, const Objective& objective, const BoundaryOptions& options) {
    options.check();
    return Sweep(space, objective, options).run();
}

std::vector<Candidate> not_overtaken(const std::vector<Candidate>& candidates, const BoundaryResult& result) {
    const auto solved = merged_front(result.candidates);
    const auto ahead = [&](const Candidate& c) {
        if (!c.evaluation.usable()) return false;
        const auto& p = c.evaluation.objectives;
        if (p[0] < result.utopia[0] || p[1] < result.utopia[1]) return true;
        const auto right = std::find_if(solved.begin(), solved.end(),
                                        [&](const auto& s) { return s.evaluation.objectives[0] > p[0]; });
        if (right == solved.begin() || right == solved.end()) return false;
        const auto &a = std::prev(right)->evaluation.objectives, &b = right->evaluation.objectives;
        return p[1] < a[1] + (b[1] - a[1]) * (p[0] - a[0]) / (b[0] - a[0]);
    };
    std::vector<Candidate> some;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(some), ahead);
    return some;
}

}  // namespace faying::fit
