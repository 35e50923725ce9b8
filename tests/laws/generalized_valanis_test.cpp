// Generalized Valanis: the pace matters exactly when P has velocity in it.

#include "faying/laws/generalized_valanis.hpp"

#include "faying/laws/cycle.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;
using G = GeneralizedValanis<>;

/// E1, E2 and coefficients by number (a1, a2, ..), the same both ways.
G law(double E1, double E2, std::initializer_list<std::pair<int, double>> coefficients) {
    G::Parameters p{};
    p.down.fill(std::nan(""));
    p.up[0] = E1;
    p.up[1] = E2;
    for (const auto& [number, a] : coefficients) p.up[number + 1] = a;
    return G(p);
}

/// Force along a path with a duration for each leg, each leg cut in `pieces`.
double timed(const G& g, const std::vector<double>& path, const std::vector<double>& durations, int pieces = 1) {
    auto z = g.virgin();
    double force = 0, at = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        for (int k = 1; k <= pieces; ++k) {
            const auto s = g.step(z, at + (path[i] - at) * k / pieces, durations[i] / pieces);
            force = s.force;
            z = s.next;
        }
        at = path[i];
    }
    return force;
}

const std::vector<double> path = {0.3, -0.2, 0.5, -0.4};

TEST(GeneralizedValanis, PowersOfDisplacementKnowNoPace) {
    const G g = law(10, 4, {{1, 5}, {3, -2}, {6, 3}});
    const double reference = follow(g, path).force;
    EXPECT_NEAR(timed(g, path, {1, 1, 1, 1}), reference, 1e-13);
    EXPECT_NEAR(timed(g, path, {1e-3, 50, 7, 1e6}), reference, 1e-13);
    EXPECT_FALSE(g.needs_time());
}

TEST(GeneralizedValanis, VelocityTermsDo) {
    for (const int number : {2, 4, 5, 7}) {  // v, x v, v^2, x^2 v
        const G g = law(10, 4, {{1, 5}, {number, 3}});
        EXPECT_TRUE(g.needs_time());
        const double slow = timed(g, path, {10, 10, 10, 10}), fast = timed(g, path, {0.1, 0.1, 0.1, 0.1});
        EXPECT_GT(std::abs(slow - fast), 0.05) << number;
        // At one pace, cutting the path changes nothing.
        EXPECT_NEAR(timed(g, path, {1, 0.5, 2, 1}, 7), timed(g, path, {1, 0.5, 2, 1}), 1e-13) << number;
        EXPECT_THROW(g.step(g.virgin(), 0.1), faying::core::BadInput) << number;
    }
}

TEST(GeneralizedValanis, SlowMotionForgetsVelocity) {
    const double still = follow(law(10, 4, {{1, 5}}), path).force;
    const G g = law(10, 4, {{1, 5}, {2, 3}});
    const double once = timed(g, path, {1e5, 1e5, 1e5, 1e5}) - still;
    const double twice = timed(g, path, {2e5, 2e5, 2e5, 2e5}) - still;
    EXPECT_NEAR(once / twice, 2.0, 1e-6);  // first order in velocity
}

TEST(GeneralizedValanis, OddPolynomialMirrorsAndEvenDoesNot) {
    std::vector<double> mirrored;
    for (const double u : path) mirrored.push_back(-u);
    const G odd = law(10, 4, {{1, 5}, {6, 3}}), even = law(10, 4, {{1, 5}, {3, 3}});
    EXPECT_NEAR(follow(odd, mirrored).force, -follow(odd, path).force, 1e-14);
    EXPECT_GT(std::abs(follow(even, mirrored).force + follow(even, path).force), 0.05);
}

TEST(GeneralizedValanis, SteadyLoopOfTheLinearPolynomial) {
    const double E1 = 10, E2 = 4, a = 5, xm = 0.3;  // [S4] Eqs. 9-10
    const auto c = steady_cycle(law(E1, E2, {{1, a}}), xm);
    EXPECT_RELATIVE(c.secant * xm, a / E2 * xm + (E1 / E2 - a / (E2 * E2)) * std::tanh(E2 * xm), 1e-12);
}

TEST(GeneralizedValanis, WithoutSofteningIntegratesThePolynomial) {
    const G g = law(10, 0, {{1, 5}, {3, -2}});
    EXPECT_NEAR(follow(g, {0.6}).force, 10 * 0.6 + 5 * 0.18 - 2 * 0.072, 1e-14);
}

}  // namespace
