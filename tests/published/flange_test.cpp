// [S4] Tables 6-8: the bolted flange as two Euler-Bernoulli halves on springs, exactly. Compatibility as in the equations
// sheet, section 4: third derivatives in the shear rows, second ones in the moment rows, k_w counted once.

#include <Eigen/Dense>
#include <numbers>

#include "published/scoreboard.hpp"

namespace {

constexpr double stiffness = 567.77, mass_per_length = 5.5979, length = 0.39746;  // not printed: one possibility
constexpr double kw = 3.33e8, ktheta = 22089, mass = 0.06912, inertia = 16.011e-5;

/// Zero at a natural frequency. Unknowns: two shapes of the clamped half that fit its end, two of the free half.
double determinant(double omega) {
    const double lambda = std::pow(mass_per_length * omega * omega / stiffness, 0.25), s = lambda * length / 2;
    const double ch = std::cosh(s), sh = std::sinh(s), co = std::cos(s), si = std::sin(s);
    // Value and derivatives over lambda^n of cosh - cos, sinh - sin at the end of the first half; of cosh + cos,
    // sinh + sin at that of the second, which is measured from its free end, so that odd ones change sign.
    const double first[2][4] = {{ch - co, sh + si, ch + co, sh - si}, {sh - si, ch - co, sh + si, ch + co}};
    const double second[2][4] = {{ch + co, -(sh - si), ch - co, -(sh + si)},
                                 {sh + si, -(ch + co), sh - si, -(ch - co)}};
    const double l2 = lambda * lambda, w2 = omega * omega;
    Eigen::Matrix4d a;
    for (int k = 0; k < 2; ++k) {
        const auto& u = first[k];
        const auto& v = second[k];
        a.col(k) << stiffness * l2 * lambda * u[3] + w2 * mass * u[0] - kw * u[0],
            stiffness * l2 * u[2] + (ktheta - w2 * inertia) * lambda * u[1], -kw * u[0], ktheta * lambda * u[1];
        a.col(2 + k) << kw * v[0], -ktheta * lambda * v[1],
            stiffness * l2 * lambda * v[3] - w2 * mass * v[0] + kw * v[0],
            stiffness * l2 * v[2] - (ktheta - w2 * inertia) * lambda * v[1];
    }
    return a.determinant();
}

TEST(PublishedFlange, FrequenciesOfTheIdentifiedBeam) {
    std::vector<double> hertz;
    const double step = 2 * std::numbers::pi;
    for (double low = step; hertz.size() < 3; low += step) {
        double a = low, b = low + step;
        if ((determinant(a) > 0) == (determinant(b) > 0)) continue;
        while (b - a > 1e-9 * b) ((determinant(a) > 0) == (determinant(0.5 * (a + b)) > 0) ? a : b) = 0.5 * (a + b);
        hertz.push_back(a / (2 * std::numbers::pi));
    }
    faying::tests::expect_row("FL1", hertz);
}

}  // namespace
