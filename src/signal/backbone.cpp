#include "faying/signal/backbone.hpp"

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/signal/gaussian_process.hpp"

namespace faying::signal {

namespace {

constexpr double normal_97_5 = 1.959963984540054;  // two-sided 95 %

Bounds95 about(double mean, double deviation) {
    return {mean - normal_97_5 * deviation, mean + normal_97_5 * deviation};
}

}  // namespace

MergedBackbone merged_backbone(const std::vector<Envelope>& envelopes, int points) {
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
    const GaussianProcess frequency(x, omega, omega_error), damping(x, zeta, zeta_error);
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
