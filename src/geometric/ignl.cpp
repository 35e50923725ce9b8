#include "faying/geometric/ignl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::geometric {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Amplitudes asked for and what lies between: a geometric grid where points are cheap, as friction starts with a power
/// of q; a uniform one on meshes, where friction is that of the increments: many amplitudes asked for are its grid.
std::vector<double> grid_of(const std::vector<double>& amplitudes, const Opened& structure, int points) {
    std::vector<double> grid = amplitudes;
    const double top = amplitudes.back();
    if (structure.touching) {
        const int n = points > 0 ? points : amplitudes.size() >= 10 ? 0 : 40;
        for (int i = 1; i < n; ++i) grid.push_back(top * i / n);
    } else {
        const double low = 1e-3 * amplitudes.front();
        const int n = points > 0 ? points : static_cast<int>(std::ceil(60 * std::log10(top / low)));
        for (int i = 0; i < n; ++i) grid.push_back(low * std::pow(top / low, double(i) / n));
    }
    std::sort(grid.begin(), grid.end());
    // Those asked for stay; what is close to one of them goes.
    std::vector<double> kept;
    for (const double q : grid) {
        const bool asked = std::find(amplitudes.begin(), amplitudes.end(), q) != amplitudes.end();
        if (!kept.empty() && q - kept.back() < 1e-6 * q) {
            if (asked) kept.back() = q;
            continue;
        }
        kept.push_back(q);
    }
    return kept;
}

struct Side {
    std::vector<double> alpha, slope, lost, displacement, normal;
    std::vector<int> slipping, closed;
    double residual = 0;
    std::size_t reached = 0;  ///< points that converged
};

Side traced(Opened& structure, System& system, const Mode& mode, const std::vector<double>& grid, double sign,
            const std::function<void(double)>& done) {
    ModalPath path(system, structure.rest, mode);
    Index most = 0;
    mode.shape.cwiseAbs().maxCoeff(&most);
    Side side;
    for (const double q : grid) {
        const PathPoint p = path.to(sign * q);
        if (!p.converged) break;
        side.alpha.push_back(sign * p.alpha);
        side.slope.push_back(p.slope);
        side.lost.push_back(system.dissipated());
        side.displacement.push_back(p.u(most) - structure.rest.u(most));
        side.residual = std::max(side.residual, p.residual);
        if (structure.touching) {
            side.slipping.push_back(structure.touching->slipping(p.u));
            side.closed.push_back(structure.touching->closed(p.u));
            side.normal.push_back(structure.touching->normal_sum(p.u));
        }
        ++side.reached;
        done(double(side.reached) / double(grid.size()));
    }
    path.restart();
    return side;
}

/// Int_0^q theta at every point of a curve; cubic between points, from zero a power of q.
std::vector<double> work_of_friction(const Curve& c) {
    std::vector<double> work;
    double sum = 0;
    for (std::size_t i = 0; i < c.slip.size(); ++i) {
        const double theta = c.slip[i] - c.stuck[i], slope = c.slip_slope[i] - c.stuck_slope[i];
        if (i == 0) {
            const double power = theta != 0 ? c.q[0] * slope / theta : 1;
            sum = theta * c.q[0] / (std::clamp(power, 1.0, 9.0) + 1);
        } else {
            const double h = c.q[i] - c.q[i - 1];
            const double before = c.slip[i - 1] - c.stuck[i - 1],
                         slope_before = c.slip_slope[i - 1] - c.stuck_slope[i - 1];
            sum += 0.5 * h * (theta + before) + h * h / 12 * (slope_before - slope);
        }
        work.push_back(sum);
    }
    return work;
}

/// Where the load has a limit point between two points of a curve, from the cubic through both with their slopes.
void add_folds(const std::vector<double>& q, const std::vector<double>& alpha, const std::vector<double>& slope,
               double sign, std::vector<Fold>& folds) {
    for (std::size_t i = 1; i < q.size(); ++i) {
        if ((slope[i] > 0) == (slope[i - 1] > 0)) continue;
        const double h = q[i] - q[i - 1], rise = alpha[i] - alpha[i - 1];
        const double c1 = slope[i - 1] * h, c2 = 3 * rise - h * (2 * slope[i - 1] + slope[i]),
                     c3 = h * (slope[i - 1] + slope[i]) - 2 * rise;
        double low = 0, high = 1;  // of c1 + 2 c2 t + 3 c3 t^2
        for (int k = 0; k < 60; ++k) {
            const double t = 0.5 * (low + high);
            ((c1 + t * (2 * c2 + 3 * c3 * t) > 0) == (c1 > 0) ? low : high) = t;
        }
        folds.push_back({sign * (q[i - 1] + low * h), sign * (alpha[i - 1] + low * (c1 + low * (c2 + low * c3)))});
    }
}

Curve joined(const std::vector<double>& grid, const Side& stuck, const Side& slip) {
    Curve c;
    const std::size_t n = std::min(stuck.reached, slip.reached);
    for (std::size_t i = 0; i < n; ++i) {
        c.q.push_back(grid[i]);
        c.stuck.push_back(stuck.alpha[i]);
        c.slip.push_back(slip.alpha[i]);
        c.stuck_slope.push_back(stuck.slope[i]);
        c.slip_slope.push_back(slip.slope[i]);
        c.friction_loss.push_back(slip.lost[i]);
        c.stuck_displacement.push_back(stuck.displacement[i]);
        c.slip_displacement.push_back(slip.displacement[i]);
        if (slip.normal.empty()) continue;
        c.slipping.push_back(slip.slipping[i]);
        c.closed.push_back(slip.closed[i]);
        c.stuck_normal.push_back(stuck.normal[i]);
        c.slip_normal.push_back(slip.normal[i]);
    }
    return c;
}

/// +q, -q, +q from rest.
void trace_loop(Opened& structure, System& system, const Mode& mode, int steps, IgnlPoint& point) {
    ModalPath path(system, structure.rest, mode);
    const double step = point.q / steps;
    double first = nan, before_alpha = 0, before_q = 0, work = 0, start = 0;
    bool converged = true;
    const auto go = [&](double to, int count, double from, bool counts) {
        for (int i = 1; converged && i <= count; ++i) {
            const double q = i == count ? to : from + (to - from) * i / count;
            const PathPoint p = path.to(q, structure.touching ? step * (1 + 1e-9) : 1e300);
            converged = p.converged;
            if (counts) work += 0.5 * (p.alpha + before_alpha) * (q - before_q);
            before_alpha = p.alpha;
            before_q = q;
        }
    };
    go(point.q, steps, 0, false);
    first = before_alpha;
    start = system.dissipated();
    go(-point.q, 2 * steps, point.q, true);
    const double at_other_end = before_alpha;
    go(point.q, 2 * steps, -point.q, true);
    if (converged) {
        point.loop_friction = system.dissipated() - start;
        // Steps of laws are exact, and so is what they dissipate; contact's are those of the increments.
        point.loop = structure.touching ? work : point.loop_friction;
        point.closure = std::abs(before_alpha - first) / std::abs(first);
        point.alpha_minus = at_other_end;
    } else {
        point.reason = "the loop was lost on its way";
        point.converged = false;
    }
    path.restart();
}

}  // namespace

IgnlResult ignl(Opened& structure, const Mode& mode, const std::vector<double>& amplitudes,
                const IgnlOptions& options) {
    core::require(options.order >= 3 && options.order <= 9, "ignl", "3 <= order <= 9");
    core::require(options.loop_steps >= 1, "ignl", "loop_steps >= 1");
    if (amplitudes.empty()) throw core::BadInput("ignl", "no amplitude is given");
    for (std::size_t i = 0; i < amplitudes.size(); ++i)
        if (!(amplitudes[i] > 0) || (i > 0 && !(amplitudes[i] > amplitudes[i - 1])))
            throw core::BadInput("ignl", "amplitudes must be positive and ascend");
    const auto grid = grid_of(amplitudes, structure, options.grid);
    const auto say = [&](double from, double to, std::string what) {
        return [&options, from, to, what = std::move(what)](double share) {
            if (options.done) options.done(from + share * (to - from), what);
        };
    };
    IgnlResult result;
    const bool loops = options.loops;
    const double curves = loops ? 0.5 : 1;
    System& stuck = structure.stuck();
    const Side stuck_up = traced(structure, stuck, mode, grid, 1, say(0, 0.2 * curves, "stuck, +q"));
    const Side stuck_down = traced(structure, stuck, mode, grid, -1, say(0.2 * curves, 0.4 * curves, "stuck, -q"));
    if (structure.one_coordinate()) {
        result.polynomial = taylor(stuck, structure.rest, mode, 9).k;
    } else {
        std::vector<double> q, alpha;
        for (std::size_t i = 0; i < stuck_up.reached; ++i) q.push_back(grid[i]), alpha.push_back(stuck_up.alpha[i]);
        for (std::size_t i = 0; i < stuck_down.reached; ++i)
            q.push_back(-grid[i]), alpha.push_back(-stuck_down.alpha[i]);
        for (int order = 3; order <= options.order; ++order)
            result.fits.push_back(fit_polynomial(mode.omega, q, alpha, order));
        result.polynomial = result.fits.back().k;
    }
    System& slipping = structure.slipping();
    const Side slip_up = traced(structure, slipping, mode, grid, 1, say(0.4 * curves, 0.7 * curves, "slip, +q"));
    const Side slip_down = traced(structure, slipping, mode, grid, -1, say(0.7 * curves, curves, "slip, -q"));
    result.positive = joined(grid, stuck_up, slip_up);
    result.negative = joined(grid, stuck_down, slip_down);
    for (const auto* c : {&result.positive, &result.negative}) {
        const double sign = c == &result.positive ? 1 : -1;
        add_folds(c->q, c->stuck, c->stuck_slope, sign, result.stuck_folds);
        add_folds(c->q, c->slip, c->slip_slope, sign, result.slip_folds);
    }
    const auto up = work_of_friction(result.positive), down = work_of_friction(result.negative);
    const auto masing = [](const Curve& c, const std::vector<double>& work, std::size_t i) {
        return 8 * work[i] - 4 * c.q[i] * (c.slip[i] - c.stuck[i]);
    };
    std::vector<double> theta;
    for (std::size_t i = 0; i < result.positive.q.size(); ++i)
        theta.push_back(result.positive.slip[i] - result.positive.stuck[i]);
    result.iwan = fit_iwan(result.positive.q, theta);
    for (std::size_t a = 0; a < amplitudes.size(); ++a) {
        IgnlPoint p;
        p.q = amplitudes[a];
        p.loop = p.loop_friction = p.closure = p.alpha_minus = nan;
        const auto place = static_cast<std::size_t>(std::find(grid.begin(), grid.end(), p.q) - grid.begin());
        const Curve &plus = result.positive, &minus = result.negative;
        p.residual = nan;
        if (place >= plus.q.size() || place >= minus.q.size()) {
            p.reason = fmt::format("the static curves end at q = {:g} (+) and {:g} (-)",
                                   plus.q.empty() ? 0.0 : plus.q.back(), minus.q.empty() ? 0.0 : minus.q.back());
            result.points.push_back(p);
            continue;
        }
        p.converged = true;
        p.residual = std::max({stuck_up.residual, stuck_down.residual, slip_up.residual, slip_down.residual});
        p.alpha_stuck = plus.stuck[place];
        p.alpha_slip = plus.slip[place];
        p.alpha_stuck_negative = -minus.stuck[place];
        p.alpha_slip_negative = -minus.slip[place];
        p.stiffness_loss = (p.alpha_slip - p.alpha_stuck) / p.q;
        p.masing_positive = masing(plus, up, place);
        p.masing_negative = masing(minus, down, place);
        p.friction_positive = plus.friction_loss[place];
        p.friction_negative = minus.friction_loss[place];
        p.opening_positive = up[place] - p.friction_positive;
        p.opening_negative = down[place] - p.friction_negative;
        p.iwan = result.iwan.dissipation(p.q);
        if (loops) {
            trace_loop(structure, slipping, mode, options.loop_steps, p);
            if (options.done) options.done(0.5 + 0.5 * double(a + 1) / double(amplitudes.size()), "loops");
        }
        const NnmPoint free = nnm_of_polynomial(result.polynomial, p.q, 0);
        if (!free.converged) {
            p.converged = false;
            p.reason = free.reason;
            p.omega = p.omega_gnl = p.zeta_eq32 = p.zeta_tangent = nan;
            result.points.push_back(p);
            continue;
        }
        p.omega_gnl = free.omega;
        p.omega = std::sqrt(free.omega * free.omega + p.stiffness_loss);
        p.omega_negative = std::sqrt(free.omega * free.omega + (minus.slip[place] - minus.stuck[place]) / p.q);
        const double tangent = p.alpha_stuck / p.q + plus.slip_slope[place] - plus.stuck_slope[place];
        if (!(free.omega * free.omega + p.stiffness_loss > 0) || !(tangent > 0)) {
            p.converged = false;
            p.reason = "slipping takes all stiffness away: neither frequency nor damping is told by these curves";
            p.omega = p.omega_negative = p.zeta_eq32 = p.zeta_tangent = nan;
            result.points.push_back(p);
            continue;
        }
        const double larger = std::max(std::abs(p.masing_positive), std::abs(p.masing_negative));
        const bool agree = std::abs(p.masing_positive - p.masing_negative) <= options.disagreement * larger;
        result.masing_holds = result.masing_holds && agree;
        const bool use_loop = std::isfinite(p.loop);
        const double d = use_loop ? p.loop : p.masing_positive;
        p.dissipation_used = use_loop ? "loop" : "masing";
        if (!agree && !use_loop)
            p.reason = fmt::format(
                "Masing's rule gives {:.4g} J from the positive side and {:.4g} J from the negative: "
                "contact opens, and only a traced loop tells friction from that",
                p.masing_positive, p.masing_negative);
        const double around = 2 * std::numbers::pi * p.q * p.q;
        p.zeta_eq32 = d / (around * p.omega * p.omega) + structure.damping_ratio;
        // What is viscous, 2 zeta_0 omega_0, loses energy beside friction and decays by the same stiffness.
        const double viscous = around * structure.damping_ratio * mode.omega * p.omega;
        p.zeta_tangent = (d + viscous) / (around * tangent);
        result.points.push_back(p);
    }
    return result;
}

}  // namespace faying::geometric
