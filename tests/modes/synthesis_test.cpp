// Around harmonic balance: responses from a mode alone, harmonics that are enough, superharmonic resonances.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "faying/core/error.hpp"
#include "faying/modes/enough_harmonics.hpp"
#include "faying/modes/modal_synthesis.hpp"
#include "modes/small_models.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using modes::ModalPoint;
using modes::ResponseTask;
using structure::Model;
using tests::oscillator;
using tests::three_masses_with;

const laws::Law slider("jenkins", {{"kt", 2}, {"fs", 3}});
const laws::Law cubic("polynomial", {{"k1", 0}, {"k3", 1}});

std::vector<double> logarithmic(double from, double to, int count) {
    std::vector<double> out;
    for (int i = 0; i < count; ++i) out.push_back(from * std::pow(to / from, double(i) / (count - 1)));
    return out;
}

TEST(Synthesis, OfALinearModeIsTheResonanceCurve) {
    const double omega = 3, zeta = 0.05, share = 0.7, p = 2;
    std::vector<ModalPoint> mode;
    for (const double a : logarithmic(1e-3, 10, 20)) mode.push_back({a, omega, zeta, share});
    const auto curve = modes::synthesis(mode, p);
    EXPECT_TRUE(curve.complete);
    ASSERT_GT(curve.points.size(), 100u);
    double peak = 0;
    for (const auto& point : curve.points) {
        const std::complex<double> i(0, 1), w = point.omega;
        const auto answer = p * share / (omega * omega - w * w + 2.0 * i * zeta * omega * w);
        EXPECT_NEAR(point.a / std::abs(answer), 1, 1e-9);
        EXPECT_NEAR(point.lag, -std::arg(answer), 1e-9);
        EXPECT_EQ(point.branch, 0);
        peak = std::max(peak, point.a);
    }
    EXPECT_NEAR(peak, p * share / (2 * zeta * std::sqrt(1 - zeta * zeta) * omega * omega), 1e-9);
    EXPECT_FALSE(modes::synthesis({mode[0], mode[1]}, 100 * p).complete);
}

TEST(Synthesis, DampingThatFallsAgainLeavesAClosedCurve) {
    std::vector<ModalPoint> mode;
    for (const double a : logarithmic(1e-2, 10, 200)) {
        const double x = std::log(a / 0.3);
        mode.push_back({a, 1.0, 0.01 + 0.3 * std::exp(-2 * x * x), 1});
    }
    const auto curve = modes::synthesis(mode, 0.05);
    EXPECT_TRUE(curve.complete);
    int branches = 0;
    for (const auto& point : curve.points) branches = std::max(branches, point.branch + 1);
    EXPECT_EQ(branches, 2);
}

TEST(Synthesis, MeetsTheFullResponseNearItsPeak) {
    const Model m = three_masses_with(slider, 0.005);
    const Harmonics h = Harmonics::up_to(3);
    const Eigen::VectorXd load = Eigen::Vector3d(0, 0, 1);
    for (const double p : {0.2, 1.0}) {
        const auto mode =
            modes::modal_points(modes::epmc(m, 1, logarithmic(1e-2, 1e3, 120), {.harmonics = h}), h, load);
        const auto curve = modes::synthesis(mode, p);
        EXPECT_TRUE(curve.complete);
        const auto top = std::max_element(curve.points.begin(), curve.points.end(),
                                          [](const auto& x, const auto& y) { return x.a < y.a; });
        const auto full =
            modes::response(m, {load, p}, 0.9 * top->omega, 1.1 * top->omega, {top->omega}, {.harmonics = h});
        int compared = 0;
        for (const auto& point : full)
            if (point.omega == top->omega) {
                ++compared;
                EXPECT_NEAR(top->a / point.a, 1, 0.01) << p;
            }
        EXPECT_EQ(compared, 1);
    }
}

TEST(EnoughHarmonics, SpectrumOfACubicSpring) {
    const Model m = oscillator(cubic, 0.01);
    const modes::Interface interface(m);
    modes::HarmonicPoint motion;
    motion.harmonics = Eigen::RowVector2d(0.8, 0.6);  // of size 1
    const auto spectrum = modes::joint_force_spectrum(m, interface, motion, Harmonics({1}), 5);
    const Eigen::VectorXd expected = (Eigen::VectorXd(6) << 0, 0.75, 0, 0.25, 0, 0).finished();
    EXPECT_LT((spectrum - expected).norm(), 1e-14);
}

TEST(EnoughHarmonics, OddOrdersForASliderAndNoMoreThanItTakes) {
    const Model m = oscillator(slider, 0.01);
    const modes::Interface interface(m);
    const std::vector<double> amplitudes{0.5, 2, 10};
    const auto run = [&](const modes::HarmonicOptions& o) { return modes::epmc(m, interface, 1, amplitudes, o); };
    const auto exact = run({.harmonics = Harmonics::up_to(61)});
    double last_error = 1;
    std::size_t last_orders = 1;
    for (const double tolerance : {0.1, 1e-2, 1e-3}) {
        const auto found = modes::with_enough_harmonics(m, interface, {}, {.tolerance = tolerance}, run);
        EXPECT_TRUE(found.enough);
        EXPECT_LE(found.neglected, tolerance);
        const auto& orders = found.harmonics.orders();
        for (std::size_t i = 1; i < orders.size(); ++i) EXPECT_EQ(orders[i] % 2, 1) << tolerance;
        EXPECT_GT(orders.size(), last_orders);
        double error = 0;
        for (std::size_t i = 0; i < amplitudes.size(); ++i)
            error = std::max(error, std::abs(found.points[i].omega / exact[i].omega - 1));
        EXPECT_LT(error, last_error);
        EXPECT_LT(error, tolerance);
        last_error = error;
        last_orders = orders.size();
    }
    const auto stopped = modes::with_enough_harmonics(m, interface, {}, {.tolerance = 1e-6, .most = 5}, run);
    EXPECT_FALSE(stopped.enough);
    EXPECT_GT(stopped.neglected, 1e-6);
    EXPECT_LE(stopped.harmonics.highest(), 5);
}

TEST(Superharmonic, OfDuffingIsInQuadratureAndWhereItIsLargest) {
    const Model m = oscillator(cubic, 0.01);
    const modes::Interface interface(m);
    const Harmonics h({1, 3});
    ResponseTask task;
    task.load = {Eigen::VectorXd::Ones(1), 1.0};
    task.along = ResponseTask::Along::force;
    task.from = 0.1;
    task.to = 1.0;
    task.at = {0.3};
    task.phase_mode = 1;
    task.superharmonic = 3;
    const auto points = modes::response(m, interface, task, {.harmonics = h});
    ASSERT_GT(points.size(), 3u);
    EXPECT_EQ(points.back().force, 1.0);
    int asked = 0;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        // order 3 of u^3 of the first order alone, A cos(t - s): A^3/4 cos(3t - 3s)
        const std::complex<double> first(p.harmonics(0, 0), p.harmonics(0, 1)),
            third(p.harmonics(0, 2), p.harmonics(0, 3));
        const std::complex<double> drive = std::pow(first, 3) / 4.0;
        EXPECT_LT(std::abs((drive * std::conj(third)).real()), 1e-9 * std::abs(drive) * std::abs(third));
        if (p.force != 0.3) continue;
        ++asked;
        const auto sweep =
            modes::response(m, {task.load.shape, 0.3}, 0.9 * p.omega, 1.1 * p.omega, {p.omega}, {.harmonics = h});
        double largest = 0;
        for (const auto& s : sweep) largest = std::max(largest, std::hypot(s.harmonics(0, 2), s.harmonics(0, 3)));
        EXPECT_NEAR(std::abs(third) / largest, 1, 0.02);
    }
    EXPECT_EQ(asked, 1);
    task.superharmonic = 2;
    EXPECT_THROW(modes::response(m, interface, task, {.harmonics = h}), core::BadInput);
}

}  // namespace
