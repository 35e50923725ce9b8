// Harmonics of joint forces: closed forms, fine quadrature, differences, sampling as N grows.

#include "faying/harmonic/force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "faying/laws/catalogue.hpp"
#include "harmonic/site_of.hpp"

namespace {

using namespace faying::harmonic;
using namespace faying::laws;
using faying::core::Dual;
using faying::core::Harmonics;
using faying::tests::site_of;

const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);

/// Five harmonics of decreasing size with several reversals per period.
Eigen::VectorXd rich_motion(double size) {
    Eigen::VectorXd u(11);
    u << 0.1, 1.0, 0.3, -0.2, 0.4, 0.5, -0.35, 0.1, 0.2, -0.3, 0.25;
    return size * u;
}

TEST(TurningPoints, AllAreFoundAndAlternate) {
    const Harmonics h = Harmonics::up_to(5);
    const Eigen::VectorXd u = rich_motion(1.0);
    const auto turns = faying::core::turning_points(h, u);
    ASSERT_EQ(turns.size() % 2, 0u);
    int changes = 0;
    double last = 0;
    for (int i = 0; i <= 200000; ++i) {
        double value = 0, slope = 0, curvature = 0;
        h.motion(u, 2 * std::numbers::pi * (i + 0.5) / 200000, value, slope, curvature);
        changes += last * slope < 0;
        last = slope;
    }
    EXPECT_EQ(int(turns.size()), changes);
    EXPECT_GE(changes, 4);
    for (const double t : turns) {
        double value = 0, slope = 0, curvature = 0;
        h.motion(u, t, value, slope, curvature);
        EXPECT_LT(std::abs(slope), 1e-13);
    }
}

TEST(TurningPoints, AtTheBeginningOfThePeriodToo) {
    for (const double amplitude : {-3.0, 3.0}) {
        const Eigen::Vector2d u(amplitude, 0);
        EXPECT_EQ(faying::core::turning_points(Harmonics({1}), u).size(), 2u) << amplitude;
    }
}

TEST(TurningPoints, TinyOnesToo) {
    // cos t + eps cos 30 t: reverses around t = 0 many times once eps 900 > 1; a whisker above, two more than two
    const Harmonics h({1, 30});
    Eigen::Vector4d u(1, 0, 1.0001 / 900, 0);
    EXPECT_GT(faying::core::turning_points(h, u).size(), 2u);
    u(2) = 0.9 / 900 * 0.03;
    EXPECT_EQ(faying::core::turning_points(h, u).size(), 2u);
}

TEST(HarmonicForce, JenkinsOneHarmonicIsTheClosedForm) {
    const double kt = 3.0, fs = 1.2;
    const Law law("jenkins", {{"kt", kt}, {"fs", fs}});
    for (const double amplitude : {0.1, 0.39, 0.41, 0.7, 3.0, 500.0}) {
        Eigen::Vector2d u(amplitude * std::cos(0.7), amplitude * std::sin(0.7));
        const auto answer = harmonic_force(site_of(law), zero, Harmonics({1}), u);
        const double t = kt * amplitude > fs ? std::acos(1 - 2 * fs / (kt * amplitude)) : std::numbers::pi;
        const double stiffness = kt / std::numbers::pi * (t - std::sin(t) * std::cos(t));
        const double loss = kt * amplitude > fs ? 4 * fs * (amplitude - fs / kt) : 0.0;
        const Eigen::Vector2d along(std::cos(0.7), std::sin(0.7)), ahead(-along(1), along(0));
        // u = A cos(t - 0.7): velocity is along -sin(t - 0.7), so that losses pull against it
        EXPECT_NEAR(answer.force.dot(along), stiffness * amplitude, 1e-13 * kt * amplitude) << amplitude;
        EXPECT_NEAR(-answer.force.dot(ahead), loss / (std::numbers::pi * amplitude), 1e-13 * fs) << amplitude;
        EXPECT_NEAR(answer.dissipated, loss, 1e-13 * (loss + fs * fs / kt)) << amplitude;
    }
}

struct Case {
    std::string name;
    faying::core::ParameterValues values;
    double size;
};
const std::vector<Case> cases = {
    {"jenkins", {{"kt", 3}, {"fs", 1.2}}, 1.0},
    {"jenkins-prager", {{"kt", 3}, {"fs", 1.2}, {"kp", 0.4}}, 1.0},
    {"iwan4", {{"FS", 1.5}, {"KT", 2}, {"chi", -0.5}, {"beta", 0.6}}, 0.8},
    {"iwan4", {{"FS", 1.5}, {"KT", 2}, {"chi", -0.23}, {"beta", 0.1}}, 5.0},
    {"bouc-wen", {{"A", 1}, {"alpha", 0.8}, {"beta", -0.2}, {"n", 1}}, 1.0},
    {"bouc-wen", {{"A", 1}, {"alpha", 0.8}, {"beta", -0.2}, {"n", 1.4}}, 1.0},
    {"valanis", {{"E0", 1}, {"Et", 0.05}, {"lambda", 1.6}, {"kappa", 0.3}}, 1.0},
    {"polynomial", {{"k1", 1}, {"k2", 0.3}, {"k3", 0.7}}, 1.0},
    {"two-state", {{"alpha", 2. / 3}, {"sigma", 1. / 16}, {"b1", 0.4869}, {"b2", 0.6555}}, 1.0},
};

TEST(HarmonicForce, SamplingConvergesToIt) {
    const Harmonics h = Harmonics::up_to(5);
    int seen = 0;
    for (const auto& c : cases) {
        const Law law(c.name, c.values);
        const Eigen::VectorXd u = rich_motion(c.size);
        const auto exact = harmonic_force(site_of(law), zero, h, u);
        double last = 1e300;
        for (const int n : {64, 512, 4096}) {
            const auto rough = harmonic_force(site_of(law), zero, h, u, {.samples = n});
            const double off = (rough.force - exact.force).norm() / exact.force.norm();
            // Two periods of memory are not enough where it fades; elsewhere they are.
            const double floor = site_of(law).memory_size() > 0 ? 2e-4 : 2e-12;
            EXPECT_LT(off, last == 1e300 ? 0.05 : std::max(0.25 * last, floor)) << c.name << ' ' << n;
            last = off;
        }
        EXPECT_LT(last, site_of(law).memory_size() > 0 ? 2e-4 : 1e-5) << c.name;
        EXPECT_LE(exact.residual, 1e-13) << c.name;
        ++seen;
    }
    EXPECT_EQ(seen, 9);
}

/// A motion far below what the law resolves: numbers do not show that its memory fades, or not even that it moves. It
/// answers with its tangent there.
TEST(HarmonicForce, OfAMotionBelowRoundingIsTheTangents) {
    const Law law("bouc-wen", {{"A", 5.72886e12}, {"alpha", 1.89788e7}, {"beta", -1.30709e7}, {"n", 1.0}});
    const Harmonics h = Harmonics::up_to(3);
    for (const auto& [base, size] : {std::pair{5e-21, 3e-26}, {1e-7, 3e-24}, {0.0, 1e-30}}) {
        auto site = site_of(law);
        std::vector<Dual> at{Dual(0.0)}, force(1), tangent(1);
        site.evaluate(at, force, tangent);
        at[0] = Dual(base);
        site.evaluate(at, force, tangent);
        site.commit();
        Eigen::VectorXd u = Eigen::VectorXd::Zero(7);
        u(1) = size;
        u(4) = 0.3 * size;
        const auto found = harmonic_force(site, Eigen::VectorXd::Constant(1, base), h, u);
        const double k = tangent[0].a, f = force[0].a;
        // loading and unloading differ where a force is held: by |f| alpha
        const double between = 2 * 1.89788e7 * std::abs(f) + 1e-9 * k;
        ASSERT_TRUE(found.slope.allFinite()) << base;
        EXPECT_NEAR(found.force(0), f, 1e-12 * (std::abs(f) + k * size)) << base;
        for (Eigen::Index b = 1; b < 7; ++b) {
            EXPECT_NEAR(found.force(b), k * u(b), between * size) << base;
            EXPECT_NEAR(found.slope(b, b), k, between) << base;
        }
    }
}

TEST(HarmonicForce, SlopesAreThoseOfDifferences) {
    const Harmonics h = Harmonics::up_to(5);
    for (const auto& c : cases) {
        const Law law(c.name, c.values);
        const Eigen::VectorXd u = rich_motion(c.size);
        const auto exact = harmonic_force(site_of(law), zero, h, u);
        Eigen::MatrixXd differences(11, 11);
        const double step = 1e-6 * c.size;
        for (int b = 0; b < 11; ++b) {
            Eigen::VectorXd up = u, down = u;
            up(b) += step;
            down(b) -= step;
            differences.col(b) =
                (harmonic_force(site_of(law), zero, h, up).force - harmonic_force(site_of(law), zero, h, down).force) /
                (2 * step);
        }
        EXPECT_LT((differences - exact.slope).norm(), 1e-7 * exact.slope.norm()) << c.name;
    }
}

}  // namespace
