#include "faying/fit/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/fit/chains.hpp"
#include "faying/fit/mixture.hpp"
#include "parallel.hpp"
#include "random.hpp"

namespace faying::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// ln p - ln g at draws of g.
VectorXd log_ratios(const Target& target, const Mixture& g, int count, std::uint64_t seed, std::uint64_t stream,
                    int threads) {
    VectorXd ratio(count);
    for_each_index(std::size_t(count), threads, [&](std::size_t i) {
        Random random{seed, stream, i};
        const VectorXd z = g.draw(random);
        ratio(Index(i)) = target(z, nullptr) - g.log_density(z);
    });
    return ratio;
}

EvidenceEstimate by_importance(const VectorXd& ratio, double& size) {
    const double n = double(ratio.size()), total = log_sum(ratio);
    const Eigen::ArrayXd w = (ratio.array() - total).exp();
    size = 1 / w.square().sum();
    const double variance = std::max(w.square().sum() - 1 / n, 0.0);
    return {total - std::log(n), std::sqrt(variance)};
}

/// `posterior`: ln p - ln g at draws of p, which count as `size` independent ones; `proposal`: at draws of g.
EvidenceEstimate by_bridge(const VectorXd& posterior, double size, const VectorXd& proposal) {
    const double n1 = double(posterior.size()), n2 = double(proposal.size());
    const double s1 = size / (size + n2), s2 = n2 / (size + n2);
    VectorXd sorted = posterior;
    std::sort(sorted.begin(), sorted.end());
    const double offset = sorted(sorted.size() / 2);
    const Eigen::ArrayXd l1 = posterior.array() - offset, l2 = proposal.array() - offset;
    double log_r = 0;  // evidence over exp(offset)
    for (int k = 0; k < 1000; ++k) {
        // each term over r: exp(l)/(s1 exp(l) + s2 r)
        const Eigen::ArrayXd above =
            (l2 > 0).select(1 / (s1 + s2 * (log_r - l2).exp()), l2.exp() / (s1 * l2.exp() + s2 * std::exp(log_r)));
        const Eigen::ArrayXd below =
            (l1 > 0).select((-l1).exp() / (s1 + s2 * (log_r - l1).exp()), 1 / (s1 * l1.exp() + s2 * std::exp(log_r)));
        const double next = std::log(above.sum() / n2) - std::log(below.sum() / n1);
        const bool settled = std::abs(next - log_r) < 1e-10;
        log_r = next;
        if (settled) break;
    }
    // Relative mean-square error (Fruehwirth-Schnatter 2004).
    const Eigen::ArrayXd f1 = 1 / (s1 + s2 * (log_r - l2).exp());  // p/(s1 p + s2 g) under g
    const Eigen::ArrayXd f2 = 1 / (s1 * (l1 - log_r).exp() + s2);  // g/(s1 p + s2 g) under p
    const auto relative = [](const Eigen::ArrayXd& f) {
        const double mean = f.mean();
        return (f - mean).square().mean() / (mean * mean);
    };
    return {log_r + offset, std::sqrt(relative(f1) / n2 + relative(f2) / size)};
}

}  // namespace

void EvidenceOptions::check() const {
    core::require(draws >= 100 && draws <= 10000000, "evidence", "100 <= draws <= 10000000");
    core::require(components >= 1 && components <= 100, "evidence", "1 <= components <= 100");
}

bool Evidence::agree() const {
    const double apart = std::abs(bridge.value - importance.value);
    return apart <= 0.5 && apart <= std::max(0.1, 3 * std::hypot(bridge.error, importance.error));
}

double pareto_shape(const VectorXd& log_weights) {
    VectorXd sorted = log_weights;
    std::sort(sorted.begin(), sorted.end());
    const Index all = sorted.size();
    const Index tail = std::min(all / 5, Index(std::ceil(3 * std::sqrt(double(all)))));
    constexpr Index fewest = 5;
    if (tail < fewest || std::isinf(sorted(all - tail - 1))) return -std::numeric_limits<double>::infinity();
    const double most = sorted(all - 1), threshold = std::exp(sorted(all - tail - 1) - most);
    const Eigen::ArrayXd x = (sorted.tail(tail).array() - most).exp() - threshold;
    const double n = double(tail), quarter = x(Index(n / 4 + 0.5) - 1);
    if (!(quarter > 0)) return -std::numeric_limits<double>::infinity();
    const int places = 30 + int(std::sqrt(n));
    VectorXd theta(places), likelihood(places);
    for (int j = 0; j < places; ++j) {
        theta(j) = 1 / x(tail - 1) + (1 - std::sqrt(places / (j + 0.5))) / (3 * quarter);
        const double k = (1 - theta(j) * x).log().mean();
        likelihood(j) = n * (std::log(-theta(j) / k) - k - 1);
    }
    const double middle = theta.dot(((likelihood.array() - log_sum(likelihood)).exp()).matrix());
    const double k = (1 - middle * x).log().mean();
    return (n * k + 5) / (n + 10);  // towards a half, where few say little
}

Evidence evidence(const Target& target, const Samples& samples, const EvidenceOptions& options) {
    options.check();
    // g from the first half of every chain, the bridge from the second.
    constexpr Index most_fitted = 4000;
    std::vector<VectorXd> fitted;
    std::vector<VectorXd> rest;
    std::vector<double> rest_density;
    std::vector<VectorXd> chain_density;
    for (const auto& c : samples.chains) {
        const auto z = c.z();
        const Index half = z.rows() / 2;
        const Index stride = std::max<Index>(1, half * Index(samples.chains.size()) / most_fitted);
        for (Index i = 0; i < half; i += stride) fitted.push_back(z.row(i));
        for (Index i = half; i < z.rows(); ++i) {
            rest.push_back(z.row(i));
            rest_density.push_back(c.log_density[std::size_t(i)]);
        }
    }
    MatrixXd draws(Index(fitted.size()), fitted.front().size());
    for (std::size_t i = 0; i < fitted.size(); ++i) draws.row(Index(i)) = fitted[i];
    const Mixture g = Mixture::fitted(draws, VectorXd::Ones(draws.rows()), options.components, options.seed);
    VectorXd posterior(Index(rest.size()));
    for_each_index(rest.size(), options.threads,
                   [&](std::size_t i) { posterior(Index(i)) = rest_density[i] - g.log_density(rest[i]); });
    const Index each = posterior.size() / Index(samples.chains.size());
    for (std::size_t c = 0; c < samples.chains.size(); ++c)
        chain_density.push_back(posterior.segment(Index(c) * each, each));
    const double size = std::min(double(posterior.size()), effective_size(chain_density));
    Evidence e;
    const VectorXd ratios = log_ratios(target, g, options.draws, options.seed, 1, options.threads);
    e.importance = by_importance(ratios, e.weight_size);
    e.pareto_k = pareto_shape(ratios);
    e.bridge = by_bridge(posterior, size, log_ratios(target, g, options.draws, options.seed, 2, options.threads));
    return e;
}

}  // namespace faying::fit
