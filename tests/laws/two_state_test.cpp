// Two-state: the closed form is where the thesis' increments lead; normalised family; far saturation.

#include "faying/laws/two_state.hpp"

#include "faying/laws/cycle.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;
using faying::core::Dual;

TwoStateParameters<double> lap_joint() {
    const double alpha = 2.0 / 3, sigma = 1.0 / 16;
    return {
        alpha, sigma, std::sqrt(alpha * (1 - alpha) / (1 - sigma)), std::sqrt(alpha * (alpha - sigma) / (1 - sigma)),
        0.0,   1.0};
}

/// A path cut into n equal increments a leg.
std::vector<double> cut(const std::vector<double>& path, int n) {
    std::vector<double> fine;
    double at = 0;
    for (const double to : path) {
        for (int i = 1; i <= n; ++i) fine.push_back(at + (to - at) * i / n);
        at = to;
    }
    return fine;
}

TEST(TwoState, IncrementsConvergeToItAtFirstOrder) {
    const std::vector<double> path = {0.9, -1.4, 0.6, -0.2, 2.0};
    const auto exact = follow(TwoState<>(lap_joint()), path);
    const TwoStateIncrement<SlipDirection::eigenproblem> increment(lap_joint());
    double force = 0, dissipated = 0;
    for (const int n : {500, 1000, 2000}) {
        const auto s = follow(increment, cut(path, n));
        const double f = std::abs(s.force - exact.force), d = std::abs(s.dissipated - exact.dissipated);
        if (force > 0) {
            EXPECT_NEAR(std::log2(force / f), 1.0, 0.15) << n;
            EXPECT_NEAR(std::log2(dissipated / d), 1.0, 0.15) << n;
        }
        force = f;
        dissipated = d;
    }
    EXPECT_LT(force, 1e-3);
}

TEST(TwoState, NormalisedFamily) {
    const TwoState<> law(lap_joint());
    EXPECT_RELATIVE(follow(law, {1e-3}).tangent, 1.0, 1e-14);
    EXPECT_RELATIVE(follow(law, {100.0}).force, 1.0, 1e-12);
    EXPECT_NEAR(follow(law, {100.0}).tangent, 0.0, 1e-12);
    EXPECT_RELATIVE(follow(law, {100.0, -100.0}).force, -1.0, 1e-12);
}

TEST(TwoState, FarSaturationWithDerivatives) {
    const auto p = lap_joint();
    const TwoState<> plain(p);
    const TwoState<Dual> dual({Dual(p.alpha, 0), Dual(p.sigma, 1), Dual(p.b1, 2), Dual(p.b2, 3), Dual(0.0), Dual(1.0)});
    for (const double far : {1e2, 1e4, 1e6}) {
        const auto s = follow(dual, {far, -far, 0.5 * far});
        EXPECT_TRUE(std::isfinite(s.force.a));
        EXPECT_TRUE(s.force.v.allFinite() && s.tangent.v.allFinite() && s.work.v.allFinite() &&
                    s.dissipated.v.allFinite())
            << far;
        EXPECT_NEAR(s.force.a, follow(plain, {far, -far, 0.5 * far}).force, 1e-10) << far;
        // Saturated: f = (1 + ks - b.b/alpha) u + sqrt(b.A b)/alpha
        const double root = std::sqrt(p.sigma * p.b1 * p.b1 + p.b2 * p.b2), u = 0.5 * far;
        EXPECT_NEAR(s.force.v[1], 0.5 * p.b1 * p.b1 / root / p.alpha, 1e-9) << far;
        EXPECT_RELATIVE(s.force.v[2], -2 * p.b1 / p.alpha * u + p.sigma * p.b1 / root / p.alpha, 1e-9) << far;
    }
}

TEST(TwoState, SticksThenSlips) {
    const TwoState<> law(lap_joint());
    const auto p = lap_joint();
    const double stick = 1.0 / std::sqrt(p.b1 * p.b1 / p.sigma + p.b2 * p.b2);
    EXPECT_EQ(follow(law, {0.99 * stick}).dissipated, 0.0);
    EXPECT_GT(follow(law, {1.01 * stick}).dissipated, 0.0);
    EXPECT_NEAR(steady_cycle(law, 0.9 * stick).dissipation, 0.0, 1e-15);
}

TEST(TwoState, ZeroStepsChangeNothing) {
    const TwoState<> law(lap_joint());
    for (const double u : {0.0, 0.01, 0.7, 30.0}) {
        auto s = follow(law, {u});
        const auto there = s;
        for (int i = 0; i < 100; ++i) s = law.step(s.next, u);
        EXPECT_NEAR(s.force, there.force, 1e-13) << u;
        EXPECT_NEAR(s.dissipated, there.dissipated, 1e-13) << u;
    }
}

}  // namespace
