#include "phase_resonances.hpp"

#include <cmath>
#include <numbers>

#include "faying/modes/modal_synthesis.hpp"

namespace faying::modes {

namespace {

/// The same motion a quarter of a period later, or three quarters.
Eigen::MatrixXd later(const Eigen::MatrixXd& motion, const core::Harmonics& harmonics, bool three_quarters) {
    Eigen::MatrixXd out = motion;
    for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
        const int k = harmonics.orders()[i];
        if (k == 0) continue;
        const double angle = k * (three_quarters ? 1.5 : 0.5) * std::numbers::pi, c = std::cos(angle),
                     s = std::sin(angle);
        const Eigen::Index b = harmonics.at(i);
        out.col(b) = c * motion.col(b) - s * motion.col(b + 1);
        out.col(b + 1) = s * motion.col(b) + c * motion.col(b + 1);
    }
    return out;
}

}  // namespace

std::vector<HarmonicPoint> phase_resonances(const structure::Model& model, const Interface& interface, int mode,
                                            const HarmonicLoad& load, double around, HarmonicOptions options) {
    constexpr int count = 60;
    constexpr double least = 1e-2, most = 1e3;  // of `around`
    options.stability = options.derivatives = false;
    if (!(around > 0)) return {};
    std::vector<double> amplitudes;
    for (int i = 0; i < count; ++i)
        amplitudes.push_back(around * least * std::pow(most / least, i / double(count - 1)));
    // ln of the force that the motion needs over the load's
    const auto excess = [&](const HarmonicPoint& p) {
        const auto m = modal_points({p}, options.harmonics, load.shape);
        return std::log(2 * std::abs(p.zeta) * p.omega * p.omega * p.a / (m[0].force * load.force));
    };
    const auto points = epmc(model, interface, mode, amplitudes, options);
    const Eigen::Index first = options.harmonics.at(first_order(options.harmonics));
    std::vector<HarmonicPoint> all;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        HarmonicPoint low = points[i], high = points[i + 1];
        if (!low.converged || !high.converged) continue;
        double at_low = excess(low), at_high = excess(high);
        if (!(at_low * at_high < 0)) continue;
        HarmonicPoint found = low;
        for (int k = 0; k < 12; ++k) {
            const double share = k % 3 == 2 ? 0.5 : at_low / (at_low - at_high);
            found = epmc(model, interface, mode, {low.a * std::pow(high.a / low.a, share)}, options).front();
            if (!found.converged) break;
            const double here = excess(found);
            if (std::abs(here) < 1e-3) break;
            if (here * at_low > 0)
                low = found, at_low = here;
            else
                high = found, at_high = here;
        }
        if (!found.converged) continue;
        const bool pulls_back = (load.shape.dot(found.harmonics.col(first)) < 0) != (found.zeta < 0);
        found.harmonics = later(found.harmonics, options.harmonics, pulls_back);
        all.push_back(std::move(found));
    }
    return all;
}

}  // namespace faying::modes
