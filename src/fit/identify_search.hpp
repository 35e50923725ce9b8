#pragma once
// The search for the least misfit of a law along a loop.

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <random>
#include <utility>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "least_squares.hpp"
#include "loop_response.hpp"
#include "parallel.hpp"

namespace faying::fit {

inline double root_mean_square(const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum / double(x.size()));
}

/// Residuals over the measured root mean square. A parameter set the law refuses is a step the solver takes back.
inline LeastSquares problem_of(const Coordinates& coordinates, const Response& response, int iterations) {
    const double scale = root_mean_square(response.measured());
    LeastSquares problem;
    problem.residuals = response.points();
    problem.iterations = iterations;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        problem.lower.push_back(coordinates.lower(i));
        problem.upper.push_back(coordinates.upper(i));
    }
    problem.evaluate = [&coordinates, &response, scale](const double* x, Eigen::VectorXd& r, Eigen::MatrixXd* J) {
        try {
            const auto n = Eigen::Index(response.points());
            const auto modelled = response.output(x);
            r = (Eigen::Map<const Eigen::VectorXd>(modelled.data(), n) -
                 Eigen::Map<const Eigen::VectorXd>(response.measured().data(), n)) /
                scale;
            if (!J) return true;
            *J = response.jacobian(x) / scale;
            for (Eigen::Index k = 0; k < J->cols(); ++k) J->col(k) *= coordinates.slope(std::size_t(k), x);
            return true;
        } catch (const core::BadInput&) {
            return false;
        } catch (const core::NotConverged&) {
            return false;
        }
    };
    return problem;
}

using Starts = std::vector<std::vector<double>>;

constexpr double radii[] = {0.3, 0.1, 0.3 / 9, 0.1 / 9, 0.3 / 81, 0.1 / 81};  ///< of shaking the answer
constexpr std::size_t first_descents = 12, last_descents = 3, shaken_descents = 4;

/// How much of the work is done, in evaluations of the law; a descent is taken as so many of them.
class Share {
 public:
    static constexpr double descent = 60;

    explicit Share(const std::function<void(double)>& report) : report_(report) {}
    void plan(double evaluations) { total_ += evaluations; }
    void add(double evaluations) {
        core::stop_point();
        if (!report_) return;
        const std::lock_guard lock(mutex_);
        done_ += evaluations;
        report_(std::clamp(done_ / total_, 0.0, 1.0));
    }

 private:
    const std::function<void(double)>& report_;
    double total_ = 0, done_ = 0;
    std::mutex mutex_;
};

/// Finds the least misfit. Least squares of a law that jumps (Iwan-5 at the onset of macroslip), or that shows a
/// parameter only in part of the record, does not find its way from far: starts are scattered and screened by their
/// misfit first (begin), the best go to their end (advance), and the answer is shaken the same way until nothing better
/// turns up (finish).
class Search {
 public:
    /// `passes` through the record, which an evaluation costs.
    Search(const Coordinates& coordinates, const Response& response, const IdentifyOptions& options, Share& share,
           int passes)
        : coordinates_(coordinates), response_(response), o_(options), share_(share), passes_(passes) {
        left_ = passes_ * (o_.screened + Share::descent * double(first_descents + last_descents) +
                           double(std::size(radii)) * (o_.screened + Share::descent * double(shaken_descents)));
        share_.plan(left_);
    }

    const LeastSquaresRun& begin(const Starts& starts) {
        wide_ = scattered(starts, 1);
        first_ = descend(best(wide_, first_descents), std::min(25, o_.iterations), first_descents);
        return answer_ = first_.front();
    }

    const LeastSquaresRun& advance() {
        first_.resize(std::min(last_descents, first_.size()));
        return answer_ = descend(points_of(first_), o_.iterations, last_descents).front();
    }

    const LeastSquaresRun& finish() {
        for (const double radius : radii) {
            if (answer_.cost <= 1e-18 * double(response_.points())) break;
            const auto near = best(shaken_up(answer_.x, wide_, radius), shaken_descents);
            auto shaken = descend(near, o_.iterations, shaken_descents).front();
            if (shaken.cost < answer_.cost * (1 - 1e-9)) answer_ = std::move(shaken);
        }
        leave();
        return answer_;
    }

    /// Nothing more will be asked.
    void leave() {
        share_.plan(-std::exchange(left_, 0));
        share_.add(0);
    }

 private:
    const Coordinates& coordinates_;
    const Response& response_;
    const IdentifyOptions& o_;
    Share& share_;
    double passes_;
    double left_ = 0;  ///< evaluations that are still planned
    Starts wide_;
    std::vector<LeastSquaresRun> first_;
    LeastSquaresRun answer_;
    std::mt19937 random_{1};

    static Starts points_of(const std::vector<LeastSquaresRun>& runs) {
        Starts points;
        for (const auto& r : runs) points.push_back(r.x);
        return points;
    }

    Starts scattered(Starts starts, double radius) {
        const std::size_t given = starts.size();
        while (starts.size() < std::size_t(o_.screened)) {
            auto x = starts[starts.size() % given];
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double part = 2 * (random_() + 0.5) * 0x1p-32 - 1;
                x[i] = std::clamp(x[i] + radius * part * coordinates_.reach(i, x[i]), coordinates_.lower(i),
                                  coordinates_.upper(i));
            }
            starts.push_back(std::move(x));
        }
        return starts;
    }

    /// Around x, and every other one with some coordinates from the first starts: a parameter that has run to a bound
    /// gets another chance.
    Starts shaken_up(const std::vector<double>& x, const Starts& wide, double radius) {
        Starts near = scattered({x}, radius);
        for (std::size_t k = 1; k < near.size(); k += 2) {
            const auto& other = wide[random_() % wide.size()];
            for (std::size_t i = 0; i < x.size(); ++i)
                if (random_() % 2) near[k][i] = other[i];
        }
        return near;
    }

    /// The first, which the loop suggests, and the `count` of least misfit.
    Starts best(const Starts& starts, std::size_t count) {
        const LeastSquares problem = problem_of(coordinates_, response_, 0);
        std::vector<double> cost(starts.size(), core::infinity);
        for_each_index(starts.size(), o_.threads, [&](std::size_t i) {
            Eigen::VectorXd r;
            if (problem.evaluate(starts[i].data(), r, nullptr) && r.allFinite()) cost[i] = r.squaredNorm();
            share_.add(passes_ * o_.screened / double(starts.size()));
        });
        left_ -= passes_ * o_.screened;
        std::vector<std::size_t> order(starts.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
        Starts chosen{starts.front()};
        for (std::size_t k = 0; k < std::min(count, order.size()); ++k)
            if (order[k] != 0 && std::isfinite(cost[order[k]])) chosen.push_back(starts[order[k]]);
        return chosen;
    }

    /// By ascending misfit; `planned` were thought to be so many.
    std::vector<LeastSquaresRun> descend(const Starts& from, int iterations, std::size_t planned) {
        const double evaluations = passes_ * Share::descent * double(planned);
        std::vector<LeastSquaresRun> runs(from.size());
        const LeastSquares problem = problem_of(coordinates_, response_, iterations);
        for_each_index(from.size(), o_.threads, [&](std::size_t i) {
            runs[i] = minimise(problem, from[i]);
            share_.add(evaluations / double(from.size()));
        });
        left_ -= evaluations;
        std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
        return runs;
    }
};

}  // namespace faying::fit
