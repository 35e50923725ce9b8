#include <ceres/ceres.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/modal/iwan.hpp"

namespace faying::modal {

namespace {

using std::numbers::pi;

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

/// Unknowns: Kinf, ln zeta0, ln FS, ln KT, ln(chi + 1), ln beta.
using Unknowns = std::array<double, 6>;

Unknowns unknowns_of(const ModalIwan& m) {
    return {m.k_infinity, std::log(m.zeta0), std::log(m.FS), std::log(m.KT), std::log(m.chi + 1), std::log(m.beta)};
}
ModalIwan mode_of(const double* x) {
    return {x[0], std::exp(x[1]), std::exp(x[2]), std::exp(x[3]), std::exp(x[4]) - 1, std::exp(x[5])};
}

/// (omega/omega_i - 1)/error and ln(zeta/zeta_i)/error of one point. The law's derivatives are dual numbers; what is
/// around it is differentiated by hand, six lines.
class PointCost final : public ceres::SizedCostFunction<2, 6> {
 public:
    PointCost(const ModalPoint& point, const FitOptions& options) : point_(point), options_(options) {
        options_.omega_error = std::hypot(options.omega_error, point.omega_error);
        options_.zeta_error = std::hypot(options.zeta_error, point.zeta_error);
    }

    bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
        const double* x = parameters[0];
        const ModalIwan m = mode_of(x);
        const double q = point_.q;
        const laws::Law law("iwan4", {{"FS", m.FS}, {"KT", m.KT}, {"chi", m.chi}, {"beta", m.beta}});
        const auto cycle = law.cycle(q);
        const bool harmonic = options_.stiffness == Stiffness::harmonic;
        const double k = m.k_infinity + (harmonic ? cycle.harmonic_stiffness : cycle.secant);
        if (!(k > 0)) return false;
        const double omega = std::sqrt(k), viscous = m.zeta0 * m.omega0() / omega;
        const double friction = cycle.dissipation / (2 * pi * k * q * q), zeta = viscous + friction;
        residuals[0] = (omega / point_.omega - 1) / options_.omega_error;
        residuals[1] = std::log(zeta / point_.zeta) / options_.zeta_error;
        if (jacobians == nullptr || jacobians[0] == nullptr) return true;
        const auto slopes = law.cycle_derivatives(q);  // FS, KT, chi, beta
        const double scale[] = {m.FS, m.KT, m.chi + 1, m.beta};
        double dk[6] = {1, 0, 0, 0, 0, 0}, dd[6] = {}, dw0[6] = {0.5 / m.omega0(), 0, 0, 0.5 * m.KT / m.omega0(), 0, 0};
        for (std::size_t i = 0; i < 4; ++i) {
            dk[i + 2] = scale[i] * (harmonic ? slopes[i].harmonic_stiffness : slopes[i].secant);
            dd[i + 2] = scale[i] * slopes[i].dissipation;
        }
        for (std::size_t i = 0; i < 6; ++i) {
            const double domega = 0.5 * dk[i] / omega;
            double dzeta =
                viscous * (dw0[i] / m.omega0() - domega / omega) - friction * dk[i] / k + dd[i] / (2 * pi * k * q * q);
            if (i == 1) dzeta += viscous;
            jacobians[0][i] = domega / point_.omega / options_.omega_error;
            jacobians[0][6 + i] = dzeta / zeta / options_.zeta_error;
        }
        return true;
    }

 private:
    ModalPoint point_;
    FitOptions options_;
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

Solved solve(const std::vector<ModalPoint>& points, Unknowns x, const FitOptions& options) {
    ceres::Problem problem;
    for (const auto& p : points)
        problem.AddResidualBlock(new PointCost(p, options), options.robust ? new ceres::CauchyLoss(2.0) : nullptr,
                                 x.data());
    const double top = std::max_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
                           return a.omega < b.omega;
                       })->omega;
    problem.SetParameterLowerBound(x.data(), 0, 1e-6 * top * top);
    problem.SetParameterLowerBound(x.data(), 4, std::log(0.01));  // chi > -0.99
    problem.SetParameterUpperBound(x.data(), 4, std::log(3.0));
    problem.SetParameterLowerBound(x.data(), 5, std::log(1e-4));
    problem.SetParameterUpperBound(x.data(), 5, std::log(1e4));
    if (options.zeta0 > 0) problem.SetManifold(x.data(), new ceres::SubsetManifold(6, {1}));
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
    return {x, summary.final_cost, int(summary.iterations.size()), summary.termination_type == ceres::CONVERGENCE,
            standard_errors(problem, x.data(), 2 * summary.final_cost / freedom)};
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

IwanFit fit_modal_iwan(const std::vector<ModalPoint>& points, const FitOptions& given) {
    check(points);
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
    if (rescale) {
        for (int pass = 0; pass < 3; ++pass) {
            const Misfit found = misfit(mode_of(best.x.data()), points, options.stiffness);
            options.omega_error = std::max(options.robust ? found.omega_middle : found.omega, 1e-12);
            options.zeta_error = std::max(options.robust ? found.zeta_middle : found.zeta, 1e-12);
            best = solve(points, best.x, options);
        }
    }
    fit.mode = mode_of(best.x.data());
    fit.error = best.error;
    fit.iterations = best.iterations;
    fit.converged = best.converged;
    const Misfit rms = misfit(fit.mode, points, options.stiffness);
    fit.omega_rms = rms.omega;
    fit.zeta_rms = rms.zeta;
    return fit;
}

}  // namespace faying::modal
