#include "faying/fit/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"

namespace faying::fit {

using core::BadInput;

namespace {

double greatest(const std::vector<double>& x) {
    double g = 0;
    for (const double v : x) g = std::max(g, std::abs(v));
    return g;
}

/// Slope of the straight line through the points of [first, last].
double fitted_slope(const Loop& loop, std::size_t first, std::size_t last) {
    const double n = double(last - first + 1);
    double u = 0, f = 0, uu = 0, uf = 0;
    for (std::size_t i = first; i <= last; ++i) {
        u += loop.u[i] / n;
        f += loop.f[i] / n;
    }
    for (std::size_t i = first; i <= last; ++i) {
        uu += (loop.u[i] - u) * (loop.u[i] - u);
        uf += (loop.u[i] - u) * (loop.f[i] - f);
    }
    return uu > 0 ? uf / uu : 0;
}

double median(std::vector<double> x) {
    if (x.empty()) return 0;
    std::nth_element(x.begin(), x.begin() + long(x.size() / 2), x.end());
    return x[x.size() / 2];
}

/// Index on the branch after a share of its travel.
std::size_t after(const Loop& loop, const Branch& b, double share) {
    const double target = loop.u[b.first] + share * (loop.u[b.last] - loop.u[b.first]);
    std::size_t i = b.first;
    while (i < b.last && (loop.u[i] - target) * b.direction < 0) ++i;
    return i;
}

struct ClosedLoop {
    double amplitude, dissipation;
};

/// Two neighbouring branches of nearly equal travel make a loop: its area and half its width.
std::vector<ClosedLoop> closed_loops(const Loop& loop, const std::vector<Branch>& all) {
    std::vector<ClosedLoop> found;
    for (std::size_t k = 0; k + 1 < all.size(); ++k) {
        const double one = std::abs(loop.u[all[k].last] - loop.u[all[k].first]);
        const double two = std::abs(loop.u[all[k + 1].last] - loop.u[all[k + 1].first]);
        if (std::abs(one - two) > 0.05 * std::max(one, two)) continue;
        double area = 0;
        for (std::size_t i = all[k].first; i < all[k + 1].last; ++i)
            area += (loop.u[i + 1] - loop.u[i]) * (loop.f[i + 1] + loop.f[i]) / 2;
        if (area > 0) found.push_back({(one + two) / 4, area});
    }
    return found;
}

/// Slope of ln D over ln A by least squares, when the amplitudes differ.
double log_slope(const std::vector<ClosedLoop>& loops, double otherwise) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& l : loops) {
        x += std::log(l.amplitude) / double(loops.size());
        y += std::log(l.dissipation) / double(loops.size());
    }
    for (const auto& l : loops) {
        xx += std::pow(std::log(l.amplitude) - x, 2);
        xy += (std::log(l.amplitude) - x) * (std::log(l.dissipation) - y);
    }
    return xx > 0.05 ? xy / xx : otherwise;
}

}  // namespace

void Loop::check(std::size_t points) const {
    if (f.size() != u.size() || (!t.empty() && t.size() != u.size()))
        throw BadInput(source, "needs as many forces (and times) as displacements");
    if (size() < points) throw BadInput(source, fmt::format("has {} points; at least {} are needed", size(), points));
    for (std::size_t i = 0; i < size(); ++i)
        if (!std::isfinite(u[i]) || !std::isfinite(f[i])) throw BadInput(source, "has values that are not finite");
    for (std::size_t i = 1; i < t.size(); ++i)
        if (!(t[i] > t[i - 1])) throw BadInput(source, fmt::format("time must rise; it does not at point {}", i + 1));
    if (!(greatest(u) > 0)) throw BadInput(source, "the displacement is zero throughout");
    if (!(greatest(f) > 0)) throw BadInput(source, "the force is zero throughout");
    for (const auto& [what, extent] : {std::pair{"displacement", greatest(u)}, std::pair{"force", greatest(f)}})
        if (extent < 1e-100 || extent > 1e100)
            throw BadInput(source, fmt::format("the greatest {} is {:.3g}; choose units that put it between 1e-100 and "
                                               "1e100 (squares and ratios of it are taken)",
                                               what, extent));
    if (branches(*this).size() < 2)
        throw BadInput(source, "the displacement never turns; a loop needs loading and unloading");
}

bool Loop::from_virgin() const {
    return !u.empty() && std::abs(u[0]) <= 1e-3 * greatest(u) && std::abs(f[0]) <= 1e-3 * greatest(f);
}

std::vector<Branch> branches(const Loop& loop) {
    // A turn counts once the displacement has come back by this much: noise does not make branches.
    const double back = 0.01 * 2 * greatest(loop.u);
    std::vector<Branch> all;
    std::size_t start = 0, extreme = 0;
    int direction = 0;
    const auto close = [&](std::size_t last) {
        if (last >= start + 2) all.push_back({start, last, direction});
        start = last;
    };
    for (std::size_t i = 1; i < loop.size(); ++i) {
        if (direction == 0) {
            if (std::abs(loop.u[i] - loop.u[0]) > back) {
                direction = loop.u[i] > loop.u[0] ? 1 : -1;
                extreme = i;
            }
            continue;
        }
        if ((loop.u[i] - loop.u[extreme]) * direction >= 0) {
            extreme = i;
        } else if ((loop.u[extreme] - loop.u[i]) * direction > back) {
            close(extreme);
            direction = -direction;
            extreme = i;
        }
    }
    if (direction != 0) close(extreme);
    return all;
}

LoopFeatures features(const std::vector<Loop>& loops) {
    const auto widest = std::max_element(loops.begin(), loops.end(),
                                         [](const Loop& a, const Loop& b) { return greatest(a.u) < greatest(b.u); });
    LoopFeatures seen = features(*widest);
    std::vector<ClosedLoop> all;
    for (const auto& loop : loops) {
        const auto closed = closed_loops(loop, branches(loop));
        all.insert(all.end(), closed.begin(), closed.end());
    }
    seen.dissipation_slope = log_slope(all, seen.dissipation_slope);
    return seen;
}

LoopFeatures features(const Loop& loop) {
    LoopFeatures seen;
    seen.amplitude = greatest(loop.u);
    seen.force = greatest(loop.f);
    const auto all = branches(loop);
    double longest = 0;
    for (const auto& b : all) longest = std::max(longest, std::abs(loop.u[b.last] - loop.u[b.first]));
    std::vector<double> starts, ends, slips;
    for (const auto& b : all) {
        if (std::abs(loop.u[b.last] - loop.u[b.first]) < 0.5 * longest) continue;
        starts.push_back(fitted_slope(loop, b.first, std::max(after(loop, b, 0.1), b.first + 1)));
        ends.push_back(fitted_slope(loop, std::min(after(loop, b, 0.85), b.last - 1), b.last));
        slips.push_back(b.direction * (loop.f[b.last] - ends.back() * loop.u[b.last]));
    }
    seen.stiffness = median(starts);
    seen.slip_stiffness = std::max(0.0, median(ends));
    seen.slip_force = median(slips);
    if (!(seen.stiffness > 0)) seen.stiffness = seen.force / seen.amplitude;
    if (!(seen.slip_force > 0)) seen.slip_force = seen.force;
    const auto loops = closed_loops(loop, all);
    for (const auto& l : loops) seen.dissipation = std::max(seen.dissipation, l.dissipation);
    seen.dissipation_slope = log_slope(loops, 3);
    return seen;
}

}  // namespace faying::fit
