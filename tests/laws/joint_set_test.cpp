// The one loop over joints, parts and sites: against the laws themselves.

#include "faying/laws/joint_set.hpp"

#include <gtest/gtest.h>

#include "faying/laws/six_state.hpp"
#include "own_laws.hpp"
#include "relative.hpp"

namespace {

using namespace faying;
using namespace faying::laws;
using core::Dual;
using Duals = JointSet<Dual>::Vector;

const Law iwan("iwan4+kp", {{"FS", 2}, {"KT", 3}, {"chi", -0.4}, {"beta", 2}, {"kp", 0.2}});
const Law valanis("valanis", {{"E0", 2}, {"Et", 0.1}, {"lambda", 2}, {"kappa", 0.4}});

TEST(JointSet, SumsPartsAndWeighsSitesOfAnyWidth) {
    const Law contact("elastic-dry-friction", {{"kt", 2}, {"mu", 0.5}, {"kn", 10}});
    const tests::CoupledModes<> coupled{.a = 0.3, .b = 1, .c = -0.5, .d = 2};
    const Eigen::VectorXd two = Eigen::Vector2d(0.5, 3), one = Eigen::VectorXd::Constant(1, 2);
    const Law element(coupled);
    JointSet<double> set({{iwan, two}, {contact, one}, {element, two}});
    ASSERT_EQ(set.rows(), 2 + 3 + 4);
    Eigen::VectorXd u(9);
    u << 0.4, -1.1, 0.7, -0.2, 0.3, 0.5, -0.8, 1.1, 0.6;
    set.evaluate(u);
    EXPECT_RELATIVE(set.force()(0), 0.5 * iwan.follow({0.4}).f[0], 1e-14);
    EXPECT_RELATIVE(set.force()(1), 3 * iwan.follow({-1.1}).f[0], 1e-14);
    const std::vector<Vector3<double>> path{{0.7, -0.2, 0.3}};
    const auto pressed = contact.follow(path);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(set.force()(2 + c), 2 * pressed.f[0][std::size_t(c)]);
    const auto there = coupled.step({}, {1.1, 0.6});
    EXPECT_EQ(set.force()(7), 3 * there.force[0]);
    EXPECT_EQ(set.force()(8), 3 * there.force[1]);
    int sites = 0;
    set.each_tangent([&](Eigen::Index row, int width, const double* k) {
        ++sites;
        if (row == 7) {
            EXPECT_EQ(width, 2);
            EXPECT_EQ(k[1], 3 * there.tangent[0][1]);
        }
    });
    EXPECT_EQ(sites, 5);
    set.commit();
    const auto lost = set.dissipated_by_site();
    ASSERT_EQ(lost.size(), 3u);
    EXPECT_RELATIVE(lost[0](1), 3 * iwan.follow({-1.1}).dissipated[0], 1e-14);
    EXPECT_EQ(lost[1](0), 2 * pressed.dissipated[0]);
    EXPECT_EQ(lost[2].norm(), 0.0);
    set.restart();
    EXPECT_EQ(set.dissipated(), 0.0);
}

TEST(JointSet, SteadyLoopsAreTheLawsCycles) {
    const Law known[] = {iwan, valanis,
                         Law("two-state", {{"alpha", 1}, {"sigma", 1}, {"b1", 1}, {"b2", 0.5}, {"ks", 0.2}})};
    const Eigen::VectorXd amplitude = Eigen::Vector3d(0.05, 0.4, 2), ones = Eigen::VectorXd::Ones(3);
    for (const Law& law : known) {
        JointSet<double> set({{law, ones}});
        const auto loops = set.steady_loops(amplitude, -amplitude, 1e-12, 500);
        for (Eigen::Index i = 0; i < 3; ++i) {
            const auto cycle = law.cycle(amplitude(i));
            EXPECT_LE(loops.closure_error(i), 1e-12) << law.name();
            EXPECT_RELATIVE(loops.dissipated(i), cycle.dissipation, 1e-9) << law.name();
            EXPECT_RELATIVE((loops.plus(i) - loops.minus(i)) / (2 * amplitude(i)), cycle.secant, 1e-9) << law.name();
        }
    }
}

/// Directions: amplitude, offset, two parameters.
TEST(JointSet, SteadyLoopsHaveDerivativesToAmplitudeOffsetAndParameters) {
    const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
    const auto around = [&](double a, double o, double e0, double lambda) {
        const Law law("valanis", {{"E0", e0}, {"Et", 0.1}, {"lambda", lambda}, {"kappa", 0.4}});
        JointSet<double> set({{law, one}});
        const auto loops =
            set.steady_loops(Eigen::VectorXd::Constant(1, o + a), Eigen::VectorXd::Constant(1, o - a), 1e-13, 500);
        return Eigen::Vector3d(loops.dissipated(0), loops.plus(0), loops.minus(0));
    };
    const std::vector<int> seeds{2, -1, 3, -1};
    JointSet<Dual> set({{valanis, one, seeds}});
    const Dual a(0.7, 0), o(0.3, 1);
    const auto loops = set.steady_loops(Duals::Constant(1, o + a), Duals::Constant(1, o - a), 1e-12, 500);
    const Eigen::Vector4d at(0.7, 0.3, 2, 2);
    for (int d = 0; d < 4; ++d) {
        Eigen::Vector4d up = at, down = at;
        up(d) += 1e-4;
        down(d) -= 1e-4;
        const Eigen::Vector3d slope =
            (around(up(0), up(1), up(2), up(3)) - around(down(0), down(1), down(2), down(3))) / 2e-4;
        EXPECT_NEAR(loops.dissipated(0).v[d], slope(0), 1e-6) << d;
        EXPECT_NEAR(loops.plus(0).v[d], slope(1), 1e-6) << d;
        EXPECT_NEAR(loops.minus(0).v[d], slope(2), 1e-6) << d;
    }
}

TEST(InSeries, ALawDrivenByForceAnswersDisplacements) {
    const double ks = 30;
    const SixState<> plain(parameters_from<SixState<>>({}));
    const Law law("six-state", {{"ks", ks}});
    EXPECT_EQ(law.drive(), Drive::displacement);
    EXPECT_EQ(Law("six-state", {}).drive(), Drive::force);
    const std::vector<double> u{0.4, 3, -2, 0.5, 0.9, -40};
    const auto h = law.follow(u);
    auto z = plain.virgin();
    for (std::size_t i = 0; i < u.size(); ++i) {
        const auto s = plain.step(z, h.f[i]);
        EXPECT_NEAR(s.force + h.f[i] / ks, u[i], 1e-10 * std::abs(u[i]));
        EXPECT_NEAR(s.dissipated, h.dissipated[i], 1e-9 * s.dissipated);
        EXPECT_RELATIVE(1 / h.tangent[i], s.tangent + 1 / ks, 1e-8);
        z = s.next;
    }
    const auto cut = law.follow({0.2, 0.4, 1, 3});
    EXPECT_RELATIVE(cut.f[3], h.f[1], 1e-8);
    const auto slopes = law.follow_derivatives(Path{u});
    const auto up = Law("six-state", {{"ks", ks * (1 + 1e-5)}}).follow(u),
               down = Law("six-state", {{"ks", ks * (1 - 1e-5)}}).follow(u);
    for (std::size_t i = 0; i < u.size(); ++i)
        EXPECT_NEAR(slopes.back().f[i], (up.f[i] - down.f[i]) / (2e-5 * ks), 1e-6);
}

}  // namespace
