// Self-excited vibration: nonlinear modes whose damping is zero.

#include <cmath>

#include "faying/modes/harmonic_balance.hpp"
#include "harmonic_orbit.hpp"

namespace faying::modes {

namespace {

constexpr double beyond_circle = 1e-6;  ///< the motion is that of the harmonics, not the exact orbit

/// Of a motion that nothing drives: one multiplier is 1, a shift in time, and does not count.
Stability stability_without_force(const structure::Model& model, const Interface& interface, const HarmonicPoint& point,
                                  const HarmonicOptions& options) {
    HarmonicSystem system(model, interface, options.harmonics, options.joints);
    Stability answer;
    if (answer.reason = PeriodMap::why_not(system, options.most_stability_modes); !answer.reason.empty()) return answer;
    const Eigen::MatrixXd q = system.shapes().transpose() * model.mass * point.harmonics;
    const auto orbit = PeriodMap(system, point.omega, 0, options.most_stability_modes).along(q);
    answer.method = "harmonic motion";
    if (!orbit.converged) {
        answer.reason = orbit.reason;
        return answer;
    }
    answer.multipliers = multipliers_of(orbit.monodromy, answer.forgotten);
    auto trivial = answer.multipliers.end();
    for (auto m = answer.multipliers.begin(); m != answer.multipliers.end(); ++m)
        if (trivial == answer.multipliers.end() || std::abs(*m - 1.0) < std::abs(*trivial - 1.0)) trivial = m;
    if (trivial != answer.multipliers.end()) answer.multipliers.erase(trivial);
    answer.stable = answer.multipliers.empty() || std::abs(answer.multipliers.front()) <= 1 + beyond_circle;
    return answer;
}

}  // namespace

std::vector<HarmonicPoint> limit_cycles(const structure::Model& model, const Interface& interface, int mode,
                                        const std::vector<HarmonicPoint>& points, HarmonicOptions options) {
    options.derivatives = options.stability = false;
    std::vector<HarmonicPoint> all;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        HarmonicPoint low = points[i], high = points[i + 1];
        if (!low.converged || !high.converged || !(low.zeta * high.zeta < 0)) continue;
        const double size = std::max(std::abs(low.zeta), std::abs(high.zeta));
        HarmonicPoint found;
        for (int k = 0; k < 60; ++k) {  // false position in ln a, halved where it creeps
            const double from = std::log(low.a), to = std::log(high.a);
            double share = low.zeta / (low.zeta - high.zeta);
            if (k % 3 == 2) share = 0.5;
            found = epmc(model, interface, mode, {std::exp(from + share * (to - from))}, options).front();
            if (!found.converged || std::abs(found.zeta) <= 1e-12 * size || to - from < 1e-14) break;
            (found.zeta * low.zeta > 0 ? low : high) = found;
        }
        if (!found.converged) continue;
        found.stability = stability_without_force(model, interface, found, options);
        all.push_back(std::move(found));
    }
    return all;
}

}  // namespace faying::modes
