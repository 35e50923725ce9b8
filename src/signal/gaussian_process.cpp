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

/// Values evenly spaced in the logarithm.
std::vector<double> spaced(double low, double high, int count) {
    std::vector<double> values;
    for (int k = 0; k < count; ++k) values.push_back(low * std::pow(high / low, double(k) / (count - 1)));
    return values;
}

/// Values of one parameter, and how probable they are beforehand.
struct Prior {
    std::vector<double> values, shares;
};
Prior even(std::vector<double> values) {
    const auto count = values.size();
    return {std::move(values), std::vector<double>(count, 1 / double(count))};
}

Eigen::VectorXd vector(const std::vector<double>& v) {
    return Eigen::Map<const Eigen::VectorXd>(v.data(), Eigen::Index(v.size()));
}

}  // namespace

GaussianProcess::GaussianProcess(const std::vector<double>& x, const std::vector<double>& y,
                                 const std::vector<double>& standard_errors, Errors known,
                                 const Eigen::MatrixXd& correlation) {
    check(x, y, standard_errors);
    x_ = vector(x);
    y_ = vector(y);
    range_ = x_.maxCoeff() - x_.minCoeff();
    if (!(range_ > 0)) throw core::BadInput("regression", "all points have the same x");
    gap_ = range_ / double(x_.size());
    distances_ =
        std::sqrt(5.0) * (x_.rowwise().replicate(x_.size()) - x_.transpose().colwise().replicate(x_.size())).cwiseAbs();
    offset_ = y_.mean();
    scale_ = std::sqrt((y_.array() - offset_).square().mean());
    if (!(scale_ > 0)) scale_ = 1;
    y_ = (y_.array() - offset_) / scale_;
    double mean_variance = 0;
    if (!standard_errors.empty() && vector(standard_errors).cwiseAbs().maxCoeff() > 0) {
        const Eigen::VectorXd own = vector(standard_errors) / scale_;
        mean_variance = own.squaredNorm() / double(own.size());
        errors_ = own * own.transpose() / mean_variance;
        errors_ = correlation.size() > 0 ? Eigen::MatrixXd(errors_.cwiseProduct(correlation))
                                         : Eigen::MatrixXd(errors_.diagonal().asDiagonal());
    }
    if (x_.size() <= most_integrated)
        integrate(mean_variance, known);
    else
        maximise();
}

Eigen::MatrixXd GaussianProcess::kernel(double length) const {
    const Eigen::ArrayXXd r = distances_.array() / length;
    return (1 + r + r.square() / 3) * (-r).exp();
}

/// Factors the covariance and integrates out the mean; false where doubles do not reach.
bool GaussianProcess::solve(Node& node, const Eigen::MatrixXd& kernel) const {
    Eigen::MatrixXd c = node.signal * kernel;
    if (errors_.size() > 0) c += node.factor * errors_;
    c.diagonal().array() += node.common + least_noise * node.signal;
    node.covariance.compute(c);
    if (node.covariance.info() != Eigen::Success) return false;
    node.ones = node.covariance.solve(Eigen::VectorXd::Ones(x_.size()));
    const double information = node.ones.sum();
    node.mean = node.ones.dot(y_) / information;
    const Eigen::VectorXd off = y_.array() - node.mean;
    node.weights = node.covariance.solve(off);
    const double log_determinant = 2 * node.covariance.matrixLLT().diagonal().array().log().sum();
    node.log_likelihood = -0.5 * (off.dot(node.weights) + log_determinant + std::log(information));
    return std::isfinite(node.log_likelihood);
}

/// Few points: the mean over a grid of what the data may be made of.
void GaussianProcess::integrate(double mean_variance, Errors known) {
    const Prior lengths = even(spaced(std::max(gap_, 0.3 * range_), 10 * range_, 7));
    const Prior signals = even(spaced(0.1, 30, 9));
    const auto sizes = spaced(1e-5, 2, 36);
    Prior factors{{0}, {1}}, commons = even(sizes);
    if (mean_variance > 0 && known == Errors::sizes) {  // log-normal, at the three nodes of Gauss and Hermite
        const double own = std::sqrt(mean_variance), quarter = std::exp(0.25 * std::sqrt(3.0));
        factors = {{own / quarter, own, own * quarter}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};
        commons = {{0, 0.01, 0.03, 0.1, 0.3, 1}, {0.8, 0.04, 0.04, 0.04, 0.04, 0.04}};
    } else if (mean_variance > 0) {
        factors = even(sizes);
        commons = {{0, 0.03, 0.3}, {0.8, 0.1, 0.1}};
    }
    double greatest = -std::numeric_limits<double>::infinity();
    for (const double length : lengths.values) {
        const Eigen::MatrixXd shape = kernel(length);
        for (const double signal : signals.values)
            for (std::size_t f = 0; f < factors.values.size(); ++f)
                for (std::size_t b = 0; b < commons.values.size(); ++b) {
                    Node node{length, signal * signal, std::pow(factors.values[f], 2), std::pow(commons.values[b], 2)};
                    if (!solve(node, shape)) continue;
                    node.share = std::log(factors.shares[f] * commons.shares[b]) + node.log_likelihood;
                    if (node.share < greatest - 9) continue;
                    greatest = std::max(greatest, node.share);
                    nodes_.push_back(std::move(node));
                }
    }
    std::erase_if(nodes_, [&](const Node& node) { return node.share < greatest - 7; });
    double total = 0;
    for (Node& node : nodes_) total += node.share = std::exp(node.share - greatest);
    for (Node& node : nodes_) node.share /= total;
}

/// Log likelihood at logs = (ln l, ln b^2/s^2[, ln c^2/s^2]), with the mean and s^2 eliminated, and its gradient:
/// tr(((w w^T)/s^2 - C^-1) dC)/2.
double GaussianProcess::profile(Node& node, const double* logs, double* gradient) const {
    const bool known = errors_.size() > 0;
    node.length = std::exp(logs[0]);
    node.signal = 1;
    node.factor = known ? std::exp(logs[2]) : 0;
    node.common = std::exp(logs[1]);
    if (!solve(node, kernel(node.length))) return -std::numeric_limits<double>::infinity();
    const Eigen::Index n = x_.size();
    const Eigen::VectorXd off = y_.array() - node.mean;
    const double signal = std::max(off.dot(node.weights) / double(n), 1e-300);
    const double log_determinant = 2 * node.covariance.matrixLLT().diagonal().array().log().sum();
    const double likelihood = -0.5 * (double(n) * std::log(signal) + log_determinant);
    if (gradient != nullptr) {
        const Eigen::MatrixXd inverse = node.covariance.solve(Eigen::MatrixXd::Identity(n, n));
        const Eigen::MatrixXd outer = node.weights * node.weights.transpose() / signal - inverse;
        const Eigen::ArrayXXd r = distances_.array() / node.length;
        gradient[0] = 0.5 * (outer.array() * r.square() / 3 * (1 + r) * (-r).exp()).sum();
        gradient[1] = 0.5 * node.common * outer.diagonal().sum();
        if (known) gradient[2] = 0.5 * node.factor * outer.cwiseProduct(errors_).sum();
    }
    node.signal = signal;
    return likelihood;
}

/// Many points: what makes them most probable.
void GaussianProcess::maximise() {
    const bool known_variances = errors_.size() > 0;
    const std::size_t count = known_variances ? 3 : 2;
    std::vector<double> low{std::log(gap_), std::log(1e-8)}, high{std::log(10 * range_), std::log(1e4)};
    if (known_variances) low.push_back(std::log(1e-8)), high.push_back(std::log(1e4));
    struct Context {
        const GaussianProcess* self;
        Node node;
    } context{this, {}};
    nlopt::opt optimiser(nlopt::LD_SLSQP, unsigned(count));
    optimiser.set_lower_bounds(low);
    optimiser.set_upper_bounds(high);
    optimiser.set_xtol_abs(1e-4);  // of logarithms
    optimiser.set_ftol_abs(1e-6);
    optimiser.set_maxeval(100);
    optimiser.set_max_objective(
        [](unsigned, const double* logs, double* gradient, void* data) {
            const double value =
                static_cast<Context*>(data)->self->profile(static_cast<Context*>(data)->node, logs, gradient);
            return std::isfinite(value) ? value : -1e30;
        },
        &context);
    std::vector<double> best;
    double best_value = -std::numeric_limits<double>::infinity();
    for (const auto& [length, noise] : {std::pair(0.1, 0.1), std::pair(0.3, 0.01), std::pair(1.0, 0.01)}) {
        std::vector<double> logs{std::log(std::max(length * range_, gap_)), std::log(noise)};
        if (known_variances) logs.push_back(std::log(noise));
        double value = 0;
        try {
            optimiser.optimize(logs, value);
        } catch (const nlopt::roundoff_limited&) {  // as far as doubles go: `logs` holds the best
            value = profile(context.node, logs.data(), nullptr);
        } catch (const std::runtime_error&) {  // a start from which SLSQP finds no way
            continue;
        }
        if (value > best_value) best_value = value, best = logs;
    }
    if (best.empty())
        throw core::NotConverged("regression: the likelihood has no maximum that could be found",
                                 std::numeric_limits<double>::quiet_NaN());
    Node node;
    profile(node, best.data(), nullptr);
    node.factor *= node.signal;
    node.common *= node.signal;
    solve(node, kernel(node.length));
    nodes_ = {std::move(node)};
}

Prediction GaussianProcess::at(double x) const {
    const Eigen::ArrayXd distance = std::sqrt(5.0) * (x_.array() - x).abs();
    double mean = 0, square = 0, noise = 0;
    for (const Node& node : nodes_) {
        const Eigen::ArrayXd r = distance / node.length;
        const Eigen::VectorXd k = node.signal * (1 + r + r.square() / 3) * (-r).exp();
        const double slack = 1 - node.ones.dot(k);  // what estimating the mean adds
        const double value = node.mean + k.dot(node.weights);
        const double variance = node.signal - k.dot(node.covariance.solve(k)) + slack * slack / node.ones.sum();
        mean += node.share * value;
        square += node.share * (std::max(0.0, variance) + value * value);
        noise += node.share * noise_at(node, x);
    }
    const double variance = std::max(0.0, square - mean * mean);
    return {offset_ + scale_ * mean, scale_ * std::sqrt(variance), scale_ * std::sqrt(variance + noise)};
}

/// Variance of a measurement's noise at x: common, and the points' own averaged over their neighbourhood.
double GaussianProcess::noise_at(const Node& node, double x) const {
    if (node.factor == 0) return node.common;
    const Eigen::VectorXd near = (-0.5 * ((x_.array() - x) / (0.05 * range_)).square()).exp() + 1e-12;
    return node.common + node.factor * near.dot(errors_.diagonal()) / near.sum();
}

double GaussianProcess::length_scale() const {
    double sum = 0;
    for (const Node& node : nodes_) sum += node.share * std::log(node.length);
    return std::exp(sum);
}

double GaussianProcess::noise_deviation() const {
    double sum = 0;
    for (const Node& node : nodes_) sum += node.share * (node.common + node.factor);
    return scale_ * std::sqrt(sum);
}

}  // namespace faying::signal
