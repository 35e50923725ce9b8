#include "faying/modes/rqnma.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/modes/interface.hpp"
#include "faying/modes/linear.hpp"

namespace faying::modes {

void BackboneOptions::check() const {
    core::require(tolerance >= 1e-14 && tolerance <= 1e-3, "backbone options", "1e-14 <= tolerance <= 1e-3");
    core::require(most_iterations >= 1, "backbone options", "most_iterations >= 1");
    core::require(most_halvings >= 0, "backbone options", "most_halvings >= 0");
}

namespace {

/// A solution of the condensed equations at one amplitude, scaled by q.
struct Branch {
    double log_q = 0;
    Eigen::VectorXd shape;  ///< unknowns over q
    double lambda = 0;
};

class Solver {
 public:
    Solver(const structure::Model& model, const BackboneOptions& options)
        : model_(model), options_(options), interface_(model) {
        for (const auto& joint : model.joints) joints_.push_back(joint.law.joints(std::size_t(joint.sites())));
    }

    Branch linear_start(int mode, double q) {
        const auto stuck = linear_modes(model_.mass, structure::stuck_stiffness(model_));
        if (mode < 1 || mode > stuck.omega.size())
            throw core::BadInput("backbone",
                                 fmt::format("there is no mode {}; allowed are 1 to {}", mode, stuck.omega.size()));
        const double omega = stuck.omega(mode - 1);
        if (omega == 0.0) throw core::BadInput("backbone", fmt::format("mode {} is a rigid-body mode", mode));
        kept_ = interface_.near(omega * omega);
        viscous_ = model_.damping.size() > 0
                       ? stuck.shapes.col(mode - 1).dot(model_.damping * stuck.shapes.col(mode - 1)) / (2 * omega)
                       : model_.damping_ratio;
        return {std::log(q), interface_.project(stuck.shapes.col(mode - 1), kept_), omega * omega};
    }

    /// Newton from a guess at its amplitude; false when it does not get there.
    bool solve(Branch& b, int& iterations) {
        const double q = std::exp(b.log_q);
        const Eigen::Index n = b.shape.size(), m = interface_.width();
        Branch trial = b;
        for (iterations = 0; iterations < options_.most_iterations; ++iterations) {
            const auto d = interface_.at(trial.lambda, kept_);
            Eigen::MatrixXd jacobian(n + 1, n + 1);
            Eigen::VectorXd residual(n + 1);
            Eigen::MatrixXd stiffness = d.stiffness;
            Eigen::VectorXd force = Eigen::VectorXd::Zero(n);
            friction(trial.shape.head(m) * q, q, force, stiffness);
            residual.head(n) = d.stiffness * trial.shape + force;
            residual(n) = -trial.shape.dot(d.slope * trial.shape) - 1.0;
            jacobian.topLeftCorner(n, n) = stiffness;
            jacobian.topRightCorner(n, 1) = d.slope * trial.shape;
            jacobian.bottomLeftCorner(1, n) = -2.0 * (d.slope * trial.shape).transpose();
            jacobian(n, n) = -trial.shape.dot(d.curvature * trial.shape);
            const Eigen::VectorXd change = jacobian.partialPivLu().solve(residual);
            if (!change.allFinite()) return false;
            trial.shape -= change.head(n);
            trial.lambda -= change(n);
            if (!(trial.lambda > 0)) return false;
            const double moved = change.head(n).norm() / trial.shape.norm() + std::abs(change(n)) / trial.lambda;
            if (moved <= 1e-13) {
                ++iterations;
                break;
            }
        }
        if (full_residual(trial) > options_.tolerance) return false;
        b = trial;
        return true;
    }

    double full_residual(const Branch& b) const {
        const double q = std::exp(b.log_q);
        const Eigen::VectorXd u = interface_.recover(b.shape, b.lambda, kept_) * q;
        Eigen::VectorXd r = model_.stiffness * u - b.lambda * model_.mass * u;
        for (const auto& joint : model_.joints) {
            const Eigen::VectorXd s = joint.map * u;
            for (Eigen::Index i = 0; i < s.size(); ++i)
                r += joint.map.row(i).transpose() * (joint.weight(i) * joint.law.follow({s(i)}).f.front());
        }
        return r.norm() / (b.lambda * (model_.mass * u).norm());
    }

    BackbonePoint point(const Branch& b, int iterations) const {
        BackbonePoint p;
        p.q = std::exp(b.log_q);
        p.omega = std::sqrt(b.lambda);
        p.shape = interface_.recover(b.shape, b.lambda, kept_);
        for (const auto& joint : model_.joints) {
            const Eigen::VectorXd s = joint.map * p.shape * p.q;
            double lost = 0;  // Masing: D = 4 d0
            for (Eigen::Index i = 0; i < s.size(); ++i)
                lost += 4.0 * joint.weight(i) * joint.law.follow({s(i)}).dissipated.front();
            p.dissipation_by_joint.push_back(lost);
            p.dissipation += lost;
        }
        p.zeta_friction = p.dissipation / (2 * std::numbers::pi * b.lambda * p.q * p.q);
        p.zeta = p.zeta_friction + viscous_;
        p.residual = full_residual(b);
        p.iterations = iterations;
        p.converged = true;
        return p;
    }

    /// Fixed-interface modes near lambda join the unknowns; the shape is carried over.
    void refresh(Branch& b) {
        const auto close = interface_.near(b.lambda);
        if (close == kept_) return;
        const Eigen::VectorXd u = interface_.recover(b.shape, b.lambda, kept_);
        kept_ = close;
        b.shape = interface_.project(u, kept_);
    }

 private:
    const structure::Model& model_;
    const BackboneOptions& options_;
    Interface interface_;
    std::vector<std::vector<laws::Joint>> joints_;  ///< by site: the parts of its law
    std::vector<Eigen::Index> kept_;
    double viscous_ = 0;

    /// Adds the joints' force over q, and their tangent.
    void friction(const Eigen::VectorXd& y, double q, Eigen::VectorXd& force, Eigen::MatrixXd& stiffness) {
        const Eigen::Index m = interface_.width();
        const Eigen::VectorXd sites = interface_.site_map() * y;
        Eigen::Index at = 0;
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            const auto& weight = model_.joints[j].weight;
            const auto count = std::size_t(weight.size());
            const auto rows = interface_.site_map().middleRows(at, weight.size());
            std::vector<double> f(count), k(count);
            for (auto& part : joints_[j]) {
                part.evaluate({&sites(at), count}, f, k);
                const Eigen::Map<const Eigen::VectorXd> fs(f.data(), weight.size()), ks(k.data(), weight.size());
                force.head(m) += rows.transpose() * (weight.cwiseProduct(fs) / q);
                stiffness.topLeftCorner(m, m) += rows.transpose() * weight.cwiseProduct(ks).asDiagonal() * rows;
            }
            at += weight.size();
        }
    }
};

/// Straight line in log q through the last two solutions.
Branch predict(const std::vector<Branch>& last, double log_q) {
    Branch guess = last.back();
    if (last.size() > 1 && last[last.size() - 2].shape.size() == guess.shape.size()) {
        const Branch& before = last[last.size() - 2];
        const double r = (log_q - guess.log_q) / (guess.log_q - before.log_q);
        guess.shape += r * (guess.shape - before.shape);
        guess.lambda += r * (guess.lambda - before.lambda);
    }
    guess.log_q = log_q;
    return guess;
}

void check_amplitudes(const std::vector<double>& amplitudes) {
    if (amplitudes.empty()) throw core::BadInput("backbone", "no amplitude is given");
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        if (!(amplitudes[i] > 0) || !std::isfinite(amplitudes[i]))
            throw core::BadInput("backbone", fmt::format("amplitude {:g} is not in (0, inf)", amplitudes[i]));
        if (i > 0 && amplitudes[i] <= amplitudes[i - 1]) throw core::BadInput("backbone", "amplitudes must ascend");
    }
}

}  // namespace

std::vector<BackbonePoint> backbone(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                    const BackboneOptions& options) {
    options.check();
    check_amplitudes(amplitudes);
    for (const auto& joint : model.joints)
        if (!joint.law.masing())
            throw core::BadInput(joint.name,
                                 fmt::format("{} is not a Masing law, and the loops framework is not there yet; "
                                             "bouc-wen and valanis have -masing versions",
                                             joint.law.name()));
    Solver solver(model, options);
    // Start where the joints are as good as stuck, so that the linear mode is a good guess.
    const double first = std::log(amplitudes.front());
    std::vector<Branch> branch{solver.linear_start(mode, amplitudes.front())};
    int iterations = 0;
    for (int halving = 0;; ++halving) {
        branch.back().log_q = first - 2.0 * halving;
        if (solver.solve(branch.back(), iterations)) break;
        if (halving == options.most_halvings) {
            BackbonePoint lost;
            lost.q = amplitudes.front();
            lost.residual = solver.full_residual(branch.back());
            return {lost};
        }
        branch.back() = solver.linear_start(mode, amplitudes.front());
    }
    std::vector<BackbonePoint> points;
    for (const double q : amplitudes) {
        const double target = std::log(q);
        double reach = target - branch.back().log_q;
        const double least = std::ldexp(std::max(reach, 1e-3), -options.most_halvings);
        while (branch.back().log_q < target) {
            solver.refresh(branch.back());
            Branch guess = predict(branch, std::min(target, branch.back().log_q + reach));
            if (solver.solve(guess, iterations)) {
                branch.push_back(guess);
                reach *= 2.0;
                continue;
            }
            reach *= 0.5;
            if (reach < least) {
                BackbonePoint lost;
                lost.q = q;
                lost.residual = solver.full_residual(guess);
                points.push_back(lost);
                return points;
            }
        }
        points.push_back(solver.point(branch.back(), iterations));
        points.back().q = q;
    }
    return points;
}

}  // namespace faying::modes
