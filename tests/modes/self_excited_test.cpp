// A mass that negative damping drives and friction limits, as flutter and a dry joint: its limit cycles, the closed
// branch (isola) of its forced response, and the loss of lock-in (Neimark-Sacker).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/modes/harmonic_balance.hpp"
#include "modes/small_models.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using std::numbers::pi;
using structure::Model;

constexpr double kt = 1, fs = 0.5, lost = 0.04;

/// x'' - 0.04 x' + x + slider
Model driven() {
    Model m = tests::oscillator(laws::Law("jenkins", {{"kt", kt}, {"fs", fs}}));
    m.damping = Eigen::MatrixXd::Constant(1, 1, -lost);
    return m;
}

/// One harmonic: what the slider takes of the velocity, over a; zero damping where it is `lost omega`.
double drag(double a) { return 4 * fs * (a - fs / kt) / (pi * a * a); }
double frequency(double a) {
    const double t = std::acos(1 - 2 * fs / (kt * a));
    return std::sqrt(1 + kt / pi * (t - std::sin(t) * std::cos(t)));
}

TEST(LimitCycles, AreWhereFrictionTakesWhatDampingGives) {
    const Model m = driven();
    const modes::Interface interface(m);
    const modes::HarmonicOptions options{.harmonics = Harmonics::up_to(1)};
    std::vector<double> amplitudes;
    for (double a = 0.2; a < 40; a *= 1.3) amplitudes.push_back(a);
    const auto points = modes::epmc(m, interface, 1, amplitudes, options);
    EXPECT_LT(points.front().zeta, 0);  // at rest it is unstable
    const auto cycles = modes::limit_cycles(m, interface, 1, points, options);
    ASSERT_EQ(cycles.size(), 2u);
    for (const auto& c : cycles) {
        EXPECT_NEAR(drag(c.a), lost * frequency(c.a), 1e-10);
        EXPECT_NEAR(c.omega, frequency(c.a), 1e-10);
        ASSERT_TRUE(c.stability.stable.has_value()) << c.stability.reason;
    }
    EXPECT_TRUE(*cycles[0].stability.stable);  // damping grows with amplitude there
    EXPECT_FALSE(*cycles[1].stability.stable);
}

TEST(LimitCycles, OfAPassiveStructureThereAreNone) {
    const Model m = tests::oscillator(laws::Law("jenkins", {{"kt", kt}, {"fs", fs}}), 0.01);
    const modes::Interface interface(m);
    const modes::HarmonicOptions options{.harmonics = Harmonics::up_to(1)};
    EXPECT_TRUE(
        modes::limit_cycles(m, interface, 1, modes::epmc(m, interface, 1, {0.2, 1, 5, 25}, options), options).empty());
}

TEST(Response, AnIsolaIsFoundAndClosed) {
    // At phase resonance the force is a (drag - lost omega): it rises, falls through zero at the outer limit cycle and
    // grows the other way. Below its largest value the response has a peak, and a closed curve around that cycle.
    const Model m = driven();
    const double p = 0.3;
    modes::ResponseTask task{.load = {Eigen::VectorXd::Ones(1), p}, .from = 0.5, .to = 2};
    task.isolas = true;
    task.phase_mode = 1;
    const modes::HarmonicOptions options{.harmonics = Harmonics::up_to(1)};
    const auto points = modes::response(m, modes::Interface(m), task, options);
    std::vector<modes::HarmonicPoint> isola;
    double main_peak = 0;
    for (const auto& point : points) {
        ASSERT_TRUE(point.converged);
        if (point.branch == 0) main_peak = std::max(main_peak, point.a);
        if (point.branch == 1) isola.push_back(point);
        EXPECT_LE(point.branch, 1);
    }
    ASSERT_GT(isola.size(), 10u);
    double low = 1e9, high = 0, left = 1e9, right = 0;
    for (const auto& point : isola) {
        low = std::min(low, point.a);
        high = std::max(high, point.a);
        left = std::min(left, point.omega);
        right = std::max(right, point.omega);
        // every point balances force, friction and damping on its own
        const double w = point.omega, k = frequency(point.a) * frequency(point.a);
        EXPECT_NEAR(std::hypot((k - w * w) * point.a, (drag(point.a) - lost * w) * point.a), p, 1e-9);
    }
    EXPECT_GT(low, main_peak);    // apart from the main branch
    EXPECT_GT(left, 0.5 * 1.01);  // and from both ends
    EXPECT_LT(right, 2 * 0.99);
    EXPECT_LT((isola.front().harmonics - isola.back().harmonics).norm(), 0.3 * high);  // it came back
    // both limits of its amplitude are where the force is in quadrature
    const auto force = [&](double a) { return a * (drag(a) - lost * frequency(a)); };
    EXPECT_NEAR(force(low), p, 0.01 * p);
    EXPECT_NEAR(force(high), -p, 0.01 * p);
}

TEST(Response, LockInEndsInANeimarkSackerBifurcation) {
    // Away from resonance the joint slips too little to make up for the damping: disturbances grow, turning. A law whose
    // slip begins gently, so that multipliers pass the circle and do not jump over it.
    Model m = driven();
    m.joints[0].law = laws::Law("iwan4", {{"FS", 0.5}, {"KT", 1}, {"chi", -0.5}, {"beta", 0.5}});
    m.damping(0, 0) = -0.02;
    modes::HarmonicOptions options{.harmonics = Harmonics::up_to(5)};
    options.stability = true;
    const auto points = modes::response(m, {Eigen::VectorXd::Ones(1), 0.15}, 2.4, 1.4, {}, options);
    int located = 0, stable = 0, unstable = 0;
    for (const auto& p : points) {
        if (!p.stability.stable) continue;
        (*p.stability.stable ? stable : unstable)++;
        if (p.bifurcation != modes::Bifurcation::neimark_sacker) continue;
        ++located;
        ASSERT_GE(p.stability.multipliers.size(), 2u);
        const auto first = p.stability.multipliers[0], second = p.stability.multipliers[1];
        EXPECT_NEAR(std::abs(first), 1, 1e-6);
        EXPECT_NEAR(std::abs(second), 1, 1e-6);
        EXPECT_GT(std::abs(first.imag()), 0.01);
        EXPECT_NEAR(first.imag(), -second.imag(), 1e-9);
    }
    EXPECT_GT(stable, 5);
    EXPECT_GT(unstable, 3);
    EXPECT_EQ(located, 1);
}

}  // namespace
