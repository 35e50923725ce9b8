// Pinched and Reid: closed forms, and what the pinched law stores.

#include "faying/laws/pinched.hpp"

#include "faying/laws/cycle.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;

TEST(Pinched, LoopTendsToItsFormulaAsEpsVanishes) {
    const double K0 = 3.0, beta = 1.2, A = 0.7;
    double before = 0;
    for (const double eps : {1e-3, 1e-4, 1e-5}) {
        const double D = steady_cycle(Pinched<>({K0, 2.0, beta, eps}), A).dissipation;
        const double error = std::abs(D - 2 * beta * K0 / (K0 + 2) * A * A);
        if (before > 0) {
            EXPECT_NEAR(std::log10(before / error), 1.0, 0.1);
        }  // first order in eps
        before = error;
    }
}

TEST(Pinched, DissipationNeverFallsOnMinorLoops) {
    const Pinched<> law({0.8, 1.0, 0.9, 1e-2});
    auto z = law.virgin();
    double before = 0;
    for (const double u : random_walk(1.0, 3000)) {
        const auto s = law.step(z, u);
        EXPECT_GE(s.dissipated, before - 1e-12) << u;
        before = s.dissipated;
        z = s.next;
    }
}

TEST(Pinched, ComingBackToZeroStoresNothing) {
    const Pinched<> law({3.0, 2.0, 1.2, 1e-6});
    const auto s = follow(law, {1.0, 0.0});
    EXPECT_EQ(s.force, 0.0);
    EXPECT_RELATIVE(s.dissipated, s.work, 1e-9);  // but for eps^2 that theta below its mean can still win
}

TEST(Reid, LoopIsTwoTriangles) {
    const double k = 7.0, eta = 0.3;
    const Reid<> law({k, eta});
    for (const double A : {1e-9, 0.2, 1e6}) {
        EXPECT_RELATIVE(steady_cycle(law, A).dissipation, 2 * k * eta * A * A, 1e-13);
        EXPECT_RELATIVE(loop_dissipation(law, follow(law, {A}).next, A), 2 * k * eta * A * A, 1e-13);
        EXPECT_RELATIVE(follow(law, {A}).force, k * (1 + eta) * A, 1e-15);
        EXPECT_RELATIVE(follow(law, {A, 0.5 * A}).force, k * (1 - eta) * 0.5 * A, 1e-15);
    }
}

TEST(Reid, WithoutEtaIsASpring) {
    const auto s = follow(Reid<>({7.0, 0.0}), {1.0, -2.0, 0.5});
    EXPECT_RELATIVE(s.force, 3.5, 1e-15);
    EXPECT_EQ(s.dissipated, 0.0);
}

}  // namespace
