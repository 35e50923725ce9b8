#include "faying/geometric/condensation.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "bordered.hpp"
#include "faying/core/error.hpp"

namespace faying::geometric {

DirectedTaylor::DirectedTaylor(const System& system, const Rest& rest, const std::vector<Mode>& modes)
    : system_(system), rest_(rest), stiffness_(static_cast<Index>(modes.size())) {
    const auto count = static_cast<Index>(modes.size());
    shapes_.resize(rest.u.size(), count);
    inertia_.resize(rest.u.size(), count);
    for (Index r = 0; r < count; ++r) {
        const Mode& mode = modes[static_cast<std::size_t>(r)];
        stiffness_(r) = mode.omega * mode.omega;
        shapes_.col(r) = mode.shape;
        inertia_.col(r) = mode.inertia;
    }
    const Sparse k = system.tangent(rest.u);
    scale_ = border_scale(k, inertia_);
    stiffest_ = k.diagonal().cwiseAbs().maxCoeff();
    if (!solver_.factor(bordered(k, inertia_, scale_)))
        throw core::NotConverged("the stiffness about rest is singular", std::numeric_limits<double>::quiet_NaN());
}

DirectedTaylor::Series DirectedTaylor::along(const VectorXd& c, int order) const {
    const Index n = rest_.u.size(), modes = c.size();
    Series t{MatrixXd::Zero(modes, order + 1), MatrixXd::Zero(n, order + 1), 0};
    t.u.col(0) = rest_.u;
    t.u.col(1) = shapes_ * c;
    t.k.col(1) = stiffness_.cwiseProduct(c);
    for (int j = 1; j <= order; ++j) {
        double residual = 0, last = std::numeric_limits<double>::infinity();
        // Refined with forces from strains: what the assembled stiffness loses comes back.
        for (int pass = 0; pass < 6; ++pass) {
            const VectorXd load = inertia_ * t.k.col(j);
            const VectorXd r = system_.series(t.u.leftCols(j + 1), j) - load;
            const double size = std::max(load.norm(), 1e-9 * stiffest_ * t.u.col(j).cwiseAbs().maxCoeff());
            residual = size > 0 ? r.norm() / size : 0;
            if (pass > 1 && !(residual < 0.5 * last)) break;
            last = residual;
            VectorXd right(n + modes);
            right << -r, scale_ * (-inertia_.transpose() * t.u.col(j));
            if (j == 1) right.tail(modes) += scale_ * c;
            const VectorXd x = solver_.solve(right);
            t.u.col(j) += x.head(n);
            t.k.col(j) -= scale_ * x.tail(modes);
        }
        t.residual = std::max(t.residual, std::min(residual, last));
    }
    return t;
}

Taylor taylor(const System& system, const Rest& rest, const Mode& mode, int order) {
    auto t = DirectedTaylor(system, rest, {mode}).along(VectorXd::Ones(1), order);
    return {t.k.row(0).transpose(), std::move(t.u), t.residual};
}

Fit fit_polynomial(double omega, const std::vector<double>& q, const std::vector<double>& alpha, int order) {
    const auto points = static_cast<Index>(q.size());
    if (order < 2) throw core::BadInput("order", "a polynomial of order 2 at least is fitted");
    const Index terms = order - 1;
    if (terms > points)
        throw core::BadInput("order", fmt::format("{} has {} coefficients and there are {} points; give more points or "
                                                  "a lower order",
                                                  order, terms, points));
    double reach = 0;
    for (const double x : q) reach = std::max(reach, std::abs(x));
    MatrixXd a(points, terms);
    VectorXd b(points);
    for (Index l = 0; l < points; ++l) {
        const double x = q[static_cast<std::size_t>(l)], load = alpha[static_cast<std::size_t>(l)];
        if (load == 0 || x == 0)
            throw core::BadInput("points", fmt::format("the point q = {:g} has no load to weigh it by", x));
        b(l) = 1 - omega * omega * x / load;
        for (Index j = 0; j < terms; ++j) a(l, j) = std::pow(x / reach, double(j + 2)) / load;
    }
    const VectorXd size = a.colwise().norm();
    const MatrixXd scaled = a * size.cwiseInverse().asDiagonal();
    const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VectorXd s = svd.singularValues();
    if (!(s(terms - 1) > 1e-14 * s(0)))
        throw core::BadInput("order", fmt::format("{} cannot be told from these points (condition {:.2g}); give points "
                                                  "on both sides, spread out, or a lower order",
                                                  order, s(0) / s(terms - 1)));
    const VectorXd y = svd.matrixV() * s.cwiseInverse().cwiseProduct(svd.matrixU().transpose() * b);
    Fit fit;
    fit.order = order;
    fit.condition = s(0) / s(terms - 1);
    const VectorXd rest = scaled * y - b;
    fit.rms = std::sqrt(rest.squaredNorm() / double(points));
    VectorXd unit(terms);  // of each coefficient
    for (Index j = 0; j < terms; ++j) unit(j) = std::pow(reach, -double(j + 2)) / size(j);
    fit.k = VectorXd::Zero(order + 1);
    fit.k(1) = omega * omega;
    fit.k.tail(terms) = unit.cwiseProduct(y);
    const double scatter =
        points > terms ? rest.squaredNorm() / double(points - terms) : std::numeric_limits<double>::quiet_NaN();
    const MatrixXd inverse = svd.matrixV() * s.cwiseAbs2().cwiseInverse().asDiagonal() * svd.matrixV().transpose();
    fit.covariance = scatter * unit.asDiagonal() * inverse * unit.asDiagonal();
    return fit;
}

double telling_amplitude(const VectorXd& k) {
    double low = 0, high = std::numeric_limits<double>::infinity();
    const auto excess = [&](double q) {
        double sum = 0;
        for (Index j = 2; j < std::min<Index>(k.size(), 4); ++j) sum += std::abs(k(j)) * std::pow(q, double(j - 1));
        return sum / k(1) - 1;
    };
    for (Index j = 2; j < std::min<Index>(k.size(), 4); ++j)
        if (k(j) != 0) high = std::min(high, std::pow(std::abs(k(1) / k(j)), 1 / double(j - 1)));
    if (!std::isfinite(high)) throw core::BadInput("mode", "does not bend far: its force is linear; give --range");
    for (int i = 0; i < 60; ++i) (excess(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
    return 0.5 * (low + high);
}

}  // namespace faying::geometric
