// Responses that hold an amplitude, follow a phase or the force; derivatives of modes to parameters; modes at outputs.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "modes/small_models.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using modes::ResponseTask;
using structure::Model;
using tests::oscillator;
using tests::three_masses_with;

const laws::Law slider("jenkins", {{"kt", 2}, {"fs", 3}});
const laws::Law cubic("polynomial", {{"k1", 0}, {"k3", 1}});

double amplitude(const modes::HarmonicPoint& p, Eigen::Index dof) {
    return std::hypot(p.harmonics(dof, 1), p.harmonics(dof, 2));
}

TEST(Response, HeldAmplitudesAreHeldAndTheirForceGivesThemBack) {
    const Model m = three_masses_with(slider, 0.005);
    const modes::Interface interface(m);
    const Harmonics h = Harmonics::up_to(3);
    for (const bool acceleration : {false, true}) {
        ResponseTask task;
        task.load = {Eigen::Vector3d(0, 0, 1), 1.0};
        task.from = 0.3;
        task.to = 0.8;
        task.at = {0.6};
        task.hold = ResponseTask::Hold{Eigen::Vector3d(0, 0, 1), 2.0, acceleration};
        const auto points = modes::response(m, interface, task, {.harmonics = h});
        ASSERT_GT(points.size(), 5u);
        EXPECT_EQ(points.back().omega, 0.8);
        double least = 1e300;
        for (const auto& p : points) {
            ASSERT_TRUE(p.converged) << p.omega;
            const double w2 = acceleration ? p.omega * p.omega : 1.0;
            EXPECT_NEAR(amplitude(p, 2) * w2, 2.0, 1e-9) << p.omega;
            least = std::min(least, std::abs(p.force));
            if (p.omega != 0.6) continue;
            // the same force as a load gives the same motion
            bool found = false;
            for (const auto& q :
                 modes::response(m, {Eigen::Vector3d(0, 0, 1), std::abs(p.force)}, 0.3, 0.8, {0.6}, {.harmonics = h}))
                found = found || (q.omega == 0.6 && std::abs(amplitude(q, 2) - amplitude(p, 2)) < 1e-7);
            EXPECT_TRUE(found) << acceleration;
        }
        EXPECT_LT(least, 0.5 * std::abs(points.front().force));  // through resonance
    }
}

TEST(Response, PhaseResonanceIsTheModeWhereThereIsOneHarmonic) {
    const Model m = oscillator(laws::Law("jenkins", {{"kt", 1}, {"fs", 1}}), 0.01);
    ResponseTask task{
        .load = {Eigen::VectorXd::Ones(1), 1.0}, .along = ResponseTask::Along::force, .from = 0.02, .to = 2};
    task.at = {0.5};
    task.phase_mode = 1;
    const modes::HarmonicOptions options{.harmonics = Harmonics::up_to(1)};
    const auto points = modes::response(m, modes::Interface(m), task, options);
    ASSERT_GT(points.size(), 4u);
    EXPECT_EQ(points.back().force, 2);
    int asked = 0;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged) << p.force;
        asked += p.force == 0.5;
        EXPECT_LT(std::abs(p.harmonics(0, 1)), 1e-10 * p.a);
        const auto mode = modes::epmc(m, 1, {p.a}, options);
        ASSERT_TRUE(mode[0].converged);
        EXPECT_NEAR(mode[0].omega, p.omega, 1e-9);
        EXPECT_NEAR(2 * mode[0].zeta * p.omega * p.omega * p.a, p.force, 1e-8 * p.force);
    }
    EXPECT_EQ(asked, 1);
}

TEST(Response, AlongTheForceThroughItsTurningPoints) {
    const Model m = oscillator(cubic, 0.02);
    ResponseTask task{
        .load = {Eigen::VectorXd::Ones(1), 1.0}, .along = ResponseTask::Along::force, .from = 0.01, .to = 1};
    task.at = {0.2};
    task.omega = 1.6;
    const auto points = modes::response(m, modes::Interface(m), task, {.harmonics = Harmonics::up_to(5)});
    int there = 0, turns = 0;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        EXPECT_EQ(p.omega, 1.6);
        there += p.force == 0.2;
        turns += p.turning_point;
    }
    EXPECT_EQ(turns, 2);
    EXPECT_EQ(there, 3);
    EXPECT_EQ(points.back().force, 1);
    // along frequency, the same three motions
    const auto across =
        modes::response(m, {Eigen::VectorXd::Ones(1), 0.2}, 0.8, 4, {1.6}, {.harmonics = Harmonics::up_to(5)});
    int same = 0;
    for (const auto& p : across)
        if (p.omega == 1.6)
            for (const auto& q : points) same += q.force == 0.2 && std::abs(p.a - q.a) < 1e-8;
    EXPECT_EQ(same, 3);
}

TEST(Response, BothEndsAndIsolasAddNothingThatIsOnTheBranch) {
    const Model m = oscillator(cubic, 0.05);
    ResponseTask task{.load = {Eigen::VectorXd::Ones(1), 0.2}, .from = 0.5, .to = 3};
    task.both_ends = task.isolas = true;
    task.phase_mode = 1;
    for (const auto& p : modes::response(m, modes::Interface(m), task, {.harmonics = Harmonics::up_to(5)}))
        EXPECT_EQ(p.branch, 0) << p.omega << ' ' << p.a;
}

TEST(Response, TheOtherEndHasItsOwnBranch) {
    // within the bistable range at its upper end: from below the branch leaves on top, from above it begins at the
    // bottom
    const Model m = oscillator(cubic, 0.02);
    ResponseTask task{.load = {Eigen::VectorXd::Ones(1), 0.2}, .from = 0.8, .to = 1.6};
    task.both_ends = true;
    double top = 0, bottom = 1e9;
    int branches = 0;
    for (const auto& p : modes::response(m, modes::Interface(m), task, {.harmonics = Harmonics::up_to(5)})) {
        branches = std::max(branches, p.branch);
        if (p.omega != 1.6) continue;
        top = std::max(top, p.a);
        bottom = std::min(bottom, p.a);
    }
    EXPECT_EQ(branches, 1);
    EXPECT_GT(top, 3 * bottom);
}

TEST(Epmc, DerivativesToParametersAreThoseOfDifferences) {
    struct Case {
        std::string law;
        core::ParameterValues values;
        std::vector<double> amplitudes;
    };
    for (const Case& c :
         {Case{"iwan4+kp", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}, {"kp", 0.1}}, {3, 30, 200}},
          Case{"jenkins", {{"kt", 2}, {"fs", 3}}, {5, 20}},
          Case{"bouc-wen", {{"A", 1}, {"alpha", 0.1}, {"beta", 0.05}, {"n", 1}}, {5, 60}}}) {
        modes::HarmonicOptions options{.harmonics = Harmonics::up_to(5)};
        options.derivatives = true;
        const auto points = modes::epmc(three_masses_with(laws::Law(c.law, c.values), 0.005), 2, c.amplitudes, options);
        options.derivatives = false;
        const laws::Law law(c.law, c.values);
        for (std::size_t k = 0; k < law.parameters().size(); ++k) {
            const std::string key = law.parameters()[k].key;
            const auto at = [&](double share) {
                auto moved = c.values;
                moved[key] *= 1 + share;
                return modes::epmc(three_masses_with(laws::Law(c.law, moved), 0.005), 2, c.amplitudes, options);
            };
            const double d = 2e-4, value = c.values.at(key);
            const auto up = at(d), down = at(-d), up2 = at(2 * d), down2 = at(-2 * d);
            for (std::size_t i = 0; i < points.size(); ++i) {
                ASSERT_TRUE(points[i].converged);
                const auto slope = [&](double modes::HarmonicPoint::*what) {
                    return (8 * (up[i].*what - down[i].*what) - (up2[i].*what - down2[i].*what)) / (12 * d * value);
                };
                const auto& found = points[i].derivatives.at(k);
                EXPECT_EQ(found.parameter, k);
                EXPECT_NEAR(found.omega * value, slope(&modes::HarmonicPoint::omega) * value, 1e-8)
                    << c.law << ' ' << key;
                EXPECT_NEAR(found.zeta * value, slope(&modes::HarmonicPoint::zeta) * value, 1e-8)
                    << c.law << ' ' << key;
            }
        }
    }
}

TEST(Epmc, AmplitudesOfAnOutputAreMet) {
    const Model m = three_masses_with(slider, 0.005);
    const modes::OutputAmplitudes wanted{Eigen::Vector3d(0, 0, 1), modes::Quantity::acceleration, {0.1, 1, 4}};
    const modes::HarmonicOptions options{.harmonics = Harmonics::up_to(3)};
    const auto points = modes::epmc_at_output(m, modes::Interface(m), 1, wanted, options);
    ASSERT_EQ(points.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_TRUE(points[i].converged);
        EXPECT_NEAR(amplitude(points[i], 2) * points[i].omega * points[i].omega, wanted.values[i],
                    1e-9 * wanted.values[i]);
    }
    const modes::OutputAmplitudes still{Eigen::Vector3d::Zero(), modes::Quantity::displacement, {1}};
    EXPECT_THROW(modes::epmc_at_output(m, modes::Interface(m), 1, still, options), core::BadInput);
}

TEST(Response, BadTasks) {
    const Model m = three_masses_with(slider, 0.005);
    const modes::Interface interface(m);
    ResponseTask task{.load = {Eigen::Vector3d(0, 0, 1), 1.0}, .from = 0.3, .to = 0.8};
    task.hold = ResponseTask::Hold{Eigen::Vector3d(0, 0, 1), -1.0, false};
    EXPECT_THROW(modes::response(m, interface, task), core::BadInput);
    task.hold->amplitude = 1;
    task.hold->row = Eigen::Vector3d::Zero();
    EXPECT_THROW(modes::response(m, interface, task), core::BadInput);  // nothing moves it
    task.hold.reset();
    task.along = ResponseTask::Along::force;
    EXPECT_THROW(modes::response(m, interface, task), core::BadInput);  // at which frequency?
    task.phase_mode = 4;
    EXPECT_THROW(modes::response(m, interface, task), core::BadInput);
}

}  // namespace
