#include "faying/fit/branch_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "faying/core/error.hpp"
#include "faying/laws/generalized_valanis.hpp"
#include "integral_form.hpp"
#include "smoothing_spline.hpp"
#include "term_choice.hpp"

namespace faying::fit {

using core::BadInput;
using Valanis = laws::GeneralizedValanis<>;

namespace {

/// The index of "a7" among the monomials, from 0.
int term_index(const std::string& term) {
    for (int i = 0; i < Valanis::terms; ++i)
        if (term == fmt::format("a{}", i + 1)) return i;
    throw BadInput("terms", fmt::format("'{}' is not known; allowed are a1 to a{}", term, int(Valanis::terms)));
}

double monomial(int index, const LoopPoint& p) {
    const auto [px, pv] = Valanis::powers(index);
    return std::pow(p.x, px) * std::pow(p.v, pv);
}

/// What share of the greatest speed half a sine has where the branch is at p.
double sine_pace(const Loop& loop, const Branch& b, std::size_t i) {
    const double half = (loop.u[b.last] - loop.u[b.first]) / 2, middle = (loop.u[b.last] + loop.u[b.first]) / 2;
    const double x = (loop.u[i] - middle) / half;
    return std::sqrt(std::max(0.0, 1 - x * x));
}

}  // namespace

std::vector<LoopPoint> central_differences(const Loop& loop, int stride) {
    core::require(stride >= 1, "central differences", "stride >= 1");
    const std::size_t k = std::size_t(stride);
    std::vector<LoopPoint> points;
    double fastest = 0;
    for (const auto& b : branches(loop))
        for (std::size_t i = b.first + k; i + k <= b.last; ++i) {
            const double run = loop.u[i + k] - loop.u[i - k];
            if (run * b.direction <= 0) continue;  // noise stronger than the motion
            LoopPoint p{loop.u[i], 0, loop.f[i], (loop.f[i + k] - loop.f[i - k]) / run, double(b.direction), 1};
            if (loop.t.empty())
                p.pace = sine_pace(loop, b, i);
            else
                p.v = run / (loop.t[i + k] - loop.t[i - k]);
            fastest = std::max(fastest, std::abs(p.v));
            points.push_back(p);
        }
    if (!loop.t.empty())
        for (auto& p : points) p.pace = std::abs(p.v) / fastest;
    return points;
}

std::vector<LoopPoint> ends_dropped(const std::vector<LoopPoint>& points, double s, double cut) {
    std::vector<LoopPoint> kept;
    for (const auto& p : points)
        if (p.s * s > 0 && p.pace > cut) kept.push_back(p);
    return kept;
}

std::vector<LoopPoint> spline_slopes(const Loop& loop) {
    std::vector<LoopPoint> points;
    double fastest = 0;
    for (const auto& b : branches(loop)) {
        // In the order of x: noise may step back. Samples nearer than a spline could tell apart count as one.
        std::vector<std::size_t> order;
        for (std::size_t i = b.first + 1; i < b.last; ++i) order.push_back(i);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t i, std::size_t j) { return loop.u[i] < loop.u[j]; });
        const double near = 1e-5 * std::abs(loop.u[b.last] - loop.u[b.first]);
        std::vector<double> x, f, weight;
        std::vector<std::size_t> sample;
        for (const std::size_t i : order) {
            if (!x.empty() && loop.u[i] - x.back() <= near) {
                f.back() += (loop.f[i] - f.back()) / ++weight.back();
                continue;
            }
            x.push_back(loop.u[i]);
            f.push_back(loop.f[i]);
            sample.push_back(i);
            weight.push_back(1);
        }
        if (x.size() < 5) continue;
        const SmoothingSpline force(x, f, weight);
        std::optional<SmoothingSpline> motion;
        if (!loop.t.empty())
            motion.emplace(std::vector<double>(loop.t.begin() + long(b.first), loop.t.begin() + long(b.last) + 1),
                           std::vector<double>(loop.u.begin() + long(b.first), loop.u.begin() + long(b.last) + 1));
        for (std::size_t k = 0; k < x.size(); ++k) {
            LoopPoint p{x[k], 0, force.value(k), force.slope(k), double(b.direction), 1};
            if (motion)
                p.v = motion->slope(sample[k] - b.first);
            else
                p.pace = sine_pace(loop, b, sample[k]);
            fastest = std::max(fastest, std::abs(p.v));
            points.push_back(p);
        }
    }
    if (!loop.t.empty())
        for (auto& p : points) p.pace = std::abs(p.v) / fastest;
    return points;
}

LinearFit fitted_to_slopes(const std::vector<LoopPoint>& points,
                           const std::function<std::vector<double>(const LoopPoint&)>& columns) {
    const auto rows = Eigen::Index(points.size());
    const auto count = rows > 0 ? Eigen::Index(columns(points.front()).size()) : 0;
    if (rows <= count)
        throw BadInput("least squares", fmt::format("{} points do not suffice for {} parameters", rows, count));
    Eigen::MatrixXd H(rows, count);
    Eigen::VectorXd slope(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const std::vector<double> row = columns(points[std::size_t(i)]);
        H.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), count);
        slope(i) = points[std::size_t(i)].slope;
    }
    const Eigen::VectorXd scale = H.colwise().norm();
    if (!(scale.minCoeff() > 0)) throw BadInput("least squares", "a term is zero at every point");
    const Eigen::MatrixXd scaled = H * scale.cwiseInverse().asDiagonal();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeThinV);
    const Eigen::VectorXd& singular = svd.singularValues();
    LinearFit fit;
    fit.parameters = scaled.colPivHouseholderQr().solve(slope).cwiseQuotient(scale);
    fit.condition = singular(0) / singular(count - 1);
    const double squares = (H * fit.parameters - slope).squaredNorm();
    fit.rms = std::sqrt(squares / double(rows));
    // Variances: sigma^2 diag((H^T H)^-1) = sigma^2 |rows of V / singular values|^2
    const Eigen::MatrixXd spread = svd.matrixV() * singular.cwiseInverse().asDiagonal();
    fit.standard_errors = (spread.rowwise().norm() * std::sqrt(squares / double(rows - count))).cwiseQuotient(scale);
    return fit;
}

void BranchFitOptions::check() const {
    core::require(cut >= 0 && cut < 1, "identify", "0 <= cut < 1");
    core::require(stride >= 1, "identify", "stride >= 1");
    if (terms.empty()) throw BadInput("terms", "name one at least, or auto");
    if (chosen_terms()) return;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        term_index(terms[i]);
        if (std::find(terms.begin(), terms.begin() + long(i), terms[i]) != terms.begin() + long(i))
            throw BadInput("terms", fmt::format("'{}' is there twice", terms[i]));
    }
}

namespace {

/// One direction, or both as one.
struct Side {
    std::string name, suffix;
    double s;  ///< 0: both
};

std::vector<Stretch> of_side(const std::vector<Stretch>& all, double s) {
    std::vector<Stretch> kept;
    for (const auto& b : all)
        if (b.s * s >= 0) kept.push_back(b);
    return kept;
}

std::vector<int> indices_of(const std::vector<std::string>& terms) {
    std::vector<int> indices;
    for (const auto& term : terms) indices.push_back(term_index(term));
    return indices;
}

/// E1, E2 and terms as the form asks.
LinearFit fitted_side(const std::vector<Loop>& loops, const std::vector<Stretch>& all, const Side& side,
                      const std::vector<int>& terms, const BranchFitOptions& options, std::size_t& points) {
    if (options.form == LoopForm::integral) {
        const IntegralFit found = fit_integral(of_side(all, side.s), terms);
        LinearFit fit;
        fit.parameters.resize(found.linear.size() + 1);
        fit.parameters << found.linear(0), found.E2, found.linear.tail(found.linear.size() - 1);
        fit.standard_errors = found.standard_errors;
        fit.condition = found.condition;
        points += found.points;
        return fit;
    }
    std::vector<LoopPoint> used;
    for (const auto& loop : loops) {
        const auto slopes =
            options.form == LoopForm::spline ? spline_slopes(loop) : central_differences(loop, options.stride);
        for (const double s : {1.0, -1.0})
            if (s * side.s >= 0) {
                const auto kept = ends_dropped(slopes, s, options.cut);
                used.insert(used.end(), kept.begin(), kept.end());
            }
    }
    points += used.size();
    return fitted_to_slopes(used, [&](const LoopPoint& p) {
        std::vector<double> row{1, -p.s * p.f};
        for (const int term : terms) row.push_back(p.s * monomial(term, p));
        return row;
    });
}

}  // namespace

BranchFit fit_generalized_valanis(const std::vector<Loop>& loops, const BranchFitOptions& options) {
    options.check();
    core::require(!loops.empty(), "identify", "at least one loop");
    bool timed = true;
    for (const auto& loop : loops) {
        loop.check();
        timed = timed && !loop.t.empty();
        if (!options.chosen_terms() && loop.t.empty())
            for (const auto& term : options.terms)
                if (Valanis::powers(term_index(term))[1] > 0)
                    throw BadInput(loop.source, fmt::format("has no times; {} multiplies velocity", term));
    }
    const auto all = stretches(loops);
    std::vector<Side> sides{{"rising branch", "", 1}, {"falling branch", "_down", -1}};
    if (options.symmetric) sides = {{"both directions", "", 0}};
    BranchFit result;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const auto& side = sides[k];
        try {
            ChosenTerms chosen{options.terms};
            if (options.chosen_terms())
                chosen = choose_terms(of_side(all, side.s), timed, loops.size(), options.threads, [&](double share) {
                    if (options.progress) options.progress((double(k) + share) / double(sides.size()));
                });
            const LinearFit fit = fitted_side(loops, all, side, indices_of(chosen.terms), options, result.points);
            result.condition = std::max(result.condition, fit.condition);
            for (Eigen::Index i = 0; i < fit.parameters.size(); ++i) {
                const std::string key = (i == 0   ? "E1"
                                         : i == 1 ? "E2"
                                                  : chosen.terms[std::size_t(i - 2)]) +
                                        side.suffix;
                result.parameters[key] = fit.parameters(i);
                result.standard_errors[key] = fit.standard_errors(i);
            }
            if (side.s >= 0) result.rising = chosen;
            if (side.s <= 0) result.falling = chosen;
        } catch (const BadInput& error) {
            throw BadInput(loops.front().source, fmt::format("{}: {}", side.name, error.what()));
        }
    }
    // A term that only rises would else hold when x falls too.
    for (const auto& term : result.rising.terms)
        if (!options.symmetric && !result.parameters.contains(term + "_down")) result.absent[term + "_down"] = 0;
    return result;
}

}  // namespace faying::fit
