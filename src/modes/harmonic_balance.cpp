#include "faying/modes/harmonic_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/solve/continuation.hpp"
#include "harmonic_system.hpp"

namespace faying::modes {

void HarmonicOptions::check() const {
    core::require(tolerance >= 1e-14 && tolerance <= 1e-3, "harmonic balance", "1e-14 <= tolerance <= 1e-3");
    core::require(most_points >= 2, "harmonic balance", "most_points >= 2");
    joints.check(harmonics);
}

namespace {

HarmonicPoint point_of(const HarmonicSystem& system, const solve::BranchPoint& found, double a_scale) {
    HarmonicPoint point;
    const auto& q = system.modal();
    const Eigen::Index at = system.harmonics().at(system.first_order());
    point.a = a_scale * std::hypot(q.col(at).norm(), q.col(at + 1).norm());
    point.harmonics = system.physical();
    point.dissipation = system.dissipated();
    point.dissipation_by_joint = system.dissipated_by_joint();
    point.residual = std::max(found.residual, system.unsettled());
    point.iterations = found.iterations;
    return point;
}

/// Unknowns: frequency over that of the linear mode, damping, then the system's over a; parameter: ln a.
class EpmcEquations final : public solve::ParametricEquations {
 public:
    EpmcEquations(HarmonicSystem& system, Eigen::Index mode)
        : system_(system),
          first_(system.first_order()),
          at_(system.harmonics().at(first_)),
          start_(system.omega()(mode)) {
        like_ = Eigen::VectorXd::Unit(system.modes(), mode);
        system_.choose(start_);
    }

    Eigen::VectorXd linear_mode(Eigen::Index mode) const {
        Eigen::MatrixXd q = Eigen::MatrixXd::Zero(system_.modes(), system_.harmonics().size());
        q(mode, at_) = 1;
        Eigen::VectorXd x(size());
        x << 1.0, system_.damping_ratio(mode), system_.unknowns(q, 1.0);
        return x;
    }
    double omega_of(const Eigen::VectorXd& x) const { return x(0) * start_; }

    Eigen::Index size() const override { return system_.size() + 2; }

    double evaluate(const Eigen::VectorXd& x, double log_a, Eigen::VectorXd& r) override {
        const Eigen::Index n = system_.size();
        r.resize(n + 2);
        const double size = system_.evaluate(x.tail(n), std::exp(log_a), omega_of(x), x(1), r.tail(n));
        const auto& q = system_.modal();
        r(0) = q.col(at_).squaredNorm() + q.col(at_ + 1).squaredNorm() - 1;
        r(1) = like_.dot(q.col(at_ + 1));
        if (!(x(0) > 0)) return std::numeric_limits<double>::infinity();
        return std::max({size, std::abs(r(0)), std::abs(r(1))});
    }

    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override {
        const Eigen::Index n = system_.size();
        to_x.resize(n + 2, n + 2);
        to_p.resize(n + 2);
        Eigen::VectorXd to_w(n), to_zeta(n), to_a(n);
        system_.jacobian(to_x.bottomRightCorner(n, n));
        system_.slopes(to_w, to_zeta, to_a);
        to_x.col(0).tail(n) = start_ * to_w;
        to_x.col(1).tail(n) = to_zeta;
        to_p.tail(n) = to_a;
        const auto& q = system_.modal();
        const auto amplitude = system_.modal_row(first_, 2 * q.col(at_), 2 * q.col(at_ + 1));
        const auto phase = system_.modal_row(first_, Eigen::VectorXd::Zero(like_.size()), like_);
        to_x.row(0) << start_ * amplitude.to_w, amplitude.to_zeta, amplitude.to_x;
        to_x.row(1) << start_ * phase.to_w, phase.to_zeta, phase.to_x;
        to_p(0) = amplitude.to_log_a;
        to_p(1) = phase.to_log_a;
    }

    void scales(const Eigen::VectorXd& x, double, Eigen::VectorXd& of_x, double& of_p) override {
        const Eigen::Index own = system_.harmonics().size() * width();
        of_x.setOnes();
        if (own > 0) of_x.segment(2, own).setConstant(std::max(x.segment(2, own).norm(), 1e-12));
        of_x(0) = of_x(1) = 0.3;
        of_p = 1;
    }

    Eigen::VectorXd accept(const Eigen::VectorXd& x, double log_a) override {
        Eigen::VectorXd r(size());
        evaluate(x, log_a, r);
        const Eigen::MatrixXd q = system_.modal();
        like_ = q.col(at_).normalized();
        system_.choose(omega_of(x));
        Eigen::VectorXd next(size());
        next << x(0), x(1), system_.unknowns(q, 1.0);
        return next;
    }

 private:
    HarmonicSystem& system_;
    std::size_t first_;
    Eigen::Index at_;
    double start_;
    Eigen::VectorXd like_;  ///< modal shape of the last point: the phase is that of its cosine

    Eigen::Index width() const { return system_.width(); }
};

/// Unknowns: the system's over a fixed scale; parameter: w over the upper frequency.
class ResponseEquations final : public solve::ParametricEquations {
 public:
    ResponseEquations(HarmonicSystem& system, double scale, double top, double start)
        : system_(system), scale_(scale), top_(top) {
        system_.choose(start);
    }
    Eigen::Index size() const override { return system_.size(); }
    double evaluate(const Eigen::VectorXd& x, double p, Eigen::VectorXd& r) override {
        r.resize(size());
        return p > 0 ? system_.evaluate(x, scale_, p * top_, 0.0, r) : std::numeric_limits<double>::infinity();
    }
    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override {
        to_x.resize(size(), size());
        to_p.resize(size());
        Eigen::VectorXd to_zeta(size()), to_a(size());
        system_.jacobian(to_x);
        system_.slopes(to_p, to_zeta, to_a);
        to_p *= top_;
    }
    void scales(const Eigen::VectorXd& x, double, Eigen::VectorXd& of_x, double& of_p) override {
        const Eigen::Index own = system_.harmonics().size() * system_.width();
        largest_ = std::max(largest_, x.head(own).norm());
        of_x.setConstant(std::max({x.head(own).norm(), 1e-2 * largest_, 1e-30}));
        of_x.tail(x.size() - own).setConstant(std::max(modal_, 1e-30));
        of_p = 0.5;
    }
    Eigen::VectorXd accept(const Eigen::VectorXd& x, double p) override {
        Eigen::VectorXd r(size());
        evaluate(x, p, r);
        const Eigen::MatrixXd q = system_.modal();
        modal_ = q.norm();
        system_.choose(p * top_);
        return system_.unknowns(q, 1.0);
    }

 private:
    HarmonicSystem& system_;
    double scale_, top_, largest_ = 0, modal_ = 0;
};

void check_amplitudes(const std::vector<double>& amplitudes) {
    if (amplitudes.empty()) throw core::BadInput("epmc", "no amplitude is given");
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        if (!(amplitudes[i] > 0) || !std::isfinite(amplitudes[i]))
            throw core::BadInput("epmc", fmt::format("amplitude {:g} is not in (0, inf)", amplitudes[i]));
        if (i > 0 && amplitudes[i] <= amplitudes[i - 1]) throw core::BadInput("epmc", "amplitudes must ascend");
    }
}

}  // namespace

std::vector<HarmonicPoint> epmc(const structure::Model& model, const Interface& interface, int mode,
                                const std::vector<double>& amplitudes, const HarmonicOptions& options) {
    options.check();
    check_amplitudes(amplitudes);
    HarmonicSystem system(model, interface, options.harmonics, options.joints);
    if (mode < 1 || mode > system.modes())
        throw core::BadInput("epmc", fmt::format("there is no mode {}; allowed are 1 to {}", mode, system.modes()));
    if (!(system.omega()(mode - 1) > 0))
        throw core::BadInput("epmc", fmt::format("mode {} is a rigid-body mode", mode));
    EpmcEquations equations(system, mode - 1);
    std::vector<HarmonicPoint> points(amplitudes.size());
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        points[i].a = amplitudes[i];
        points[i].residual = std::numeric_limits<double>::quiet_NaN();  // unless the branch gets there
    }
    const auto note = [&](const solve::BranchPoint& found) {
        for (auto& point : points) {
            if (point.converged || std::abs(std::log(point.a) - found.p) > 1e-12) continue;
            Eigen::VectorXd r;
            equations.evaluate(found.x, found.p, r);
            const double a = point.a;
            point = point_of(system, found, a);
            point.a = a;
            point.omega = equations.omega_of(found.x);
            point.zeta = found.x(1);
            point.converged = point.residual <= options.tolerance;
        }
        return true;
    };
    // From the first amplitude, or from where the joints are as good as stuck.
    const Eigen::VectorXd linear = equations.linear_mode(mode - 1);
    double start = std::log(amplitudes.front());
    bool converged = false;
    solve::BranchPoint first;
    for (int k = 0; k < 12 && !converged; ++k) {
        if (k > 0) start -= 1.5;
        first = solve::solve_at(equations, linear, start, options.tolerance, 30, converged);
    }
    if (!converged) {
        for (auto& point : points) point.residual = first.residual;
        return points;
    }
    if (start == std::log(amplitudes.back())) {
        note(first);
        return points;
    }
    solve::ContinuationOptions way;
    way.from = start;
    way.to = std::log(amplitudes.back());
    for (const double a : amplitudes)
        if (std::log(a) > start && a < amplitudes.back()) way.land_on.push_back(std::log(a));
    way.first_step = 0.1;
    way.largest_step = 1.0;
    way.deviation = 0.05;
    way.least_step = 1e-8;
    way.tolerance = options.tolerance;
    way.most_points = options.most_points;
    way.most_iterations = 15;
    solve::follow(equations, first.x, way, note);
    return points;
}

std::vector<HarmonicPoint> epmc(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                const HarmonicOptions& options) {
    return epmc(model, Interface(model), mode, amplitudes, options);
}

std::vector<HarmonicPoint> response(const structure::Model& model, const Interface& interface, const HarmonicLoad& load,
                                    double from, double to, const std::vector<double>& at,
                                    const HarmonicOptions& options) {
    options.check();
    if (!(from > 0 && to > 0 && std::isfinite(from) && std::isfinite(to) && from != to))
        throw core::BadInput("response", "frequencies must be two different positive numbers");
    if (load.shape.size() != model.size())
        throw core::BadInput("response",
                             fmt::format("the load has {} entries; expected {}", load.shape.size(), model.size()));
    if (!(load.force > 0) || !std::isfinite(load.force))
        throw core::BadInput("response", fmt::format("force {:g} is not in (0, inf)", load.force));
    HarmonicSystem system(model, interface, options.harmonics, options.joints);
    const Eigen::Index first = system.harmonics().at(system.first_order());
    Eigen::MatrixXd force = Eigen::MatrixXd::Zero(system.modes(), system.harmonics().size());
    force.col(first) = load.force * (system.shapes().transpose() * load.shape);
    system.set_force(force);
    // The linear answer where it begins, and its size as the scale.
    Eigen::MatrixXd q = Eigen::MatrixXd::Zero(force.rows(), force.cols());
    for (Eigen::Index r = 0; r < q.rows(); ++r) {
        const double w2 = system.omega()(r) * system.omega()(r);
        const Complex d(w2 - from * from, from * 2 * system.damping_ratio(r) * system.omega()(r));
        const Complex answer = std::abs(d) > 1e-6 * w2 ? force(r, first) / d : Complex(0.0);
        q(r, first) = answer.real();
        q(r, first + 1) = -answer.imag();
    }
    const double scale = std::max(q.norm(), 1e-300);
    const double top = std::max(from, to);
    ResponseEquations equations(system, scale, top, from);
    std::vector<HarmonicPoint> points;
    solve::ContinuationOptions way;
    way.from = from / top;
    way.to = to / top;
    for (const double w : at) way.land_on.push_back(w / top);
    way.first_step = 0.02;
    way.largest_step = 0.5;
    way.deviation = 0.05;
    way.least_step = 1e-9;
    way.tolerance = options.tolerance;
    way.most_points = options.most_points;
    way.most_iterations = 12;
    const auto branch = solve::follow(equations, system.unknowns(q, scale), way, [&](const solve::BranchPoint& found) {
        Eigen::VectorXd r;
        const double residual = equations.evaluate(found.x, found.p, r);
        auto point = point_of(system, found, scale);
        point.residual = std::max(residual, system.unsettled());
        point.omega = found.p * top;
        for (const double w : {from, to})
            if (std::abs(point.omega - w) <= 1e-14 * w) point.omega = w;
        for (const double w : at)  // as asked for, not as rounded
            if (std::abs(point.omega - w) <= 1e-14 * w) point.omega = w;
        point.force = load.force;
        point.converged = point.residual <= options.tolerance;
        points.push_back(std::move(point));
        return true;
    });
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].turning_point = branch.points[i].special == solve::Special::fold;
    return points;
}

std::vector<HarmonicPoint> response(const structure::Model& model, const HarmonicLoad& load, double from, double to,
                                    const std::vector<double>& at, const HarmonicOptions& options) {
    return response(model, Interface(model), load, from, to, at, options);
}

}  // namespace faying::modes
