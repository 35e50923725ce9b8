#include "faying/fit/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "random.hpp"

namespace faying::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double prior_share = 0.05;
constexpr double widened = 1.2;  ///< of the standard deviations: tails above those of what it was fitted to
constexpr int passes = 12;

double log_normal_constant(Index d) { return -0.5 * double(d) * std::log(2 * std::numbers::pi); }

std::optional<MatrixXd> factor_of(MatrixXd covariance, double widening) {
    covariance *= widening * widening;
    covariance.diagonal().array() += 1e-12 * covariance.diagonal().maxCoeff() + 1e-300;
    const Eigen::LLT<MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success) return {};
    return MatrixXd(factor.matrixL());
}

/// ln density of a part at every column of y.
VectorXd log_densities(const NormalPart& p, const MatrixXd& y) {
    const MatrixXd off = p.scale.triangularView<Eigen::Lower>().solve(y.colwise() - p.mean);
    const double constant = log_normal_constant(y.rows()) - p.scale.diagonal().array().log().sum();
    return (-0.5 * off.colwise().squaredNorm().array() + constant).transpose();
}

/// 1, x_i x_j, and x_i to the fifth power, of the coordinates before k (six at most); not beyond four deviations, where a
/// polynomial goes astray.
VectorXd powers_before(const VectorXd& x, Index k) {
    constexpr Index most = 6;
    const Index n = std::min(k, most);
    const auto inside = [&](Index i) { return 0.5 * std::clamp(x(i), -4.0, 4.0); };
    VectorXd p(1 + 4 * n + n * (n + 1) / 2);
    Index at = 0;
    p(at++) = 1;
    for (Index i = 0; i < n; ++i) {
        const double a = inside(i), cube = a * a * a;
        for (const double power : {a, cube, cube * a, cube * a * a}) p(at++) = power;
        for (Index j = 0; j <= i; ++j) p(at++) = a * inside(j);
    }
    return p;
}

}  // namespace

double log_sum(const VectorXd& x) {
    const double most = x.maxCoeff();
    return std::isinf(most) ? most : most + std::log((x.array() - most).exp().sum());
}

double NormalPart::log_density(const VectorXd& y) const {
    const VectorXd x = scale.triangularView<Eigen::Lower>().solve(y - mean);
    return log_normal_constant(y.size()) - scale.diagonal().array().log().sum() - 0.5 * x.squaredNorm();
}

Straightening Straightening::fitted(const MatrixXd& places, const VectorXd& given) {
    const Index n = places.rows(), d = places.cols();
    const double worth = given.sum();
    const VectorXd weights = given / worth;
    Straightening s;
    s.mean = places.transpose() * weights;
    const MatrixXd centred = places.rowwise() - s.mean.transpose();
    MatrixXd covariance = centred.transpose() * weights.asDiagonal() * centred;
    covariance.diagonal().array() += 1e-14;
    const Eigen::LDLT<MatrixXd> pivoted(covariance);  // the widest of what is left comes next
    s.axes = pivoted.transpositionsP().transpose() * MatrixXd(pivoted.matrixL());
    s.deviations = pivoted.vectorD().cwiseMax(1e-28).cwiseSqrt();
    s.spread = VectorXd::Ones(d);
    s.bends.assign(std::size_t(d), {});
    const MatrixXd x = s.deviations.cwiseInverse().asDiagonal() * s.axes.partialPivLu().solve(centred.transpose());
    for (Index k = 1; k < d; ++k) {
        const Index terms = powers_before(x.col(0), k).size();
        if (worth < 5.0 * double(terms)) break;
        MatrixXd powers(n, terms);
        for (Index i = 0; i < n; ++i) powers.row(i) = powers_before(x.col(i), k);
        // Towards none, as ten places without a bend would.
        const MatrixXd normal = powers.transpose() * weights.asDiagonal() * powers +
                                10 / (worth + 10) * 0.1 * MatrixXd::Identity(terms, terms);
        const VectorXd target = x.row(k).transpose();
        const VectorXd bend = normal.ldlt().solve(powers.transpose() * weights.asDiagonal() * target);
        const VectorXd left = target - powers * bend;
        const double spread = std::sqrt(left.cwiseAbs2().dot(weights) - std::pow(left.dot(weights), 2));
        if (!(spread > 1e-3 && spread < 1) || !bend.allFinite()) continue;  // explains nothing, or too much
        s.bends[std::size_t(k)] = bend;
        s.spread(k) = spread;
    }
    return s;
}

VectorXd Straightening::straight(const VectorXd& z) const {
    const VectorXd x = axes.partialPivLu().solve(z - mean).cwiseQuotient(deviations);
    VectorXd y = x;
    for (std::size_t k = 0; k < bends.size(); ++k)
        if (bends[k].size() > 0)
            y(Index(k)) = (x(Index(k)) - bends[k].dot(powers_before(x, Index(k)))) / spread(Index(k));
    return y;
}

VectorXd Straightening::bent(const VectorXd& y) const {
    VectorXd x = y;
    for (std::size_t k = 0; k < bends.size(); ++k)
        if (bends[k].size() > 0)
            x(Index(k)) = y(Index(k)) * spread(Index(k)) + bends[k].dot(powers_before(x, Index(k)));
    return mean + axes * deviations.cwiseProduct(x);
}

Mixture Mixture::fitted(const MatrixXd& places, const VectorXd& given, int components, std::uint64_t seed) {
    const Index n = places.rows(), d = places.cols();
    const double worth = given.sum();
    const VectorXd weights = given / worth;
    auto straightening = Straightening::fitted(places, given);
    MatrixXd y(d, n);
    for (Index i = 0; i < n; ++i) y.col(i) = straightening.straight(places.row(i).transpose());
    const int most = std::max(1, std::min(components, int(worth / double(10 * (d + 1)))));
    Random random{seed, 0xe51de};
    const auto chosen = [&] {  // by its weight
        double left = random.uniform();
        Index i = 0;
        while (i + 1 < n && left > weights(i)) left -= weights(i++);
        return i;
    };
    std::vector<NormalPart> parts(static_cast<std::size_t>(most));
    for (auto& p : parts) {
        p.weight = 1.0 / most;
        p.mean = most == 1 ? VectorXd(y * weights) : VectorXd(y.col(chosen()));
        p.scale = MatrixXd::Identity(d, d);
    }
    MatrixXd share(n, Index(parts.size()));
    double before = -std::numeric_limits<double>::infinity();
    for (int pass = 0; most > 1 && pass < passes; ++pass) {
        for (std::size_t k = 0; k < parts.size(); ++k)
            share.col(Index(k)) = log_densities(parts[k], y).array() + std::log(parts[k].weight);
        const VectorXd greatest = share.rowwise().maxCoeff();
        share = (share.colwise() - greatest).array().exp();
        const VectorXd sum = share.rowwise().sum();
        const double likelihood = (greatest.array() + sum.array().log()).matrix().dot(weights);
        share = sum.cwiseInverse().asDiagonal() * share;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const VectorXd w = share.col(Index(k)).cwiseProduct(weights);
            const double part = w.sum(), count = part * worth;
            auto& p = parts[k];
            p.weight = std::max(part, 1e-6);
            if (count < double(d + 2)) continue;
            p.mean = y * w / part;
            const MatrixXd off = y.colwise() - p.mean;
            // Towards the covariance of all where few belong to it.
            const MatrixXd c =
                (off * (w / part * count).asDiagonal() * off.transpose() + 2.0 * MatrixXd::Identity(d, d)) /
                (count + 2);
            if (auto factor = factor_of(c, 1)) p.scale = std::move(*factor);
        }
        if (likelihood - before < 1e-4) break;
        before = likelihood;
    }
    double sum = 0;
    for (auto& p : parts) {
        if (auto factor = factor_of(p.scale * p.scale.transpose(), widened)) p.scale = std::move(*factor);
        sum += p.weight;
    }
    for (auto& p : parts) p.weight *= (1 - prior_share) / sum;
    return {std::move(straightening), std::move(parts)};
}

double Mixture::log_density(const VectorXd& z) const {
    VectorXd each(Index(parts_.size()) + 1);
    const VectorXd y = straightening_.straight(z);
    const double volume = straightening_.log_volume();
    for (std::size_t k = 0; k < parts_.size(); ++k)
        each(Index(k)) = std::log(parts_[k].weight) + parts_[k].log_density(y) - volume;
    each(Index(parts_.size())) = std::log(prior_share) + log_normal_constant(z.size()) - 0.5 * z.squaredNorm();
    return log_sum(each);
}

VectorXd Mixture::draw(Random& random) const {
    double left = random.uniform();
    std::size_t k = 0;
    while (k < parts_.size() && left > parts_[k].weight) left -= parts_[k++].weight;
    VectorXd x(dimension());
    for (auto& v : x) v = random.normal();
    if (k == parts_.size()) return x;  // the prior's share
    return straightening_.bent(parts_[k].mean + parts_[k].scale * x);
}

}  // namespace faying::fit
