#include "faying/core/special.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "faying/core/quadrature.hpp"

namespace {

using namespace faying::core;

// phi_k(z) = Int_0^1 exp((1-s) z) s^(k-1)/(k-1)! ds, by quadrature.
double phi_by_quadrature(int k, double z) {
    double factorial = 1;
    for (int i = 2; i < k; ++i) factorial *= i;
    return integrate([&](double s) { return std::exp((1 - s) * z) * std::pow(s, k - 1) / factorial; }, 0, 1, 1e-16);
}

TEST(Phi, MatchesItsIntegralAcrossRegimes) {
    for (const double z : {0.0, -1e-9, -1e-3, -0.3, -0.6, -1.7, -4.0, -6.9, -7.1, -25.0, -300.0, 0.4}) {
        const auto phi = phi_functions<7>(z);
        for (int k = 1; k <= 7; ++k)
            EXPECT_NEAR(phi[k] / phi_by_quadrature(k, z), 1.0, 3e-13) << "k " << k << " z " << z;
    }
}

TEST(Phi, DerivativeThroughDualNumbers) {
    for (const double z : {0.0, -0.2, -3.0, -30.0}) {
        const auto dual = phi_functions<3>(Jet<1>(z, 0));
        const double h = 1e-6;
        const auto plus = phi_functions<3>(z + h), minus = phi_functions<3>(z - h);
        for (int k = 0; k <= 3; ++k) EXPECT_NEAR(dual[k].v[0], (plus[k] - minus[k]) / (2 * h), 1e-9);
    }
}

TEST(Gaps, SmoothAcrossTheirSwitch) {
    for (const double x : {1e-8, 1e-3, 0.5, 0.999999, 1.000001, 3.0, 40.0}) {
        const auto phi = phi_functions<2>(-x);
        const double square = integrate([](double t) { return std::pow(-std::expm1(-t), 2); }, 0, x, 1e-18);
        EXPECT_NEAR(square_gap(x) * x * x * x / square, 1.0, 1e-11) << x;
        if (x > 0.1) {
            EXPECT_NEAR(phi_gap(x) * x / (2 * phi[2] - phi[1]), 1.0, 1e-12) << x;
        }
    }
    EXPECT_NEAR(phi_gap(0.0), 1.0 / 6.0, 1e-16);
    EXPECT_NEAR(square_gap(0.0), 1.0 / 3.0, 1e-16);
}

TEST(Roots, OfSquaredArgument) {
    for (const double y : {1e-12, 9.99e-4, 1.001e-3, 0.3, 20.0}) {
        const double x = std::sqrt(y);
        EXPECT_NEAR(tanh_over_root(y), std::tanh(x) / x, 2e-15);
        EXPECT_NEAR(atan_over_root(y), std::atan(x) / x, 2e-15);
        if (y < 1) {
            EXPECT_NEAR(tanh_over_root(-y), std::tan(x) / x, 2e-15);
        }
    }
    EXPECT_NEAR(log1p_over(9.9e-4), std::log1p(9.9e-4) / 9.9e-4, 2e-16);
}

TEST(Integrate, KinkCostsPanelsNotAccuracy) {
    const double kink = 0.37123;
    EXPECT_NEAR(integrate([&](double x) { return std::abs(x - kink); }, 0, 1, 1e-15),
                0.5 * (kink * kink + (1 - kink) * (1 - kink)), 1e-14);
    EXPECT_NEAR(integrate([](double x) { return std::sqrt(x); }, 0, 1, 1e-14), 2.0 / 3.0, 1e-12);
}

TEST(Dilogarithm, IsItsIntegralEverywhere) {
    using std::numbers::pi;
    const double ln2 = std::numbers::ln2;
    EXPECT_NEAR(dilogarithm(0.5, -ln2), pi * pi / 12 - 0.5 * ln2 * ln2, 1e-15);
    EXPECT_NEAR(dilogarithm(-1.0, ln2), -pi * pi / 12, 1e-15);
    EXPECT_NEAR(dilogarithm(1.0 - 1e-16, std::log(1e-16)), pi * pi / 6, 1e-14);
    for (const double x : {-300.0, -7.0, -1.001, -0.999, -0.4, -1e-6, 1e-9, 0.2, 0.4999, 0.5001, 0.8, 0.99}) {
        const double integral = integrate([&](double t) { return t == 0 ? -x : std::log1p(-x * t) / t; }, 0, 1, 1e-16);
        EXPECT_NEAR(dilogarithm(x, std::log1p(-x)) / -integral, 1.0, 2e-14) << x;
    }
}

TEST(Dilogarithm, OnTheImaginaryAxis) {
    const double catalan = 0.915965594177219015;
    EXPECT_NEAR(dilogarithm_imaginary(1.0).imag(), catalan, 1e-15);
    for (const double y : {1e-9, 0.1, 0.7, 0.9999, 1.0001, 3.0, 80.0}) {
        const double integral = integrate([&](double t) { return t == 0 ? y : std::atan(y * t) / t; }, 0, 1, 1e-16);
        EXPECT_NEAR(dilogarithm_imaginary(y).imag() / integral, 1.0, 2e-14) << y;
        EXPECT_NEAR(4 * dilogarithm_imaginary(y).real() / dilogarithm(-y * y, std::log1p(y * y)), 1.0, 2e-14) << y;
    }
}

}  // namespace
