// Laws from outside: they become a Law, carry derivatives, and are found by name once they are added.

#include <gtest/gtest.h>

#include "faying/laws/library.hpp"
#include "own_laws.hpp"
#include "relative.hpp"

namespace {

using namespace faying;
using namespace faying::laws;
using namespace faying::tests;

const std::vector<double> walk{0.3, -0.2, 0.9, 0.1, 0.6, -1.1, 0.4};

TEST(OwnLaw, IsALawLikeAnyOther) {
    const Law own(Dahl<>{3, 0.7});
    const Law valanis("valanis", {{"E0", 3}, {"Et", 0}, {"lambda", 3 / 0.7}, {"kappa", 0}});
    EXPECT_EQ(own.name(), "test-dahl");
    EXPECT_EQ(own.values(), (std::vector<double>{3, 0.7}));
    EXPECT_EQ(own.derivatives(), Derivatives::exact);
    EXPECT_FALSE(own.masing());
    const auto a = own.follow(walk), b = valanis.follow(walk);
    for (std::size_t i = 0; i < walk.size(); ++i) {
        EXPECT_RELATIVE(a.f[i], b.f[i], 1e-13);
        EXPECT_RELATIVE(a.tangent[i], b.tangent[i], 1e-12);
        EXPECT_RELATIVE(a.dissipated[i], b.dissipated[i], 1e-12);
    }
    const auto c = own.cycle(0.4), d = valanis.cycle(0.4);
    EXPECT_RELATIVE(c.dissipation, d.dissipation, 1e-11);
    EXPECT_RELATIVE(c.harmonic_stiffness, d.harmonic_stiffness, 1e-11);
    const auto dc = own.cycle_derivatives(0.4);
    ASSERT_EQ(dc.size(), 2u);
    // D is of degree two in (k, fc, A) scaled together, and of degree one in (k, fc).
    EXPECT_RELATIVE(3 * dc[0].dissipation + 0.7 * dc[1].dissipation, c.dissipation, 1e-9);
}

/// Differences against dual numbers through one and the same law.
template <class Templated, class Plain>
void compare_derivatives(const Templated& templated, const Plain& plain, double amplitude) {
    const Law exact(templated), by_differences(plain);
    EXPECT_EQ(exact.derivatives(), Derivatives::exact);
    EXPECT_EQ(by_differences.derivatives(), Derivatives::differences);
    EXPECT_EQ(exact.follow(walk).f, by_differences.follow(walk).f);
    const auto a = exact.follow_derivatives(Path{walk}), b = by_differences.follow_derivatives(Path{walk});
    ASSERT_EQ(a.size(), b.size());
    ASSERT_EQ(a.size(), exact.parameters().size());
    for (std::size_t k = 0; k < a.size(); ++k)
        for (std::size_t i = 0; i < walk.size(); ++i) {
            EXPECT_NEAR(a[k].f[i], b[k].f[i], 1e-8) << k << " " << i;
            EXPECT_NEAR(a[k].dissipated[i], b[k].dissipated[i], 1e-8) << k << " " << i;
        }
    const auto c = exact.cycle_derivatives(amplitude), d = by_differences.cycle_derivatives(amplitude);
    for (std::size_t k = 0; k < c.size(); ++k) {
        EXPECT_NEAR(c[k].dissipation, d[k].dissipation, 1e-8) << k;
        // What the quadrature of a loop with corners leaves (1e-12 or so), over the step.
        EXPECT_NEAR(c[k].harmonic_stiffness, d[k].harmonic_stiffness, 1e-6) << k;
    }
    // At sites, with displacements that carry derivatives as well: direction 0 is the first parameter, direction 1 the
    // last, direction 2 the way itself.
    std::vector<int> seeds(exact.parameters().size(), -1);
    seeds.front() = 0;
    seeds.back() = 1;
    auto x = exact.joints(2, seeds), y = by_differences.joints(2, seeds);
    ASSERT_EQ(x.size(), 1u);
    const std::size_t memory = x[0].memory_size();
    EXPECT_EQ(memory, y[0].memory_size());
    for (std::size_t i = 0; i < walk.size(); ++i) {
        std::vector<core::Dual> u(2), f(2), g(2), t(2);
        for (std::size_t site = 0; site < 2; ++site) {
            u[site] = core::Dual(walk[i] * (1.0 + 0.3 * double(site)));
            u[site].v[0] = 0.1 * walk[i];  // as where a structure moves with its parameters
            u[site].v[2] = 1.0 + double(site);
        }
        x[0].evaluate(u, f, t);
        y[0].evaluate(u, g, t);
        std::vector<core::Dual> m(2 * memory), n(2 * memory);
        if (i == 3 && memory > 0) {  // a memory that is set carries derivatives too
            x[0].memory(m);
            m[0].v[3] = 1.0;
            x[0].set_memory(m);
            y[0].set_memory(m);
            x[0].evaluate(u, f, t);
            y[0].evaluate(u, g, t);
        }
        x[0].commit();
        y[0].commit();
        x[0].memory(m);
        y[0].memory(n);
        for (int d = 0; d < 4; ++d) {
            for (std::size_t site = 0; site < 2; ++site) {
                EXPECT_NEAR(f[site].v[d], g[site].v[d], 2e-8) << i << " " << d;
                EXPECT_NEAR(x[0].dissipated(site).v[d], y[0].dissipated(site).v[d], 2e-8) << i << " " << d;
            }
            for (std::size_t k = 0; k < m.size(); ++k) EXPECT_NEAR(m[k].v[d], n[k].v[d], 2e-8) << i << " " << d;
        }
    }
}

TEST(OwnLaw, OfDoubleAloneHasDerivativesByDifferences) {
    PlainDahl plain;
    plain.k = 3, plain.fc = 0.7;
    compare_derivatives(Dahl<>{3, 0.7}, plain, 0.4);
}

TEST(OwnLaw, RemembersSeveralNumbers) {
    PlainTwoSliders plain;
    plain.k1 = 3, plain.f1 = 0.7, plain.k2 = 1, plain.f2 = 0.45;
    compare_derivatives(TwoSliders<>{3, 0.7, 1, 0.45}, plain, 0.5);
    const Law law(plain);
    EXPECT_TRUE(law.masing());
    EXPECT_DOUBLE_EQ(law.macroslip().value(), 0.45);
    EXPECT_EQ(law.joints(1).front().memory_size(), 2u);
}

/// A struct that names no parameters is a Law without any.
struct Nameless {
    using Scalar = double;
    struct State {};
    static constexpr std::string_view key = "test-nameless";
    State virgin() const { return {}; }
    Step<double, State> step(State z, double u) const { return {2 * u, 2, u * u, 0.0, z}; }
};

TEST(OwnLaw, MayHaveNoParameters) {
    const Law law{Nameless{}};
    EXPECT_TRUE(law.parameters().empty());
    EXPECT_EQ(law.follow({1, -1}).f, (std::vector<double>{2, -2}));
    EXPECT_TRUE(law.follow_derivatives(Path{walk}).empty());
    auto joint = law.joints(1, {}).front();
    std::vector<core::Dual> u{core::Dual(3.0, 1)}, f(1), t(1);
    joint.evaluate(u, f, t);
    EXPECT_NEAR(f[0].v[1], 2, 1e-9);
}

TEST(OwnLaw, IsFoundByNameOnceAdded) {
    const core::ParameterValues values{{"k", 3}, {"fc", 0.7}, {"kp", 0.1}};
    add_law<Dahl<>>();
    add_law<Dahl<>>();  // again: nothing happens
    const Law law("test-dahl+kp", values);
    EXPECT_EQ(law.parameters().size(), 3u);
    const auto with = law.follow(walk), alone = Law(Dahl<>{3, 0.7}).follow(walk);
    for (std::size_t i = 0; i < walk.size(); ++i) EXPECT_DOUBLE_EQ(with.f[i], alone.f[i] + 0.1 * walk[i]);
    EXPECT_EQ(expression_parameters("test-dahl+test-dahl").front().key, "1.k");
    try {
        Law("test-dahl", {{"k", -3}, {"fc", 0.7}});
        FAIL();
    } catch (const core::BadInput& error) {
        EXPECT_STREQ(error.what(), "test-dahl: parameter 'k' = -3 is outside (0, inf)");
    }
}

struct Other : Nameless {
    static constexpr std::string_view key = "jenkins";
    static const core::ParameterTable<Other>& table() {
        static const core::ParameterTable<Other> t;
        return t;
    }
};
struct Plus : Other {
    static constexpr std::string_view key = "a+b";
    static const core::ParameterTable<Plus>& table() {
        static const core::ParameterTable<Plus> t;
        return t;
    }
};

TEST(OwnLaw, CannotTakeAnothersNameOrOneThatCannotBeWritten) {
    EXPECT_THROW(add_law<Other>(), core::BadInput);
    EXPECT_THROW(add_law<Plus>(), core::BadInput);
}

TEST(OwnLaw, ValuesOutOfBoundsAreRefused) {
    EXPECT_THROW(Law(Dahl<>{-1, 1}), core::BadInput);
    EXPECT_THROW(Law(BoucWen<>({1, 1, 2, 1})), core::BadInput);  // |beta| > alpha
    EXPECT_EQ(Law(Jenkins2dPenalty<>({.kt = 1, .fs = 1, .mu = 0, .kp = 0, .kn = 2})).components(), 3);
}

TEST(OwnContactLaw, StandsAtJointsAndIsMovedAlongALine) {
    const Grip grip{3, 0.5, 10};
    const Law law(grip), decoupled("elastic-dry-friction-decoupled", {{"kt", 3}, {"mu", 0.5}, {"kn", 10}});
    EXPECT_EQ(law.components(), 3);
    const std::vector<Vector3<double>> path{{0, 0, 0.2}, {1, 0.1, 0.3}, {-1, 0.2, 0.25}, {0.2, 0.1, 0.3}};
    const auto a = law.follow(path), b = decoupled.follow(path);
    for (std::size_t i = 0; i < path.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(a.f[i][c], b.f[i][c], 1e-14);

    const std::vector<int> seeds{-1, 0, 1};  // mu, kn
    auto x = decoupled.joints(1, seeds), y = law.joints(1, seeds);
    for (const auto& at : path) {
        std::vector<core::Dual> u, f(3), g(3), t(9);
        for (const double v : at) u.emplace_back(v);
        u[2].v[2] = 1;
        x[0].evaluate(u, f, t);
        y[0].evaluate(u, g, t);
        x[0].commit(), y[0].commit();
        for (std::size_t c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d) EXPECT_NEAR(f[c].v[d], g[c].v[d], 1e-8) << c << " " << d;
    }

    add_law<Grip>();
    EXPECT_EQ(Law("test-grip", {{"kt", 3}, {"mu", 0.5}, {"kn", 10}}).components(), 3);
    const Law line("test-grip", {{"kt", 3}, {"mu", 0.5}, {"kn", 10}, {"un", 0.2}});
    EXPECT_EQ(line.components(), 1);
    EXPECT_NEAR(line.cycle(1.0).dissipation, 4 * 1.0 * (1.0 - 1.0 / 3), 1e-12);  // fs = 1, kt = 3
}

}  // namespace
