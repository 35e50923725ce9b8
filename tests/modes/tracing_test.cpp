// How a branch and its loops are followed: limits on the work, guesses, when a loop has settled, where an area begins.

#include <gtest/gtest.h>

#include <numeric>

#include "faying/modes/backbone.hpp"
#include "lap_joint.hpp"
#include "modes/small_models.hpp"
#include "relative.hpp"
#include "tracer.hpp"

namespace {

using namespace faying;
using namespace faying::modes;
using faying::tests::patches_with;
using faying::tests::three_masses;

BackboneOptions loops_options() {
    BackboneOptions o;
    o.framework = Framework::loops;
    return o;
}

int steps(const std::vector<BackbonePoint>& points) {
    return std::accumulate(points.begin(), points.end(), 0, [](int n, const auto& p) { return n + p.iterations; });
}

structure::Model touching_patches(double mu) {
    const auto r = tests::whole_joint();
    auto model = structure::bare_model(r, {{"preload", 12845.0}});
    model.joints.push_back(structure::joint_on_patches(
        r, "contact", laws::Law("elastic-dry-friction", {{"kt", 3e12}, {"mu", mu}, {"kn", 1e13}}), {"all"}, "", true));
    return model;
}

/// A static traction along the first tangent of every patch.
void load_along(structure::Model& model, double traction) {
    const auto& joint = model.joints.front();
    for (Eigen::Index i = 0; i < joint.sites(); i += 2)
        model.static_force += traction * joint.weight(i) * joint.map.row(i).transpose();
}

/// Few Newton steps: what is reached is what many reach; the others say so, and after `most_failures` of them in a row
/// nothing more is spent.
TEST(Limits, MostStepsAndMostLost) {
    const std::vector<double> q{1e-3, 1e-2, 1.0, 10.0, 40.0, 100.0, 200.0, 400.0};
    const auto free = backbone(three_masses(), 2, q, loops_options());
    auto generous = loops_options();
    generous.most_steps = 1 + std::max_element(free.begin(), free.end(), [](const auto& a, const auto& b) {
                                  return a.iterations < b.iterations;
                              })->iterations;
    const auto same = backbone(three_masses(), 2, q, generous);
    for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_TRUE(free[i].converged);
        EXPECT_EQ(same[i].omega, free[i].omega);
    }
    for (const int most_failures : {1, 3}) {
        auto few = loops_options();
        few.most_steps = free[1].iterations;
        few.most_failures = most_failures;
        const auto points = backbone(three_masses(), 2, q, few);
        ASSERT_EQ(points.size(), q.size());
        int loss = 0;
        for (std::size_t i = 0; i < q.size(); ++i) {
            const auto& p = points[i];
            EXPECT_EQ(p.q, q[i]);
            EXPECT_LE(p.iterations, few.most_steps + 2);  // and the steps that make a guess
            if (loss >= most_failures) {
                EXPECT_FALSE(p.converged) << i;
                EXPECT_EQ(p.iterations, 0);
                EXPECT_GT(p.residual, few.tolerance);  // of the last solution, taken here
                EXPECT_LT(p.residual, 1.0);
                EXPECT_NE(p.reason.find("given up"), std::string::npos) << p.reason;
            } else if (p.converged) {
                EXPECT_RELATIVE(p.omega, free[i].omega, 1e-10);
                EXPECT_RELATIVE(p.zeta, free[i].zeta, 1e-9);
                EXPECT_LE(p.residual, few.tolerance);
                loss = 0;
            } else {
                EXPECT_TRUE(std::isfinite(p.residual));
                EXPECT_NE(p.reason.find("Newton steps"), std::string::npos) << p.reason;
                ++loss;
            }
        }
        EXPECT_TRUE(points[1].converged);
        EXPECT_EQ(loss, most_failures);
    }
}

/// Without polish Newton ends sooner, within the tolerance; its error in omega is of second order in that.
TEST(Limits, PolishIsSpentOnDigitsBelowTheTolerance) {
    const std::vector<double> q{1e-4, 3e-4, 1e-3, 3e-3, 5e-3};
    const auto model = patches_with("iwan4", {{"FS", 1.4e5}, {"KT", 3e12}, {"chi", -0.5}, {"beta", 0.1}});
    for (const auto framework : {Framework::masing, Framework::loops}) {
        BackboneOptions o;
        o.framework = framework;
        o.tolerance = 1e-6;
        const auto polished = backbone(model, 1, q, o);
        o.polish = false;
        const auto rough = backbone(model, 1, q, o);
        for (std::size_t i = 0; i < q.size(); ++i) {
            ASSERT_TRUE(polished[i].converged && rough[i].converged);
            EXPECT_LT(polished[i].residual, 1e-12);
            EXPECT_LE(rough[i].residual, o.tolerance);
            EXPECT_RELATIVE(rough[i].omega, polished[i].omega, o.tolerance);
            EXPECT_RELATIVE(rough[i].zeta, polished[i].zeta, 1e3 * o.tolerance);
        }
        // Around a loop a rougher reversal is also a rougher start of the next one, which may cost what was saved.
        EXPECT_LE(steps(rough), steps(polished));
        for (std::size_t i = 0; framework == Framework::masing && i < q.size(); ++i)
            EXPECT_LT(rough[i].iterations, polished[i].iterations);
    }
}

/// Sites that rest near their limit slip at once on the way to +q, and stick on the way back: there the reversal at +q
/// says little of the one at -q, and joints that unload say more.
TEST(Reversals, FromJointsThatUnloadTheSameAnswerInFewerSteps) {
    auto model = patches_with("jenkins", {{"kt", 3e12}, {"fs", 1e5}});
    load_along(model, 0.95e5);
    const auto options = loops_options();
    const Interface interface(model);
    for (const double q : {5e-5, 1e-4, 2e-4}) {
        Tracer tracer(model, interface, options);
        auto& equations = tracer.equations();
        tracer.start(1);
        int steps = 0, from_plus = 0, from_unloaded = 0;
        ASSERT_TRUE(tracer.reach(q, steps));
        const Branch plus = tracer.here();
        tracer.sites().commit();
        Branch mirrored = plus;
        mirrored.q = -q;
        const double far = equations.residual_size(mirrored);
        ASSERT_TRUE(equations.solve(mirrored, from_plus));
        Branch unloaded = tracer.unloaded(plus, -q, from_unloaded);
        const double near = equations.residual_size(unloaded);
        ASSERT_TRUE(equations.solve(unloaded, from_unloaded));
        EXPECT_LT(near, far);
        EXPECT_LT(from_unloaded, from_plus);
        EXPECT_RELATIVE(unloaded.lambda, mirrored.lambda, 1e-12);
        EXPECT_NEAR(equations.overlap(mirrored, unloaded), 1.0, 1e-12);
    }
}

/// Traced loops end when all of the damping has settled: it is within (twice) the tolerance of what it tends to, and
/// was not after half as many loops.
TEST(Loops, SettleOnAllOfTheDamping) {
    auto model = patches_with("valanis", {{"E0", 5e12}, {"Et", 1e10}, {"lambda", 2.5e7}, {"kappa", 0.1}});
    load_along(model, 4e4);
    auto o = loops_options();
    o.close_loops = false;
    o.most_loops = 2000;
    int last = o.most_loops;
    for (const double viscous : {0.0, 1e-3, 0.1}) {
        model.damping_ratio = viscous;
        o.loop_tolerance = 1e-14;
        const double limit = backbone(model, 1, {3e-4}, o).front().zeta;
        o.loop_tolerance = 1e-7;
        const auto settled = backbone(model, 1, {3e-4}, o).front();
        const int loops = settled.loops / 2;
        ASSERT_TRUE(settled.converged);
        ASSERT_GT(loops, 2);
        auto cut = o;
        cut.most_loops = loops / 2;
        const double early = backbone(model, 1, {3e-4}, cut).front().zeta;
        EXPECT_LE(std::abs(settled.zeta - limit), o.loop_tolerance * (limit + 1e-6) * 2) << viscous;
        EXPECT_GT(std::abs(early - limit), o.loop_tolerance * limit) << viscous;
        EXPECT_LT(loops, last);
        last = loops;
    }
}

/// An area that begins where joints slip already misses what lies below, at most 4 (lambda_0 - lambda) s^2: it is the
/// one integrated from far below, or the point says that it is not.
TEST(MasingArea, BeginsLowEnoughOrSaysSo) {
    BackboneOptions o;
    o.dissipation = Dissipation::modal;
    o.quadrature = 40;
    int flagged = 0, good = 0;
    for (const double mu : {1e-1, 1e-3, 1e-4, 1e-5}) {
        const auto model = touching_patches(mu);
        const Interface interface(model);
        std::vector<double> ladder;
        for (double q = 1e-7; q <= 1e-3; q *= 1.5) ladder.push_back(q);
        const auto fine = backbone(model, interface, 1, ladder, o);
        for (const std::size_t i : {ladder.size() / 3, ladder.size() / 2, ladder.size() - 1}) {
            const double q = ladder[i], D = fine[i].dissipation;
            ASSERT_TRUE(fine[i].converged);
            const auto p = backbone(model, interface, 1, {q}, o).front();
            const double lambda = std::pow(p.omega, 2), known = o.tolerance * lambda * q * q;
            const double kinks = 1e-4 * D;  // of the rule, between its points
            (p.converged ? good : flagged)++;
            if (p.converged) {
                EXPECT_NEAR(p.dissipation, D, o.loop_tolerance * D + known + kinks) << mu << " " << q;
            }
            const double low = q / 256;  // where the area begins, unless rounding covers it
            if (low < 1e-7) continue;
            Tracer tracer(model, interface, o);
            tracer.start(1);
            int steps = 0;
            ASSERT_TRUE(tracer.reach(low, steps));
            const double below = 4 * (tracer.start_lambda() - tracer.here().lambda) * low * low;
            EXPECT_LE(p.dissipation - D, below + known + kinks) << mu << " " << q;
            EXPECT_GE(p.dissipation - D, -known - kinks) << mu << " " << q;
            EXPECT_EQ(p.converged, below <= o.loop_tolerance * p.dissipation + known) << mu << " " << q;
        }
    }
    EXPECT_GT(flagged, 0);
    EXPECT_GT(good, 8);  // those that stick, too
}

}  // namespace
