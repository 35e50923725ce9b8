#include "integral_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/dual.hpp"
#include "faying/core/error.hpp"
#include "faying/core/special.hpp"
#include "faying/laws/generalized_valanis.hpp"

namespace faying::fit {

namespace {

using Valanis = laws::GeneralizedValanis<>;
using Jet = core::Jet<1>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double vanished = 1e-200;  ///< square of what is left of a first force that softening has forgotten

/// What c, E1 and each term multiply, with the derivatives to E2.
struct Columns {
    MatrixXd value, slope;
};

Columns columns_of(const Stretch& b, const std::vector<int>& terms, double E2) {
    const Index rows = Index(b.x.size()), count = Index(terms.size()) + 2;
    Columns made{MatrixXd::Zero(rows, count), MatrixXd::Zero(rows, count)};
    std::vector<Jet> at(static_cast<std::size_t>(count), Jet(0.0));
    at[0] = Jet(1.0);
    const Jet rate(E2, 0);
    for (Index i = 0; i < rows; ++i) {
        for (Index k = 0; k < count; ++k) {
            made.value(i, k) = at[std::size_t(k)].a;
            made.slope(i, k) = at[std::size_t(k)].v[0];
        }
        if (i + 1 == rows) break;
        const double x = b.x[std::size_t(i)], h = b.x[std::size_t(i + 1)] - x, v = b.v[std::size_t(i)];
        const auto phi = core::phi_functions<Valanis::degree + 1>(Jet(-rate * std::abs(h)));
        at[0] *= phi[0];
        at[1] = at[1] * phi[0] + h * phi[1];
        for (Index k = 2; k < count; ++k) {
            // x^p v^q about x: binomial coefficients times powers; each times n! h^(n+1) phi_(n+1)
            const auto [p, q] = Valanis::powers(terms[std::size_t(k - 2)]);
            Jet step(0.0);
            double choose = b.s * std::pow(v, q) * h;
            for (int n = 0; n <= p; ++n) {
                step += choose * std::pow(x, p - n) * phi[std::size_t(n + 1)];
                choose *= h * double(p - n);  // n! binomial(p, n) h^(n+1)
            }
            at[std::size_t(k)] = at[std::size_t(k)] * phi[0] + step;
        }
    }
    return made;
}

std::vector<Index> kept_rows(const Stretch& b, int without) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < b.x.size(); ++i)
        if (without < 0 || b.fold[i] != without) rows.push_back(Index(i));
    return rows;
}

/// The least squares for one E2.
struct Point {
    double E2 = 0, squares = core::infinity;
    VectorXd p, residual;
    MatrixXd H;       ///< columns of E1 and terms without the first forces
    VectorXd change;  ///< of the force with E2, without the first forces
    Index points = 0, branches = 0;
};

VectorXd solved(const MatrixXd& H, const VectorXd& f) {
    const VectorXd scale = H.colwise().norm();
    if (!(scale.minCoeff() > 0)) throw core::BadInput("least squares", "a term is zero at every point");
    return (H * scale.cwiseInverse().asDiagonal()).householderQr().solve(f).cwiseQuotient(scale);
}

Point point_at(const std::vector<Stretch>& all, const std::vector<int>& terms, int without, double E2) {
    Point made;
    made.E2 = E2;
    Index rows = 0;
    std::vector<std::vector<Index>> kept;
    for (const auto& b : all) {
        kept.push_back(kept_rows(b, without));
        if (kept.back().size() >= 2) {
            rows += Index(kept.back().size());
            ++made.branches;
        }
    }
    const Index count = Index(terms.size()) + 1;
    if (rows <= count + 1 + made.branches)
        throw core::BadInput("least squares", fmt::format("{} points do not suffice for {} parameters and the first "
                                                          "force of {} branches",
                                                          rows, count + 1, made.branches));
    made.points = rows;
    made.H.resize(rows, count);
    MatrixXd slope(rows, count);
    VectorXd f(rows);
    struct First {
        VectorXd u, du;
        double of_f;
        VectorXd of_H;
        Index at;
    };
    std::vector<First> firsts;
    Index at = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto& use = kept[k];
        if (use.size() < 2) continue;
        const Columns whole = columns_of(all[k], terms, E2);
        const MatrixXd value = whole.value(use, Eigen::all), change = whole.slope(use, Eigen::all);
        const Index n = Index(use.size());
        VectorXd measured(n);
        for (Index i = 0; i < n; ++i) measured(i) = all[k].f[std::size_t(use[std::size_t(i)])];
        First first{value.col(0), change.col(0), 0, {}, at};
        const double length = std::max(first.u.squaredNorm(), vanished);
        first.of_f = first.u.dot(measured) / length;
        first.of_H = value.rightCols(count).transpose() * first.u / length;
        made.H.middleRows(at, n) = value.rightCols(count) - first.u * first.of_H.transpose();
        slope.middleRows(at, n) = change.rightCols(count);
        f.segment(at, n) = measured - first.u * first.of_f;
        firsts.push_back(std::move(first));
        at += n;
    }
    made.p = solved(made.H, f);
    made.residual = f - made.H * made.p;
    made.squares = made.residual.squaredNorm();
    made.change = slope * made.p;
    for (const auto& first : firsts) {
        auto part = made.change.segment(first.at, first.u.size());
        part += first.du * (first.of_f - first.of_H.dot(made.p));
        part -= first.u * (first.u.dot(part) / std::max(first.u.squaredNorm(), vanished));
    }
    return made;
}

double range_of(const std::vector<Stretch>& all) {
    double longest = 0;
    for (const auto& b : all) longest = std::max(longest, std::abs(b.x.back() - b.x.front()));
    return longest;
}

/// The best of a scan in E2 times the longest branch: nothing, and 0.01 to 1000.
Point scanned(const std::vector<Stretch>& all, const std::vector<int>& terms, int without) {
    const double range = range_of(all);
    Point best = point_at(all, terms, without, 0);
    for (int k = 0; k <= 25; ++k) {
        Point next = point_at(all, terms, without, std::pow(10, -2 + k / 5.0) / range);
        if (next.squares < best.squares) best = std::move(next);
    }
    return best;
}

}  // namespace

std::vector<Stretch> stretches(const std::vector<Loop>& loops) {
    std::vector<Stretch> all;
    for (std::size_t l = 0; l < loops.size(); ++l) {
        const Loop& loop = loops[l];
        for (const auto& b : branches(loop)) {
            Stretch made;
            made.s = b.direction;
            made.loop = l;
            std::size_t before = 0;
            for (std::size_t i = b.first + 1; i < b.last; ++i) {
                if (!made.x.empty()) {
                    const double run = loop.u[i] - made.x.back();
                    if (run * made.s <= 0) continue;
                    made.v.push_back(loop.t.empty() ? 0.0 : run / (loop.t[i] - loop.t[before]));
                }
                made.x.push_back(loop.u[i]);
                made.f.push_back(loop.f[i]);
                before = i;
            }
            if (made.x.size() >= 3) all.push_back(std::move(made));
        }
    }
    return all;
}

IntegralFit fit_integral(const std::vector<Stretch>& all, const std::vector<int>& terms, int without,
                         std::optional<double> start) {
    Point at = start ? point_at(all, terms, without, *start) : scanned(all, terms, without);
    bool converged = false;
    const double range = range_of(all);
    for (int iteration = 0; iteration < 60 && !converged; ++iteration) {
        // The change with E2 that the other parameters cannot follow
        const VectorXd across = at.change - at.H * solved(at.H, at.change);
        const double length = across.squaredNorm();
        if (!(length > 0)) break;
        double step = across.dot(at.residual) / length;
        converged = true;
        for (int cut = 0; cut < 30; ++cut, step /= 2) {
            double E2 = std::max(at.E2 + step, 0.1 * at.E2);
            if (E2 * range < 1e-6) E2 = 0;  // no softening that the record could show
            if (std::abs(E2 - at.E2) <= 1e-12 * at.E2 || E2 == at.E2) break;
            Point next = point_at(all, terms, without, E2);
            if (!(next.squares < at.squares)) continue;
            converged = std::abs(E2 - at.E2) <= 1e-10 * at.E2;
            at = std::move(next);
            break;
        }
    }
    IntegralFit made;
    made.E2 = at.E2;
    made.linear = at.p;
    made.squares = at.squares;
    made.points = std::size_t(at.points);
    made.converged = converged;
    const Index count = at.H.cols() + 1;
    MatrixXd J(at.H.rows(), count);
    J << at.H.col(0), at.change, at.H.rightCols(count - 2);
    VectorXd scale = J.colwise().norm();
    for (auto& x : scale)
        if (!(x > 0)) x = 1;
    J *= scale.cwiseInverse().asDiagonal();
    const MatrixXd R = J.householderQr().matrixQR().topRows(count).triangularView<Eigen::Upper>();
    const Eigen::JacobiSVD<MatrixXd> svd(R, Eigen::ComputeFullV);
    const VectorXd singular = svd.singularValues();
    made.condition = singular(0) / singular(count - 1);
    const double sigma = std::sqrt(at.squares / double(at.points - at.branches - count));
    made.standard_errors =
        sigma *
        (svd.matrixV() * singular.cwiseMax(1e-300).cwiseInverse().asDiagonal()).rowwise().norm().cwiseQuotient(scale);
    return made;
}

double squares_of_fold(const std::vector<Stretch>& all, const std::vector<int>& terms, const IntegralFit& fit,
                       int fold) {
    double sum = 0;
    for (const auto& b : all) {
        const Columns whole = columns_of(b, terms, fit.E2);
        VectorXd rest(Index(b.x.size()));
        for (Index i = 0; i < rest.size(); ++i)
            rest(i) = b.f[std::size_t(i)] - whole.value.row(i).tail(fit.linear.size()).dot(fit.linear);
        auto known = kept_rows(b, fold);
        if (known.size() < 2) known = kept_rows(b, -1);
        const VectorXd u = whole.value.col(0)(known);
        const double first = u.dot(rest(known)) / std::max(u.squaredNorm(), vanished);
        for (Index i = 0; i < rest.size(); ++i)
            if (b.fold[std::size_t(i)] == fold) sum += std::pow(rest(i) - first * whole.value(i, 0), 2);
    }
    return sum;
}

}  // namespace faying::fit
