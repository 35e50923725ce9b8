// The Iwan family: limits that are other laws, exact energies from 1e-12 of phi_max to a million times it.

#include "faying/laws/iwan.hpp"

#include "faying/laws/cycle.hpp"
#include "faying/laws/iwan5_stiction.hpp"
#include "faying/laws/jenkins.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;

TEST(Iwan4, WithAllStiffnessInTheDeltaIsJenkins) {
    const Iwan4<> iwan({2.0, 3.0, -0.5, 1e12});
    const auto parting = compare(Jenkins<>({3.0, 2.0}), iwan, random_walk(2.0, 500));
    EXPECT_LT(parting.force, 1e-11);  // 1/beta of the stiffness lies elsewhere
    EXPECT_LT(parting.dissipated, 1e-10);
}

TEST(Iwan4, AsChiTendsToMinusOneOnlyTheDeltaIsLeft) {
    // The power-law sliders gather at phi = 0 and carry nothing: Jenkins with the delta's stiffness.
    const double FS = 2.0, KT = 3.0, beta = 0.7, gap = 1e-9;
    const Iwan4<> iwan({FS, KT, -1.0 + gap, beta});
    const auto parting = compare(Jenkins<>({KT * beta / (1 + beta), FS}), iwan, random_walk(4.0, 500));
    EXPECT_LT(parting.force, 100 * gap);  // first order in chi + 1, times logarithms of u/phi_max
    EXPECT_LT(parting.dissipated, 1000 * gap);
}

TEST(Iwan5, BothVariantsAreIwan4AtThetaOne) {
    for (const double chi : {-0.9, -0.3, 0.0, 1.2})
        for (const double beta : {0.0, 0.5, 20.0}) {
            const Iwan4<> four({10.0, 5.0, chi, beta});
            const auto path = random_walk(2.5 * four.virgin_curve().population().phi_max, 300);
            const auto masing = compare(four, Iwan5<>({10.0, 5.0, chi, beta, 1.0}), path);
            const auto stiction = compare(four, Iwan5Stiction<>({10.0, 5.0, chi, beta, 1.0}), path);
            EXPECT_LT(masing.force, 1e-13);
            EXPECT_LT(masing.dissipated, 1e-12);
            EXPECT_LT(stiction.force, 1e-11);  // band edges are differences of displacements
            EXPECT_LT(stiction.dissipated, 1e-11);
        }
}

TEST(Iwan5, StictionHasTheSameVirginCurve) {
    for (const double theta : {0.0, 0.3, 0.8}) {
        const Iwan5<> masing({10.0, 5.0, -0.4, 0.6, theta});
        const Iwan5Stiction<> stiction({10.0, 5.0, -0.4, 0.6, theta});
        const double phi_max = masing.virgin_curve().population().phi_max;
        for (const double part : {1e-6, 0.01, 0.5, 0.99, 1.5, 30.0}) {
            const auto a = follow(masing, {part * phi_max});
            const auto b = follow(stiction, {part * phi_max});
            EXPECT_NEAR(a.force, b.force, 1e-12 * 10.0) << theta << ' ' << part;
            EXPECT_NEAR(a.work, b.work, 1e-12 * 10.0 * phi_max * (1 + part)) << theta << ' ' << part;
        }
    }
}

TEST(Iwan4, MicroslipDissipationIsAPowerDownToNothing) {
    const double FS = 10.0, KT = 1e6;
    for (const double chi : {-0.95, -0.5, 0.0, 0.7})
        for (const double beta : {0.0, 3.0}) {
            const Iwan4<> law({FS, KT, chi, beta});
            const auto population = law.virgin_curve().population();
            double before = 0;
            for (const double part : {1e-12, 1e-10, 1e-6, 1e-2, 0.5}) {
                const double A = part * population.phi_max;
                const double D = 4 * population.R * std::pow(A, chi + 3) / ((chi + 2) * (chi + 3));
                EXPECT_RELATIVE(steady_cycle(law, A).dissipation, D, 1e-12) << chi << ' ' << part;
                // Loop after loop in the running totals: nothing cancels.
                auto s = follow(law, {A});
                EXPECT_RELATIVE(loop_dissipation(law, s.next, A), D, 1e-10) << chi << ' ' << part;
                if (part == 1e-10) {
                    EXPECT_NEAR(std::log10(D / before) / 2.0, chi + 3.0, 1e-12);
                }
                before = D;
            }
        }
}

TEST(Iwan4, MacroslipDissipationHasAnOffsetAndJoinsSmoothly) {
    const double FS = 10.0, KT = 2.0;
    for (const double chi : {-0.8, 0.0, 0.6})
        for (const double beta : {0.0, 0.4, 9.0}) {
            const Iwan4<> law({FS, KT, chi, beta});
            const double phi = law.virgin_curve().population().phi_max;
            const double offset = phi * (beta + (chi + 1) / (chi + 3)) / (beta + (chi + 1) / (chi + 2));
            for (const double part : {1.0, 1.5, 1e3, 1e6}) {
                const double A = part * phi;
                EXPECT_RELATIVE(steady_cycle(law, A).dissipation, 4 * FS * (A - offset), 1e-12);
                EXPECT_RELATIVE(loop_dissipation(law, follow(law, {A}).next, A), 4 * FS * (A - offset), 1e-10);
            }
            const double inside = steady_cycle(law, phi * (1 - 1e-9)).dissipation;
            // D' = 4 FS on either side, so the step across 1e-9 of phi_max is 4e-9 FS phi_max at most.
            EXPECT_NEAR(inside, steady_cycle(law, phi).dissipation, 1e-8 * FS * phi);
        }
}

TEST(Iwan4, ReversalAfterAMillionTimesPhiMax) {
    const Iwan4<> law({10.0, 2.0, -0.4, 1.5});
    const double phi = law.virgin_curve().population().phi_max, far = 1e6 * phi;
    const auto out = follow(law, {far});
    EXPECT_EQ(out.force, 10.0);
    const double back = far - 0.8 * phi;
    const double half = law.virgin_curve().at(0.5 * (far - back)).force;
    EXPECT_NEAR(law.step(out.next, back).force, 10.0 - 2 * half, 1e-14);
    EXPECT_EQ(law.step(out.next, -far).force, -10.0);
}

TEST(Iwan5, HarmonicStiffnessIsContinuousInThetaAndAmplitude) {
    const Iwan4<> four({10.0, 2.0, -0.4, 1.5});
    const Iwan5<> five({10.0, 2.0, -0.4, 1.5, 1.0});
    const double phi = four.virgin_curve().population().phi_max;
    for (const double part : {1e-3, 0.4, 0.999, 1.001, 3.0, 100.0})
        EXPECT_NEAR(steady_cycle(five, part * phi).harmonic_stiffness,
                    steady_cycle(four, part * phi).harmonic_stiffness, 1e-12 * 2.0)
            << part;
}

}  // namespace
