#include <ceres/ceres.h>
#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "faying/core/error.hpp"
#include "faying/core/parameter.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/modal/iwan.hpp"

namespace faying::modal {

namespace {

using std::numbers::pi;

/// Width of Cauchy's loss in standard deviations at which it is 95 % as good as least squares on normal scatter.
constexpr double cauchy = 2.385;
constexpr int direct_passes = 6, most_passes = 20;
constexpr double settled = 0.02;        ///< change of the logarithm of the scatter
constexpr double least_scatter = 1e-9;  ///< relative: what data without any have

constexpr double most_stiff = 1e6, least_stiff = 1e-9;  ///< KT over omega^2

void check(const std::vector<ModalPoint>& points) {
    if (points.size() < 6)
        throw core::BadInput("modal Iwan fit",
                             fmt::format("{} points; at least 6 are needed for six parameters", points.size()));
    for (const auto& p : points)
        if (!(p.q > 0 && p.omega > 0 && p.zeta > 0) || !std::isfinite(p.q * p.omega * p.zeta))
            throw core::BadInput(
                "modal Iwan fit",
                fmt::format("the point q = {:g}, omega = {:g}, zeta = {:g} is not positive", p.q, p.omega, p.zeta));
}

/// Points of something that never slips have no Iwan model: any stiff enough joint fits them.
void refuse_stuck(const std::vector<ModalPoint>& points) {
    constexpr double nothing = 1e-8;
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                 [](const auto& a, const auto& b) { return a.omega < b.omega; });
    const auto [least, most] =
        std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.zeta < b.zeta; });
    if (high->omega - low->omega > nothing * high->omega || most->zeta - least->zeta > nothing) return;
    throw core::BadInput("modal Iwan fit",
                         fmt::format("neither frequency nor damping changes with amplitude (omega = {:.6g} rad/s, zeta "
                                     "= {:.3g} throughout): nothing slips, so there is no Iwan model of it",
                                     high->omega, most->zeta));
}

/// Friction softens: points that are nowhere below the frequency of the least amplitude, and end above it, are of
/// something else.
void refuse_hardening(const std::vector<ModalPoint>& points) {
    constexpr double nothing = 1e-6;
    const auto [first, last] =
        std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
    const double start = first->omega;
    const bool softens =
        std::any_of(points.begin(), points.end(), [&](const auto& p) { return p.omega < start * (1 - nothing); });
    if (softens || !(last->omega > start * (1 + nothing))) return;
    throw core::BadInput("modal Iwan fit",
                         fmt::format("frequency only rises with amplitude (from {:.6g} to {:.6g} rad/s), as no Iwan "
                                     "joint's does; modal-fit takes a polynomial beside a law",
                                     start, last->omega));
}

/// Unknowns: Kinf, ln zeta0, ln FS, ln KT, ln(chi + 1), ln beta.
using Unknowns = std::array<double, 6>;

Unknowns unknowns_of(const ModalIwan& m) {
    return {m.k_infinity, std::log(m.zeta0), std::log(m.FS), std::log(m.KT), std::log(m.chi + 1), std::log(m.beta)};
}
ModalIwan mode_of(const double* x) {
    return {x[0], std::exp(x[1]), std::exp(x[2]), std::exp(x[3]), std::exp(x[4]) - 1, std::exp(x[5])};
}

/// Frequency and damping at one amplitude with their slopes by the unknowns, kept for the last unknowns asked for. The
/// law's derivatives are dual numbers; what is around it is differentiated by hand.
class Curve {
 public:
    struct Values {
        double omega = 0, zeta = 0;
        Unknowns omega_slopes{}, zeta_slopes{};
    };

    Curve(double q, Stiffness stiffness) : q_(q), harmonic_(stiffness == Stiffness::harmonic) {}

    /// Null where the stiffness is not positive.
    const Values* at(const double* x, bool slopes) {
        if (!known_ || !std::equal(x_.begin(), x_.end(), x) || (slopes && !sloped_)) {
            std::copy_n(x, x_.size(), x_.begin());
            positive_ = compute(slopes);
            known_ = true;
            sloped_ = slopes;
        }
        return positive_ ? &values_ : nullptr;
    }

 private:
    double q_;
    bool harmonic_, known_ = false, sloped_ = false, positive_ = false;
    Unknowns x_{};
    Values values_;

    bool compute(bool slopes) {
        const ModalIwan m = mode_of(x_.data());
        const laws::Law law("iwan4", {{"FS", m.FS}, {"KT", m.KT}, {"chi", m.chi}, {"beta", m.beta}});
        const auto cycle = law.cycle(q_);
        const double k = m.k_infinity + (harmonic_ ? cycle.harmonic_stiffness : cycle.secant);
        if (!(k > 0)) return false;
        const double omega = std::sqrt(k), viscous = m.zeta0 * m.omega0() / omega;
        const double friction = cycle.dissipation / (2 * pi * k * q_ * q_);
        values_.omega = omega;
        values_.zeta = viscous + friction;
        if (!slopes) return true;
        const auto law_slopes = law.cycle_derivatives(q_);  // FS, KT, chi, beta
        const double scale[] = {m.FS, m.KT, m.chi + 1, m.beta};
        double dk[6] = {1, 0, 0, 0, 0, 0}, dd[6] = {}, dw0[6] = {0.5 / m.omega0(), 0, 0, 0.5 * m.KT / m.omega0(), 0, 0};
        for (std::size_t i = 0; i < 4; ++i) {
            dk[i + 2] = scale[i] * (harmonic_ ? law_slopes[i].harmonic_stiffness : law_slopes[i].secant);
            dd[i + 2] = scale[i] * law_slopes[i].dissipation;
        }
        for (std::size_t i = 0; i < 6; ++i) {
            const double domega = 0.5 * dk[i] / omega;
            values_.omega_slopes[i] = domega;
            values_.zeta_slopes[i] = viscous * (dw0[i] / m.omega0() - domega / omega) - friction * dk[i] / k +
                                     dd[i] / (2 * pi * k * q_ * q_) + (i == 1 ? viscous : 0);
        }
        return true;
    }
};

/// (omega/omega_i - 1)/error or ln(zeta/zeta_i)/error: each a residual of its own, since a point may be far off in
/// damping and right in frequency.
enum class Datum { frequency, damping };

class DatumCost final : public ceres::SizedCostFunction<1, 6> {
 public:
    DatumCost(std::shared_ptr<Curve> curve, Datum datum, const ModalPoint& point, const FitOptions& options)
        : curve_(std::move(curve)),
          damping_(datum == Datum::damping),
          measured_(damping_ ? point.zeta : point.omega),
          error_(damping_ ? std::hypot(options.zeta_error, point.zeta_error)
                          : std::hypot(options.omega_error, point.omega_error)) {}

    bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
        const bool slopes = jacobians != nullptr && jacobians[0] != nullptr;
        const auto* v = curve_->at(parameters[0], slopes);
        if (!v) return false;
        residuals[0] = (damping_ ? std::log(v->zeta / measured_) : v->omega / measured_ - 1) / error_;
        for (std::size_t i = 0; slopes && i < 6; ++i)
            jacobians[0][i] = (damping_ ? v->zeta_slopes[i] / v->zeta : v->omega_slopes[i] / measured_) / error_;
        return true;
    }

 private:
    std::shared_ptr<Curve> curve_;
    bool damping_;
    double measured_, error_;
};

struct Misfit {
    double omega = 0, zeta = 0;                ///< root mean square
    double omega_middle = 0, zeta_middle = 0;  ///< median, as the standard deviation of normal scatter
};
double median(std::vector<double> x) {
    std::nth_element(x.begin(), x.begin() + std::ptrdiff_t(x.size() / 2), x.end());
    return x[x.size() / 2];
}
Misfit misfit(const ModalIwan& mode, const std::vector<ModalPoint>& points, Stiffness stiffness) {
    Misfit found;
    std::vector<double> omega, zeta;
    for (const auto& p : points) {
        const ModalPoint fitted = mode.at(p.q, stiffness);
        omega.push_back(std::abs(fitted.omega / p.omega - 1));
        zeta.push_back(std::abs(std::log(fitted.zeta / p.zeta)));
        found.omega += omega.back() * omega.back() / double(points.size());
        found.zeta += zeta.back() * zeta.back() / double(points.size());
    }
    return {std::sqrt(found.omega), std::sqrt(found.zeta), 1.4826 * median(omega), 1.4826 * median(zeta)};
}

/// Standard errors from the covariance, scaled so that the residuals have the size they are found to have.
ModalIwan standard_errors(ceres::Problem& problem, const double* x, double variance) {
    ceres::Covariance::Options options;
    options.algorithm_type = ceres::DENSE_SVD;
    options.null_space_rank = 0;
    options.min_reciprocal_condition_number = 1e-18;
    ceres::Covariance covariance(options);
    constexpr double unknown = std::numeric_limits<double>::infinity();
    const std::vector<std::pair<const double*, const double*>> blocks{{x, x}};
    if (!covariance.Compute(blocks, &problem)) return {unknown, unknown, unknown, unknown, unknown, unknown};
    std::array<double, 36> c{};
    covariance.GetCovarianceBlock(x, x, c.data());
    const ModalIwan m = mode_of(x);
    const auto error = [&](std::size_t i, double scale) { return scale * std::sqrt(variance * c[7 * i]); };
    return {error(0, 1), error(1, m.zeta0), error(2, m.FS), error(3, m.KT), error(4, m.chi + 1), error(5, m.beta)};
}

struct Solved {
    Unknowns x;
    double cost;
    int iterations;
    bool converged;
    ModalIwan error;
};

/// Along a direction that the points do not determine, steps gain next to nothing for ever: that is an end too.
bool no_longer_gains(const ceres::Solver::Summary& summary) {
    constexpr std::size_t watched = 50;
    const auto& steps = summary.iterations;
    if (summary.termination_type != ceres::NO_CONVERGENCE || steps.size() <= watched) return false;
    const double now = summary.final_cost, before = steps[steps.size() - watched].cost;
    return before - now <= 1e-3 * now / double(std::max<std::size_t>(1, watched));
}

/// `held` is kept where it is, beside a known zeta0.
Solved solve(const std::vector<ModalPoint>& points, Unknowns x, const FitOptions& options, int held = -1,
             bool errors = true) {
    ceres::Problem problem;
    for (const auto& p : points) {
        const auto curve = std::make_shared<Curve>(p.q, options.stiffness);
        for (const auto datum : {Datum::frequency, Datum::damping})
            problem.AddResidualBlock(new DatumCost(curve, datum, p, options),
                                     options.robust ? new ceres::CauchyLoss(cauchy) : nullptr, x.data());
    }
    const double top = std::max_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
                           return a.omega < b.omega;
                       })->omega;
    const double far =
        std::max_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.q < b.q; })->q;
    // Amplitudes and frequencies are of the order of one here; a start beyond an end is moved to it.
    const double bounds[6][2] = {{1e-6 * top * top, core::infinity},
                                 {-core::infinity, core::infinity},
                                 {std::log(least_stiff * top * top * far), std::log(most_stiff * top * top * far)},
                                 {std::log(least_stiff * top * top), std::log(most_stiff * top * top)},
                                 {std::log(0.01), std::log(3.0)},  // chi from -0.99 to 2
                                 {std::log(1e-4), std::log(1e4)}};
    for (std::size_t i = 0; i < 6; ++i) {
        x[i] = std::clamp(x[i], bounds[i][0], bounds[i][1]);
        if (std::isfinite(bounds[i][0])) problem.SetParameterLowerBound(x.data(), int(i), bounds[i][0]);
        if (std::isfinite(bounds[i][1])) problem.SetParameterUpperBound(x.data(), int(i), bounds[i][1]);
    }
    std::vector<int> constant;
    if (options.zeta0 > 0) constant.push_back(1);
    if (held >= 0 && (held != 1 || constant.empty())) constant.push_back(held);
    if (!constant.empty()) problem.SetManifold(x.data(), new ceres::SubsetManifold(6, constant));
    FLAGS_minloglevel = google::GLOG_FATAL;  // what fails is told by the result
    ceres::Solver::Options solver;
    solver.linear_solver_type = ceres::DENSE_QR;
    solver.max_num_iterations = options.most_iterations;
    solver.function_tolerance = 1e-14;
    solver.parameter_tolerance = 1e-12;
    solver.gradient_tolerance = 1e-14;
    solver.logging_type = ceres::SILENT;
    solver.num_threads = 1;
    ceres::Solver::Summary summary;
    ceres::Solve(solver, &problem, &summary);
    const double freedom = std::max(1.0, 2.0 * double(points.size()) - 6);
    return {x, summary.final_cost, int(summary.iterations.size()),
            summary.termination_type == ceres::CONVERGENCE || no_longer_gains(summary),
            errors ? standard_errors(problem, x.data(), 2 * summary.final_cost / freedom) : ModalIwan{}};
}

constexpr std::array<const char*, 6> keys{"Kinf", "zeta0", "FS", "KT", "chi", "beta"};

/// In coordinates in which a step of one is a factor e.
double logarithm(const Unknowns& x, std::size_t i) { return i == 0 ? std::log(x[0]) : x[i]; }

/// Where the cost has risen by what 95 % allow, the other parameters fitted anew, up (1) or down (-1) from the best.
std::optional<double> profile_bound(const std::vector<ModalPoint>& points, const Solved& best,
                                    const FitOptions& options, std::size_t i, int direction) {
    constexpr double chi_squared_95 = 3.841459, furthest = 16;
    const double freedom = std::max(1.0, 2.0 * double(points.size()) - 6);
    const double limit = best.cost + 0.5 * chi_squared_95 * std::max(2 * best.cost / freedom, 1e-300);
    Unknowns from = best.x;
    const auto beyond = [&](double at, bool keep) {
        Unknowns x = from;
        x[i] = i == 0 ? std::exp(at) : at;
        const Solved there = solve(points, x, options, int(i), false);
        if (keep) from = there.x;
        return !(there.cost <= limit);
    };
    const double middle = logarithm(best.x, i);
    double inside = middle;
    for (double step = 0.25; std::abs(inside - middle) < furthest; step *= 1.6) {
        const double outside = inside + direction * step;
        const Unknowns kept = from;
        if (!beyond(outside, true)) {
            inside = outside;
            continue;
        }
        from = kept;
        double low = inside, high = outside;
        for (int k = 0; k < 8; ++k) {
            const double centre = 0.5 * (low + high);
            (beyond(centre, false) ? high : low) = centre;
        }
        return high;
    }
    return std::nullopt;
}

/// Parameters whose logarithm is less sure than this are not determined.
constexpr double sure = 1;

std::vector<IwanBound> bounds_of(const std::vector<ModalPoint>& points, const Solved& best, const FitOptions& options) {
    const ModalIwan m = mode_of(best.x.data());
    const double value[] = {m.k_infinity, m.zeta0, m.FS, m.KT, m.chi + 1, m.beta};
    const double error[] = {best.error.k_infinity, best.error.zeta0, best.error.FS,
                            best.error.KT,         best.error.chi,   best.error.beta};
    std::vector<IwanBound> found;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (error[i] < sure * value[i] || (i == 1 && options.zeta0 > 0)) continue;
        IwanBound b{keys[i], {}, {}};
        const auto back = [&](double x) { return i == 4 ? std::exp(x) - 1 : std::exp(x); };
        if (const auto x = profile_bound(points, best, options, i, -1)) b.low = back(*x);
        if (const auto x = profile_bound(points, best, options, i, 1)) b.high = back(*x);
        found.push_back(std::move(b));
    }
    return found;
}

/// Units of amplitude and time do not matter: the fit is of points over these.
struct Units {
    double q = 1, omega = 1;

    double stiffness() const { return omega * omega; }
    ModalIwan outside(ModalIwan m) const {
        return {m.k_infinity * stiffness(), m.zeta0, m.FS * stiffness() * q, m.KT * stiffness(), m.chi, m.beta};
    }
    double factor(const std::string& key) const {
        return key == "FS" ? stiffness() * q : key == "Kinf" || key == "KT" ? stiffness() : 1.0;
    }
};

std::vector<ModalPoint> over(std::vector<ModalPoint> points, const Units& units) {
    for (auto& p : points) p.q /= units.q, p.omega /= units.omega;
    return points;
}

}  // namespace

ModalIwan log_slope_start(std::vector<ModalPoint> points) {
    check(points);
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
    ModalIwan m;
    const double top = points.front().omega, bottom = points.back().omega;
    double least = points.front().zeta;
    for (const auto& p : points) least = std::min(least, p.zeta);
    m.zeta0 = 0.9 * least;
    // Friction loss a cycle; in microslip it rises as q^(chi+3), in macroslip as 4 FS q.
    std::vector<double> x, loss;
    double slip_force = 0;
    for (const auto& p : points) {
        const double d = 2 * pi * (p.zeta - m.zeta0) * p.omega * p.omega * p.q * p.q;
        x.push_back(std::log(p.q));
        loss.push_back(std::log(d));
        slip_force = std::max(slip_force, d / (4 * p.q));
    }
    // Microslip: up to where the frequency has gone a third of its way.
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].omega < top - (top - bottom) / 3 && n >= 4) break;
        n += 1, sx += x[i], sy += loss[i], sxx += x[i] * x[i], sxy += x[i] * loss[i];
    }
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    m.chi = std::clamp(slope - 3, -0.95, 1.0);
    m.FS = slip_force;
    m.k_infinity = bottom * bottom;
    m.KT = std::max(top * top - bottom * bottom, 1e-6 * top * top);
    // The level of the microslip losses, D = 4 d0, gives beta: d0 falls as beta grows.
    const double q = std::exp(sx / n), level = std::exp(sy / n);
    const auto loss_at = [&](double beta) {
        return laws::Law("iwan4", {{"FS", m.FS}, {"KT", m.KT}, {"chi", m.chi}, {"beta", beta}}).cycle(q).dissipation;
    };
    double low = std::log(1e-2), high = std::log(1e2);
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (loss_at(std::exp(middle)) > level ? low : high) = middle;
    }
    m.beta = std::exp(low);
    return m;
}

IwanFit fit_modal_iwan(const std::vector<ModalPoint>& measured, const FitOptions& given) {
    check(measured);
    refuse_stuck(measured);
    refuse_hardening(measured);
    const auto furthest =
        std::max_element(measured.begin(), measured.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
    const Units units{furthest->q, furthest->omega};
    const auto points = over(measured, units);
    IwanFit fit;
    fit.start = log_slope_start(points);
    if (given.zeta0 > 0) fit.start.zeta0 = given.zeta0;
    FitOptions options = given;
    const bool rescale = options.omega_error <= 0 || options.zeta_error <= 0;
    if (rescale) options.omega_error = 1e-3, options.zeta_error = 5e-2;
    Solved best{};
    bool any = false;
    // A few starts: beta and the exponent trade places in data with little macroslip.
    for (const double beta : {fit.start.beta, 0.3, 3.0, 30.0}) {
        ModalIwan start = fit.start;
        start.beta = beta;
        const Solved solved = solve(points, unknowns_of(start), options);
        if (!any || solved.cost < best.cost) best = solved;
        any = true;
    }
    // Fitted anew with the scatter found, until it settles. Medians can jump to and fro: then the mean with the one
    // before.
    bool at_rest = !rescale;
    for (int pass = 0; !at_rest && pass < most_passes; ++pass) {
        const Misfit found = misfit(mode_of(best.x.data()), points, options.stiffness);
        double change = 0;
        const auto update = [&](double& error, double scatter) {
            scatter = std::max(scatter, least_scatter);
            change = std::max(change, std::abs(std::log(scatter / error)));
            error = pass < direct_passes ? scatter : std::sqrt(scatter * error);
        };
        update(options.omega_error, options.robust ? found.omega_middle : found.omega);
        update(options.zeta_error, options.robust ? found.zeta_middle : found.zeta);
        best = solve(points, best.x, options);
        at_rest = change < settled;
    }
    fit.mode = mode_of(best.x.data());
    fit.error = best.error;
    fit.iterations = best.iterations;
    fit.converged = best.converged && at_rest;
    const Misfit rms = misfit(fit.mode, points, options.stiffness);
    fit.omega_rms = rms.omega;
    fit.zeta_rms = rms.zeta;
    fit.not_determined = bounds_of(points, best, options);
    for (auto& b : fit.not_determined) {
        if (b.low) *b.low *= units.factor(b.key);
        if (b.high) *b.high *= units.factor(b.key);
    }
    for (auto* m : {&fit.mode, &fit.error, &fit.start}) *m = units.outside(*m);
    return fit;
}

}  // namespace faying::modal
