#include "faying/fit/branch_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/laws/generalized_valanis.hpp"

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
    for (const auto& term : terms) term_index(term);
}

BranchFit fit_generalized_valanis(const Loop& loop, const BranchFitOptions& options) {
    options.check();
    loop.check();
    std::vector<int> terms;
    for (const auto& term : options.terms) terms.push_back(term_index(term));
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (Valanis::powers(terms[i])[1] > 0 && loop.t.empty())
            throw BadInput(loop.source, fmt::format("has no times; {} multiplies velocity", options.terms[i]));
    const auto columns = [&](const LoopPoint& p) {
        std::vector<double> row{1, -p.s * p.f};
        for (const int term : terms) row.push_back(p.s * monomial(term, p));
        return row;
    };
    const auto points = central_differences(loop, options.stride);
    const auto rising = ends_dropped(points, 1, options.cut), falling = ends_dropped(points, -1, options.cut);
    BranchFit result;
    const auto take = [&](const std::vector<LoopPoint>& side, const char* suffix) {
        try {
            const LinearFit fit = fitted_to_slopes(side, columns);
            result.condition = std::max(result.condition, fit.condition);
            result.points += side.size();
            for (Eigen::Index i = 0; i < fit.parameters.size(); ++i) {
                const std::string key = (i == 0 ? "E1" : i == 1 ? "E2" : options.terms[std::size_t(i - 2)]) + suffix;
                result.parameters[key] = fit.parameters(i);
                result.standard_errors[key] = fit.standard_errors(i);
            }
        } catch (const BadInput& error) {
            throw BadInput(loop.source, fmt::format("{} branch: {}", *suffix ? "falling" : "rising", error.what()));
        }
    };
    if (options.symmetric) {
        auto both = rising;
        both.insert(both.end(), falling.begin(), falling.end());
        take(both, "");
    } else {
        take(rising, "");
        take(falling, "_down");
    }
    return result;
}

}  // namespace faying::fit
