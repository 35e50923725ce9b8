// Finite sets of sliders tend to the exact Iwan law; how they are spaced decides how fast.

#include "faying/laws/cycle.hpp"
#include "faying/laws/iwan_sliders.hpp"
#include "faying/laws/jenkins.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;

double largest_error(const auto& sliders, const auto& exact, double phi_max) {
    double worst = 0;
    for (int i = 1; i <= 1000; ++i) {
        const double u = 1.1 * phi_max * i / 1000.0;
        worst = std::max(worst, std::abs(follow(sliders, {u}).force - follow(exact, {u}).force));
    }
    return worst;
}

TEST(EqualSliders, OneSliderIsJenkins) {
    const double k = 4.0, phi_max = 0.3;
    const auto parting = compare(EqualSliders<>({k, phi_max, 1}), Jenkins<>({k, k * phi_max}), random_walk(1.0, 300));
    EXPECT_LT(parting.force, 1e-14);
    EXPECT_LT(parting.dissipated, 1e-13);
}

TEST(EqualSliders, TendToUniformDensityAtFirstOrder) {
    const double k = 4.0, phi_max = 0.3;
    const Iwan4<> exact({0.5 * k * phi_max, k, 0.0, 0.0});
    EXPECT_RELATIVE(exact.virgin_curve().population().phi_max, phi_max, 1e-14);
    double before = 0;
    for (const double n : {40.0, 80.0, 160.0}) {
        const double error = largest_error(EqualSliders<>({k, phi_max, n}), exact, phi_max);
        if (before > 0) {
            EXPECT_NEAR(std::log2(before / error), 1.0, 0.03) << n;
        }
        before = error;
    }
}

TEST(Iwan4Sliders, GeometricSpacingTendsToUniform) {
    const auto at = [](double ratio) { return follow(Iwan4Sliders<>({2.0, 4.0, -0.3, 0.5, 12, ratio}), {0.4}).force; };
    EXPECT_NEAR(at(1.0 + 1e-9), at(1.0), 1e-8);
    using faying::core::Dual;
    for (const double ratio : {1.0, 1.1}) {  // derivative to the spacing, one-sided at its bound
        const Iwan4Sliders<Dual> law({Dual(2.0), Dual(4.0), Dual(-0.3), Dual(0.5), Dual(12.0), Dual(ratio, 0)});
        const double h = 1e-6, difference = (at(ratio + 2 * h) - at(ratio)) / (2 * h);
        EXPECT_RELATIVE(law.step(law.virgin(), Dual(0.4)).force.v[0], difference, 1e-3) << ratio;
    }
}

TEST(Iwan4Sliders, HalfASliderIsRefused) {
    EXPECT_EQ(Iwan4Sliders<>::why_not_admissible({2.0, 4.0, 0.0, 0.5, 12, 1.0}), "");
    EXPECT_EQ(Iwan4Sliders<>::why_not_admissible({2.0, 4.0, 0.0, 0.5, 2.5, 1.0}), "needs a whole count, not 2.5");
    EXPECT_EQ(EqualSliders<>::why_not_admissible({2.0, 4.0, 0.5}), "needs a whole count, not 0.5");
}

TEST(Iwan4Sliders, BinnedExactlyTheyConvergeAtSecondOrder) {
    for (const double chi : {0.0, 0.8}) {
        const Iwan4<> exact({2.0, 4.0, chi, 0.5});
        const double phi_max = exact.virgin_curve().population().phi_max;
        double before = 0;
        for (const double n : {10.0, 20.0, 40.0}) {
            const double error = largest_error(Iwan4Sliders<>({2.0, 4.0, chi, 0.5, n, 1.0}), exact, phi_max);
            if (before > 0) {
                EXPECT_NEAR(std::log2(before / error), 2.0, 0.15) << chi << ' ' << n;
            }
            before = error;
        }
    }
}

TEST(Iwan4Sliders, StiffnessAndStrengthAreExactForEveryCount) {
    for (const double n : {1.0, 3.0, 200.0})
        for (const double ratio : {1.0, 1.05, 2.0}) {
            const Iwan4Sliders<> law({2.0, 4.0, -0.6, 0.5, n, ratio});
            double stiffness = 0, strength = 0;
            for (const auto& [k, reach] : law.sliders()) {
                stiffness += k;
                strength += k * reach;
            }
            EXPECT_RELATIVE(stiffness, 4.0, 1e-13);
            EXPECT_RELATIVE(strength, 2.0, 1e-13);
        }
}

TEST(Iwan4Sliders, UniformBinsMissMicroslipAndGeometricOnesDoNot) {
    const Iwan4<> exact({2.0, 4.0, -0.5, 0.5});
    const double A = 2e-3 * exact.virgin_curve().population().phi_max;
    const double D = steady_cycle(exact, A).dissipation;
    const double uniform = steady_cycle(Iwan4Sliders<>({2.0, 4.0, -0.5, 0.5, 200, 1.0}), A).dissipation;
    const double geometric = steady_cycle(Iwan4Sliders<>({2.0, 4.0, -0.5, 0.5, 200, 1.05}), A).dissipation;
    EXPECT_GT(std::abs(uniform / D - 1), 0.1);
    EXPECT_LT(std::abs(geometric / D - 1), 1e-3);
}

TEST(Iwan4Sliders, ManyGeometricBinsStayFinite) {
    // ratio^count is far beyond the largest double.
    for (const double ratio : {1.05, 2.0}) {
        const auto s = follow(Iwan4Sliders<>({2.0, 4.0, -0.5, 0.5, 20000, ratio}), {0.1, -0.05});
        EXPECT_TRUE(std::isfinite(s.force) && std::isfinite(s.dissipated)) << ratio;
    }
}

}  // namespace
