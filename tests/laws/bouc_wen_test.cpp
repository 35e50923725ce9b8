// Bouc-Wen: the closed forms and the general exponent meet, limits of its parameters, energies at both ends of scale.

#include "faying/laws/bouc_wen.hpp"

#include "faying/laws/cycle.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;
using faying::core::Dual;

const double A = 3.0, alpha = 0.8, beta = -0.25;

TEST(BoucWen, GeneralExponentPassesThroughTheClosedForms) {
    for (const double n : {1.0, 2.0})
        for (const double off : {-1e-9, 1e-9}) {
            const auto parting =
                compare(BoucWen<>({A, alpha, beta, n}), BoucWen<>({A, alpha, beta, n + off}), random_walk(3.0, 300));
            EXPECT_LT(parting.force, 2e-9) << n;  // |d log f / d n| is about one here
            EXPECT_LT(parting.dissipated, 2e-9) << n;
        }
}

TEST(BoucWen, DerivativeToTheExponentAtTheClosedForms) {
    const std::vector<double> path = {0.7, -1.9, 0.4, 0.1, 2.5, -0.3};
    for (const double n : {1.0, 2.0}) {
        const BoucWen<Dual> dual({Dual(A), Dual(alpha), Dual(beta), Dual(n, 0)});
        const auto s = follow(dual, path);
        const double h = 1e-4;
        const auto up = follow(BoucWen<>({A, alpha, beta, n + h}), path);
        const auto down = follow(BoucWen<>({A, alpha, beta, n - h}), path);
        // h^2 of the difference quotient bounds all four.
        EXPECT_NEAR(s.force.v[0], (up.force - down.force) / (2 * h), 1e-6);
        EXPECT_NEAR(s.tangent.v[0], (up.tangent - down.tangent) / (2 * h), 1e-6);
        EXPECT_NEAR(s.work.v[0], (up.work - down.work) / (2 * h), 1e-6);
        EXPECT_NEAR(s.dissipated.v[0], (up.dissipated - down.dissipated) / (2 * h), 1e-6);
        const auto plain = follow(BoucWen<>({A, alpha, beta, n}), path);
        EXPECT_NEAR(s.force.a, plain.force, 1e-13);
        EXPECT_NEAR(s.dissipated.a, plain.dissipated, 1e-12);
    }
}

TEST(BoucWen, SaturatesHoweverFarItGoes) {
    for (const double n : {0.4, 1.0, 1.7, 2.0, 6.0, 30.0}) {
        const double top = std::pow(A / (alpha - beta), 1.0 / n), length = top / A;
        const BoucWen<> law({A, alpha, beta, n});
        for (const double far : {1e3, 1e6}) {
            const auto s = follow(law, {far * length});
            EXPECT_RELATIVE(s.force, top, n < 1 ? 1e-9 : 1e-13) << n;  // n < 1 closes in like a power when far = 1e3
            EXPECT_NEAR(s.tangent, 0.0, 1e-12 * A + (n < 1 ? 1e-9 : 0.0)) << n;
            // All work beyond the knee is lost; what it stores is f^2/2A.
            EXPECT_RELATIVE(s.dissipated, s.work - 0.5 * top * top / A, 1e-12) << n;
            EXPECT_RELATIVE(follow(law, {far * length, -far * length}).force, -s.force, 1e-12) << n;
        }
    }
}

TEST(BoucWen, TinyDisplacementsDissipateTheirLeadingPower) {
    for (const double n : {1.0, 1.6, 2.0, 3.3}) {
        const double top = std::pow(A / (alpha - beta), 1.0 / n), u = 1e-12 * top / A;
        const double D = (alpha - beta) * std::pow(A, n) * std::pow(u, n + 2) / (n + 2);
        EXPECT_RELATIVE(follow(BoucWen<>({A, alpha, beta, n}), {u}).dissipated, D, 1e-10) << n;
        const BoucWenMasing<> masing({A, alpha - beta, n});  // d0 = n/(n+1) of it
        EXPECT_RELATIVE(follow(masing, {u}).dissipated, D * n / (n + 1), 1e-10) << n;
    }
}

TEST(BoucWen, WithBetaEqualToAlphaLoadingIsElastic) {
    for (const double n : {0.7, 1.0, 2.0, 3.0}) {
        const BoucWen<> law({A, alpha, alpha, n});
        const auto s = follow(law, {5.0});
        EXPECT_RELATIVE(s.force, A * 5.0, 1e-14) << n;
        EXPECT_EQ(s.dissipated, 0.0) << n;
        EXPECT_GT(law.step(s.next, 0.0).dissipated, 0.0) << n;  // unloading is not
    }
}

TEST(BoucWen, WithoutAlphaIsASpring) {
    for (const double n : {0.7, 1.0, 2.0}) {
        const auto s = follow(BoucWen<>({A, 0.0, 0.0, n}), {5.0, -3.0, 1.0});
        EXPECT_NEAR(s.force, A * 1.0, 1e-13) << n;
        EXPECT_NEAR(s.dissipated, 0.0, 1e-13) << n;
    }
}

TEST(BoucWen, ZeroStepsAndAReversalAtVirgin) {
    for (const double n : {0.7, 1.0, 2.0}) {
        const BoucWen<> law({A, alpha, beta, n});
        auto s = follow(law, {0.0, 0.0, -0.0});
        EXPECT_EQ(s.force, 0.0);
        EXPECT_RELATIVE(law.step(s.next, -0.6).force, -follow(law, {0.6}).force, 1e-15) << n;
        const auto there = follow(law, {1.1});
        auto still = there;
        for (int i = 0; i < 100; ++i) still = law.step(still.next, 1.1);
        EXPECT_RELATIVE(still.force, there.force, 1e-14) << n;
        EXPECT_RELATIVE(still.dissipated, there.dissipated, 1e-13) << n;
    }
}

TEST(BoucWen, SteadyLoopAtAnyAmplitude) {
    for (const double n : {0.5, 1.0, 2.0, 3.5})
        for (const double amplitude : {1e-6, 1e-3, 0.1, 1.0, 100.0}) {
            const auto c = steady_cycle(BoucWen<>({A, alpha, beta, n}), amplitude);
            EXPECT_GT(c.dissipation, 0.0) << n << ' ' << amplitude;
            EXPECT_LT(c.residual, 1e-10) << n << ' ' << amplitude;
        }
}

}  // namespace
