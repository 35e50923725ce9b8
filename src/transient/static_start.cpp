#include "static_start.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::transient::detail {

namespace {

/// y + H g(y) = y_free by Newton with a line search; false when it fails.
bool equilibrium(System& system, const Eigen::MatrixXd& h, const Eigen::VectorXd& free, Eigen::VectorXd& y,
                 Eigen::VectorXd& g) {
    Eigen::MatrixXd tangent(y.size(), y.size());
    Eigen::VectorXd residual, trial_g(y.size());
    const auto size_at = [&](const Eigen::VectorXd& at, Eigen::VectorXd& force) {
        system.evaluate(at, force, tangent);
        residual = at + h * force - free;
        return residual.norm();
    };
    double size = size_at(y, g);
    for (int k = 0; k < 100; ++k) {
        if (size <= 1e-13 * (y.norm() + free.norm())) return true;
        Eigen::MatrixXd jacobian = h * tangent;
        jacobian.diagonal().array() += 1;
        const Eigen::VectorXd move = jacobian.partialPivLu().solve(residual);
        bool moved = false;
        for (double length = 1; length > 1e-6 && !moved; length *= 0.5) {
            const Eigen::VectorXd trial = y - length * move;
            const double at = size_at(trial, trial_g);
            if (!(at < size)) continue;
            y = trial;
            g = trial_g;
            size = at;
            moved = true;
        }
        if (!moved) {
            size = size_at(y, g);
            return size <= 1e-11 * (y.norm() + free.norm());
        }
    }
    return false;
}

}  // namespace

Eigen::VectorXd static_start(System& system) {
    const Eigen::VectorXd& force = system.static_force();
    Eigen::VectorXd flexibility = Eigen::VectorXd::Zero(system.size());
    for (Eigen::Index r = 0; r < system.size(); ++r) {
        const double w = system.omega()(r);
        if (w > 1e-6 * system.omega().maxCoeff())
            flexibility(r) = 1 / (w * w);
        else if (std::abs(force(r)) > 1e-9 * force.norm())
            throw core::BadInput("preload", fmt::format("the static force moves rigid-body mode {}", r + 1));
    }
    const Eigen::MatrixXd h = system.map() * flexibility.asDiagonal() * system.map().transpose();
    Eigen::VectorXd y = Eigen::VectorXd::Zero(system.width()), g = y;
    double reached = 0, stride = 0.25;
    while (reached < 1) {
        const double next = std::min(1.0, reached + stride);
        const Eigen::VectorXd free = system.map() * flexibility.cwiseProduct(next * force);
        Eigen::VectorXd trial = y, trial_g = g;
        if (equilibrium(system, h, free, trial, trial_g)) {
            y = trial;
            g = trial_g;
            system.commit();
            reached = next;
        } else if ((stride *= 0.5) < 1e-4) {
            throw core::NotConverged(fmt::format("no static equilibrium beyond {:.3g} of the static force", reached),
                                     1);
        }
    }
    return flexibility.cwiseProduct(force - system.map().transpose() * g);
}

}  // namespace faying::transient::detail
