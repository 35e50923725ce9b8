// Modes about the preload: what the joints are there, and that backbones start from it.

#include "faying/modes/about.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/modes/rest_state.hpp"

namespace faying::modes {

namespace {

constexpr double kt = 5, kn = 10, mu = 0.4;

/// Six masses of 1 kg, each on a spring of its own: two contact sites of three directions. The first is pressed with
/// `closing` and dragged with `dragging`, the second pulled open.
structure::Model two_sites(double closing, double dragging) {
    structure::Model model;
    model.mass = Eigen::MatrixXd::Identity(6, 6);
    model.stiffness = Eigen::VectorXd{{1.0, 2.0, 3.0, 4.1, 5.3, 6.7}}.asDiagonal();
    model.static_force = Eigen::VectorXd{{dragging, 0, closing, 0, 0, -1.0}};
    model.joints = {{"contact",
                     laws::Law("elastic-dry-friction", {{"kt", kt}, {"mu", mu}, {"kn", kn}}),
                     Eigen::MatrixXd::Identity(6, 6),
                     Eigen::VectorXd::Ones(2),
                     {},
                     {}}};
    return model;
}

Eigen::VectorXd squares(const LinearModes& modes) { return modes.omega.cwiseAbs2(); }

}  // namespace

TEST(ModesAbout, ContactIsAsThePreloadLeftIt) {
    // Dragged softly, and dragged beyond what friction holds: small loops about the end of a slide stick as well.
    for (const double dragging : {0.1, 3.0}) {
        const auto model = two_sites(2.0, dragging);
        const auto preloaded = modes_about(model, About::preload);
        EXPECT_EQ(preloaded.about, About::preload);
        EXPECT_EQ(preloaded.contacts, 2);
        EXPECT_EQ(preloaded.touching, 1);
        const Eigen::VectorXd expected{{4.1, 5.3, 1 + kt, 6.7, 2 + kt, 3 + kn}};
        EXPECT_LT((squares(preloaded.modes) - expected).norm(), 1e-12);

        const auto stuck = modes_about(model, About::stuck, 1);
        EXPECT_EQ(stuck.about, About::stuck);
        EXPECT_NEAR(squares(stuck.modes)(0), 1 + kt, 1e-12);
        EXPECT_NEAR(squares(modes_about(model, About::slipping, 1).modes)(0), 1.0, 1e-12);

        for (const Framework framework : {Framework::masing, Framework::loops}) {
            // A loop at the very limit of friction shakes down to one beside the preload, and the backbone counts that
            // shift as well: lambda = 1 at +q, 1 + 2 kt at -q.
            if (framework == Framework::loops && dragging > 1) continue;
            BackboneOptions options;
            options.framework = framework;
            options.dissipation = framework == Framework::loops ? Dissipation::local : Dissipation::modal;
            for (int mode = 1; mode <= 6; ++mode) {
                const auto point = backbone(model, mode, {1e-5}, options).front();
                ASSERT_TRUE(point.converged) << mode;
                EXPECT_NEAR(point.omega / preloaded.modes.omega(mode - 1), 1.0, 1e-9) << mode << " " << dragging;
            }
        }
    }
}

TEST(ModesAbout, SpringsHaveTheirTangent) {
    structure::Model model;
    model.mass = Eigen::MatrixXd::Identity(1, 1);
    model.stiffness = Eigen::MatrixXd::Identity(1, 1);
    model.joints = {structure::single_site("cubic", laws::Law("polynomial", {{"k1", 2}, {"k2", 0}, {"k3", 1}}),
                                           Eigen::VectorXd::Ones(1))};
    model.static_force = Eigen::VectorXd::Constant(1, 3 * 2.0 + 8.0);  // u = 2
    EXPECT_NEAR(squares(modes_about(model, About::preload).modes)(0), 1 + 2 + 3 * 4, 1e-9);
}

TEST(ModesAbout, WithoutPreloadJointsStick) {
    auto model = two_sites(2.0, 0.0);
    model.static_force.resize(0);
    const auto preloaded = modes_about(model, About::preload);
    EXPECT_EQ(preloaded.about, About::stuck);
    EXPECT_EQ(preloaded.modes.omega, linear_modes(model.mass, structure::stuck_stiffness(model)).omega);
    auto friction = two_sites(2.0, 0.0);  // preloaded, but nothing depends on it
    friction.joints = {
        structure::single_site("slider", laws::Law("jenkins", {{"kt", 3}, {"fs", 1}}), Eigen::VectorXd::Unit(6, 0))};
    EXPECT_EQ(modes_about(friction, About::preload).about, About::stuck);
}

TEST(ModesAbout, AnOpenedJointIsRefused) {
    EXPECT_THROW(modes_about(two_sites(-2.0, 0.0), About::preload), core::NotConverged);
    EXPECT_NO_THROW(modes_about(two_sites(-2.0, 0.0), About::stuck));
}

TEST(RestStates, PressureGapAndSlip) {
    auto model = two_sites(2.0, 3.0);
    model.joints[0].weight << 1.0, 0.25;
    const auto at_rest = prestress(model);
    const auto states = rest_states(model, at_rest, 0);
    ASSERT_EQ(states.size(), 2u);
    // Pressed: (3 + kn) un = 2; dragged beyond mu fn: 1 u = 3 - mu kn un.
    const double un = 2.0 / (3 + kn);
    EXPECT_NEAR(states[0].pressure, kn * un, 1e-12);
    EXPECT_EQ(states[0].gap, 0.0);
    EXPECT_NEAR(states[0].slip, 3 - mu * kn * un, 1e-12);
    EXPECT_EQ(states[0].status, SiteStatus::slipping);
    // Pulled open by 1 N against its own spring.
    EXPECT_EQ(states[1].pressure, 0.0);
    EXPECT_NEAR(states[1].gap, 1 / 6.7, 1e-12);
    EXPECT_EQ(states[1].status, SiteStatus::open);
    const auto rows = rest_rows(model, at_rest, 0);
    EXPECT_NEAR(rows.force(0), mu * kn * un, 1e-12);
    EXPECT_NEAR(rows.force(2), kn * un, 1e-12);

    const auto softly = two_sites(2.0, 0.1);
    EXPECT_EQ(rest_states(softly, prestress(softly), 0)[0].status, SiteStatus::stuck);
    // As linear springs at their stuck stiffness: the open site is held, and says so by its tension.
    const auto linear = rest_states(softly, prestress(softly, {.friction = Friction::linear}), 0);
    EXPECT_NEAR(linear[1].pressure, -kn / (6.7 + kn), 1e-12);
    EXPECT_EQ(linear[1].status, SiteStatus::open);
}

}  // namespace faying::modes
