// Valanis between an exponential and a bilinear law, which are other laws of the library.

#include "faying/laws/valanis.hpp"

#include "faying/laws/bouc_wen.hpp"
#include "faying/laws/cycle.hpp"
#include "faying/laws/jenkins.hpp"
#include "faying/laws/parallel.hpp"
#include "faying/laws/polynomial.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;
using faying::core::Dual;

const double E0 = 5.0, Et = 0.4, lambda = 3.0;

Polynomial<> spring(double k) {
    Polynomial<>::Parameters p{};
    p.k[0] = k;
    return Polynomial<>(p);
}

TEST(Valanis, KappaZeroIsBoucWenWithExponentOneBesideASpring) {
    const Parallel<BoucWen<>, Polynomial<>> twin(BoucWen<>({E0 - Et, lambda, 0.0, 1.0}), spring(Et));
    const auto parting = compare(twin, Valanis<>({E0, Et, lambda, 0.0}), random_walk(2.0, 500));
    EXPECT_LT(parting.force, 1e-13);
    EXPECT_LT(parting.dissipated, 1e-12);
    EXPECT_RELATIVE(follow(Valanis<>({E0, Et, lambda, 0.0}), {0.3}).force,
                    Et * 0.3 + (E0 - Et) / lambda * -std::expm1(-lambda * 0.3), 1e-14);
}

TEST(Valanis, KappaOneIsJenkinsPrager) {
    const JenkinsPrager<> bilinear({E0 - Et, (E0 - Et) / (lambda * (1 - Et / E0)), Et});
    for (const double amplitude : {0.2, 1.0, 30.0}) {
        const auto parting = compare(bilinear, Valanis<>({E0, Et, lambda, 1.0}), random_walk(amplitude, 500));
        EXPECT_LT(parting.force, 1e-13) << amplitude;
        EXPECT_LT(parting.dissipated, 1e-12) << amplitude;
        const auto masing = compare(bilinear, ValanisMasing<>({E0, Et, lambda, 1.0}), random_walk(amplitude, 500));
        EXPECT_LT(masing.force, 1e-13) << amplitude;
    }
    const auto slipping = follow(Valanis<>({E0, Et, lambda, 1.0}), {3.0});
    EXPECT_EQ(slipping.tangent, Et);
    EXPECT_EQ(Valanis<>({E0, Et, lambda, 1.0}).step(slipping.next, 3.0).force, slipping.force);
}

TEST(Valanis, EndsOfKappaAreApproachedSmoothly) {
    const auto path = random_walk(2.0, 300);
    const double gap = 1e-9;
    // First order in the gap; near the corner of the bilinear law with a logarithm of it.
    EXPECT_LT(compare(Valanis<>({E0, Et, lambda, 0.0}), Valanis<>({E0, Et, lambda, gap}), path).force, 10 * gap);
    EXPECT_LT(compare(Valanis<>({E0, Et, lambda, 1.0}), Valanis<>({E0, Et, lambda, 1 - gap}), path).force, 100 * gap);
}

TEST(Valanis, DerivativeToKappaAtZero) {
    const std::vector<double> path = {0.4, -0.7, 0.2};
    const auto s = follow(Valanis<Dual>({Dual(E0), Dual(Et), Dual(lambda), Dual(0.0, 0)}), path);
    const double h = 1e-5;  // one-sided, second order
    const auto at = [&](double kappa) { return follow(Valanis<>({E0, Et, lambda, kappa}), path); };
    const auto a = at(0), b = at(h), c = at(2 * h);
    EXPECT_NEAR(s.force.v[0], (4 * b.force - 3 * a.force - c.force) / (2 * h), 1e-8);
    EXPECT_NEAR(s.work.v[0], (4 * b.work - 3 * a.work - c.work) / (2 * h), 1e-8);
    EXPECT_NEAR(s.dissipated.v[0], (4 * b.dissipated - 3 * a.dissipated - c.dissipated) / (2 * h), 1e-8);
}

TEST(Valanis, DerivativesAtKappaOneAreFinite) {
    for (const auto& path : {std::vector<double>{0.1}, {2.0}, {2.0, 2.0}, {2.0, -2.0, 3.0}}) {
        const auto s = follow(Valanis<Dual>({Dual(E0, 0), Dual(Et, 1), Dual(lambda, 2), Dual(1.0, 3)}), path);
        EXPECT_TRUE(s.force.v.allFinite() && s.tangent.v.allFinite() && s.work.v.allFinite() &&
                    s.dissipated.v.allFinite())
            << path.size();
    }
    // Past the corner the force no longer depends on how sharp it was, the dissipation does.
    const double h = 1e-4;
    const std::vector<double> path = {2.0};
    const auto s = follow(Valanis<Dual>({Dual(E0), Dual(Et), Dual(lambda), Dual(1.0, 0)}), path);
    const auto at = [&](double kappa) { return follow(Valanis<>({E0, Et, lambda, kappa}), path); };
    const auto a = at(1), b = at(1 - h), c = at(1 - 2 * h);
    EXPECT_NEAR(s.force.v[0], -(4 * b.force - 3 * a.force - c.force) / (2 * h), 1e-6);
    EXPECT_NEAR(s.dissipated.v[0], -(4 * b.dissipated - 3 * a.dissipated - c.dissipated) / (2 * h), 1e-6);
}

TEST(Valanis, AsymptoteHoweverFar) {
    for (const double kappa : {0.0, 0.4, 0.999, 1.0}) {
        const double offset = (E0 - Et) / (lambda * (1 - kappa * Et / E0));
        const Valanis<> law({E0, Et, lambda, kappa});
        for (const double u : {1e3, 1e6}) {
            const auto s = follow(law, {u});
            EXPECT_RELATIVE(s.force, Et * u + offset, 1e-14) << kappa;
            EXPECT_RELATIVE(follow(law, {u, -u}).force, -Et * u - offset, 1e-14) << kappa;
            EXPECT_NEAR(s.tangent, Et, 1e-14) << kappa;
        }
    }
}

TEST(Valanis, TinyLoopsDissipateACube) {
    for (const double kappa : {0.0, 0.3, 0.95}) {
        const double a = 1 - Et / E0, b = 1 - kappa * Et / E0, p = kappa * a / (b * b), m = (1 - kappa) / (b * b);
        const double u = 1e-12 / lambda, l = lambda * u / (p + m), offset = (E0 - Et) / (lambda * b);
        const ValanisMasing<> masing({E0, Et, lambda, kappa});
        EXPECT_RELATIVE(steady_cycle(masing, u).dissipation, 4 * offset / lambda * m * l * l * l / 6, 1e-10) << kappa;
        // From virgin: (offset/lambda) m l^3/3, twice the Masing share.
        EXPECT_RELATIVE(follow(Valanis<>({E0, Et, lambda, kappa}), {u}).dissipated, offset / lambda * m * l * l * l / 3,
                        1e-10)
            << kappa;
    }
}

}  // namespace
