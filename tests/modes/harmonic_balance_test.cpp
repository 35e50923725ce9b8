// Harmonic balance: closed forms, limits, other methods, and solutions that fulfil another code's equations.

#include "faying/modes/harmonic_balance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/modes/linear.hpp"
#include "modes/small_models.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using modes::HarmonicOptions;
using structure::Model;
using tests::oscillator;
using tests::three_masses_with;

const laws::Law iwan("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}});

TEST(Epmc, DuffingIsTheEllipticIntegral) {
    const Model m = oscillator(laws::Law("polynomial", {{"k1", 0}, {"k3", 1}}));
    const auto points = modes::epmc(m, 1, {0.01, 0.1, 1, 3}, {.harmonics = Harmonics::up_to(31)});
    ASSERT_EQ(points.size(), 4u);
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        double peak = p.harmonics(0, 0);  // at t = 0 all cosines add up
        for (Eigen::Index b = 1; b < p.harmonics.cols(); b += 2) peak += p.harmonics(0, b);
        const double k = peak / std::sqrt(2 * (1 + peak * peak));
        const double omega = std::numbers::pi * std::sqrt(1 + peak * peak) / (2 * std::comp_ellint_1(k));
        EXPECT_NEAR(p.omega / omega, 1, 1e-12) << p.a;
        EXPECT_LT(std::abs(p.zeta), 1e-15) << p.a;
    }
}

TEST(Epmc, JenkinsWithOneHarmonicIsTheClosedForm) {
    const double kt = 3, fs = 1.2, m = 2, k = 5;
    const Model model = oscillator(laws::Law("jenkins", {{"kt", kt}, {"fs", fs}}), 0, m, k);
    const std::vector<double> amplitudes{1e-3, 0.3, 0.5, 0.6, 0.7, 1, 3, 10, 1e3, 1e6};
    const auto points = modes::epmc(model, 1, amplitudes, {.harmonics = Harmonics({1})});
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged) << p.a;
        const double u = p.a / std::sqrt(m);
        const double t = kt * u > fs ? std::acos(1 - 2 * fs / (kt * u)) : std::numbers::pi;
        const double stiffness = kt / std::numbers::pi * (t - std::sin(t) * std::cos(t));
        const double loss = kt * u > fs ? 4 * fs * (u - fs / kt) : 0.0;
        EXPECT_NEAR(p.omega, std::sqrt((k + stiffness) / m), 1e-13 * p.omega) << p.a;
        EXPECT_NEAR(p.zeta, loss / (2 * std::numbers::pi * p.omega * p.omega * p.a * p.a), 1e-13) << p.a;
        EXPECT_NEAR(p.dissipation, loss, 1e-12 * loss + 1e-15) << p.a;
    }
}

TEST(Epmc, DampingIsTheWorkOfAllHarmonics) {
    // Over a period 2 zeta w Int x'^T M x' dt is what friction takes, whatever the harmonics.
    const Model m = three_masses_with(iwan, 1e-4);
    Model undamped = m;
    undamped.damping_ratio = 0;
    for (const auto& p : modes::epmc(undamped, 2, {1, 30, 100, 500}, {.harmonics = Harmonics::up_to(7)})) {
        ASSERT_TRUE(p.converged) << p.a;
        double kinetic = 0;
        for (Eigen::Index b = 1; b < p.harmonics.cols(); ++b) {
            const auto k = double((b + 1) / 2);
            kinetic += k * k * p.harmonics.col(b).dot(m.mass * p.harmonics.col(b));
        }
        const double work = 2 * p.zeta * std::numbers::pi * p.omega * p.omega * kinetic;
        EXPECT_NEAR(p.dissipation / work, 1, 1e-10) << p.a;
    }
}

TEST(Epmc, MicroslipAgreesWithQuasiStaticModes) {
    const Model m = three_masses_with(iwan, 1e-4);
    for (int mode = 1; mode <= 3; ++mode) {
        const std::vector<double> amplitudes{0.1, 1};
        const auto harmonic = modes::epmc(m, mode, amplitudes, {.harmonics = Harmonics::up_to(5)});
        const auto quasi_static = modes::backbone(m, mode, amplitudes);
        for (std::size_t i = 0; i < amplitudes.size(); ++i) {
            ASSERT_TRUE(harmonic[i].converged);
            // RQNMA has the secant stiffness, EPMC that of the first harmonic: the drop differs, not the limit.
            EXPECT_NEAR(harmonic[i].omega, quasi_static[i].omega, 3e-4 * quasi_static[i].omega);
            EXPECT_NEAR(harmonic[i].zeta, quasi_static[i].zeta, 5e-3 * quasi_static[i].zeta);
        }
    }
}

TEST(Epmc, SamplingConvergesToTheExactPieces) {
    const Model m = three_masses_with(iwan, 1e-4);
    const std::vector<double> amplitudes{30, 200};
    const auto exact = modes::epmc(m, 2, amplitudes, {.harmonics = Harmonics::up_to(5)});
    double last = 1;
    for (const int samples : {128, 1024, 4096}) {
        HarmonicOptions options{.harmonics = Harmonics::up_to(5)};
        options.joints.samples = samples;
        const auto sampled = modes::epmc(m, 2, amplitudes, options);
        double off = 0;
        for (std::size_t i = 0; i < amplitudes.size(); ++i) {
            ASSERT_TRUE(sampled[i].converged);
            off = std::max(off, std::abs(sampled[i].zeta / exact[i].zeta - 1));
        }
        EXPECT_LT(off, 0.5 * last) << samples;
        last = off;
    }
    EXPECT_LT(last, 1e-6);
}

/// M x'' + C x' + K x + f = p cos: every harmonic by hand, on all DOF, with a damping matrix that couples the modes.
TEST(Response, FulfilsTheEquationsOnAllDegreesOfFreedom) {
    Model m = three_masses_with(laws::Law("jenkins", {{"kt", 2}, {"fs", 3}}), 1e-4);
    m.damping.resize(3, 3);
    m.damping << 0.3, -0.1, 0, -0.1, 0.2, -0.1, 0, -0.1, 0.4;
    const Harmonics h = Harmonics::up_to(5);
    const Eigen::Vector3d load(0, 0, 1);
    const auto points = modes::response(m, {load, 2.0}, 0.2, 2.5, {0.45, 1.2}, {.harmonics = h});
    ASSERT_GT(points.size(), 20u);
    EXPECT_LE(points.size(), 150u);
    int asked = 0;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged) << p.omega;
        asked += p.omega == 0.45 || p.omega == 1.2;
        Eigen::VectorXd motion = (p.harmonics.row(2) - p.harmonics.row(1)).transpose();
        const std::vector<int> none(2, -1);
        const auto joint =
            harmonic::harmonic_force(m.joints[0].law.joints(1, none).front(), Eigen::VectorXd::Zero(1), h, motion);
        Eigen::MatrixXd r = m.stiffness * p.harmonics;
        for (Eigen::Index b = 0; b < h.size(); ++b) {
            const double k = double((b + 1) / 2) * p.omega;
            const Eigen::VectorXd velocity =
                b == 0 ? Eigen::VectorXd::Zero(3)
                       : Eigen::VectorXd(b % 2 == 1 ? k * p.harmonics.col(b + 1) : -k * p.harmonics.col(b - 1));
            r.col(b) += m.damping * velocity - k * k * m.mass * p.harmonics.col(b);
            r.col(b) += m.joints[0].map.transpose() * joint.force(b);
            if (b == 1) r.col(b) -= 2.0 * load;
        }
        EXPECT_LT(r.norm(), 1e-9 * 2.0) << p.omega;
    }
    EXPECT_GE(asked, 2);
    EXPECT_EQ(points.back().omega, 2.5);
}

TEST(Response, DuffingTurnsTwiceAndItsPeakLiesOnTheMode) {
    Model m = oscillator(laws::Law("polynomial", {{"k1", 0}, {"k3", 1}}));
    m.damping_ratio = 0.01;
    const auto points =
        modes::response(m, {Eigen::VectorXd::Ones(1), 0.2}, 0.6, 5, {}, {.harmonics = Harmonics::up_to(7)});
    int turns = 0;
    const modes::HarmonicPoint* peak = &points.front();
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        turns += p.turning_point;
        if (p.a > peak->a) peak = &p;
    }
    EXPECT_EQ(turns, 2);
    EXPECT_LE(points.size(), 150u);
    const auto mode = modes::epmc(m, 1, {peak->a}, {.harmonics = Harmonics::up_to(7)});
    EXPECT_NEAR(peak->omega, mode[0].omega, 2e-3 * mode[0].omega);
}

TEST(HarmonicBalance, BadInput) {
    const Model m = three_masses_with(iwan, 1e-4);
    EXPECT_THROW(modes::epmc(m, 1, {1}, {.harmonics = Harmonics({0, 2, 3})}), core::BadInput);
    EXPECT_THROW(modes::epmc(m, 4, {1}), core::BadInput);
    EXPECT_THROW(modes::epmc(m, 1, {}), core::BadInput);
    EXPECT_THROW(modes::epmc(m, 1, {2, 1}), core::BadInput);
    HarmonicOptions few{.harmonics = Harmonics::up_to(7)};
    few.joints.samples = 15;
    EXPECT_THROW(modes::epmc(m, 1, {1}, few), core::BadInput);
    const modes::HarmonicLoad load{Eigen::Vector3d(0, 0, 1), 1};
    EXPECT_THROW(modes::response(m, load, 0, 1), core::BadInput);
    EXPECT_THROW(modes::response(m, {Eigen::Vector2d(0, 1), 1}, 0.1, 1), core::BadInput);
    EXPECT_THROW(modes::response(m, {Eigen::Vector3d(0, 0, 1), 0}, 0.1, 1), core::BadInput);
}

}  // namespace
