// Friction beside geometric stiffness as an Iwan model: theta(q) = f_Iwan(q) - KT q.

#include <cmath>
#include <limits>

#include "faying/geometric/ignl.hpp"

namespace faying::geometric {

namespace {

/// y = a + b x by weighted least squares.
struct Line {
    double a = 0, b = 0;
};
Line line_through(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& weight,
                  std::size_t first, std::size_t last) {
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = first; i < last; ++i) {
        const double w = weight[i] * weight[i];
        s += w, sx += w * x[i], sy += w * y[i], sxx += w * x[i] * x[i], sxy += w * x[i] * y[i];
    }
    const double b = (s * sxy - sx * sy) / (s * sxx - sx * sx);
    return {(sy - b * sx) / s, b};
}

}  // namespace

IwanFit fit_iwan(const std::vector<double>& q, const std::vector<double>& theta) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    IwanFit best;
    best.rms = std::numeric_limits<double>::infinity();
    const std::size_t n = q.size();
    std::vector<double> log_q(n), log_theta(n), one(n, 1.0), weight(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (!(theta[i] < 0) || !(q[i] > 0)) {
            best.reason = "friction does not soften at every point: this is no Iwan model";
            break;
        }
        log_q[i] = std::log(q[i]);
        log_theta[i] = std::log(-theta[i]);
        weight[i] = 1 / theta[i];
    }
    if (n < 3) best.reason = "an Iwan model needs three points at least";
    if (!best.reason.empty()) {
        best.slip_force = best.stiffness = best.chi = best.beta = best.rms = nan;
        return best;
    }
    // Microslip is a power of q, macroslip a straight line: both by least squares, cut where they serve all points
    // best.
    for (std::size_t cut = 3; cut <= n; ++cut) {
        if (cut < n && n - cut < 2) continue;
        const Line power = line_through(log_q, log_theta, one, 0, cut);
        IwanFit fit;
        fit.chi = power.b - 2;
        const double c = std::exp(power.a);
        if (!(fit.chi > -1)) continue;
        fit.macroslip = cut < n;
        double phi = q[n - 1];
        if (fit.macroslip) {
            const Line line = line_through(q, theta, weight, cut, n);
            fit.slip_force = line.a;
            fit.stiffness = -line.b;
            if (!(fit.slip_force > 0) || !(fit.stiffness > 0)) continue;
            // Where the two meet: all sliders slip.
            double low = q[cut - 1], high = q[cut];
            const auto over = [&](double x) { return -c * std::pow(x, power.b) - (line.a + line.b * x); };
            if ((over(low) > 0) == (over(high) > 0)) {
                phi = std::abs(over(low)) < std::abs(over(high)) ? low : high;
            } else {
                for (int k = 0; k < 60; ++k) {
                    const double x = 0.5 * (low + high);
                    ((over(x) > 0) == (over(low) > 0) ? low : high) = x;
                }
                phi = 0.5 * (low + high);
            }
            fit.beta = fit.stiffness / ((fit.chi + 2) * c * std::pow(phi, fit.chi + 1)) - 1;
            if (!(fit.beta >= 0)) continue;
        } else {
            // Nothing tells where microslip would end: the smallest joint that goes so far.
            fit.beta = 0;
            fit.stiffness = (fit.chi + 2) * c * std::pow(phi, fit.chi + 1);
            fit.slip_force = fit.stiffness * phi - c * std::pow(phi, fit.chi + 2);
            fit.reason =
                "microslip only: slip force and stiffness are the least "
                "that go so far, beta = 0 is assumed";
        }
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double model = i < cut ? -c * std::pow(q[i], power.b) : fit.slip_force - fit.stiffness * q[i];
            sum += std::pow(model / theta[i] - 1, 2);
        }
        fit.rms = std::sqrt(sum / double(n));
        fit.coefficient = c;
        fit.largest_slider = phi;
        if (fit.rms < best.rms) best = fit;
    }
    if (!std::isfinite(best.rms)) {
        best = {};
        best.slip_force = best.stiffness = best.chi = best.beta = best.rms = nan;
        best.reason = "no Iwan model has such a friction curve";
    }
    return best;
}

double IwanFit::dissipation(double q) const {
    if (q <= largest_slider) return 4 * (chi + 1) * coefficient * std::pow(q, chi + 3) / (chi + 3);
    const double at_slip = 4 * (chi + 1) * coefficient * std::pow(largest_slider, chi + 3) / (chi + 3);
    return at_slip + 4 * slip_force * (q - largest_slider);
}

}  // namespace faying::geometric
