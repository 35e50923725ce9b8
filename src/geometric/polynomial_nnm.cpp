// Free motion of one coordinate with a polynomial force, by quadrature.

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "faying/geometric/nnm.hpp"

namespace faying::geometric {

namespace {

double horner(const VectorXd& c, double x) {
    double sum = 0;
    for (Index j = c.size() - 1; j >= 0; --j) sum = sum * x + c(j);
    return sum;
}

/// c / (x - root), the remainder dropped.
VectorXd deflated(const VectorXd& c, double root) {
    VectorXd d(c.size() - 1);
    double carry = 0;
    for (Index j = c.size() - 1; j > 0; --j) d(j - 1) = carry = c(j) + carry * root;
    return d;
}

/// The largest negative real root, polished; NaN without one.
double nearest_below(const VectorXd& c, const VectorXd& slope) {
    Index n = c.size() - 1;
    while (n > 0 && c(n) == 0) --n;
    if (n < 1) return std::numeric_limits<double>::quiet_NaN();
    MatrixXd companion = MatrixXd::Zero(n, n);
    for (Index i = 0; i + 1 < n; ++i) companion(i + 1, i) = 1;
    for (Index i = 0; i < n; ++i) companion(i, n - 1) = -c(i) / c(n);
    const Eigen::EigenSolver<MatrixXd> eigen(companion, false);
    double found = -std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n; ++i) {
        const std::complex<double> z = eigen.eigenvalues()(i);
        if (z.real() < 0 && std::abs(z.imag()) < 1e-6 * std::abs(z)) found = std::max(found, z.real());
    }
    if (!std::isfinite(found)) return std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < 20; ++i) {
        const double change = horner(c, found) / horner(slope, found);
        if (!std::isfinite(change)) break;
        found -= change;
        if (std::abs(change) < 1e-16 * std::abs(found)) break;
    }
    return found;
}

VectorXd derivative(const VectorXd& c) {
    VectorXd d(std::max<Index>(c.size() - 1, 1));
    d.setZero();
    for (Index j = 1; j < c.size(); ++j) d(j - 1) = double(j) * c(j);
    return d;
}

}  // namespace

NnmPoint nnm_of_polynomial(const VectorXd& k, double q_plus, int harmonics) {
    NnmPoint p;
    p.q_plus = q_plus;
    p.residual = std::numeric_limits<double>::quiet_NaN();
    const auto none = [&](const char* why) {
        p.reason = why;
        return p;
    };
    if (!(q_plus > 0) || !std::isfinite(q_plus)) return none("the amplitude is not positive");
    // In x = q / q+: coefficients of one size. V(x) - V(1) as a polynomial, its root x = 1 taken out.
    VectorXd v = VectorXd::Zero(k.size() + 1);
    for (Index j = 1; j < k.size(); ++j) v(j + 1) = k(j) * std::pow(q_plus, double(j + 1)) / double(j + 1);
    p.energy = v.sum();
    VectorXd rest = v;
    rest(0) -= p.energy;
    const VectorXd once = deflated(rest, 1.0);
    const double minus = nearest_below(once, derivative(once));
    if (!std::isfinite(minus)) return none("the motion does not turn back: the potential falls on the other side");
    const VectorXd g = deflated(once, minus);  // V - E = (x - 1)(x - x-) g
    const double middle = 0.5 * (1 + minus), half = 0.5 * (1 - minus);

    // dt/ds = 1/sqrt(2 g) is even in s: its cosine coefficients by the trapezoid rule, doubled until they stay.
    const auto rate = [&](double s) { return 1 / std::sqrt(2 * horner(g, middle + half * std::cos(s))); };
    Index n = 64;
    double period = 0, last = 0;
    for (;; n *= 2) {
        double sum = 0;
        for (Index i = 0; i < n; ++i) {
            const double r = rate(std::numbers::pi * (2 * double(i) + 1) / double(n));
            if (!std::isfinite(r))
                return none("the force turns round before this amplitude: there is no motion about zero");
            sum += r;
        }
        period = q_plus * 2 * std::numbers::pi * sum / double(n);
        if (n > 64 && std::abs(period - last) <= 4e-16 * period) break;
        if (n >= 65536) break;
        last = period;
    }
    p.residual = std::abs(period - last) / period;
    p.omega = 2 * std::numbers::pi / period;
    p.q_minus = q_plus * minus;
    p.converged = p.residual < 1e-11;
    if (!p.converged) p.reason = "the period is close to infinite";
    p.stable = true;  // one coordinate: neighbouring motions are periodic too

    // Phase w t(s) = s + Sum_m a_m sin(m s)/m with a_m of the rate over its mean.
    std::vector<double> at(static_cast<std::size_t>(n)), r(at.size());
    double mean = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        at[i] = 2 * std::numbers::pi * (double(i) + 0.5) / double(n);
        r[i] = rate(at[i]);
        mean += r[i] / double(n);
    }
    std::vector<double> phase = at;
    double before = 1;
    for (Index m = 1; harmonics > 0 && m < n / 2 && m < 400; ++m) {  // the mean needs no phase
        double a = 0;
        for (std::size_t i = 0; i < at.size(); ++i) a += 2 * r[i] / mean * std::cos(double(m) * at[i]) / double(n);
        for (std::size_t i = 0; i < at.size(); ++i) phase[i] += a * std::sin(double(m) * at[i]) / double(m);
        // Two of them: where the potential is even every other one is nothing.
        if (std::abs(a) + std::abs(before) < 1e-17 && m > 4) break;
        before = a;
    }
    for (int h = 0; h <= harmonics; ++h) {
        double sum = 0;
        for (std::size_t i = 0; i < at.size(); ++i)
            sum += r[i] / mean * (middle + half * std::cos(at[i])) * std::cos(h * phase[i]) / double(n);
        p.harmonics.push_back(q_plus * (h == 0 ? sum : 2 * sum));
    }
    return p;
}

}  // namespace faying::geometric
