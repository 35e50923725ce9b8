#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
      energy_(options.energy),
      exponential_(options.method == Method::exponential) {
    const Eigen::Index n = system.size(), m = system.width();
    for (auto* x : {&f0_, &f1_, &free_, &pull_, &predicted_, &velocity_, &displacement_}) x->setZero(n);
    for (auto* x : {&y_, &y_free_, &g_, &trial_g_, &trial_y_, &residual_, &move_}) x->setZero(m);
    tangent_.setZero(m, m);
    back_ = system.map().transpose();
}

/// Effective mass A = (1 - am) + (1 - af) (gamma h C + beta h^2 omega^2), condensed to the joints.
void ImplicitStepper::prepare(double h) {
    if (h == prepared_) return;
    prepared_ = h;
    if (exponential_) return prepare_exponential(h);
    const double share = 1 - w_.alpha_f;
    stiffness_ = share * system_.omega().cwiseAbs2();
    const Eigen::VectorXd diagonal = (1 - w_.alpha_m) + w_.beta * h * h * stiffness_.array();
    if (system_.diagonal_damping()) {
        damping_ = share * system_.damping();
        inverse_ = (diagonal + w_.gamma * h * damping_).cwiseInverse();
        reach_ = inverse_.asDiagonal() * system_.map().transpose();
    } else {
        Eigen::MatrixXd a = share * w_.gamma * h * system_.damping_matrix();
        a.diagonal() += diagonal;
        factor_.compute(a);
        reach_ = factor_.solve(system_.map().transpose());
    }
    reach_ *= share;
    compliance_ = w_.beta * h * h * (system_.map() * reach_);
}

void ImplicitStepper::prepare_exponential(double h) {
    exact_ = Propagator(system_.omega(), system_.damping(), h);
    stiffness_ = system_.omega().cwiseAbs2();
    damping_ = system_.damping();
    reach_ = system_.map().transpose();
    compliance_ = system_.map() * exact_.qf.asDiagonal() * reach_;
}

/// Newmark and generalised alpha: free_ is the acceleration at the end if g stayed as it is.
void ImplicitStepper::without_joints(const Motion& m, double h) {
    const double af = w_.alpha_f, am = w_.alpha_m;
    predicted_ = m.q + h * (m.v + (0.5 - w_.beta) * h * m.a);
    velocity_ = m.v + (1 - w_.gamma) * h * m.a;
    free_ = (1 - af) * f1_ - stiffness_.cwiseProduct(predicted_);
    if (!system_.diagonal_damping()) free_.noalias() -= (1 - af) * (system_.damping_matrix() * velocity_);
    if (am != 0 || af != 0) {
        free_ +=
            af * f0_ - am * m.a - af * system_.damping_force(m.v) - af * system_.omega().cwiseAbs2().cwiseProduct(m.q);
    }
    free_ -= m.pull;
    if (system_.diagonal_damping())
        free_ = inverse_.cwiseProduct(free_ - damping_.cwiseProduct(velocity_));
    else
        free_ = factor_.solve(free_);
    displacement_ = predicted_ + w_.beta * h * h * free_;
}

/// Leaves displacement_, velocity_ and free_, the acceleration, at the end of the step, and the joints' y_ and g_.
void ImplicitStepper::solve_exponential(const Motion& m, double h) {
    const Propagator& e = exact_;
    f1_ -= m.pull;
    displacement_ = e.qq.cwiseProduct(m.q) + e.qv.cwiseProduct(m.v) + e.qa.cwiseProduct(m.a) + e.qf.cwiseProduct(f1_);
    find_joints(m, h);
    f1_ -= pull_;
    displacement_ -= e.qf.cwiseProduct(pull_);
    velocity_ = e.vq.cwiseProduct(m.q) + e.vv.cwiseProduct(m.v) + e.va.cwiseProduct(m.a) + e.vf.cwiseProduct(f1_);
    free_ = f1_ - damping_.cwiseProduct(velocity_) - stiffness_.cwiseProduct(displacement_);
    f1_ += pull_ + m.pull;
}

/// The same for every method.
void ImplicitStepper::solve(const Motion& m, double h) {
    prepare(h);
    if (w_.alpha_f != 0 || energy_) loads_.at(m.time, f0_);
    loads_.at(m.time + h, f1_);
    if (exponential_) return solve_exponential(m, h);
    without_joints(m, h);
    find_joints(m, h);
    free_ -= pull_;
    displacement_ = predicted_ + w_.beta * h * h * free_;
    velocity_ += w_.gamma * h * free_;
}

void ImplicitStepper::count_energy(Motion& m, double h) {
    if (exponential_) {  // Simpson's rule for v, and f linear times the cubic through both ends
        const Eigen::VectorXd middle = 1.5 / h * (displacement_ - m.q) - 0.25 * (m.v + velocity_);
        m.viscous += h / 6 * system_.damping().dot(m.v.cwiseAbs2() + 4 * middle.cwiseAbs2() + velocity_.cwiseAbs2());
        m.input += f1_.dot(displacement_) - f0_.dot(m.q) -
                   (f1_ - f0_).dot(0.5 * (m.q + displacement_) + h / 12 * (m.v - velocity_));
    } else {  // what average acceleration conserves
        const Eigen::VectorXd mean = 0.5 * (m.v + velocity_);
        m.viscous += h * mean.dot(system_.damping_force(mean));
        m.input += 0.5 * (f0_ + f1_).dot(displacement_ - m.q);
    }
    if (system_.width() == 0) return;
    trial_y_ = 0.5 * (m.y + y_);  // the laws' own work on a straight path, by Simpson's rule
    system_.evaluate(trial_y_, trial_g_, tangent_);
    const Eigen::VectorXd force =
        (m.g + 4 * trial_g_ + g_) / 6 + system_.stuck().cwiseProduct(m.y + 4 * trial_y_ + y_) / 6;
    m.joint_work += force.dot(y_ - m.y);
    system_.evaluate(y_, trial_g_, tangent_);  // the trial that is committed
    evaluations += 2;
}

void ImplicitStepper::accept(Motion& m, double h) {
    if (energy_) count_energy(m, h);
    m.q.swap(displacement_);
    m.v.swap(velocity_);
    m.a.swap(free_);
    m.y = y_;
    keep_pull(m);
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
    throw core::NotConverged(fmt::format("no step at t = {:g} meets the tolerance", m.time),
                             std::numeric_limits<double>::quiet_NaN());
}

}  // namespace faying::transient::detail
