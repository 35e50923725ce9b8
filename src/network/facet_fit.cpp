#include "facet_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "faying/core/stop.hpp"
#include "slider_fit.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using With = Misfit::With;

constexpr int stride = 4;       // points for one residual of what is dissipated
constexpr double weight = 6.0;  // of dissipation beside displacement: it is what the law is for

VectorXd numbers_of(const Facets& facets) {
    const auto all = facets.numbers();
    return Eigen::Map<const VectorXd>(all.data(), Index(all.size()));
}
Facets with_numbers(const VectorXd& x, const Facets& like) { return Facets::of(x.data(), like.states(), like.pairs()); }

/// Of every number its own curvature, and of those that nothing depends on a little.
VectorXd own_curvature(const MatrixXd& normal) {
    return normal.diagonal().cwiseMax(1e-6 * normal.diagonal().maxCoeff());
}
/// (J^T J, damped)^-1 of these columns.
MatrixXd damped_solution(const Misfit::Model& model, double damping, const MatrixXd& right) {
    MatrixXd damped = model.normal;
    damped.diagonal() += damping * own_curvature(model.normal);
    return damped.selfadjointView<Eigen::Lower>().ldlt().solve(right);
}

}  // namespace

Misfit::Misfit(const std::vector<KnownHistory>& histories) : histories_(histories) {
    for (const auto& h : histories) {
        least_range_ = std::max(least_range_, 1e-3 * range_of(h.xi));
        least_loss_ = std::max(least_loss_, 1e-4 * h.dissipated.back());
    }
}

Misfit::Model Misfit::operator()(const Facets& facets, With with, double bound) const {
    const bool slopes = with != With::cost;
    Model model;
    if (slopes) model.gradient = VectorXd::Zero(facets.size());
    if (with == With::normal) model.normal = MatrixXd::Zero(facets.size(), facets.size());
    if (!facets.normals.allFinite() || !facets.coupling.allFinite()) return {core::infinity, {}, {}};
    for (const auto& h : histories_) {
        core::stop_point();
        const std::size_t points = h.load.size(), rows = points + points / stride;
        const double of_xi = 1.0 / (std::max(range_of(h.xi), least_range_) * std::sqrt(double(points)));
        const double of_loss =
            weight * std::sqrt(double(stride) / double(points)) / std::max(h.dissipated.back(), least_loss_);
        VectorXd r(rows);
        MatrixXd J(slopes ? rows : 0, facets.size());
        Index row = 0;
        try {
            FacetWalk walk(facets, slopes);
            for (std::size_t i = 0; i < points; ++i) {
                walk.advance(h.load[i]);
                if (slopes) J.row(row) = of_xi * walk.xi_slopes();
                r(row++) = of_xi * (walk.xi() - h.xi[i]);
                if ((i + 1) % stride != 0) continue;
                if (slopes) J.row(row) = of_loss * walk.dissipated_slopes();
                r(row++) = of_loss * (walk.dissipated() - h.dissipated[i]);
            }
        } catch (const std::runtime_error&) {  // nearly singular: not a law to go on from
            return {core::infinity, {}, {}};
        }
        model.cost += r.squaredNorm();
        if (!(model.cost <= bound)) return {core::infinity, {}, {}};
        if (slopes) model.gradient += J.transpose() * r;
        if (with == With::normal) model.normal.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose());
    }
    return model;
}

Fitted levenberg_marquardt(const Misfit& misfit, const Facets& start, int iterations) {
    constexpr double enough = 1e-5;
    auto model = misfit(start, With::normal);
    Fitted now{start, model.cost};
    double damping = 1e-3;
    for (int slow = 0; std::isfinite(now.cost) && now.iterations < iterations && !now.converged; ++now.iterations) {
        const double before = now.cost;
        for (int trial = 0; trial < 12 && now.cost == before; ++trial) {
            const VectorXd step = damped_solution(model, damping, model.gradient);
            auto there = with_numbers(numbers_of(now.facets) - step, start);
            const double cost = misfit(there, With::cost, now.cost).cost;
            if (cost < now.cost) {
                now.cost = cost;
                now.facets = std::move(there);
                damping = std::max(0.3 * damping, 1e-9);
            } else {
                damping *= 4.0;
            }
        }
        slow = before - now.cost < enough * before ? slow + 1 : 0;
        now.converged = now.cost == before || slow == 3;
        if (!now.converged) model = misfit(now.facets, With::normal);
    }
    return now;
}

namespace {

struct Point {
    VectorXd x, gradient;
    double cost = 0;
};

/// Half of the cost falls enough, and its slope has risen enough for the curvature between to be positive (the weak
/// conditions of Wolfe); or the lowest place found, or none.
std::optional<Point> lower_along(const Misfit& misfit, const Point& from, const VectorXd& direction,
                                 const Facets& like) {
    constexpr double fall = 1e-4, rise = 0.5;
    const double slope = from.gradient.dot(direction);
    if (!(slope < 0.0)) return {};
    std::optional<Point> lowest;
    double low = 0, high = core::infinity, way = 1;
    for (int trial = 0; trial < 25; ++trial) {
        Point there{from.x + way * direction, {}, 0};
        auto model = misfit(with_numbers(there.x, like), With::gradient, from.cost);
        there.cost = model.cost;
        there.gradient = std::move(model.gradient);
        const bool falls = there.cost <= from.cost + 2.0 * fall * way * slope;
        const bool turned = falls && there.gradient.dot(direction) >= rise * slope;
        if (falls && (!lowest || there.cost < lowest->cost)) lowest = there;
        if (turned) return there;
        (falls ? low : high) = way;
        way = std::isfinite(high) ? 0.5 * (low + high) : 2.0 * way;
    }
    return lowest;
}

}  // namespace

Fitted quasi_newton(const Misfit& misfit, const Fitted& start, int iterations) {
    constexpr int steps = 20;
    constexpr double enough = 2e-3, damping = 1e-2;
    const Facets& like = start.facets;
    const auto model = misfit(like, With::normal);
    Point now{numbers_of(like), model.gradient, model.cost};
    MatrixXd inverse = damped_solution(model, damping, MatrixXd::Identity(now.x.size(), now.x.size()));
    Fitted made{like, model.cost, start.iterations};
    double mark = now.cost;
    for (int k = 1; k <= iterations && !made.converged; ++k, ++made.iterations) {
        const auto next = lower_along(misfit, now, -(inverse * now.gradient), like);
        if (!next) {
            made.converged = true;
            break;
        }
        const VectorXd s = next->x - now.x, y = next->gradient - now.gradient;
        const double sy = s.dot(y);
        if (sy > 0.0) {
            const VectorXd v = inverse * y;
            inverse += ((1.0 + y.dot(v) / sy) / sy) * s * s.transpose();
            inverse -= (v * s.transpose() + s * v.transpose()) / sy;
        }
        now = *next;
        if (k % steps != 0) continue;
        made.converged = mark - now.cost < enough * mark;
        mark = now.cost;
    }
    made.facets = with_numbers(now.x, like);
    made.cost = now.cost;
    return made;
}

}  // namespace faying::network
