#include "faying/signal/backbone.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::signal {

namespace {

constexpr double normal_97_5 = 1.959963984540054;  // two-sided 95 %

Bounds95 about(double mean, double deviation) {
    return {mean - normal_97_5 * deviation, mean + normal_97_5 * deviation};
}

/// How a window weighs noise in its slope: Hann's weights about the middle of a line. s from -1 to 1.
double slope_weight(double s) { return std::abs(s) < 1 ? s * std::pow(std::cos(0.5 * std::numbers::pi * s), 2) : 0; }

/// Of the errors of two windows that share samples: slopes of neighbours lean against each other (-0.48 at 0.4 of a width).
double correlation_of(const EnvelopePoint& a, const EnvelopePoint& b) {
    constexpr int steps = 200;
    const double from = std::max(a.time - 0.5 * a.width, b.time - 0.5 * b.width);
    const double to = std::min(a.time + 0.5 * a.width, b.time + 0.5 * b.width);
    if (!(to > from)) return 0;
    double product = 0, norm = 0;
    for (int k = 0; k < steps; ++k) {
        const double t = from + (to - from) * (k + 0.5) / steps;
        product += slope_weight(2 * (t - a.time) / a.width) * slope_weight(2 * (t - b.time) / b.width);
        norm += std::pow(slope_weight(-1 + 2 * (k + 0.5) / steps), 2);
    }
    return product * (to - from) / (norm * std::sqrt(a.width * b.width));
}

/// A tenth of an error is taken as the window's own: that of bending within it, and of neighbouring lines.
Eigen::MatrixXd correlations(const std::vector<Envelope>& envelopes, std::size_t count) {
    constexpr double shared = 0.9;
    Eigen::MatrixXd c = Eigen::MatrixXd::Identity(Eigen::Index(count), Eigen::Index(count));
    Eigen::Index first = 0;
    for (const auto& envelope : envelopes) {
        const auto& p = envelope.points;
        for (std::size_t i = 0; i < p.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (p[i].width > 0 && p[k].width > 0) {
                    const auto row = first + Eigen::Index(i), column = first + Eigen::Index(k);
                    c(row, column) = c(column, row) = shared * correlation_of(p[i], p[k]);
                }
        first += Eigen::Index(p.size());
    }
    return c;
}

}  // namespace

MergedBackbone merged_backbone(const std::vector<Envelope>& envelopes, int points, Errors known) {
    core::require(points >= 2 && points <= 100000, "backbone", "points from 2 to 100000");
    std::vector<double> x, omega, zeta, omega_error, zeta_error;
    for (const auto& envelope : envelopes)
        for (const auto& p : envelope.points) {
            x.push_back(std::log(p.amplitude));
            omega.push_back(p.omega);
            zeta.push_back(p.zeta);
            omega_error.push_back(p.omega_error);
            zeta_error.push_back(p.zeta_error);
        }
    const auto correlation = correlations(envelopes, x.size());
    const GaussianProcess frequency(x, omega, omega_error, known, correlation),
        damping(x, zeta, zeta_error, known, correlation);
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    MergedBackbone merged{
        {}, frequency.length_scale(), damping.length_scale(), frequency.noise_deviation(), damping.noise_deviation()};
    for (int k = 0; k < points; ++k) {
        const double at = *low + (*high - *low) * k / (points - 1);
        const Prediction w = frequency.at(at), z = damping.at(at);
        merged.points.push_back({std::exp(at), w.mean, z.mean, about(w.mean, w.mean_error), about(z.mean, z.mean_error),
                                 about(w.mean, w.observation_error), about(z.mean, z.observation_error)});
    }
    return merged;
}

}  // namespace faying::signal
