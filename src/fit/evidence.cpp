#include "faying/fit/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/fit/chains.hpp"
#include "parallel.hpp"
#include "random.hpp"

namespace faying::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double prior_share = 0.05;
constexpr double widened = 1.2;  ///< of the standard deviations: tails of g above those of p

struct Normal {
    double weight = 1;
    VectorXd mean;
    MatrixXd scale;  ///< Cholesky factor of the covariance
    double log_constant = 0;

    double log_density(const VectorXd& z) const {
        const VectorXd x = scale.triangularView<Eigen::Lower>().solve(z - mean);
        return log_constant - 0.5 * x.squaredNorm();
    }
};

bool shape(Normal& n, MatrixXd covariance, double widening) {
    covariance *= widening * widening;
    covariance.diagonal().array() += 1e-12 * covariance.diagonal().maxCoeff() + 1e-300;
    const Eigen::LLT<MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success) return false;
    n.scale = factor.matrixL();
    n.log_constant =
        -0.5 * double(n.mean.size()) * std::log(2 * std::numbers::pi) - n.scale.diagonal().array().log().sum();
    return true;
}

double log_sum(const VectorXd& x) {
    const double most = x.maxCoeff();
    return std::isinf(most) ? most : most + std::log((x.array() - most).exp().sum());
}

class Mixture {
 public:
    /// By expectation and maximisation in coordinates where the draws have covariance one.
    Mixture(const MatrixXd& draws, int components, std::uint64_t seed) {
        const Index n = draws.rows(), d = draws.cols();
        const VectorXd mean = draws.colwise().mean();
        const MatrixXd centred = draws.rowwise() - mean.transpose();
        MatrixXd covariance = centred.transpose() * centred / double(n - 1);
        covariance.diagonal().array() += 1e-14;
        const MatrixXd L = Eigen::LLT<MatrixXd>(covariance).matrixL();
        const MatrixXd x = L.triangularView<Eigen::Lower>().solve(centred.transpose());  // a column a draw
        const int most = std::max(1, std::min(components, int(n / (10 * (d + 1)))));
        Random random{seed, 0xe51de};
        std::vector<Normal> parts(static_cast<std::size_t>(most));
        for (auto& p : parts) {
            p.weight = 1.0 / most;
            p.mean = most == 1 ? VectorXd(VectorXd::Zero(d)) : VectorXd(x.col(Index(random.uniform() * double(n))));
            shape(p, MatrixXd::Identity(d, d), 1);
        }
        MatrixXd share(Index(parts.size()), n);
        for (int pass = 0; most > 1 && pass < 60; ++pass) {
            for (Index i = 0; i < n; ++i) {
                for (std::size_t k = 0; k < parts.size(); ++k)
                    share(Index(k), i) = std::log(parts[k].weight) + parts[k].log_density(x.col(i));
                share.col(i) = (share.col(i).array() - log_sum(share.col(i))).exp();
            }
            for (std::size_t k = 0; k < parts.size(); ++k) {
                const VectorXd w = share.row(Index(k));
                const double sum = w.sum();
                auto& p = parts[k];
                p.weight = std::max(sum / double(n), 1e-6);
                if (sum < double(d + 2)) continue;
                p.mean = x * w / sum;
                const MatrixXd off = x.colwise() - p.mean;
                // Towards the covariance of all where few draws belong to it.
                const MatrixXd c =
                    (off * w.asDiagonal() * off.transpose() + 2.0 * MatrixXd::Identity(d, d)) / (sum + 2);
                shape(p, c, 1);
            }
        }
        for (auto& p : parts) {
            Normal q;
            q.weight = p.weight;
            q.mean = mean + L * p.mean;
            const MatrixXd s = L * p.scale;
            if (shape(q, s * s.transpose(), widened)) parts_.push_back(std::move(q));
        }
        double sum = 0;
        for (const auto& p : parts_) sum += p.weight;
        for (auto& p : parts_) p.weight *= (1 - prior_share) / sum;
        Normal prior;
        prior.weight = prior_share;
        prior.mean = VectorXd::Zero(d);
        shape(prior, MatrixXd::Identity(d, d), 1);
        parts_.push_back(std::move(prior));
    }

    double log_density(const VectorXd& z) const {
        VectorXd each(Index(parts_.size()));
        for (std::size_t k = 0; k < parts_.size(); ++k)
            each(Index(k)) = std::log(parts_[k].weight) + parts_[k].log_density(z);
        return log_sum(each);
    }

    VectorXd draw(Random& random) const {
        double left = random.uniform();
        std::size_t k = 0;
        while (k + 1 < parts_.size() && left > parts_[k].weight) left -= parts_[k++].weight;
        VectorXd x(parts_[k].mean.size());
        for (auto& v : x) v = random.normal();
        return parts_[k].mean + parts_[k].scale * x;
    }

 private:
    std::vector<Normal> parts_;
};

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
    const Mixture g(draws, options.components, options.seed);
    VectorXd posterior(Index(rest.size()));
    for_each_index(rest.size(), options.threads,
                   [&](std::size_t i) { posterior(Index(i)) = rest_density[i] - g.log_density(rest[i]); });
    const Index each = posterior.size() / Index(samples.chains.size());
    for (std::size_t c = 0; c < samples.chains.size(); ++c)
        chain_density.push_back(posterior.segment(Index(c) * each, each));
    const double size = std::min(double(posterior.size()), effective_size(chain_density));
    Evidence e;
    e.importance = by_importance(log_ratios(target, g, options.draws, options.seed, 1, options.threads), e.weight_size);
    e.bridge = by_bridge(posterior, size, log_ratios(target, g, options.draws, options.seed, 2, options.threads));
    return e;
}

}  // namespace faying::fit
