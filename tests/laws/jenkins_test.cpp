// Jenkins, Jenkins-Prager, Prager: closed forms, limits, and displacements far beyond slip.

#include "faying/laws/jenkins.hpp"

#include "faying/laws/cycle.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;

TEST(Jenkins, IsItsVirginCurveUnderMasingsRules) {
    const Jenkins<> jenkins({3.0, 2.0});
    const Masing<JenkinsCurve<>> masing({3.0, 2.0});
    for (const double amplitude : {0.1, 0.8, 3.0, 100.0}) {
        const auto parting = compare(jenkins, masing, random_walk(amplitude, 2000));
        EXPECT_LT(parting.force, 1e-12) << amplitude;       // round-off of 2000 steps
        EXPECT_LT(parting.dissipated, 1e-12) << amplitude;  // likewise
    }
}

TEST(Jenkins, LoopAreaIsFourSlipForceTimesSlip) {
    const double kt = 1e7, fs = 25.0;
    const Jenkins<> law({kt, fs});
    for (const double ratio : {0.5, 1.0, 1.001, 2.0, 50.0, 1e6}) {
        const double A = ratio * fs / kt, D = ratio > 1 ? 4 * fs * (A - fs / kt) : 0.0;
        EXPECT_NEAR(steady_cycle(law, A).dissipation, D, 1e-12 * fs * A) << ratio;
        EXPECT_NEAR(loop_dissipation(law, follow(law, {A}).next, A), D, 1e-12 * fs * A) << ratio;
    }
}

TEST(Jenkins, ReversalAfterAMillionSlipLengths) {
    const double kt = 3.0, fs = 0.1, length = fs / kt;
    const Jenkins<> law({kt, fs});
    const auto far = follow(law, {1e6 * length});
    EXPECT_EQ(far.force, fs);
    const double back = 1e6 * length - 0.5 * length;
    // What is left is the resolution of u itself: 1e6 ulp of the slip length.
    EXPECT_NEAR(law.step(far.next, back).force, fs - kt * (1e6 * length - back), 1e-15 * fs);
}

TEST(JenkinsPrager, WithoutItsSpringIsJenkins) {
    const auto parting = compare(JenkinsPrager<>({3.0, 2.0, 0.0}), Jenkins<>({3.0, 2.0}), random_walk(3.0, 500));
    EXPECT_EQ(parting.force, 0.0);
    EXPECT_EQ(parting.dissipated, 0.0);
}

TEST(Prager, PenaltyOfTheLiteratureKeepsItsForce) {
    const double area = 2.918e-3, fs = 100.0, kp = 1e6;  // [S0]: 10^18.5 N/m a square metre
    const Prager<> law({Prager<>::penalty * area, fs, kp});
    auto s = law.step(law.virgin(), 1e-6);
    EXPECT_RELATIVE(s.force, fs + kp * 1e-6, 1e-15);
    for (int i = 0; i < 5; ++i) {  // pauses
        s = law.step(s.next, 1e-6);
        EXPECT_RELATIVE(s.force, fs + kp * 1e-6, 1e-15);
    }
    EXPECT_RELATIVE(law.step(s.next, 0.5e-6).force, -fs + kp * 0.5e-6, 1e-15);
    const double A = 1e-6;
    EXPECT_RELATIVE(steady_cycle(law, A).dissipation, 4 * fs * A, 1e-6);  // fs/kt of A, 1e-8, never slips
}

}  // namespace
