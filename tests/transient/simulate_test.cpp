#include "faying/transient/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "three_masses.hpp"

using namespace faying;
using namespace faying::transient;

namespace {

constexpr double omega3 = 1.7441151355991418;

Excitation hit(const structure::Model& model, double p = 30) { return {{point_load(model, 2), half_sine(p, omega3)}}; }

Snapshot end_of(const structure::Model& model, const Excitation& load, const Options& options,
                const Start& start = {}) {
    Simulation run(model, load, start, options);
    EXPECT_TRUE(run.to_end({}));
    return run.now();
}

double difference(const Snapshot& a, const Snapshot& b) {
    return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.q_velocity - b.q_velocity).cwiseAbs().maxCoeff());
}

/// Two sites of different laws, one of them contact with a normal spring, and a damping matrix.
structure::Model mixed() {
    structure::Model model;
    model.mass = Eigen::Matrix4d::Identity();
    model.stiffness = Eigen::Vector4d(4, 6, 9, 30).asDiagonal();
    model.stiffness(0, 1) = model.stiffness(1, 0) = -1;
    model.damping = 0.01 * model.stiffness;
    model.joints.push_back(structure::single_site("a", laws::Law("jenkins+kp", {{"kt", 3}, {"fs", 0.4}, {"kp", 0.2}}),
                                                  Eigen::Vector4d(-1, 1, 0, 0)));
    structure::Joint contact = structure::single_site(
        "b", laws::Law("iwan4", {{"FS", 1}, {"KT", 5}, {"chi", -0.3}, {"beta", 0.5}}), Eigen::Vector4d(0, -1, 1, 0.5));
    contact.weight(0) = 0.7;
    model.joints.push_back(contact);
    model.static_force = Eigen::Vector4d(0.3, 0, -0.2, 0.1);
    return model;
}

}  // namespace

TEST(Simulate, LinearStructureAgainstItsClosedForm) {
    structure::Model model = tests::three_masses();
    model.joints.clear();
    const auto modes = modes::linear_modes(model.mass, model.stiffness);
    const Start start{2.0 * modes.shapes.col(1), {}, false};
    const double w = modes.omega(1), z = 1e-4, wd = w * std::sqrt(1 - z * z), t = 50;
    const double exact = 2 * std::exp(-z * w * t) * (std::cos(wd * t) + z * w / wd * std::sin(wd * t));
    const auto events =
        end_of(model, {}, {.method = Method::events, .duration = t, .step = 1, .tolerance = 1e-13}, start);
    EXPECT_NEAR(events.q(1), exact, 1e-10);
    const double coarse = end_of(model, {}, {.duration = t, .step = 0.02}, start).q(1) - exact;
    const double fine = end_of(model, {}, {.duration = t, .step = 0.01}, start).q(1) - exact;
    EXPECT_NEAR(coarse / fine, 4, 0.02);
}

/// A rigid motion, an oscillation and an overdamped mode under a load that is linear over every step: nothing is left
/// to approximate, however long the steps.
TEST(Simulate, ExponentialStepsOfALinearStructureAreExact) {
    structure::Model model;
    model.mass = Eigen::Vector3d(1, 2, 0.5).asDiagonal();
    model.stiffness = Eigen::Vector3d(0, 8, 0.125).asDiagonal();
    model.damping_ratio = 1.5;  // omega = 0, 2, 0.5
    const Start start{Eigen::Vector3d(1, 0.3, -1), Eigen::Vector3d(0.5, 0, 2), false};
    const Excitation ramp{{Eigen::Vector3d(1, -1, 2), tabulated({0, 1, 4}, {0, 3, -3})}};
    Options exact{.method = Method::events, .duration = 4, .step = 1, .tolerance = 1e-13}, steps = exact;
    steps.method = Method::exponential;
    const auto truth = end_of(model, ramp, exact, start);
    EXPECT_LT(difference(end_of(model, ramp, steps, start), truth), 1e-11);
    model.damping_ratio = 0.01;
    EXPECT_LT(difference(end_of(model, ramp, steps, start), end_of(model, ramp, exact, start)), 1e-11);
}

/// Linear springs are part of the modes: a joint of nothing else changes nothing but what is reported.
TEST(Simulate, SpringsAmongTheJointsAreStiffness) {
    const auto plain = tests::three_masses();
    structure::Model split = plain;
    const double k = 2.5;
    split.stiffness(0, 0) -= k;
    split.joints.insert(split.joints.begin(), structure::single_site("spring", laws::Law("polynomial", {{"k1", k}}),
                                                                     Eigen::Vector3d(1, 0, 0)));
    for (const Method method : {Method::newmark, Method::exponential, Method::events}) {
        const Options options{.method = method, .duration = 50, .step = 0.02};
        const auto a = end_of(plain, hit(plain), options), b = end_of(split, hit(split), options);
        EXPECT_LT(difference(a, b), 1e-10);
        ASSERT_EQ(b.joint_displacement.size(), 2);
        EXPECT_NEAR(b.joint_displacement(0), b.displacement(0), 1e-12);
        EXPECT_NEAR(b.joint_force(0), k * b.displacement(0), 1e-11);
        EXPECT_NEAR(b.joint_force(1), a.joint_force(0), 1e-10);
        EXPECT_NEAR(b.energy.error() * b.energy.largest, a.energy.error() * a.energy.largest, 1e-9);
        EXPECT_NEAR(b.energy.joint_stored() - a.energy.joint_stored(), 0.5 * k * std::pow(b.displacement(0), 2), 1e-10);
    }
}

TEST(Simulate, ImplicitMethodsConvergeInSecondOrder) {
    const auto model = tests::three_masses();
    const auto truth =
        end_of(model, hit(model), {.method = Method::events, .duration = 60, .step = 1, .tolerance = 1e-13});
    for (const Method method : {Method::newmark, Method::alpha, Method::exponential}) {
        // Joint forces linear over a step meet reversals anywhere in it: the order is there on average only.
        const double scatter = method == Method::exponential ? 0.5 : 0.25;
        double last = 0;
        for (const double h : {0.08, 0.04, 0.02, 0.01}) {
            const double error =
                difference(end_of(model, hit(model), {.method = method, .duration = 60, .step = h}), truth);
            if (last > 0) {
                EXPECT_NEAR(std::log2(last / error), 2, scatter) << int(method) << " " << h;
            }
            last = error;
        }
    }
}

TEST(Simulate, AlphaWithSpectralRadiusOneDampsNothing) {
    structure::Model model = tests::three_masses();
    model.joints.clear();
    model.damping_ratio = 0;
    const Start start{Eigen::Vector3d(1, 0, 0), {}, false};
    Options options{.method = Method::alpha, .duration = 2000, .step = 0.5, .spectral_radius = 1.0};
    EXPECT_NEAR(end_of(model, {}, options, start).energy.error(), 0, 0.02);
    options.spectral_radius = 0;
    EXPECT_GT(end_of(model, {}, options, start).energy.error(), 0.5);
}

TEST(Simulate, EnergyBalance) {
    for (const double p : {0.3, 30.0, 3000.0}) {
        const auto model = tests::three_masses();
        Simulation run(model, hit(model, p), {}, {.method = Method::events, .duration = 4000, .step = 10});
        double worst = 0, lost = 0;
        run.to_end([&](const Snapshot& s) {
            worst = std::max(worst, std::abs(s.energy.error()));
            EXPECT_GE(s.energy.joint_dissipated, lost * (1 - 1e-12));
            EXPECT_GE(s.energy.joint_stored(), -1e-9 * s.energy.largest);
            lost = s.energy.joint_dissipated;
        });
        EXPECT_LT(worst, 1e-8) << p;
        EXPECT_GT(lost, 0);
    }
}

/// The integrator's Int f dy against the law's own count of work along the turning points.
TEST(Simulate, JointWorkIsTheLawsOwn) {
    const auto model = tests::three_masses();
    Simulation run(model, hit(model), {}, {.method = Method::events, .duration = 100, .step = 1, .tolerance = 1e-13});
    std::vector<double> path;
    run.to_end({}, {}, [&](const Eigen::VectorXd& y) { path.push_back(y(0)); });
    const auto own = model.joints[0].law.follow(path);
    const auto end = run.now();
    EXPECT_NEAR(end.energy.joint_work, own.work.back(), 1e-9 * end.energy.largest);
    EXPECT_NEAR(end.energy.joint_dissipated, own.dissipated.back(), 1e-12 * end.energy.largest);
    EXPECT_NEAR(end.joint_force(0), own.f.back(), 1e-10);
}

TEST(Simulate, EnergyErrorFallsWithTheStep) {
    const auto model = tests::three_masses();
    for (const Method method : {Method::newmark, Method::exponential}) {
        const auto error = [&](double h) {
            return std::abs(end_of(model, hit(model), {.method = method, .duration = 100, .step = h}).energy.error());
        };
        EXPECT_LT(error(0.02), 1e-5);
        EXPECT_LT(error(0.005), error(0.02) / 8);
    }
}

TEST(Simulate, SlidersApproachTheContinuumAsTheirNumberGrows) {
    const auto truth_model = tests::three_masses();
    const Options options{.method = Method::events, .duration = 40, .step = 1, .tolerance = 1e-10};
    const auto truth = end_of(truth_model, hit(truth_model), options);
    double last = 1;
    for (const double count : {50.0, 200.0, 800.0}) {
        auto model = truth_model;
        model.joints[0].law = laws::Law("iwan4-sliders", {{"FS", 10},
                                                          {"KT", 1},
                                                          {"chi", -0.5},
                                                          {"beta", 5},
                                                          {"count", count},
                                                          {"ratio", std::pow(1.05, 200 / count)}});
        const double error = difference(end_of(model, hit(model), options), truth);
        EXPECT_LT(error, last / 3);
        last = error;
    }
}

TEST(Simulate, MethodsAgreeOnAMixedModel) {
    const auto model = mixed();
    const Excitation load{{point_load(model, 1), chirp(1.5, 0.5, 6.0, 30.0)},
                          {point_load(model, 4), sine(0.8, 3.0, 0.4, 30.0)}};
    for (const bool preloaded : {false, true}) {
        const Start start{{}, {}, preloaded};
        const auto truth =
            end_of(model, load, {.method = Method::events, .duration = 20, .step = 0.5, .tolerance = 1e-12}, start);
        EXPECT_LT(std::abs(truth.energy.error()), 1e-8);
        const auto newmark = end_of(model, load, {.duration = 20, .step = 1e-3}, start);
        EXPECT_LT(difference(newmark, truth), 1e-4);
        const auto adaptive =
            end_of(model, load, {.duration = 20, .step = 0.5, .adaptive = true, .tolerance = 1e-8}, start);
        EXPECT_LT(difference(adaptive, truth), 3e-3);
        const auto finer =
            end_of(model, load, {.duration = 20, .step = 0.5, .adaptive = true, .tolerance = 1e-10}, start);
        EXPECT_LT(difference(finer, truth), 3e-4);
    }
}

/// In few modes as well: what is at rest there.
TEST(Simulate, PreloadedStartInFewModesIsAtRest) {
    for (const Eigen::Index modes : {1, 2, 3}) {
        const auto end =
            end_of(mixed(), {}, {.method = Method::events, .duration = 10, .step = 1, .modes = modes}, {{}, {}, true});
        EXPECT_LT(end.q_velocity.cwiseAbs().maxCoeff(), 1e-12);
        EXPECT_GT(end.q.cwiseAbs().maxCoeff(), 1e-3);
    }
}

TEST(Simulate, PreloadedStartIsAtRest) {
    const auto model = mixed();
    const auto end = end_of(model, {}, {.method = Method::events, .duration = 10, .step = 1}, {{}, {}, true});
    EXPECT_LT(end.velocity.cwiseAbs().maxCoeff(), 1e-12);
    const Eigen::VectorXd forces = model.stiffness * end.displacement +
                                   model.joints[0].map.transpose() * end.joint_force.head(1) +
                                   model.joints[1].map.transpose() * end.joint_force.tail(1) - model.static_force;
    EXPECT_LT(forces.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Simulate, KeptModesAreEnoughForASlowLoad) {
    const auto model = tests::three_masses();
    const Excitation slow{{mode_load(model, 1), half_sine(1.0, 0.1)}};
    Options options{.method = Method::events, .duration = 60, .step = 1};
    const auto all = end_of(model, slow, options);
    options.modes = 1;
    const auto one = end_of(model, slow, options);
    EXPECT_EQ(one.q.size(), 2);  // the mode, and what the joint does statically
    EXPECT_NEAR(one.q(0) / all.q(0), 1, 1e-4);
}

TEST(Simulate, SamplesBetweenStepsAndRecords) {
    const auto model = tests::three_masses();
    Options options{.duration = 10, .step = 0.01, .record_every = 50, .samples = {0, 1.2345, 7.0, 10}};
    std::vector<double> times, sampled;
    std::vector<Eigen::VectorXd> q;
    Simulation(model, hit(model), {}, options)
        .to_end([&](const Snapshot& s) { times.push_back(s.time); },
                [&](const Snapshot& s) { sampled.push_back(s.time), q.push_back(s.q); });
    EXPECT_EQ(times.size(), 21u);
    EXPECT_EQ(sampled, options.samples);
    options.method = Method::events;
    std::size_t i = 0;
    Simulation(model, hit(model), {}, options).to_end({}, [&](const Snapshot& s) {
        EXPECT_LT((s.q - q[i++]).cwiseAbs().maxCoeff(), 3e-3);
    });
    EXPECT_EQ(i, 4u);
}

TEST(Simulate, StoppedAndResumedIsTheSameBits) {
    for (const Method method : {Method::newmark, Method::alpha, Method::exponential, Method::events}) {
        structure::Model model = mixed();
        if (method == Method::exponential) model.damping.resize(0, 0);
        const Excitation load{{point_load(model, 1), random(0.2, 0.5, 8.0, 200, 7)}};
        const Options options{
            .method = method, .duration = 30, .step = 0.05, .adaptive = method == Method::alpha, .tolerance = 1e-7};
        std::vector<Snapshot> whole, parts;
        Simulation uncut(model, load, {}, options);
        EXPECT_TRUE(uncut.to_end([&](const Snapshot& s) { whole.push_back(s); }));
        std::vector<Eigen::VectorXd> committed;
        Restart restart;
        {
            Simulation first(model, load, {}, options);
            EXPECT_FALSE(first.to_end([&](const Snapshot& s) { parts.push_back(s); }, {},
                                      [&](const Eigen::VectorXd& y) { committed.push_back(y); },
                                      [](double t) { return t < 11.3; }));
            restart = first.restart();
        }
        Simulation second(model, load, {}, options);
        second.resume(restart, committed);
        EXPECT_TRUE(second.to_end([&](const Snapshot& s) { parts.push_back(s); }));
        ASSERT_EQ(whole.size(), parts.size()) << int(method);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            EXPECT_EQ(whole[i].time, parts[i].time);
            EXPECT_EQ(whole[i].q, parts[i].q) << int(method) << " " << whole[i].time;
            EXPECT_EQ(whole[i].joint_force, parts[i].joint_force);
            EXPECT_EQ(whole[i].energy.joint_work, parts[i].energy.joint_work);
            EXPECT_EQ(whole[i].energy.joint_dissipated, parts[i].energy.joint_dissipated);
        }
    }
}

TEST(Simulate, BadRequestsAreRefused) {
    const auto model = tests::three_masses();
    const auto refused = [&](const Options& options, const Start& start = {}) {
        EXPECT_THROW(Simulation(model, {}, start, options), core::BadInput);
    };
    refused({.duration = 0, .step = 0.1});
    refused({.duration = 1, .step = 2});
    refused({.duration = 1, .step = 0.1, .tolerance = 0});
    refused({.duration = 1, .step = 0.1, .samples = {2}});
    refused({.duration = 1, .step = 0.1, .samples = {0.5, 0.2}});
    refused({.duration = 1, .step = 0.1, .modes = 4});
    refused({.method = Method::exponential, .duration = 10, .step = 3 / omega3 * 1.01});
    refused({.method = Method::exponential, .duration = 10, .step = 0.1, .adaptive = true});
    EXPECT_THROW(Simulation(mixed(), {}, {}, {.method = Method::exponential, .duration = 1, .step = 0.1}),
                 core::BadInput);
    refused({.duration = 1, .step = 0.1}, {Eigen::Vector2d(1, 1), {}, false});
    EXPECT_THROW(point_load(model, 4), core::BadInput);
    EXPECT_THROW(mode_load(model, 0), core::BadInput);
    EXPECT_THROW(tabulated({0, 1, 1}, {1, 2, 3}), core::BadInput);
    EXPECT_THROW(half_sine(1, 0), core::BadInput);
}

TEST(Excitation, RandomHasItsSpectrumAndItsSeed) {
    const auto h = random(2.0, 10, 60, 400, 5), same = random(2.0, 10, 60, 400, 5), other = random(2.0, 10, 60, 400, 6);
    double square = 0;
    const int n = 40000;
    for (int i = 0; i < n; ++i) {
        const double t = 1e-3 * i;
        square += h.value(t) * h.value(t) / n;
        if (i % 1000 == 0) {
            EXPECT_EQ(h.value(t), same.value(t));
        }
    }
    EXPECT_NE(h.value(1.0), other.value(1.0));
    EXPECT_NEAR(square / (2.0 * 50), 1, 0.1);
}

/// Twice the amplitude of the sines that a density of four times the level has, line by line; and the power of a
/// triangle.
TEST(Excitation, RandomFollowsATabulatedSpectrum) {
    const auto flat = random(1.0, 10, 60, 300, 5), higher = random({10, 60}, {4, 4}, 300, 5);
    EXPECT_NEAR(higher.value(0.7), 2 * flat.value(0.7), 1e-12);
    const auto triangle = random({10, 30, 60}, {0, 3, 0}, 600, 9);
    double square = 0;
    const int n = 60000;
    for (int i = 0; i < n; ++i) square += std::pow(triangle.value(1e-3 * i), 2) / n;
    EXPECT_NEAR(square / (0.5 * 3 * 50), 1, 0.1);
    EXPECT_THROW(random({10, 5}, {1, 1}, 10, 1), core::BadInput);
    EXPECT_THROW(random({10, 15}, {1, -1}, 10, 1), core::BadInput);
}

TEST(Excitation, BaseAccelerationIsAnInertiaForce) {
    // A base that accelerates steadily leaves every mass displaced as by gravity.
    structure::Model model = tests::three_masses();
    model.damping_ratio = 0.5;
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(3);
    const Excitation base{{base_load(model, ones), tabulated({0, 1000}, {0.01, 0.01})}};
    const auto end = end_of(model, base, {.method = Method::events, .duration = 200, .step = 10});
    const Eigen::VectorXd gravity = -0.01 * model.mass * ones;
    EXPECT_LT((model.stiffness * end.displacement + model.joints[0].map.transpose() * end.joint_force - gravity).norm(),
              1e-8 * gravity.norm());
}
