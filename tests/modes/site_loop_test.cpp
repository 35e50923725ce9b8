// Loops of single sites: the area within one is what the site dissipates, as the backbone itself has it.

#include "faying/modes/site_loop.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "lap_joint.hpp"
#include "modes/small_models.hpp"
#include "relative.hpp"

namespace {

using namespace faying;
using namespace faying::modes;

double area_within(const SiteLoop& loop) {
    double area = 0;
    for (std::size_t i = 0; i < loop.u.size(); ++i) {
        const std::size_t k = (i + 1) % loop.u.size();
        area += 0.5 * (loop.f[i] + loop.f[k]) * (loop.u[k] - loop.u[i]);
    }
    return area;
}

/// 600 chords a half loop: curved branches to 1e-5.
void areas_are_dissipation(const structure::Model& model, double q, Framework framework) {
    BackboneOptions o;
    o.framework = framework;
    const auto point = backbone(model, 1, {q}, o).front();
    ASSERT_TRUE(point.converged);
    const auto& loss = point.site_dissipation.front();
    for (Eigen::Index i = 0; i < loss.size(); ++i)
        EXPECT_NEAR(area_within(site_loop(model, point, o, 0, i, 0, 600)), loss(i), 1e-5 * loss(i) + 1e-9 * loss.sum())
            << i << " " << model.joints.front().law.name();
}

TEST(SiteLoop, AreaIsTheSitesDissipation) {
    for (const auto framework : {Framework::masing, Framework::loops}) {
        areas_are_dissipation(tests::three_masses(), 30.0, framework);
        areas_are_dissipation(tests::patches_with("jenkins-prager", {{"kt", 3e12}, {"fs", 1e5}, {"kp", 2e11}}), 3e-3,
                              framework);
    }
    areas_are_dissipation(
        tests::patches_with("valanis", {{"E0", 5e12}, {"Et", 1e10}, {"lambda", 2.5e7}, {"kappa", 0.1}}), 3e-3,
        Framework::loops);
}

/// What fades slowly is solved for: a hundred rounds would leave the loop open.
TEST(SiteLoop, ClosesWhereTheLawForgetsSlowly) {
    for (const double q : {1e-6, 1e-4, 1e-2}) {
        const auto model =
            tests::patches_with("valanis", {{"E0", 5e12}, {"Et", 1e10}, {"lambda", 2.5e7}, {"kappa", 0.1}});
        BackboneOptions o;
        o.framework = Framework::loops;
        const auto point = backbone(model, 1, {q}, o).front();
        ASSERT_TRUE(point.converged);
        for (Eigen::Index i = 0; i < model.joints.front().sites(); ++i) {
            const auto loop = site_loop(model, point, o, 0, i, 0);
            EXPECT_TRUE(loop.closed()) << q << " " << i << " " << loop.closure_error;
            EXPECT_EQ(closing_note(loop), "");
            const auto [low, high] = std::minmax_element(loop.f.begin(), loop.f.end());
            EXPECT_NEAR(loop.f.front(), loop.f.back(), 1e-8 * (*high - *low));
        }
    }
}

TEST(SiteLoop, ContactSitesSlipWhereTheyDissipateAndOpenWhereNothingPresses) {
    const auto r = tests::whole_joint();
    auto model = structure::bare_model(r, {{"preload", 12845.0}});
    model.joints = {structure::joint_on_patches(
        r, "contact", laws::Law("elastic-dry-friction", {{"kt", 3e12}, {"mu", 0.005}, {"kn", 1e13}}), {"all"}, "",
        true)};
    EXPECT_EQ(model.joints.front().places.rows(), 5);
    BackboneOptions o;
    o.framework = Framework::loops;
    for (const auto& p : backbone(model, 1, {1e-6, 1e-3, 5e-3}, o)) {
        ASSERT_TRUE(p.converged);
        const auto states = site_states(model, p, o, 0);
        double pressed = 0;
        for (std::size_t i = 0; i < states.size(); ++i) {
            const bool loss = p.site_dissipation.front()(long(i)) > 1e-9 * p.site_dissipation.front().sum();
            if (states[i].status != SiteStatus::open) {
                EXPECT_EQ(states[i].status == SiteStatus::slipping, loss && p.dissipation > 1e-16) << p.q << " " << i;
            }
            EXPECT_GT(states[i].slip, 0.0);
            pressed += states[i].pressure * model.joints.front().weight(long(i));
            const double un = p.site_plus.front()(3 * long(i) + 2);
            EXPECT_RELATIVE(states[i].pressure, 1e13 * std::max(0.0, un), 1e-12);
        }
        EXPECT_GT(pressed, 0.0);
    }
    auto loss = backbone(model, 1, {1e-3}, o).front();
    loss.converged = false;
    EXPECT_THROW(site_states(model, loss, o, 0), core::BadInput);
}

}  // namespace
