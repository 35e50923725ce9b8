// Derivatives of periodic motions to parameters of laws where the state at rest moves too, contact opens and slips, or a
// force jumps; and of what an output does in a forced response. All against differences of fourth order.

#include <gtest/gtest.h>

#include <cmath>

#include "faying/modes/harmonic_balance.hpp"
#include "modes/small_models.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using structure::Model;

struct Case {
    std::string name, law;
    core::ParameterValues values;
    std::vector<double> amplitudes;
    double precision;
    double gap = 0;
};

/// Two masses in three directions each, a contact between them (or sliders along two directions), pressed together and
/// sheared by a static force.
Model pressed(const laws::Law& law, double gap = 0) {
    Model m;
    m.mass = Eigen::MatrixXd::Identity(6, 6);
    m.stiffness = Eigen::MatrixXd::Zero(6, 6);
    m.stiffness.diagonal() << 3, 4, 9, 5, 6, 9;
    m.damping_ratio = 0.004;
    m.static_force = Eigen::VectorXd::Zero(6);
    m.static_force << 0.3, 0.05, 1.5, -0.3, 0, -1.5;
    if (law.components() == 3) {
        Eigen::MatrixXd map = Eigen::MatrixXd::Zero(3, 6);
        for (int c = 0; c < 3; ++c) {
            map(c, c) = 1;
            map(c, c + 3) = -1;
        }
        m.joints = {structure::Joint{"contact", law, map, Eigen::VectorXd::Ones(1), {}, {}}};
        m.joints[0].gap = Eigen::VectorXd::Constant(1, gap);
        return m;
    }
    Eigen::VectorXd x = Eigen::VectorXd::Zero(6), n = x;
    x(0) = n(2) = 1;
    x(3) = n(5) = -1;
    m.joints = {structure::single_site("slider", law, x),
                structure::single_site("spring", laws::Law("polynomial", {{"k1", 6}, {"k3", 2}}), n)};
    return m;
}

Model with(Model m, std::size_t joint, const std::string& key, double share) {
    auto& law = m.joints[joint].law;
    core::ParameterValues values;
    for (std::size_t i = 0; i < law.parameters().size(); ++i)
        if (std::isfinite(law.values()[i]))
            values[law.parameters()[i].key] = law.values()[i] * (law.parameters()[i].key == key ? 1 + share : 1.0);
    law = laws::Law(law.name(), values);
    return m;
}

/// (8 (f(d) - f(-d)) - (f(2d) - f(-2d)))/12, times 1/d: of a value's relative change.
template <class F>
double difference(const F& f, double d) {
    return (8 * (f(d) - f(-d)) - (f(2 * d) - f(-2 * d))) / (12 * d);
}

class PreloadedModes : public testing::TestWithParam<Case> {};

TEST_P(PreloadedModes, DerivativesAreThoseOfDifferences) {
    const Case c = GetParam();
    const Model m = pressed(laws::Law(c.law, c.values), c.gap);
    modes::HarmonicOptions options{.harmonics = Harmonics::up_to(3), .tolerance = 1e-12};
    options.derivatives = true;
    const auto points = modes::epmc(m, 1, c.amplitudes, options);
    options.derivatives = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_TRUE(points[i].converged) << points[i].residual;
        ASSERT_FALSE(points[i].derivatives.empty());
        for (const auto& found : points[i].derivatives) {
            const auto& info = m.joints[found.joint].law.parameters()[found.parameter];
            const double value = m.joints[found.joint].law.values()[found.parameter];
            const auto at = [&](double share) {
                const auto moved = modes::epmc(with(m, found.joint, info.key, share), 1, c.amplitudes, options);
                EXPECT_TRUE(moved[i].converged);
                return moved[i];
            };
            const double d = 2e-4;
            EXPECT_NEAR(found.omega * value, difference([&](double s) { return at(s).omega; }, d), c.precision)
                << info.key << " at " << points[i].a;
            EXPECT_NEAR(found.zeta * value, difference([&](double s) { return at(s).zeta; }, d), c.precision)
                << info.key << " at " << points[i].a;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, PreloadedModes,
    testing::Values(
        Case{"slider", "jenkins", {{"kt", 4}, {"fs", 0.4}}, {0.05, 0.6}, 1e-8},
        Case{"iwan", "iwan4+kp", {{"FS", 0.5}, {"KT", 4}, {"chi", -0.4}, {"beta", 2}, {"kp", 0.3}}, {0.6}, 1e-8},
        Case{"bouc_wen", "bouc-wen", {{"A", 4}, {"alpha", 6}, {"beta", 2}, {"n", 1.4}}, {0.6}, 1e-8},
        Case{"contact_in_touch", "elastic-dry-friction", {{"kt", 4}, {"mu", 0.5}, {"kn", 8}}, {0.2}, 1e-7},
        Case{"contact_that_opens", "elastic-dry-friction", {{"kt", 4}, {"mu", 0.5}, {"kn", 8}}, {0.9}, 1e-6},
        Case{"contact_behind_a_gap", "elastic-dry-friction", {{"kt", 4}, {"mu", 0.5}, {"kn", 8}}, {0.9}, 1e-6, 0.05},
        Case{"contact_pressed_in", "elastic-dry-friction", {{"kt", 4}, {"mu", 0.5}, {"kn", 8}}, {0.2}, 1e-7, -0.1},
        Case{"force_that_jumps", "reid", {{"k", 2}, {"eta", 0.3}}, {0.3}, 1e-6}),
    [](const auto& info) { return info.param.name; });

TEST(Response, DerivativesOfAnOutputAreThoseOfDifferences) {
    const Model m = pressed(laws::Law("jenkins", {{"kt", 4}, {"fs", 0.4}}));
    modes::ResponseTask task;
    task.load = {Eigen::VectorXd::Unit(6, 0), 0.1};
    task.from = 1.5;
    task.to = 2.8;
    task.at = {2.1, 2.4};
    task.watched = Eigen::VectorXd::Unit(6, 3);
    modes::HarmonicOptions options{.harmonics = Harmonics::up_to(3), .tolerance = 1e-12};
    options.derivatives = true;
    const auto asked = [&](const Model& model) {
        auto points = modes::response(model, modes::Interface(model), task, options);
        std::erase_if(points, [&](const auto& p) { return p.omega != task.at[0] && p.omega != task.at[1]; });
        return points;
    };
    const auto points = asked(m);
    ASSERT_EQ(points.size(), 2u);
    for (std::size_t i = 0; i < points.size(); ++i)
        for (const auto& found : points[i].watched) {
            const auto& info = m.joints[found.joint].law.parameters()[found.parameter];
            const double value = m.joints[found.joint].law.values()[found.parameter];
            for (const int part : {1, 2})
                EXPECT_NEAR(
                    (part == 1 ? found.cosine : found.sine) * value,
                    difference(
                        [&](double s) { return asked(with(m, found.joint, info.key, s)).at(i).harmonics(3, part); },
                        2e-4),
                    1e-9)
                    << info.key << " at " << points[i].omega;
        }
}

}  // namespace
