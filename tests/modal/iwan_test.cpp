#include "faying/modal/iwan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "faying/core/error.hpp"
#include "reference.hpp"

using namespace faying;
using namespace faying::modal;

namespace {

const ModalIwan truth{1.399, 1e-4, 2.877, 7.843e-2, -0.5150, 5.614};

std::vector<ModalPoint> measured(const ModalIwan& m, double low, double high, double omega_noise, double zeta_noise,
                                 unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<ModalPoint> points;
    for (double q = low; q <= high; q *= 1.15) {
        ModalPoint p = m.at(q);
        p.omega *= 1 + omega_noise * normal(random);
        p.zeta *= std::exp(zeta_noise * normal(random));
        points.push_back(p);
    }
    return points;
}

}  // namespace

TEST(ModalIwan, LimitsOfItsCurves) {
    EXPECT_NEAR(truth.at(1e-9).omega, truth.omega0(), 1e-6);
    EXPECT_NEAR(truth.at(1e-9).zeta, truth.zeta0, 1e-8);
    EXPECT_NEAR(truth.at(1e7).omega, std::sqrt(truth.k_infinity), 1e-6);
    // Beyond macroslip the secant is FS/q.
    const double q = 3 * truth.macroslip();
    EXPECT_NEAR(std::pow(truth.at(q, Stiffness::secant).omega, 2), truth.k_infinity + truth.FS / q, 1e-12);
    // Microslip damping has log slope chi + 1.
    const auto friction = [&](double at) {
        return truth.at(at).zeta * std::pow(truth.at(at).omega, 2) - truth.zeta0 * truth.omega0() * truth.at(at).omega;
    };
    EXPECT_NEAR(std::log10(friction(1e-3) / friction(1e-4)), truth.chi + 1, 1e-9);
    EXPECT_EQ(truth.model().size(), 1);
}

TEST(ModalIwan, CleanDataGiveTheParametersBack) {
    for (const Stiffness stiffness : {Stiffness::harmonic, Stiffness::secant}) {
        std::vector<ModalPoint> points;
        for (double q = 0.05; q < 5000; q *= 1.3) points.push_back(truth.at(q, stiffness));
        const auto fit = fit_modal_iwan(points, {.stiffness = stiffness});
        EXPECT_TRUE(fit.converged);
        EXPECT_RELATIVE(fit.mode.k_infinity, truth.k_infinity, 1e-8);
        EXPECT_RELATIVE(fit.mode.KT, truth.KT, 1e-7);
        EXPECT_RELATIVE(fit.mode.FS, truth.FS, 1e-6);
        EXPECT_RELATIVE(fit.mode.zeta0, truth.zeta0, 1e-6);
        EXPECT_NEAR(fit.mode.chi, truth.chi, 1e-6);
        EXPECT_RELATIVE(fit.mode.beta, truth.beta, 1e-5);
        EXPECT_NEAR(fit.start.chi, truth.chi, 0.15);
        EXPECT_NEAR(fit.start.KT / truth.KT, 1, 0.2);
    }
}

TEST(ModalIwan, StandardErrorsAreThoseOfRepeats) {
    int inside = 0, total = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        const auto fit = fit_modal_iwan(measured(truth, 0.05, 3000, 2e-5, 0.02, seed));
        const std::pair<double, double> pairs[] = {{fit.mode.KT - truth.KT, fit.error.KT},
                                                   {fit.mode.k_infinity - truth.k_infinity, fit.error.k_infinity},
                                                   {fit.mode.chi - truth.chi, fit.error.chi},
                                                   {fit.mode.FS - truth.FS, fit.error.FS},
                                                   {fit.mode.beta - truth.beta, fit.error.beta},
                                                   {fit.mode.zeta0 - truth.zeta0, fit.error.zeta0}};
        for (const auto& [off, error] : pairs) inside += std::abs(off) < 2 * error, ++total;
        EXPECT_RELATIVE(fit.mode.KT, truth.KT, 0.02);
    }
    EXPECT_GT(inside, 0.85 * total);
}

TEST(ModalIwan, PointsFarOffInDampingHardlyCount) {
    auto points = measured(truth, 0.05, 3000, 2e-5, 0.005, 3);
    for (std::size_t i = 2; i < points.size(); i += 7) points[i].zeta *= 1.6;
    const auto robust = fit_modal_iwan(points), squares = fit_modal_iwan(points, {.robust = false});
    EXPECT_NEAR(robust.mode.chi, truth.chi, 0.01);
    EXPECT_RELATIVE(robust.mode.zeta0, truth.zeta0, 0.01);
    EXPECT_GT(squares.mode.zeta0, 1.04 * truth.zeta0);
    // Their frequencies are right, and count in full: KT is as well known as without the outliers.
    const auto clean = fit_modal_iwan(measured(truth, 0.05, 3000, 2e-5, 0.005, 3));
    EXPECT_NEAR(robust.mode.KT, clean.mode.KT, clean.error.KT);
}

TEST(ModalIwan, BadPointsAreRefused) {
    EXPECT_THROW(fit_modal_iwan({{1, 1, 1}}), core::BadInput);
    auto points = measured(truth, 0.1, 100, 0, 0, 1);
    points[3].zeta = -1e-3;
    EXPECT_THROW(fit_modal_iwan(points), core::BadInput);
}
