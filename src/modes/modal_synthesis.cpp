#include "faying/modes/modal_synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

ModalPoint between(const ModalPoint& low, const ModalPoint& high, double share) {
    const auto mix = [&](double x, double y) { return (1 - share) * x + share * y; };
    return {std::exp(mix(std::log(low.a), std::log(high.a))), mix(low.omega, high.omega), mix(low.zeta, high.zeta),
            mix(low.force, high.force)};
}

/// Half the distance of both w^2, squared; negative where the force does not drive the mode to this amplitude.
double spread(const ModalPoint& m, double p) {
    const double w2 = m.omega * m.omega, drive = p * m.force / m.a;
    return drive * drive - 4 * m.zeta * m.zeta * (1 - m.zeta * m.zeta) * w2 * w2;
}

/// Between two points with different signs of the spread, where it is zero.
ModalPoint peak(const ModalPoint& low, const ModalPoint& high, double p) {
    double from = 0, to = 1;
    const bool positive = spread(low, p) > 0;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (from + to);
        ((spread(between(low, high, middle), p) > 0) == positive ? from : to) = middle;
    }
    return between(low, high, positive ? from : to);
}

void add(std::vector<SynthesisPoint>& points, const ModalPoint& m, double p, double side, int branch) {
    const double w2 = m.omega * m.omega;
    const double square = w2 * (1 - 2 * m.zeta * m.zeta) + side * std::sqrt(std::max(spread(m, p), 0.0));
    if (!(square > 0)) return;
    const double w = std::sqrt(square);
    points.push_back({w, m.a, std::atan2(2 * m.zeta * m.omega * w, w2 - square), branch});
}

}  // namespace

std::vector<ModalPoint> modal_points(const std::vector<HarmonicPoint>& mode, const core::Harmonics& harmonics,
                                     const Eigen::VectorXd& load) {
    const auto& orders = harmonics.orders();
    const Eigen::Index at = harmonics.at(std::size_t(std::find(orders.begin(), orders.end(), 1) - orders.begin()));
    std::vector<ModalPoint> out;
    for (const auto& p : mode)
        if (p.converged)
            out.push_back({p.a, p.omega, p.zeta,
                           std::hypot(load.dot(p.harmonics.col(at)), load.dot(p.harmonics.col(at + 1))) / p.a});
    return out;
}

std::vector<ModalPoint> modal_points(const std::vector<BackbonePoint>& mode, const Eigen::VectorXd& load) {
    std::vector<ModalPoint> out;
    for (const auto& p : mode)
        if (p.converged) out.push_back({p.q, p.omega, p.zeta, std::abs(load.dot(p.shape))});
    return out;
}

Synthesis synthesis(const std::vector<ModalPoint>& mode, double force) {
    constexpr int parts = 8;  // of the way from one amplitude of the mode to the next
    core::require(force > 0 && std::isfinite(force), "synthesis", "force > 0");
    core::require(mode.size() >= 2, "synthesis", "a mode at two amplitudes or more");
    std::vector<ModalPoint> fine;
    for (std::size_t i = 0; i + 1 < mode.size(); ++i) {
        core::require(mode[i].a > 0 && mode[i].a < mode[i + 1].a, "synthesis", "amplitudes that ascend from above 0");
        for (int k = 0; k < parts; ++k) fine.push_back(between(mode[i], mode[i + 1], double(k) / parts));
    }
    fine.push_back(mode.back());
    Synthesis out;
    out.complete = true;
    int branch = 0;
    for (std::size_t i = 0; i < fine.size();) {
        if (!(spread(fine[i], force) > 0)) {
            ++i;
            continue;
        }
        std::vector<ModalPoint> reached;
        if (i > 0) reached.push_back(peak(fine[i - 1], fine[i], force));  // where a closed curve begins
        while (i < fine.size() && spread(fine[i], force) > 0) reached.push_back(fine[i++]);
        if (i < fine.size())
            reached.push_back(peak(fine[i - 1], fine[i], force));
        else
            out.complete = false;
        for (auto m = reached.begin(); m != reached.end(); ++m) add(out.points, *m, force, -1, branch);
        for (auto m = reached.rbegin(); m != reached.rend(); ++m) add(out.points, *m, force, 1, branch);
        ++branch;
    }
    return out;
}

}  // namespace faying::modes
