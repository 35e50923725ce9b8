// What laws remember: Masing memory under deep nesting, pauses and starts, and counterexamples for the laws that do not
// claim return-point memory or Masing's rule.

#include "faying/laws/bouc_wen.hpp"
#include "faying/laws/iwan.hpp"
#include "faying/laws/iwan5_stiction.hpp"
#include "faying/laws/jenkins.hpp"
#include "faying/laws/pinched.hpp"
#include "faying/laws/two_state.hpp"
#include "faying/laws/valanis.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;

const Iwan4<> iwan({10.0, 2.0, -0.4, 1.5});
const TwoStateParameters<double> lap_joint{
    2.0 / 3, 1.0 / 16, std::sqrt(2.0 / 9 / (15.0 / 16)), std::sqrt(2.0 / 3 * (2.0 / 3 - 1.0 / 16) / (15.0 / 16)),
    0.0,     1.0};

TEST(MasingMemory, LoopsInsideLoopsAllCount) {
    // Inner loops on both sides of an outer one, which then closes: work must be the integral of the force.
    const Masing<JenkinsCurve<>> masing({3.0, 2.0});
    const std::vector<double> path = {5.0, 1.0, 3.0, -4.0, 2.0, -2.0, 6.0, -1.0, 1.0, -7.0, 0.0};
    const auto a = follow(Jenkins<>({3.0, 2.0}), path);
    const auto b = follow(masing, path);
    EXPECT_RELATIVE(b.dissipated, a.dissipated, 1e-14);
    EXPECT_RELATIVE(b.work, a.work, 1e-14);
}

TEST(MasingMemory, TenThousandNestedReversalsThenOneBigPath) {
    const int turns = 10000;
    auto z = iwan.virgin();
    double dissipated = 0;
    for (int i = 0; i < turns; ++i) {
        const auto s = iwan.step(z, (i % 2 == 0 ? 1.0 : -1.0) * 5.0 * (1.0 - double(i) / turns));
        EXPECT_GE(s.dissipated, dissipated);
        dissipated = s.dissipated;
        z = s.next;
    }
    EXPECT_EQ(z.turns.size(), std::size_t(turns - 1));
    const auto out = iwan.step(z, 6.0);
    EXPECT_TRUE(out.next.turns.empty());
    EXPECT_RELATIVE(out.force, follow(iwan, {6.0}).force, 1e-14);
    EXPECT_GT(out.dissipated, dissipated);
    for (const double u : {3.0, -2.0, 6.5})  // nothing of it is left
        EXPECT_RELATIVE(iwan.step(out.next, u).force, follow(iwan, {6.0, u}).force, 1e-14);
}

TEST(MasingMemory, NestedDissipationAgreesWithSliders) {
    // The same history in a law that keeps no reversal points: Jenkins against its virgin curve.
    std::vector<double> path;
    for (int i = 0; i < 2000; ++i) path.push_back((i % 2 == 0 ? 1.0 : -1.0) * 5.0 * (1.0 - i / 2000.0));
    for (int i = 0; i < 2000; ++i) path.push_back((i % 2 == 0 ? 1.0 : -1.0) * 5.0 * (i / 2000.0));
    const auto parting = compare(Jenkins<>({3.0, 2.0}), Masing<JenkinsCurve<>>({3.0, 2.0}), path);
    EXPECT_LT(parting.force, 1e-12);
    EXPECT_LT(parting.dissipated, 1e-12);
}

TEST(MasingMemory, PausesLeaveNoTurns) {
    auto s = follow(iwan, {1.0, -0.5});
    const auto there = s;
    for (int i = 0; i < 1000; ++i) s = iwan.step(s.next, -0.5);
    EXPECT_EQ(s.next.turns.size(), there.next.turns.size());
    EXPECT_EQ(s.force, there.force);
    EXPECT_EQ(s.dissipated, there.dissipated);
}

TEST(MasingMemory, StartsWithEitherSignAndFromZeroSteps) {
    const double f = follow(iwan, {0.7}).force;
    EXPECT_EQ(follow(iwan, {0.0, 0.0, 0.7}).force, f);
    EXPECT_EQ(follow(iwan, {-0.7}).force, -f);
    EXPECT_EQ(follow(iwan, {0.0, -0.0, -0.7}).force, -f);
    EXPECT_RELATIVE(follow(iwan, {1e-300, -0.7}).force, -f, 1e-15);
    EXPECT_RELATIVE(follow(iwan, {0.7, 0.0, 0.7}).force, f, 1e-15);
    EXPECT_RELATIVE(follow(iwan, {0.7, -0.7, 0.7}).force, f, 1e-15);
}

TEST(MasingMemory, ReachingAReversalExactlyClosesItsLoop) {
    const auto s = follow(iwan, {2.0, -1.0, 0.5, -0.2, 0.5});
    EXPECT_EQ(s.next.turns.size(), 2u);
    const auto closed = iwan.step(s.next, 2.0);
    EXPECT_TRUE(closed.next.turns.empty());
    EXPECT_RELATIVE(closed.force, follow(iwan, {2.0}).force, 1e-15);
}

TEST(MasingMemory, AMillionTimesFartherThanBefore) {
    const double tiny = 1e-6;
    const auto s = follow(iwan, {tiny, -tiny, 1e6 * tiny, 1e12 * tiny, -1e12 * tiny});
    EXPECT_EQ(s.force, -10.0);
}

/// By how much the force at A differs after a minor loop A, B, A; relative.
template <class L>
double minor_loop_gap(const L& law, double A, double B) {
    const double first = follow(law, {A}).force, again = follow(law, {A, B, A}).force;
    return std::abs(again - first) / std::abs(first);
}

/// By how much the first unloading branch from A, at u, misses the doubled virgin curve; relative.
template <class L>
double masing_gap(const L& law, double A, double u) {
    const double tip = follow(law, {A}).force, half = follow(law, {0.5 * (A - u)}).force;
    return std::abs(follow(law, {A, u}).force - (tip - 2 * half)) / std::abs(tip);
}

TEST(NotClaimed, ReturnPointMemory) {
    EXPECT_GT(minor_loop_gap(BoucWen<>({1.0, 0.8, -0.2, 1.0}), 0.5, 0.25), 0.02);
    EXPECT_GT(minor_loop_gap(BoucWen<>({1.0, 0.8, -0.2, 2.0}), 0.5, 0.25), 0.02);
    EXPECT_GT(minor_loop_gap(Valanis<>({1.0, 0.1, 1.5, 0.3}), 0.5, 0.25), 0.02);
    EXPECT_GT(minor_loop_gap(Pinched<>({2.0, 1.0, 0.8, 1e-3}), 0.5, 0.25), 0.02);
    EXPECT_GT(minor_loop_gap(TwoState<>(lap_joint), 2.0, 0.1), 0.05);
    EXPECT_LT(minor_loop_gap(iwan, 4.0, -3.5), 1e-14);
}

TEST(NotClaimed, StictionForgetsNothingOfAMinorLoop) {
    // The loop closes, but the sliders that stuck again on the way must all break away once more.
    const auto gap = [](double theta) {
        const Iwan5Stiction<> law({10.0, 2.0, -0.4, 0.2, theta});
        const double plain = follow(law, {4.0, 4.5}).force;
        return std::abs(follow(law, {4.0, 3.0, 4.0, 4.5}).force - plain) / plain;
    };
    EXPECT_GT(gap(0.3), 0.05);
    EXPECT_LT(gap(1.0), 1e-13);
    EXPECT_LT(minor_loop_gap(Iwan5Stiction<>({10.0, 2.0, -0.4, 0.2, 0.3}), 4.0, 3.0), 1e-13);
}

TEST(NotClaimed, MasingsRule) {
    EXPECT_GT(masing_gap(BoucWen<>({1.0, 0.8, 0.4, 1.0}), 3.0, -1.0), 0.1);
    EXPECT_GT(masing_gap(BoucWen<>({1.0, 0.8, -0.4, 2.0}), 5.5, 3.9), 0.1);
    EXPECT_GT(masing_gap(Valanis<>({1.0, 0.1, 1.5, 0.3}), 1.0, -0.5), 0.02);
    EXPECT_GT(masing_gap(Pinched<>({2.0, 1.0, 0.8, 1e-3}), 1.8, 1.1), 0.1);
    EXPECT_GT(masing_gap(Iwan5Stiction<>({10.0, 2.0, -0.4, 0.2, 0.3}), 4.0, -1.0), 0.02);
    EXPECT_GT(masing_gap(TwoState<>(lap_joint), 2.5, 1.5), 0.05);
    EXPECT_LT(masing_gap(iwan, 4.0, -1.0), 1e-14);
}

}  // namespace
