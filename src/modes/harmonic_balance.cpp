#include "faying/modes/harmonic_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/solve/continuation.hpp"
#include "harmonic_point.hpp"

namespace faying::modes {

std::size_t first_order(const core::Harmonics& harmonics) {
    const auto& orders = harmonics.orders();
    const auto one = std::find(orders.begin(), orders.end(), 1);
    if (one == orders.end()) throw core::BadInput("harmonics", "the first harmonic must be among them");
    return std::size_t(one - orders.begin());
}

void HarmonicOptions::check() const {
    first_order(harmonics);
    core::require(tolerance >= 1e-14 && tolerance <= 1e-3, "harmonic balance", "1e-14 <= tolerance <= 1e-3");
    core::require(most_points >= 2, "harmonic balance", "most_points >= 2");
    joints.check(harmonics);
}

namespace {

/// Unknowns: frequency over that of the linear mode, damping, then the system's over a; parameter: ln a.
class EpmcEquations final : public solve::ParametricEquations {
 public:
    EpmcEquations(HarmonicSystem& system, Eigen::Index mode)
        : system_(system),
          first_(system.first_order()),
          at_(system.harmonics().at(first_)),
          start_(system.stuck_omega(mode)) {
        like_ = system.stuck_shape(mode).normalized();
        system_.choose(start_);
    }

    Eigen::VectorXd linear_mode(Eigen::Index mode) const {
        Eigen::MatrixXd q = Eigen::MatrixXd::Zero(system_.modes(), system_.harmonics().size());
        q.col(at_) = system_.stuck_shape(mode);
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
        solve::Slopes all;
        slopes(all);
        to_x = all.whole();
        to_p = all.to_p;
    }
    void slopes(solve::Slopes& all) override {
        const Eigen::Index n = system_.size();
        all.columns = {0, 1};
        system_.jacobian(2, all.columns, all.to_x);
        all.to_p.resize(n + 2);
        Eigen::VectorXd to_w(n), to_zeta(n), to_a(n);
        system_.slopes(to_w, to_zeta, to_a);
        all.to_x.col(0).tail(n) = start_ * to_w;
        all.to_x.col(1).tail(n) = to_zeta;
        all.to_p.tail(n) = to_a;
        const auto& q = system_.modal();
        const auto amplitude = system_.modal_row(first_, 2 * q.col(at_), 2 * q.col(at_ + 1));
        const auto phase = system_.modal_row(first_, Eigen::VectorXd::Zero(like_.size()), like_);
        Eigen::Index i = 0;
        for (const auto* row : {&amplitude, &phase}) {
            all.to_x(i, 0) = start_ * row->to_w;
            all.to_x(i, 1) = row->to_zeta;
            for (std::size_t j = 2; j < all.columns.size(); ++j)
                all.to_x(i, Eigen::Index(j)) = row->to_x(all.columns[j] - 2);
            all.to_p(i++) = row->to_log_a;
        }
    }

    /// Of frequency and damping at this amplitude, at the last evaluation: one factorisation for all parameters.
    std::vector<ParameterDerivative> derivatives() {
        const auto parameters = system_.parameter_slopes();
        Eigen::MatrixXd side(size(), Eigen::Index(parameters.size()));
        const auto& q = system_.modal();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            auto column = side.col(Eigen::Index(i));
            column(0) = 2 * (q.col(at_).dot(parameters[i].cosine) + q.col(at_ + 1).dot(parameters[i].sine));
            column(1) = like_.dot(parameters[i].sine);
            column.tail(system_.size()) = parameters[i].residual;
        }
        solve::Slopes all;
        slopes(all);
        solve::BorderedLu lu;
        lu.compute(all);
        const Eigen::MatrixXd moved = -lu.solve(side);
        std::vector<ParameterDerivative> out;
        for (std::size_t i = 0; i < parameters.size(); ++i)
            out.push_back({.joint = parameters[i].joint,
                           .parameter = parameters[i].parameter,
                           .omega = start_ * moved(0, Eigen::Index(i)),
                           .zeta = moved(1, Eigen::Index(i)),
                           .dissipation = std::numeric_limits<double>::quiet_NaN()});
        return out;
    }

    void scales(const Eigen::VectorXd& x, double, Eigen::VectorXd& of_x, double& of_p) override {
        const Eigen::Index joints = system_.harmonics().size() * width();
        of_x.setOnes();
        if (joints > 0) of_x.segment(2, joints).setConstant(std::max(x.segment(2, joints).norm(), 1e-12));
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

void check_amplitudes(const std::vector<double>& amplitudes) {
    if (amplitudes.empty()) throw core::BadInput("epmc", "no amplitude is given");
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        if (!(amplitudes[i] > 0) || !std::isfinite(amplitudes[i]))
            throw core::BadInput("epmc", fmt::format("amplitude {:g} is not in (0, inf)", amplitudes[i]));
        if (i > 0 && amplitudes[i] <= amplitudes[i - 1]) throw core::BadInput("epmc", "amplitudes must ascend");
    }
}

}  // namespace

HarmonicPoint point_of(const HarmonicSystem& system, const solve::BranchPoint& found, double a_scale) {
    HarmonicPoint point;
    const auto& q = system.modal();
    const Eigen::Index at = system.harmonics().at(system.first_order());
    point.a = a_scale * std::hypot(q.col(at).norm(), q.col(at + 1).norm());
    point.dissipation = system.joints().dissipated;
    point.dissipation_by_joint = system.joints().dissipated_by_joint;
    point.residual = std::max(found.residual, system.joints().unsettled);
    point.iterations = found.iterations;
    return point;
}

std::string name_of(Bifurcation bifurcation) {
    switch (bifurcation) {
        case Bifurcation::fold: return "fold";
        case Bifurcation::period_doubling: return "period doubling";
        case Bifurcation::neimark_sacker: return "Neimark-Sacker";
        case Bifurcation::other: return "bifurcation";
        case Bifurcation::none: break;
    }
    return {};
}

namespace {

/// A nonlinear mode, at the amplitudes asked for.
class EpmcBranch {
 public:
    EpmcBranch(HarmonicSystem& system, Eigen::Index mode, const std::vector<double>& amplitudes,
               const HarmonicOptions& options)
        : system_(system), mode_(mode), amplitudes_(amplitudes), options_(options) {}

    std::vector<HarmonicPoint> run() {
        // From the first amplitude, or from where the joints are as good as stuck.
        EpmcEquations equations(system_, mode_);
        const Eigen::VectorXd linear = equations.linear_mode(mode_);
        double start = std::log(amplitudes_.front());
        bool converged = false;
        solve::BranchPoint first;
        for (int k = 0; k < 12 && !converged; ++k) {
            if (k > 0) start -= 1.5;
            first = solve::solve_at(equations, linear, start, options_.tolerance, 30, converged);
        }
        unmet(converged ? std::numeric_limits<double>::quiet_NaN() : first.residual);
        if (!converged) return points_;
        if (start == std::log(amplitudes_.back())) {
            note(equations, first);
            return points_;
        }
        // A long step may lead onto another branch, which turns back: then the same in shorter ones.
        std::vector<HarmonicPoint> best;
        for (const double shorter : {1.0, 0.3, 0.1}) {
            const auto end = follow(first.x, start, shorter);
            if (best.empty() || met(points_) > met(best)) best = points_;
            if (met(best) == amplitudes_.size() || end == solve::BranchEnd::no_more_points) break;
            unmet(std::numeric_limits<double>::quiet_NaN());
        }
        return best;
    }

 private:
    HarmonicSystem& system_;
    Eigen::Index mode_;
    const std::vector<double>& amplitudes_;
    const HarmonicOptions& options_;
    std::vector<HarmonicPoint> points_;

    /// Points as they are unless the branch gets there.
    void unmet(double residual) {
        points_.assign(amplitudes_.size(), {});
        for (std::size_t i = 0; i < points_.size(); ++i) {
            points_[i].a = amplitudes_[i];
            points_[i].residual = residual;
        }
    }
    static std::size_t met(const std::vector<HarmonicPoint>& points) {
        return std::size_t(std::count_if(points.begin(), points.end(), [](const auto& p) { return p.converged; }));
    }

    solve::BranchEnd follow(const Eigen::VectorXd& from, double start, double shorter) {
        EpmcEquations equations(system_, mode_);
        solve::ContinuationOptions way;
        way.from = start;
        way.to = std::log(amplitudes_.back());
        for (const double a : amplitudes_)
            if (std::log(a) > start && a < amplitudes_.back()) way.land_on.push_back(std::log(a));
        way.first_step = 0.1 * shorter;
        way.largest_step = shorter;
        way.deviation = 0.05 * shorter;
        way.least_cosine = 0.5;  // joints that begin to slip bend the branch at once: a short step gains little there
        way.wanted_cosine = 0.8;
        way.least_step = 1e-8;
        way.tolerance = options_.tolerance;
        way.most_points = options_.most_points + int(amplitudes_.size());
        way.most_iterations = 15;
        const auto branch = solve::follow(equations, from, way, [&](const solve::BranchPoint& found) {
            note(equations, found);
            return true;
        });
        return branch.end;
    }

    void note(EpmcEquations& equations, const solve::BranchPoint& found) {
        for (auto& point : points_) {
            if (point.converged || std::abs(std::log(point.a) - found.p) > 1e-12) continue;
            Eigen::VectorXd r;
            equations.evaluate(found.x, found.p, r);
            const double a = point.a;
            point = point_of(system_, found, a);
            point.harmonics = system_.physical(a * system_.modal());
            point.a = a;
            point.omega = equations.omega_of(found.x);
            point.zeta = found.x(1);
            point.converged = point.residual <= options_.tolerance;
            if (options_.derivatives && point.converged) point.derivatives = equations.derivatives();
        }
    }
};

}  // namespace

std::vector<HarmonicPoint> epmc(const structure::Model& model, const Interface& interface, int mode,
                                const std::vector<double>& amplitudes, const HarmonicOptions& options) {
    options.check();
    check_amplitudes(amplitudes);
    HarmonicSystem system(model, interface, options.harmonics, options.joints);
    if (mode < 1 || mode > system.modes())
        throw core::BadInput("epmc", fmt::format("there is no mode {}; allowed are 1 to {}", mode, system.modes()));
    if (!(system.stuck_omega(mode - 1) > 0))
        throw core::BadInput("epmc", fmt::format("mode {} is a rigid-body mode", mode));
    return EpmcBranch(system, mode - 1, amplitudes, options).run();
}

std::vector<HarmonicPoint> epmc(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                const HarmonicOptions& options) {
    return epmc(model, Interface(model), mode, amplitudes, options);
}

double amplitude_of(const HarmonicPoint& point, const core::Harmonics& harmonics, const Eigen::VectorXd& row,
                    Quantity quantity) {
    const Eigen::Index at = harmonics.at(first_order(harmonics));
    const double moved = std::hypot(row.dot(point.harmonics.col(at)), row.dot(point.harmonics.col(at + 1)));
    return quantity == Quantity::displacement ? moved : moved * point.omega * point.omega;
}

std::vector<HarmonicPoint> epmc_at_output(const structure::Model& model, const Interface& interface, int mode,
                                          const OutputAmplitudes& wanted, const HarmonicOptions& options) {
    if (wanted.values.empty()) throw core::BadInput("epmc", "no amplitude is given");
    HarmonicOptions plain = options;
    plain.derivatives = false;
    // ln a of every one, by secants of ln(reached/wanted); a tells of the motion's size to begin with
    const auto reached = [&](const HarmonicPoint& p) {
        return amplitude_of(p, options.harmonics, wanted.row, wanted.quantity);
    };
    const double probe = 1e-6 * wanted.values.front();
    const auto small = epmc(model, interface, mode, {probe}, plain);
    const double gain = small[0].converged ? reached(small[0]) / probe : 0.0;
    if (!(gain > 0)) throw core::BadInput("output", fmt::format("mode {} does not move it", mode));
    std::vector<double> a, last_a, last_error;
    for (const double value : wanted.values) a.push_back(value / gain);
    std::vector<HarmonicPoint> points;
    for (int round = 0; round < 40; ++round) {
        points = epmc(model, interface, mode, a, plain);
        double worst = 0;
        std::vector<double> error(a.size()), next = a;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!points[i].converged) return points;
            error[i] = std::log(reached(points[i]) / wanted.values[i]);
            worst = std::max(worst, std::abs(error[i]));
            const double run = round > 0 ? std::log(a[i] / last_a[i]) : 0.0;
            const double slope = run != 0 ? std::clamp((error[i] - last_error[i]) / run, 0.25, 4.0) : 1.0;
            next[i] = a[i] * std::exp(std::clamp(-error[i] / slope, -1.0, 1.0));
        }
        if (worst < 1e-11) break;
        for (std::size_t i = 1; i < a.size(); ++i)
            if (!(next[i] > next[i - 1]))
                throw core::NotConverged("epmc: the amplitude at the output does not grow with the mode's",
                                         std::numeric_limits<double>::quiet_NaN());
        last_a = a;
        last_error = error;
        a = next;
    }
    for (std::size_t i = 0; i < a.size(); ++i)
        if (points[i].converged && std::abs(reached(points[i]) / wanted.values[i] - 1) > 1e-9)
            points[i].converged = false;
    if (options.derivatives) return epmc(model, interface, mode, a, options);
    return points;
}

}  // namespace faying::modes
