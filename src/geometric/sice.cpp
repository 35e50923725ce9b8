#include "faying/geometric/sice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "faying/core/error.hpp"

namespace faying::geometric {

namespace {

/// Where d alpha / d q is zero between two points of a path.
Fold fold_between(ModalPath& path, const PathPoint& from, const PathPoint& to) {
    double a = from.q, b = to.q, fa = from.slope, fb = to.slope;
    PathPoint at = to;
    for (int i = 0; i < 60 && std::abs(b - a) > 1e-12 * std::abs(to.q); ++i) {
        const double next = i % 3 == 2 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
        at = path.to(next);
        if (!at.converged || at.slope == 0) break;
        if ((at.slope > 0) == (fa > 0)) {
            a = next;
            fa = at.slope;
        } else {
            b = next;
            fb = at.slope;
        }
        if (std::abs(at.slope) < 1e-10 * std::abs(from.slope - to.slope)) break;
    }
    const Fold fold{at.q, at.alpha};
    path.back_to(to);
    return fold;
}

void trace(System& system, const Rest& rest, const Mode& mode, const SiceOptions& options,
           const std::vector<double>& amplitudes, SiceResult& result) {
    ModalPath path(system, rest, mode);
    const auto go = [&](double value) {
        switch (options.held_by) {
            case HeldBy::load: return path.to(path.by_load(value));
            case HeldBy::displacement: return path.to(path.by_displacement(options.row, value));
            case HeldBy::arc_length: return path.along(value);
            case HeldBy::amplitude: break;
        }
        return path.to(value);
    };
    std::map<double, PathPoint> found;
    std::size_t done = 0;
    for (const double sign : {1.0, -1.0}) {
        std::vector<double> way;
        for (const double q : amplitudes)
            if (sign > 0 ? q >= 0 : q < 0) way.push_back(q);
        std::sort(way.begin(), way.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
        path.restart();
        PathPoint last = path.here();
        bool lost = false;
        for (const double q : way) {
            PathPoint p;
            if (!lost) p = go(q);
            if (!p.converged) {
                lost = true;
                result.last[sign < 0] = path.here();
                p.q = options.held_by == HeldBy::amplitude ? q : std::numeric_limits<double>::quiet_NaN();
                if (!(p.residual > 0)) p.residual = std::numeric_limits<double>::quiet_NaN();
            } else {
                if ((p.slope > 0) != (last.slope > 0)) result.folds.push_back(fold_between(path, last, p));
                result.last[sign < 0] = last = p;
            }
            p.u.resize(0);
            found[q] = p;
            if (options.done) options.done(double(++done) / double(amplitudes.size()));
        }
    }
    result.asked = amplitudes;
    for (const double q : amplitudes) result.points.push_back(found.at(q));
}

void fit(const Mode& mode, const SiceOptions& options, SiceResult& result) {
    std::vector<double> q, alpha;
    for (const auto& p : result.points)
        if (p.converged && p.q != 0) q.push_back(p.q), alpha.push_back(p.alpha);
    if (options.orders_asked_for && options.highest - 1 > static_cast<int>(result.points.size()))
        throw core::BadInput("--orders", fmt::format("order {} has {} coefficients, and there are {} points",
                                                     options.highest, options.highest - 1, result.points.size()));
    for (int order = options.lowest; order <= options.highest && order - 1 <= static_cast<int>(q.size()); ++order) {
        try {
            result.fits.push_back(fit_polynomial(mode.omega, q, alpha, order));
        } catch (const core::BadInput&) {
            if (options.orders_asked_for) throw;  // else those that the points allow
            break;
        }
    }
    std::vector<std::vector<NnmPoint>> backbones;
    for (const auto& one : result.fits) backbones.push_back(result.backbone_of(one.order, 12));
    for (std::size_t i = 0; i + 1 < result.fits.size() && result.order == 0; ++i) {
        double change = 0;
        for (std::size_t higher = i + 1; higher < result.fits.size(); ++higher)
            for (std::size_t p = 0; p < backbones[i].size(); ++p) {
                const auto &a = backbones[i][p], &b = backbones[higher][p];
                change = std::max(change, a.converged && b.converged ? std::abs(a.omega / b.omega - 1) : 1.0);
            }
        if (change <= options.settled && !backbones[i].empty()) result.order = result.fits[i].order;
    }
}

}  // namespace

std::vector<NnmPoint> SiceResult::backbone_of(int wanted, int count) const {
    std::vector<NnmPoint> backbone;
    double top = 0;
    for (const auto& p : points)
        if (p.converged) top = std::max(top, p.q);
    for (const auto& one : fits)
        if (one.order == wanted && top > 0)
            for (int i = 1; i <= count; ++i) backbone.push_back(nnm_of_polynomial(one.k, top * i / count, 1));
    return backbone;
}

SiceResult sice(System& system, const Rest& rest, const Mode& mode, const SiceOptions& options) {
    core::require(options.lowest >= 2 && options.highest >= options.lowest, "sice", "2 <= lowest order <= highest");
    SiceResult result;
    if (options.taylor > 0) result.taylor = taylor(system, rest, mode, options.taylor);
    auto amplitudes = options.amplitudes;
    if (options.held_by != HeldBy::amplitude && amplitudes.empty())
        throw core::BadInput("--control", "other than by amplitude needs the values to hold: --at or --range");
    core::require(options.held_by != HeldBy::displacement || (options.row >= 0 && options.row < rest.u.size()), "sice",
                  "a displacement's row is one of the structure's");
    if (amplitudes.empty() && (options.taylor == 0 || options.orders_asked_for)) {
        const double reach = telling_amplitude(taylor(system, rest, mode, 3).k);
        const int each = std::max(8, options.highest);
        for (int i = -each; i <= each; ++i)
            if (i != 0) amplitudes.push_back(reach * i / each);
    }
    if (amplitudes.empty()) return result;
    if (options.orders_asked_for && options.highest - 1 > static_cast<int>(amplitudes.size()))
        throw core::BadInput("--orders", fmt::format("order {} has {} coefficients, and there are {} points",
                                                     options.highest, options.highest - 1, amplitudes.size()));
    trace(system, rest, mode, options, amplitudes, result);
    fit(mode, options, result);
    return result;
}

}  // namespace faying::geometric
