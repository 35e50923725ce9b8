#include "response_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "faying/core/error.hpp"

namespace faying::modes {

void check_task(const structure::Model& model, const ResponseTask& task, const core::Harmonics& harmonics) {
    const bool frequency = task.along == ResponseTask::Along::frequency;
    if (!(task.from > 0 && task.to > 0 && std::isfinite(task.from) && std::isfinite(task.to) && task.from != task.to))
        throw core::BadInput(
            "response", fmt::format("{} must be two different positive numbers", frequency ? "frequencies" : "forces"));
    if (task.load.shape.size() != model.size())
        throw core::BadInput("response",
                             fmt::format("the load has {} entries; expected {}", task.load.shape.size(), model.size()));
    if (!(task.load.force > 0) || !std::isfinite(task.load.force))
        throw core::BadInput("response", fmt::format("force {:g} is not in (0, inf)", task.load.force));
    if (task.hold && (!frequency || task.hold->row.size() != model.size() || !(task.hold->amplitude > 0)))
        throw core::BadInput("response", "an amplitude above zero is held along frequency, on a row of the structure");
    if (!frequency && !(task.omega > 0) && task.phase_mode < 1)
        throw core::BadInput("response",
                             "along force a frequency above zero, or a mode whose phase is kept, is needed");
    if (task.superharmonic > 1) {
        const auto& orders = harmonics.orders();
        if (frequency || task.phase_mode < 1)
            throw core::BadInput("response",
                                 "a superharmonic is followed along force, with the mode it is in resonance with");
        if (std::find(orders.begin(), orders.end(), task.superharmonic) == orders.end())
            throw core::BadInput("response", fmt::format("order {} is not among the harmonics", task.superharmonic));
    }
    if (task.watched.size() > 0 && (task.watched.size() != model.size() || !frequency || task.hold))
        throw core::BadInput("response",
                             "an output is watched along frequency at a given force, by a row of the structure");
    if (task.isolas && (task.hold || task.phase_mode < 1))
        throw core::BadInput("response", "isolas are looked for at a given force, through the phase of a mode");
}

SuperharmonicPhase superharmonic_phase(const HarmonicSystem& system, int order, double scale) {
    const auto& orders = system.harmonics().orders();
    const Eigen::Index at =
        system.harmonics().at(std::size_t(std::find(orders.begin(), orders.end(), order) - orders.begin()));
    const Eigen::Index width = system.width(), both = 2 * width;
    Eigen::MatrixXd others = system.joint_motion();
    others.middleCols(at, 2).setZero();
    const auto driving = system.joints_at(scale * others);
    const Eigen::MatrixXd& y = system.joint_motion();
    const Eigen::Map<const Eigen::VectorXd> moved(y.data() + at * width, both),
        force(driving.force.data() + at * width, both);
    SuperharmonicPhase phase{1, Eigen::RowVectorXd::Zero(y.size())};
    const double size = moved.norm() * force.norm();
    if (!(size > 0)) return phase;
    phase.cosine = moved.dot(force) / size;
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(width, y.cols());
    left.middleCols(at, 2) = y.middleCols(at, 2) * (scale / size);
    const Eigen::MatrixXd to_y = system.slope_transposed_times(driving, left);
    phase.to_y = Eigen::Map<const Eigen::RowVectorXd>(to_y.data(), to_y.size());
    phase.to_y.segment(at * width, both) = force.transpose() / size;
    return phase;
}

ResponseEquations::ResponseEquations(HarmonicSystem& system, const ResponseTask& task, double scale, double top,
                                     double unit_force)
    : system_(system),
      task_(task),
      scale_(scale),
      top_(top),
      unit_force_(unit_force),
      at_(system.harmonics().at(system.first_order())),
      shape_(system.shapes().transpose() * task.load.shape) {
    if (task.hold) row_ = system.shapes().transpose() * task.hold->row;
    if (by_phase()) row_ = shape_;
}

double ResponseEquations::frequency(const Eigen::VectorXd& x, double p) const {
    return along_frequency() ? p * top_ : (by_phase() ? x(0) * top_ : task_.omega);
}

double ResponseEquations::force(const Eigen::VectorXd& x, double p) const {
    return along_frequency() ? (task_.hold ? x(0) * unit_force_ : task_.load.force) : std::exp(p);
}

Eigen::VectorXd ResponseEquations::unknowns(const Eigen::MatrixXd& q, double w, double force) {
    system_.choose(w);
    return in_these_unknowns(q, w, force);
}

Eigen::VectorXd ResponseEquations::in_these_unknowns(const Eigen::MatrixXd& q, double w, double force) const {
    Eigen::VectorXd x(size());
    if (task_.hold) x(0) = force / unit_force_;
    if (by_phase()) x(0) = w / top_;
    x.tail(system_.size()) = system_.unknowns(q, scale_);
    return x;
}

double ResponseEquations::evaluate(const Eigen::VectorXd& x, double p, Eigen::VectorXd& r) {
    r.resize(size());
    w_ = frequency(x, p);
    if (!(w_ > 0) || !std::isfinite(w_)) return std::numeric_limits<double>::infinity();
    force_ = force(x, p);
    Eigen::MatrixXd load = Eigen::MatrixXd::Zero(system_.modes(), system_.harmonics().size());
    load.col(at_) = force_ * shape_;
    system_.set_force(load);
    const Eigen::Index n = system_.size();
    double size = system_.evaluate(x.tail(n), scale_, w_, 0.0, r.tail(n));
    if (extra() > 0) {
        r(0) = condition();
        size = std::max(size, std::abs(r(0)));
    }
    return size;
}

void ResponseEquations::jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) {
    solve::Slopes all;
    slopes(all);
    to_x = all.whole();
    to_p = all.to_p;
}

void ResponseEquations::slopes(solve::Slopes& all) {
    const Eigen::Index n = system_.size(), e = extra();
    all.columns.clear();
    if (e > 0) all.columns.push_back(0);
    system_.jacobian(e, all.columns, all.to_x);
    all.to_p.resize(n + e);
    Eigen::VectorXd to_w(n), to_zeta(n), to_a(n), to_force(n);
    system_.slopes(to_w, to_zeta, to_a);
    system_.force_slope(shape_, to_force);
    all.to_p.tail(n) = along_frequency() ? Eigen::VectorXd(top_ * to_w) : Eigen::VectorXd(force_ * to_force);
    if (e == 0) return;
    all.to_x.col(0).tail(n) = task_.hold ? Eigen::VectorXd(unit_force_ * to_force) : Eigen::VectorXd(top_ * to_w);
    const auto condition = condition_slopes();
    if (by_phase() && task_.superharmonic > 1) {  // which all displacements enter
        all.to_x = all.whole();
        all.columns.resize(std::size_t(n + e));
        std::iota(all.columns.begin(), all.columns.end(), Eigen::Index(0));
    }
    for (std::size_t j = 0; j < all.columns.size(); ++j) all.to_x(0, Eigen::Index(j)) = condition.to_x(all.columns[j]);
    all.to_p(0) = condition.to_p;
}

ResponseEquations::ConditionSlopes ResponseEquations::condition_slopes() const {
    const Eigen::Index n = system_.size();
    ConditionSlopes out{.to_x = Eigen::RowVectorXd::Zero(n + 1)};
    if (by_phase() && task_.superharmonic > 1) {
        const auto phase = superharmonic_phase(system_, task_.superharmonic, scale_);
        out.to_x.segment(1, phase.to_y.size()) = phase.to_y;
        return out;
    }
    const auto& q = system_.modal();
    Eigen::VectorXd cosine, sine;
    double on_w = 0;
    if (by_phase()) {
        cosine = row_ / motion_at_load();
        sine = Eigen::VectorXd::Zero(row_.size());
    } else {
        const double target = held * task_.hold->amplitude, gain = level() * level() / (target * target);
        cosine = 2 * gain * row_.dot(q.col(at_)) * row_;
        sine = 2 * gain * row_.dot(q.col(at_ + 1)) * row_;
        if (task_.hold->acceleration) on_w = 4 * (condition() + 1) / w_;
    }
    const auto row = system_.modal_row(system_.first_order(), cosine, sine);
    const double to_force = system_.force_row(shape_, cosine, sine);
    out.to_x.tail(n) = row.to_x;
    out.to_x(0) = task_.hold ? unit_force_ * to_force : top_ * (row.to_w + on_w);
    out.to_p = along_frequency() ? top_ * (row.to_w + on_w) : force_ * to_force;
    return out;
}

void ResponseEquations::scales(const Eigen::VectorXd& x, double, Eigen::VectorXd& of_x, double& of_p) {
    const Eigen::Index e = extra(), of_joints = system_.harmonics().size() * system_.width();
    const double joints = x.segment(e, of_joints).norm();
    largest_ = std::max(largest_, joints);
    of_x.setConstant(std::max({joints, 1e-2 * largest_, 1e-30}));
    of_x.tail(x.size() - of_joints - e).setConstant(std::max(modal_, 1e-30));
    if (e > 0) of_x(0) = task_.hold ? std::max(std::abs(x(0)), 1e-3) : 0.3;
    of_p = along_frequency() ? 0.5 : 1.0;
}

Eigen::VectorXd ResponseEquations::accept(const Eigen::VectorXd& x, double p) {
    Eigen::VectorXd r(size());
    evaluate(x, p, r);
    const Eigen::MatrixXd q = system_.modal();
    modal_ = q.norm();
    return unknowns(scale_ * q, frequency(x, p), force(x, p));
}

std::vector<WatchedDerivative> ResponseEquations::derivatives(const Eigen::VectorXd& output) {
    const auto slopes = system_.parameter_slopes();
    const Eigen::Index n = system_.size();
    Eigen::MatrixXd side(n, Eigen::Index(slopes.size()));
    for (std::size_t i = 0; i < slopes.size(); ++i) side.col(Eigen::Index(i)) = slopes[i].residual;
    solve::Slopes point;
    system_.jacobian(0, point.columns, point.to_x);
    solve::BorderedLu lu;
    lu.compute(point);
    const Eigen::MatrixXd moved = -lu.solve(side);
    const Eigen::VectorXd weights = system_.shapes().transpose() * output, none = Eigen::VectorXd::Zero(weights.size());
    const auto cosine = system_.modal_row(system_.first_order(), weights, none),
               sine = system_.modal_row(system_.first_order(), none, weights);
    std::vector<WatchedDerivative> all;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        const auto x = moved.col(Eigen::Index(i));
        all.push_back({.joint = slopes[i].joint,
                       .parameter = slopes[i].parameter,
                       .cosine = scale_ * (cosine.to_x.dot(x) + weights.dot(slopes[i].cosine)),
                       .sine = scale_ * (sine.to_x.dot(x) + weights.dot(slopes[i].sine))});
    }
    return all;
}

double ResponseEquations::motion_at_load() const {
    const auto& q = system_.modal();
    return std::max(row_.norm() * std::hypot(q.col(at_).norm(), q.col(at_ + 1).norm()), 1e-300);
}

double ResponseEquations::condition() const {
    if (by_phase() && task_.superharmonic > 1) return superharmonic_phase(system_, task_.superharmonic, scale_).cosine;
    const auto& q = system_.modal();
    const double c = row_.dot(q.col(at_)), s = row_.dot(q.col(at_ + 1));
    if (by_phase()) return c / motion_at_load();
    const double target = held * task_.hold->amplitude / level();
    return (c * c + s * s) / (target * target) - 1;
}

}  // namespace faying::modes
