#include "faying/fit/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "least_squares.hpp"
#include "loop_response.hpp"
#include "parallel.hpp"

namespace faying::fit {

using core::BadInput;
using Values = core::ParameterValues;

namespace {

double rms(const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum / double(x.size()));
}

/// Residuals over the measured root mean square. A parameter set the law refuses is a step the solver takes back.
LeastSquares problem_of(const Coordinates& coordinates, const Response& response, int iterations) {
    const double scale = rms(response.measured());
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
        } catch (const BadInput&) {
            return false;
        } catch (const core::NotConverged&) {
            return false;
        }
    };
    return problem;
}

using Starts = std::vector<std::vector<double>>;

/// Finds the least misfit. Least squares of a law that jumps (Iwan-5 at the onset of macroslip), or that shows a
/// parameter only in part of the record, does not find its way from far: starts are scattered and screened by their
/// misfit first, and the answer is shaken the same way until nothing better turns up.
class Search {
 public:
    Search(const Coordinates& coordinates, const Response& response, const IdentifyOptions& options)
        : coordinates_(coordinates), response_(response), o_(options) {}

    LeastSquaresRun run(const Starts& starts) {
        const Starts wide = scattered(starts, 1);
        auto first = descend(best(wide, 12), std::min(25, o_.iterations));
        first.resize(std::min<std::size_t>(3, first.size()));
        auto answer = descend(points_of(first), o_.iterations).front();
        if (!std::isfinite(answer.cost)) throw core::NotConverged("identify: the law refuses every start", answer.cost);
        for (double radius = 0.3; radius > 1e-3 && answer.cost > 1e-18 * double(response_.points()); radius /= 3) {
            auto shaken = descend(best(shaken_up(answer.x, wide, radius), 4), o_.iterations).front();
            if (shaken.cost < answer.cost * (1 - 1e-9)) answer = std::move(shaken);
        }
        return answer;
    }

 private:
    const Coordinates& coordinates_;
    const Response& response_;
    const IdentifyOptions& o_;
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
    Starts best(const Starts& starts, std::size_t count) const {
        const LeastSquares problem = problem_of(coordinates_, response_, 0);
        std::vector<double> cost(starts.size(), core::infinity);
        for_each_index(starts.size(), o_.threads, [&](std::size_t i) {
            Eigen::VectorXd r;
            if (problem.evaluate(starts[i].data(), r, nullptr) && r.allFinite()) cost[i] = r.squaredNorm();
        });
        std::vector<std::size_t> order(starts.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
        Starts chosen{starts.front()};
        for (std::size_t k = 0; k < std::min(count, order.size()); ++k)
            if (order[k] != 0 && std::isfinite(cost[order[k]])) chosen.push_back(starts[order[k]]);
        return chosen;
    }

    /// By ascending misfit.
    std::vector<LeastSquaresRun> descend(const Starts& from, int iterations) const {
        std::vector<LeastSquaresRun> runs(from.size());
        const LeastSquares problem = problem_of(coordinates_, response_, iterations);
        for_each_index(from.size(), o_.threads, [&](std::size_t i) { runs[i] = minimise(problem, from[i]); });
        std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
        return runs;
    }
};

/// Standard errors and condition from the sensitivities; who is entangled when they are nearly dependent.
void judge(Identified& result, const Coordinates& coordinates, const Response& response, const double* x) {
    const Eigen::MatrixXd J = response.jacobian(x);
    result.modelled = response.output(x);
    double squares = 0;
    for (std::size_t i = 0; i < result.modelled.size(); ++i)
        squares += std::pow(result.modelled[i] - response.measured()[i], 2);
    result.rms = std::sqrt(squares / double(J.rows()));
    result.relative_rms = result.rms / rms(response.measured());
    const Eigen::VectorXd norm = J.colwise().norm();
    Eigen::VectorXd scale = norm;
    for (auto& s : scale)
        if (!(s > 0)) s = 1;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J * scale.cwiseInverse().asDiagonal(), Eigen::ComputeThinV);
    const Eigen::VectorXd& singular = svd.singularValues();
    const auto last = J.cols() - 1;
    result.condition = singular(last) > 0 ? singular(0) / singular(last) : core::infinity;
    const Eigen::VectorXd spread =
        (svd.matrixV() * singular.cwiseMax(1e-300).cwiseInverse().asDiagonal()).rowwise().norm();
    const double sigma = std::sqrt(squares / std::max<double>(1, double(J.rows() - J.cols())));
    for (Eigen::Index k = 0; k < J.cols(); ++k) {
        const auto& key = coordinates.free()[std::size_t(k)].key;
        result.standard_errors[key] = sigma * spread(k) / scale(k);
        if (result.condition > 1e8 && std::abs(svd.matrixV()(k, last)) > 0.1) result.entangled.push_back(key);
    }
}

void check_keys(const std::string& law, const std::vector<core::ParameterInfo>& table, const IdentifyOptions& options) {
    std::vector<std::string> known;
    for (const auto& info : table) known.push_back(info.key);
    const auto check = [&](const std::string& key, const char* where) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw BadInput(
                where, fmt::format("'{}' is not a parameter of {}; allowed are: {}", key, law, fmt::join(known, " ")));
    };
    for (const auto& [key, value] : options.fixed) {
        check(key, "fix");
        for (const auto& info : table)
            if (info.key == key && !info.bounds.contains(value))
                throw BadInput("fix", fmt::format("{} = {:g} is outside {}", key, value, info.bounds.text()));
    }
    for (const auto& [key, value] : options.start) check(key, "start");
    for (const auto& key : options.free) check(key, "free");
}

/// Those without a default, and those asked for; without the fixed ones.
std::vector<core::ParameterInfo> free_parameters(const std::string& law, const std::vector<core::ParameterInfo>& table,
                                                 const IdentifyOptions& options) {
    std::vector<core::ParameterInfo> free;
    for (const auto& info : table) {
        const bool asked = std::find(options.free.begin(), options.free.end(), info.key) != options.free.end();
        if (options.fixed.contains(info.key)) continue;
        if (!info.fallback || asked || options.start.contains(info.key)) free.push_back(info);
    }
    if (free.empty())
        throw BadInput("identify",
                       fmt::format("no parameter of {} is left to be found: all are fixed or have defaults (name some "
                                   "as free)",
                                   law));
    return free;
}

std::vector<std::vector<double>> starts_of(const Coordinates& coordinates, const Loop& loop,
                                           const IdentifyOptions& options) {
    std::vector<std::vector<double>> starts;
    Values known = options.fixed;
    known.insert(options.start.begin(), options.start.end());
    for (auto values : suggested_starts(coordinates.law(), features(loop), known)) {
        for (const auto& info : coordinates.free()) {
            if (options.start.contains(info.key)) values[info.key] = options.start.at(info.key);
            if (!values.contains(info.key) && info.fallback && std::isfinite(*info.fallback))
                values[info.key] = *info.fallback;
            if (!values.contains(info.key))
                throw BadInput("start", fmt::format("'{}' of {} needs a start", info.key, coordinates.law()));
        }
        auto x = coordinates.of(values);
        if (std::find(starts.begin(), starts.end(), x) == starts.end()) starts.push_back(std::move(x));
    }
    return starts;
}

/// The slopes' answer as the start, and its parameters as the ones sought.
struct Slopes {
    BranchFit fit;
    IdentifyOptions options;
};

Slopes by_slopes(const Loop& loop, IdentifyOptions options) {
    Slopes s{fit_generalized_valanis(loop, options.branch), std::move(options)};
    for (auto& [key, value] : s.fit.parameters) {
        if (key.starts_with("E2") && value < 0)
            throw core::NotConverged(fmt::format("{}: {} came out as {:.4g}: a branch that stiffens is not of this law "
                                                 "(more terms, or a wider stride against noise, may help)",
                                                 loop.source, key, value),
                                     s.fit.condition);
        s.options.start[key] = value;
    }
    return s;
}

}  // namespace

void IdentifyOptions::check() const {
    core::require(passes >= 1, "identify", "passes >= 1");
    core::require(screened >= 0, "identify", "screened >= 0");
    core::require(iterations >= 1, "identify", "iterations >= 1");
    core::require(threads >= 0, "identify", "threads >= 0");
}

Identified identify(const Loop& loop, const std::string& law, const IdentifyOptions& given) {
    given.check();
    loop.check();
    const auto table = laws::expression_parameters(law);
    check_keys(law, table, given);
    IdentifyOptions options = given;
    std::optional<BranchFit> slopes;
    if (law == "generalized-valanis") {
        auto s = by_slopes(loop, given);
        slopes = std::move(s.fit);
        options = std::move(s.options);
    }
    const Coordinates coordinates(law, free_parameters(law, table, options), options.fixed);
    const auto starts = starts_of(coordinates, loop, options);

    Identified result;
    const laws::Law first(law, coordinates.values(starts.front().data()));
    result.memory = options.memory != Memory::automatic ? options.memory
                    : loop.from_virgin()                ? Memory::virgin
                                                        : Memory::steady;
    const Drive drive = drive_of(loop, first.drive(), result.memory, options.passes);
    const Response response(coordinates, drive);
    if (response.points() <= coordinates.size())
        throw BadInput(loop.source, fmt::format("{} points do not suffice for {} parameters", response.points(),
                                                coordinates.size()));
    response.jacobian(starts.front().data());  // a law without derivatives says so here
    LeastSquaresRun run{starts.front(), 0, true, 0};
    if (!slopes || options.refine) run = Search(coordinates, response, options).run(starts);
    result.converged = run.converged;
    result.iterations = run.iterations;
    const Values found = coordinates.values(run.x.data());
    const laws::Law answer(law, found);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double value = answer.values()[i];
        if (found.contains(table[i].key) || (std::isfinite(value) && value != 0))
            result.parameters[table[i].key] = value;
    }
    judge(result, coordinates, response, run.x.data());
    if (slopes && !options.refine) {
        result.condition = slopes->condition;
        result.standard_errors = slopes->standard_errors;
        result.entangled.clear();
    }
    return result;
}

}  // namespace faying::fit
