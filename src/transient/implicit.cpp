#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "stepper.hpp"

namespace faying::transient::detail {

Weights weights_of(const Options& options) {
    if (options.method != Method::alpha) return {};
    const double rho = options.spectral_radius;
    Weights w;
    w.alpha_m = (2 * rho - 1) / (rho + 1);
    w.alpha_f = rho / (rho + 1);
    w.gamma = 0.5 - w.alpha_m + w.alpha_f;
    w.beta = 0.25 * (1 - w.alpha_m + w.alpha_f) * (1 - w.alpha_m + w.alpha_f);
    return w;
}

ImplicitStepper::ImplicitStepper(System& system, const Loads& loads, const Options& options)
    : next_step(options.step),
      system_(system),
      loads_(loads),
      w_(weights_of(options)),
      tolerance_(options.local_error()),
      floor_(1e-3 * loads.static_reach(system)),
      energy_(options.energy) {
    const Eigen::Index n = system.size(), m = system.width();
    for (auto* x : {&f0_, &f1_, &free_, &predicted_, &velocity_}) x->setZero(n);
    for (auto* x : {&y_, &y_free_, &g_, &residual_, &trial_g_, &trial_y_}) x->setZero(m);
    tangent_.setZero(m, m);
}

/// Effective mass A = (1 - am) + (1 - af) (gamma h C + beta h^2 omega^2), condensed to the joints.
void ImplicitStepper::prepare(double h) {
    if (h == prepared_) return;
    prepared_ = h;
    const double share = 1 - w_.alpha_f;
    const Eigen::VectorXd stiffness = share * w_.beta * h * h * system_.omega().cwiseAbs2();
    if (system_.diagonal_damping()) {
        inverse_ = ((1 - w_.alpha_m) + (stiffness + share * w_.gamma * h * system_.damping()).array()).inverse();
        reach_ = inverse_.asDiagonal() * system_.map().transpose();
    } else {
        Eigen::MatrixXd a = share * w_.gamma * h * system_.damping_matrix();
        a.diagonal() += (stiffness.array() + 1 - w_.alpha_m).matrix();
        factor_.compute(a);
        reach_ = factor_.solve(system_.map().transpose());
    }
    reach_ *= share;
    compliance_ = w_.beta * h * h * (system_.map() * reach_);
}

void ImplicitStepper::solve_linear(Eigen::VectorXd& x) const {
    if (system_.diagonal_damping())
        x.array() *= inverse_.array();
    else
        x = factor_.solve(x);
}

/// Rounding of the joint displacements: laws remember displacements of the whole oscillation, next to which those of
/// this instant may be as good as zero.
double ImplicitStepper::rounding(const Motion& m) const {
    const Eigen::VectorXd omega = system_.omega().cwiseMax(1e-6 * system_.omega().maxCoeff());
    return 1e-14 * (system_.map().cwiseAbs() * (m.q.cwiseAbs() + m.v.cwiseAbs().cwiseQuotient(omega))).norm();
}

/// y + H g(y) = y_free, one joint displacement: monotone, since stuck springs are in the linear part.
void ImplicitStepper::newton_one(const Motion& m, double time) {
    const double h = compliance_(0, 0), free = y_free_(0);
    double& y = y_(0);
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 60; ++k) {
        system_.evaluate(y_, g_, tangent_);
        ++evaluations;
        const double r = y + h * g_(0) - free;
        const double scale = std::abs(y) + std::abs(free) + std::abs(h * g_(0));
        if (std::abs(r) <= 1e-16 * scale || (std::abs(r) <= 4e-15 * scale && std::abs(r) >= best)) return;
        best = std::min(best, std::abs(r));
        y -= r / (1 + h * tangent_(0, 0));
    }
    const double r = y + h * g_(0) - free;
    if (std::abs(r) > 1e-12 * (std::abs(y) + std::abs(free)) + rounding(m))
        throw core::NotConverged(fmt::format("step at t = {:g}: the joint's displacement was not found", time),
                                 std::abs(r));
}

/// The same for several, with a line search: tangents of joints may jump.
void ImplicitStepper::newton(const Motion& m, double time) {
    const auto residual = [&](const Eigen::VectorXd& y, Eigen::VectorXd& g) {
        system_.evaluate(y, g, tangent_);
        ++evaluations;
        residual_ = y + compliance_ * g - y_free_;
        return residual_.norm();
    };
    double size = residual(y_, g_), scale = 0;
    for (int k = 0; k < 60; ++k) {
        scale = y_.norm() + y_free_.norm() + (compliance_ * g_).norm();
        if (size <= 1e-16 * scale) return;
        jacobian_.noalias() = compliance_ * tangent_;
        jacobian_.diagonal().array() += 1;
        jacobian_factor_.compute(jacobian_);
        move_ = jacobian_factor_.solve(residual_);
        // At round-off a whole step that gains nothing is the end.
        const double shortest = size <= 4e-15 * scale ? 0.6 : 1e-4;
        double length = 1;
        for (; length > shortest; length *= 0.5) {
            trial_y_ = y_ - length * move_;
            const double trial = residual(trial_y_, trial_g_);
            if (trial >= size) continue;
            y_ = trial_y_;
            g_ = trial_g_;
            size = trial;
            break;
        }
        if (length <= shortest) break;  // nothing is gained any more
    }
    size = residual(y_, g_);
    if (size <= 1e-13 * scale + rounding(m)) return;
    throw core::NotConverged(fmt::format("step at t = {:g}: joint displacements were not found", time), size);
}

void ImplicitStepper::solve(const Motion& m, double h) {
    prepare(h);
    if (w_.alpha_f != 0 || energy_) loads_.at(m.time, f0_);
    loads_.at(m.time + h, f1_);
    const double af = w_.alpha_f, am = w_.alpha_m;
    predicted_ = m.q + h * (m.v + (0.5 - w_.beta) * h * m.a);
    velocity_ = m.v + (1 - w_.gamma) * h * m.a;
    free_ = (1 - af) * f1_ - system_.omega().cwiseAbs2().cwiseProduct((1 - af) * predicted_);
    if (system_.diagonal_damping())
        free_.noalias() -= system_.damping().cwiseProduct((1 - af) * velocity_);
    else
        free_.noalias() -= (1 - af) * (system_.damping_matrix() * velocity_);
    if (am != 0 || af != 0) {
        free_ +=
            af * f0_ - am * m.a - af * system_.damping_force(m.v) - af * system_.omega().cwiseAbs2().cwiseProduct(m.q);
        free_.noalias() -= af * (system_.map().transpose() * m.g);
    }
    solve_linear(free_);
    if (system_.width() == 0) return;
    y_free_.noalias() = system_.map() * (predicted_ + w_.beta * h * h * free_);
    y_.noalias() = y_free_ - compliance_ * m.g;
    if (system_.width() == 1)
        newton_one(m, m.time + h);
    else
        newton(m, m.time + h);
    free_.noalias() -= reach_ * g_;  // now the acceleration at the end
}

void ImplicitStepper::accept(Motion& m, double h) {
    const Eigen::VectorXd q1 = predicted_ + w_.beta * h * h * free_, v1 = velocity_ + w_.gamma * h * free_;
    if (energy_) {
        const Eigen::VectorXd mean = 0.5 * (m.v + v1);
        m.viscous += h * mean.dot(system_.damping_force(mean));
        m.input += 0.5 * (f0_ + f1_).dot(q1 - m.q);
        if (system_.width() > 0) {  // the laws' own work on a straight path, by Simpson's rule
            trial_y_ = 0.5 * (m.y + y_);
            system_.evaluate(trial_y_, trial_g_, tangent_);
            m.joint_work += (system_.force(m.y, m.g) + 4 * system_.force(trial_y_, trial_g_) + system_.force(y_, g_))
                                .dot(y_ - m.y) /
                            6;
            system_.evaluate(y_, g_, tangent_);
            evaluations += 2;
        }
    }
    m.q = q1;
    m.v = v1;
    m.a = free_;
    m.y = y_;
    m.g = g_;
    system_.commit();
}

void ImplicitStepper::fixed(Motion& m, double target) {
    const double h = next_step;
    solve(m, h);
    accept(m, h);
    m.time = target;
}

/// Local error of displacement, |beta - 1/6| h^2 |a1 - a0|, against the size of the motion.
void ImplicitStepper::adaptive(Motion& m, double target) {
    for (int tries = 0; tries < 60; ++tries) {
        const double left = target - m.time;
        double h = std::min(next_step, left);
        if (tries == 0 && left < 1.2 * h) h = left;
        solve(m, h);
        const double error = std::abs(w_.beta - 1.0 / 6) * h * h * (free_ - m.a).norm();
        const double size = std::max({m.q.norm(), h * m.v.norm(), m.largest * 1e-9, floor_});
        const double ratio = error / (tolerance_ * size);
        const double factor = std::clamp(0.9 / std::cbrt(std::max(ratio, 1e-12)), 0.2, 2.0);
        if (ratio > 1) {
            next_step = h * factor;
            continue;
        }
        accept(m, h);
        m.time = h == left ? target : m.time + h;
        m.largest = std::max(m.largest, m.q.norm());
        // Few different steps, so that the effective mass is seldom built anew.
        if (factor > 1.6 && h >= next_step)
            next_step = 2 * h;
        else if (factor < 1)
            next_step = h * factor;
        return;
    }
    throw core::NotConverged(fmt::format("no step at t = {:g} meets the tolerance", m.time), 0);
}

}  // namespace faying::transient::detail
