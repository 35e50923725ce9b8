#include "faying/signal/gaussian_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlopt.hpp>

#include "faying/core/error.hpp"

namespace faying::signal {

namespace {

constexpr double least_noise = 1e-8;  // of the signal's variance: keeps the factorisation possible

void check(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& errors) {
    if (x.size() < 4) throw core::BadInput("regression", fmt::format("{} points; at least 4 are needed", x.size()));
    if (x.size() > 5000) throw core::BadInput("regression", fmt::format("{} points; allowed are 4 to 5000", x.size()));
    if (y.size() != x.size() || (!errors.empty() && errors.size() != x.size()))
        throw core::BadInput("regression", "x, y and errors must have the same length");
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!std::isfinite(x[i]) || !std::isfinite(y[i]) || (!errors.empty() && !std::isfinite(errors[i])))
            throw core::BadInput("regression", fmt::format("point {} is not finite", i + 1));
}

Eigen::VectorXd vector(const std::vector<double>& v) {
    return Eigen::Map<const Eigen::VectorXd>(v.data(), Eigen::Index(v.size()));
}

}  // namespace

GaussianProcess::GaussianProcess(const std::vector<double>& x, const std::vector<double>& y,
                                 const std::vector<double>& standard_errors) {
    check(x, y, standard_errors);
    x_ = vector(x);
    y_ = vector(y);
    if (!(x_.maxCoeff() > x_.minCoeff())) throw core::BadInput("regression", "all points have the same x");
    distances_ =
        std::sqrt(5.0) * (x_.rowwise().replicate(x_.size()) - x_.transpose().colwise().replicate(x_.size())).cwiseAbs();
    offset_ = y_.mean();
    scale_ = std::sqrt((y_.array() - offset_).square().mean());
    if (!(scale_ > 0)) scale_ = 1;
    y_ = (y_.array() - offset_) / scale_;
    variance_ = Eigen::VectorXd::Zero(x_.size());
    const bool known = !standard_errors.empty() && vector(standard_errors).cwiseAbs().maxCoeff() > 0;
    if (known) {
        variance_ = vector(standard_errors).array().square();
        variance_ /= variance_.mean();
    }
    maximise(known);
}

/// Factors the covariance and eliminates the mean and the signal's variance; returns the log likelihood.
double GaussianProcess::solve(double length, double known, double common) {
    length_ = length;
    known_share_ = known;
    common_share_ = common;
    const Eigen::ArrayXXd r = distances_.array() / length;
    Eigen::MatrixXd c = (1 + r + r.square() / 3) * (-r).exp();
    c.diagonal() += known * variance_;
    c.diagonal().array() += common + least_noise;
    covariance_.compute(c);
    if (covariance_.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
    const double n = double(x_.size());
    ones_ = covariance_.solve(Eigen::VectorXd::Ones(x_.size()));
    mean_ = ones_.dot(y_) / ones_.sum();
    weights_ = covariance_.solve((y_.array() - mean_).matrix());
    signal_variance_ = std::max((y_.array() - mean_).matrix().dot(weights_) / n, 1e-300);
    const double log_determinant = 2 * Eigen::MatrixXd(covariance_.matrixL()).diagonal().array().log().sum();
    log_likelihood_ = -0.5 * (n * std::log(signal_variance_) + log_determinant);
    return log_likelihood_;
}

/// Log likelihood at logs = (ln l, ln b[, ln a]) and its gradient,
/// dL = (w^T dC w / s^2 - tr(C^-1 dC))/2 with w = C^-1 (y - m).
double GaussianProcess::evaluate(const double* logs, double* gradient) {
    const bool known = variance_.sum() > 0;
    const double likelihood = solve(std::exp(logs[0]), known ? std::exp(logs[2]) : 0.0, std::exp(logs[1]));
    if (gradient == nullptr || !std::isfinite(likelihood)) return likelihood;
    const Eigen::Index n = x_.size();
    const Eigen::MatrixXd inverse = covariance_.solve(Eigen::MatrixXd::Identity(n, n));
    const Eigen::MatrixXd outer = weights_ * weights_.transpose() / signal_variance_ - inverse;
    const Eigen::ArrayXXd r = distances_.array() / length_;
    gradient[0] = 0.5 * (outer.array() * r.square() / 3 * (1 + r) * (-r).exp()).sum();
    gradient[1] = 0.5 * common_share_ * outer.diagonal().sum();
    if (known) gradient[2] = 0.5 * known_share_ * outer.diagonal().dot(variance_);
    return likelihood;
}

void GaussianProcess::maximise(bool known_variances) {
    const std::size_t count = known_variances ? 3 : 2;
    const double range = x_.maxCoeff() - x_.minCoeff();
    const double gap = range / double(x_.size());
    std::vector<double> low{std::log(gap), std::log(1e-8)}, high{std::log(10 * range), std::log(1e4)};
    if (known_variances) low.push_back(std::log(1e-8)), high.push_back(std::log(1e4));
    struct Context {
        GaussianProcess* self;
    } context{this};
    nlopt::opt optimiser(nlopt::LD_SLSQP, unsigned(count));
    optimiser.set_lower_bounds(low);
    optimiser.set_upper_bounds(high);
    optimiser.set_xtol_abs(1e-4);  // of logarithms
    optimiser.set_ftol_abs(1e-6);
    optimiser.set_maxeval(100);
    optimiser.set_max_objective(
        [](unsigned, const double* logs, double* gradient, void* data) {
            const double value = static_cast<Context*>(data)->self->evaluate(logs, gradient);
            return std::isfinite(value) ? value : -1e30;
        },
        &context);
    std::vector<double> best;
    double best_value = -std::numeric_limits<double>::infinity();
    for (const auto& [length, noise] : {std::pair(0.1, 0.1), std::pair(0.3, 0.01), std::pair(1.0, 0.01)}) {
        std::vector<double> logs{std::log(std::max(length * range, gap)), std::log(noise)};
        if (known_variances) logs.push_back(std::log(noise));
        double value = 0;
        try {
            optimiser.optimize(logs, value);
        } catch (const nlopt::roundoff_limited&) {  // as far as doubles go: `logs` holds the best
            value = evaluate(logs.data(), nullptr);
        } catch (const std::runtime_error&) {  // a start from which SLSQP finds no way
            continue;
        }
        if (value > best_value) best_value = value, best = logs;
    }
    if (best.empty())
        throw core::NotConverged("regression: the likelihood has no maximum that could be found",
                                 std::numeric_limits<double>::quiet_NaN());
    evaluate(best.data(), nullptr);
}

Prediction GaussianProcess::at(double x) const {
    const Eigen::ArrayXd r = std::sqrt(5.0) * (x_.array() - x).abs() / length_;
    const Eigen::VectorXd k = (1 + r + r.square() / 3) * (-r).exp();
    const Eigen::VectorXd solved = covariance_.solve(k);
    const double slack = 1 - ones_.dot(k);  // what estimating the mean adds
    const double variance = std::max(0.0, 1 - k.dot(solved) + slack * slack / ones_.sum());
    Prediction p;
    p.mean = offset_ + scale_ * (mean_ + k.dot(weights_));
    p.mean_error = scale_ * std::sqrt(signal_variance_ * variance);
    p.observation_error = scale_ * std::sqrt(signal_variance_ * (variance + noise_at(x)));
    return p;
}

/// Noise variance (in s^2) of a measurement at x: common, and the points' own averaged over their neighbourhood.
double GaussianProcess::noise_at(double x) const {
    if (known_share_ == 0) return common_share_;
    const double width = 0.05 * (x_.maxCoeff() - x_.minCoeff());
    const Eigen::VectorXd near = (-0.5 * ((x_.array() - x) / width).square()).exp() + 1e-12;
    return common_share_ + known_share_ * near.dot(variance_) / near.sum();
}

double GaussianProcess::signal_deviation() const { return scale_ * std::sqrt(signal_variance_); }
double GaussianProcess::noise_deviation() const {
    return scale_ * std::sqrt(signal_variance_ * (common_share_ + known_share_ * variance_.mean()));
}

}  // namespace faying::signal
