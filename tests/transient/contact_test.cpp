// Contact joints (three displacements a site) in time histories.
#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/transient/simulate.hpp"

using namespace faying;
using namespace faying::transient;

namespace {

constexpr double kt = 40, mu = 0.5, kn = 100, press = 3;

/// A unit mass on springs, pressed against dry ground: x and y along it, the third DOF into it.
structure::Model block(double spring = 2) {
    structure::Model model;
    model.mass = Eigen::Matrix3d::Identity();
    model.stiffness = spring * Eigen::Matrix3d::Identity();
    model.static_force = Eigen::Vector3d(0, 0, press);
    model.joints.push_back({"ground",
                            laws::Law("elastic-dry-friction", {{"kt", kt}, {"mu", mu}, {"kn", kn}}),
                            Eigen::Matrix3d::Identity(),
                            Eigen::VectorXd::Ones(1),
                            {},
                            {}});
    return model;
}

Snapshot end_of(const structure::Model& model, const Start& start, const Options& options,
                const Excitation& load = {}) {
    Simulation run(model, load, start, options);
    EXPECT_TRUE(run.to_end({}));
    return run.now();
}

}  // namespace

/// Under constant pressure and in one direction dry friction is a Jenkins slider.
TEST(Contact, ConstantPressureIsAJenkinsSlider) {
    structure::Model slider;
    slider.mass = Eigen::MatrixXd::Identity(1, 1);
    slider.stiffness = Eigen::MatrixXd::Constant(1, 1, 2);
    const double pressure = kn * press / (kn + 2);  // the spring takes the rest
    slider.joints.push_back(structure::single_site("slider", laws::Law("jenkins", {{"kt", kt}, {"fs", mu * pressure}}),
                                                   Eigen::VectorXd::Ones(1)));
    for (const Method method : {Method::newmark, Method::alpha}) {
        const Options options{.method = method, .duration = 6, .step = 1e-3};
        const auto want = end_of(slider, {{}, Eigen::VectorXd::Constant(1, 4), false}, options);
        const auto got = end_of(block(), {{}, Eigen::Vector3d(4, 0, 0), true}, options);
        EXPECT_NEAR(got.displacement(0), want.displacement(0), 1e-10) << int(method);
        EXPECT_NEAR(got.energy.joint_dissipated, want.energy.joint_dissipated, 1e-9) << int(method);
        EXPECT_GT(got.energy.joint_dissipated, 1);
        EXPECT_NEAR(got.displacement(2), press / (kn + 2), 1e-12) << int(method);
    }
}

TEST(Contact, TurningTheMotionTurnsTheAnswer) {
    const double c = std::cos(0.7), s = std::sin(0.7);
    Eigen::Matrix3d turn;
    turn << c, -s, 0, s, c, 0, 0, 0, 1;
    const Eigen::Vector3d push(2, 1.2, 0.8);
    const Options options{.duration = 3, .step = 1e-3};
    const auto straight = end_of(block(), {{}, push, true}, options);
    const auto turned = end_of(block(), {{}, turn * push, true}, options);
    EXPECT_LT((turned.displacement - turn * straight.displacement).norm(), 1e-11);
}

/// Thrown off the ground: contact for half a period of the stiff oscillator, then flight on the soft one.
TEST(Contact, LeavesTheGroundAndFlies) {
    auto model = block();
    model.static_force.resize(0);
    const double stiff = std::sqrt(kn + 2), soft = std::sqrt(2.0), off = std::acos(-1.0) / stiff, t = 1.5;
    const double want = -std::sin(soft * (t - off)) / soft;
    const Start start{{}, Eigen::Vector3d(0, 0, 1), false};
    const auto coarse = end_of(model, start, {.duration = t, .step = 2e-3});
    const auto fine = end_of(model, start, {.duration = t, .step = 2.5e-4});
    EXPECT_LT(std::abs(fine.displacement(2) - want), 1e-5);
    EXPECT_LT(std::abs(fine.displacement(2) - want), std::abs(coarse.displacement(2) - want) / 20);
    EXPECT_EQ(fine.joint_force(2), 0);
    EXPECT_LT(std::abs(fine.energy.error()), 1e-4);
}

/// Pressure, slip and its direction all change: steps converge, methods agree, and dissipation only grows.
TEST(Contact, StepsConvergeUnderChangingPressure) {
    const auto model = block();
    const Excitation load{{point_load(model, 1), sine(6, 3.0, 0, 8)}, {point_load(model, 3), sine(2, 5.0, 0.3, 8)}};
    const Start start{{}, Eigen::Vector3d(0, 1.5, 0), true};
    Simulation run(model, load, start, {.duration = 8, .step = 6.25e-5, .record_every = 100});
    double lost = 0;
    run.to_end([&](const Snapshot& now) {
        EXPECT_GE(now.energy.joint_dissipated, lost);
        lost = now.energy.joint_dissipated;
    });
    const auto truth = run.now();
    EXPECT_GT(lost, 1);
    EXPECT_LT(std::abs(truth.energy.error()), 1e-6);
    for (const Method method : {Method::newmark, Method::alpha}) {
        double last = 1;
        for (const double h : {4e-3, 1e-3, 2.5e-4}) {
            const auto end = end_of(model, start, {.method = method, .duration = 8, .step = h}, load);
            const double error = (end.displacement - truth.displacement).norm();
            EXPECT_LT(error, last / 3) << int(method) << " " << h;
            last = error;
        }
        EXPECT_LT(last, 3e-4) << int(method);
    }
}

/// A long step of three displacements is not straight: `events` would be wrong without saying so.
TEST(Contact, EventsRefuseIt) {
    EXPECT_THROW(Simulation(block(), {}, {}, {.method = Method::events, .duration = 1, .step = 0.1}), core::BadInput);
}
