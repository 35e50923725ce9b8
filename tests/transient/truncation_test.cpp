// Few modes: the joints stay as compliant as they are, and what is left out is told.
#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/modes/prestress.hpp"
#include "faying/transient/simulate.hpp"
#include "faying/transient/system.hpp"
#include "three_masses.hpp"

using namespace faying;
using namespace faying::transient;

namespace {

/// Twelve masses in a row between walls; a stiff joint takes most of the spring in the middle.
structure::Model chain(bool with_joint = true) {
    constexpr Eigen::Index n = 12;
    structure::Model model;
    model.mass = Eigen::MatrixXd::Identity(n, n);
    model.stiffness = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i <= n; ++i) {
        const double k = with_joint && i == n / 2 ? 20 : 100;
        if (i < n) model.stiffness(i, i) += k;
        if (i > 0) model.stiffness(i - 1, i - 1) += k;
        if (i > 0 && i < n) model.stiffness(i, i - 1) = model.stiffness(i - 1, i) = -k;
    }
    model.damping_ratio = 1e-3;
    Eigen::VectorXd across = Eigen::VectorXd::Zero(n);
    across(n / 2 - 1) = -1;
    across(n / 2) = 1;
    if (with_joint)
        model.joints.push_back(structure::single_site(
            "joint", laws::Law("iwan4", {{"FS", 10}, {"KT", 400}, {"chi", -0.5}, {"beta", 1}}), across));
    return model;
}

struct Ring {
    std::vector<double> y, u;
    Truncation truncation;
    double dissipated = 0;
};

/// Released from the stuck shape of a mode.
Ring released(const structure::Model& model, Eigen::Index mode, double q, Options options) {
    const auto stuck = modes::linear_modes(model.mass, structure::stuck_stiffness(model));
    Simulation run(model, {}, {q * stuck.shapes.col(mode - 1), {}, false}, options);
    Ring ring;
    run.to_end([&](const Snapshot& s) {
        ring.y.push_back(s.joint_displacement(0));
        ring.u.push_back(s.displacement(0));
    });
    ring.truncation = run.truncation();
    ring.dissipated = run.now().energy.joint_dissipated / run.now().energy.initial;
    return ring;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
        size = std::max(size, std::abs(b[i]));
    }
    return most / size;
}

}  // namespace

TEST(Truncation, JointsKeepTheirFlexibility) {
    auto model = chain();
    model.static_force = Eigen::VectorXd::Unit(12, 2);
    const System all(model);
    const auto flexibility = [](const System& s) {
        return Eigen::MatrixXd(s.map() * s.omega().cwiseAbs2().cwiseInverse().asDiagonal() * s.map().transpose())(0, 0);
    };
    for (const Eigen::Index modes : {1, 4, 9}) {
        const System few(model, modes);
        ASSERT_EQ(few.kept(), modes);
        EXPECT_EQ(few.size(), modes + 2);  // one joint, one static force
        EXPECT_EQ(few.left_out().omega.size(), 12 - few.size());
        EXPECT_NEAR(flexibility(few) / flexibility(all), 1, 1e-12);
        EXPECT_LE(few.omega().maxCoeff(), all.omega().maxCoeff() * (1 + 1e-12));
        const Eigen::MatrixXd &v = few.shapes(), &z = few.left_out().shapes;
        Eigen::MatrixXd both(12, 12);
        both << v, z;
        EXPECT_LT((both.transpose() * model.mass * both - Eigen::MatrixXd::Identity(12, 12)).norm(), 1e-12);
        const Eigen::MatrixXd k = structure::stuck_stiffness(model), square = few.omega().cwiseAbs2().asDiagonal();
        EXPECT_LT((v.transpose() * k * v - square).norm(), 1e-10 * k.norm());
        EXPECT_LT((z.transpose() * k * v.rightCols(2) - few.left_out().coupling).norm(), 1e-10 * k.norm());
    }
}

/// Static shapes and modes are all motions there are: the same bits.
TEST(Truncation, ThreeMassesOfAStiffJointInTwoModes) {
    auto model = tests::three_masses();
    model.joints[0].law = laws::Law("iwan4", {{"FS", 10}, {"KT", 100}, {"chi", -0.5}, {"beta", 5}});
    Options options{.duration = 100, .step = 0.02};
    const auto all = released(model, 2, 20, options);
    options.modes = 2;
    const auto two = released(model, 2, 20, options);
    EXPECT_EQ(two.y, all.y);
    EXPECT_EQ(two.truncation.left_out, 0);
    EXPECT_GT(all.dissipated, 0.1);
}

/// Four modes by themselves dissipate a fraction only: in them the joint cannot give way.
TEST(Truncation, RingDownInFewModesWithEveryMethod) {
    const auto model = chain();
    {
        const auto shapes = modes::linear_modes(model.mass, structure::stuck_stiffness(model), 4).shapes;
        structure::Model bare;
        bare.mass = Eigen::MatrixXd::Identity(4, 4);
        bare.stiffness = shapes.transpose() * model.stiffness * shapes;
        bare.damping_ratio = model.damping_ratio;
        bare.joints = {model.joints[0]};
        bare.joints[0].map *= shapes;
        const Options options{.duration = 40, .step = 0.01};
        EXPECT_LT(released(bare, 2, 0.5, options).dissipated, 0.7 * released(model, 2, 0.5, options).dissipated);
    }
    for (const Method method : {Method::newmark, Method::alpha, Method::exponential, Method::events}) {
        Options options{.method = method, .duration = 40, .step = 0.01, .tolerance = 1e-9};
        const auto all = released(model, 2, 0.5, options);
        EXPECT_EQ(all.truncation.modes, 12);
        EXPECT_EQ(all.truncation.joint_error, 0);
        EXPECT_GT(all.dissipated, 0.05);
        options.modes = 4;
        const auto few = released(model, 2, 0.5, options);
        EXPECT_EQ(few.truncation.modes, 4);
        EXPECT_EQ(few.truncation.static_shapes, 1);
        EXPECT_EQ(few.truncation.left_out, 7);
        EXPECT_NEAR(few.dissipated / all.dissipated, 1, 0.06) << int(method);
        const double off = largest_difference(few.y, all.y);
        EXPECT_GT(few.truncation.joint_error, 0.2 * off) << int(method);
        EXPECT_LT(few.truncation.joint_error, 5 * off) << int(method);
        EXPECT_LT(few.truncation.joint_error, 0.1) << int(method);
    }
}

/// Without joints nothing acts back: the estimate is what is missing, at a resonance that is left out as well.
TEST(Truncation, EstimateSeesAResonanceThatIsLeftOut) {
    const auto model = chain(false);
    const auto modes = modes::linear_modes(model.mass, model.stiffness);
    const Excitation at_five{{point_load(model, 3), sine(1, modes.omega(4), 0, 1e9)}};
    Options options{.duration = 30, .step = 0.005};
    Simulation all(model, at_five, {}, options);
    options.modes = 3;
    Simulation few(model, at_five, {}, options);
    std::vector<Eigen::VectorXd> u;
    double most = 0, size = 0;
    all.to_end([&](const Snapshot& s) { u.push_back(s.displacement); });
    std::size_t i = 0;
    few.to_end([&](const Snapshot& s) {
        most = std::max(most, (s.displacement - u[i++]).norm());
        size = std::max(size, s.displacement.norm());
    });
    EXPECT_GT(few.truncation().motion_error, 2);
    EXPECT_NEAR(few.truncation().motion_error / (most / size), 1, 0.01);
    EXPECT_EQ(few.truncation().static_shapes, 0);
}

/// What a start is given beyond the motions kept is told too.
TEST(Truncation, EstimateSeesAStartThatIsLeftOut) {
    const auto model = chain(false);
    const auto shapes = modes::linear_modes(model.mass, model.stiffness).shapes;
    Simulation run(model, {}, {shapes.col(0) + 0.3 * shapes.col(7), {}, false},
                   {.duration = 20, .step = 0.01, .modes = 4});
    run.to_end({});
    EXPECT_NEAR(run.truncation().motion_error, 0.3, 0.01);
}

/// The whole structure's equilibrium, not only that of the modes.
TEST(Truncation, PreloadedStartIsTheWholeStructuresRest) {
    auto model = chain();
    model.static_force = 3 * Eigen::VectorXd::Unit(12, 2) - 5 * Eigen::VectorXd::Unit(12, 8);
    const Eigen::VectorXd rest = modes::prestress(model).u;
    for (const Eigen::Index modes : {1, 3, 6}) {
        Simulation run(model, {}, {{}, {}, true}, {.duration = 2, .step = 0.01, .modes = modes});
        EXPECT_LT((run.now().displacement - rest).norm(), 1e-10 * rest.norm()) << modes;
        run.to_end({});
        EXPECT_LT((run.now().displacement - rest).norm(), 1e-10 * rest.norm()) << modes;
        EXPECT_LT(run.truncation().motion_error, 1e-3);
        EXPECT_TRUE(run.balance().held);
    }
}

TEST(Truncation, RigidMotionsCannotBeLeftOut) {
    auto model = chain();
    model.stiffness(0, 0) -= 100;
    model.stiffness(11, 11) -= 100;
    model.stiffness.conservativeResize(13, 13);  // and a mass that nothing holds
    model.stiffness.row(12).setZero();
    model.stiffness.col(12).setZero();
    model.mass = Eigen::MatrixXd::Identity(13, 13);
    model.joints[0].map.conservativeResize(1, 13);
    model.joints[0].map(0, 12) = 0;
    EXPECT_THROW(System(model, 1), core::BadInput);
    EXPECT_EQ(System(model, 2).size(), 3);
    EXPECT_THROW(System(model, 14), core::BadInput);
}

TEST(Truncation, ResumesBitForBit) {
    const auto model = chain();
    const Excitation load{{point_load(model, 3), random(2, 1, 20, 100, 3)}};
    for (const Method method : {Method::newmark, Method::events}) {
        const Options options{.method = method, .duration = 10, .step = 0.02, .tolerance = 1e-7, .modes = 4};
        Simulation whole(model, load, {}, options);
        whole.to_end({});
        std::vector<Eigen::VectorXd> committed;
        Simulation first(model, load, {}, options), second(model, load, {}, options);
        first.to_end(
            {}, {}, [&](const Eigen::VectorXd& y) { committed.push_back(y); }, [](double t) { return t < 4.3; });
        second.resume(first.restart(), committed);
        second.to_end({});
        EXPECT_EQ(second.now().q, whole.now().q);
        EXPECT_EQ(second.truncation().joint_error, whole.truncation().joint_error);
        EXPECT_EQ(second.truncation().motion_error, whole.truncation().motion_error);
        EXPECT_EQ(second.balance().error, whole.balance().error);
        EXPECT_GT(whole.truncation().joint_error, 0);
    }
}

/// A step too long for a stiff joint is known before, told after, and the step that would do does.
TEST(EnergyBalance, SaysWhichStepWouldDo) {
    auto model = tests::three_masses();
    model.joints[0].law = laws::Law("iwan4", {{"FS", 10}, {"KT", 100}, {"chi", -0.5}, {"beta", 5}});
    const double stiff = modes::linear_modes(model.mass, structure::stuck_stiffness(model)).omega(2);
    const Excitation hit{{point_load(model, 2), half_sine(30, 1.7)}};
    const std::pair<Method, double> cases[] = {{Method::newmark, 1.5},
                                               {Method::alpha, 1.5},
                                               {Method::newmark, 2.5},
                                               {Method::alpha, 2.5},
                                               {Method::exponential, 2.5}};
    for (const auto& [method, turn] : cases) {
        Options options{.method = method, .duration = 100, .step = turn / stiff};
        Simulation coarse(model, hit, {}, options);
        EXPECT_TRUE(coarse.step_advice().too_long);
        EXPECT_NEAR(coarse.step_advice().omega, stiff, 1e-9);
        EXPECT_EQ(coarse.step_advice().of, "joint 'joint', site 1");
        coarse.to_end([](const Snapshot&) {});
        const auto found = coarse.balance();
        ASSERT_FALSE(found.held) << int(method);
        EXPECT_GT(found.error, 0.01);
        ASSERT_GT(found.step, 0.1 * options.step);
        options.step = found.step;
        Simulation fine(model, hit, {}, options);
        EXPECT_FALSE(fine.step_advice().too_long);
        fine.to_end([](const Snapshot&) {});
        EXPECT_TRUE(fine.balance().held) << int(method) << " " << fine.balance().error;
    }
}

/// The first instants of a pulse have next to no energy to compare with: the balance is that of the whole run.
TEST(EnergyBalance, IsRelativeToTheWholeMotion) {
    const auto model = tests::three_masses();
    const Excitation hit{{point_load(model, 2), half_sine(30, 1.7)}};
    const auto error = [&](double step) {
        Simulation run(model, hit, {}, {.method = Method::alpha, .duration = 50, .step = step});
        run.to_end([](const Snapshot&) {});
        return run.balance().error;
    };
    EXPECT_LT(error(0.01), 1e-4);
    EXPECT_LT(error(0.01), error(0.04) / 4);
}

/// A preload holds far more energy than a small motion, which must not hide behind it.
TEST(EnergyBalance, OfAPreloadedStructureIsThatOfItsMotion) {
    auto model = tests::three_masses();
    model.joints[0].law = laws::Law("iwan4", {{"FS", 10}, {"KT", 100}, {"chi", -0.5}, {"beta", 5}});
    model.static_force = Eigen::Vector3d(3000, 0, 0);
    const Excitation hit{{point_load(model, 2), half_sine(30, 1.7)}};
    Simulation run(model, hit, {{}, {}, true}, {.duration = 50, .step = 0.3});
    run.to_end([](const Snapshot&) {});
    EXPECT_GT(run.now().energy.initial, 100 * run.now().energy.largest);
    EXPECT_FALSE(run.balance().held);
    Simulation still(model, {}, {{}, {}, true}, {.duration = 50, .step = 0.3});
    still.to_end([](const Snapshot&) {});
    EXPECT_TRUE(still.balance().held);
}

TEST(StepAdvice, SeesLoadsFasterThanTheJoints) {
    const auto model = tests::three_masses();
    const auto advice = [&](const History& history, const Options& options) {
        return Simulation(model, {{point_load(model, 1), history}}, {}, options).step_advice();
    };
    const Options steps{.duration = 10, .step = 0.1};
    EXPECT_FALSE(advice(half_sine(1, 2), steps).too_long);
    const auto pulse = advice(half_sine(1, 40), steps);  // shorter than a step: it could be missed altogether
    EXPECT_TRUE(pulse.too_long);
    EXPECT_EQ(pulse.of, "load 1");
    EXPECT_DOUBLE_EQ(pulse.step, 0.0125);
    EXPECT_TRUE(advice(sine(1, 40, 0, 5), steps).too_long);
    EXPECT_TRUE(advice(chirp(1, 40, 1, 5), steps).too_long);
    EXPECT_TRUE(advice(random(1, 1, 40, 10, 1), steps).too_long);
    EXPECT_TRUE(advice(tabulated({0, 0.05, 1}, {0, 1, 0}), steps).too_long);
    EXPECT_FALSE(advice(tabulated({0, 0.1, 1}, {0, 1, 0}), steps).too_long);
    EXPECT_FALSE(advice(half_sine(1, 40), {.method = Method::events, .duration = 10, .step = 0.1}).too_long);
}
