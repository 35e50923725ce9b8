// What contact sites lose on the path between reversals, and where Masing's rule is not for them.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/modes/backbone.hpp"
#include "lap_joint.hpp"
#include "relative.hpp"
#include "tracer.hpp"

namespace {

using namespace faying;
using namespace faying::modes;

structure::Model full(const std::string& law, const core::ParameterValues& values, double preload) {
    const auto r = tests::full_joint(6, 3, 10);
    auto model = structure::bare_model(r, {{"preload", preload}});
    model.joints.push_back(structure::joint_on_interface(r, "interface", laws::Law(law, values), ""));
    return model;
}

/// Pressed so lightly that it opens.
structure::Model dry() { return full("elastic-dry-friction", {{"kt", 5e12}, {"mu", 0.1}, {"kn", 1e13}}, 300); }

/// Once around QSMA's loop in small pieces, each accepted by the joints: what they lose by their closed forms, and the
/// loads' work. An odd number: none is at q = 0, where lambda is not finite.
struct Around {
    double loss = 0, work = 0;
};
Around in_pieces(Tracer& tracer, const Loop& loop, int pieces) {
    auto& equations = tracer.equations();
    auto& sites = tracer.sites();
    Around sum;
    int steps = 0;
    const double q = loop.plus.q;
    Branch b = loop.plus;
    std::vector<double> before, after;
    sites.dissipated(before);
    for (const double sign : {1.0, -1.0})
        for (int k = 1; k <= pieces; ++k) {
            const double s = sign * q * std::cos(std::numbers::pi * k / pieces), ratio = b.q / s;
            const Shape shape = equations.shape(b);
            Branch next = equations.guess({ratio * shape.y, ratio * shape.xi}, ratio * b.lambda, s);
            EXPECT_TRUE(equations.solve(next, steps)) << k;
            sum.work += 0.5 * (b.lambda * b.q + next.lambda * s) * (s - b.q);
            sites.commit();
            b = next;
        }
    sites.dissipated(after);
    sum.loss = after[0] - before[0];
    return sum;
}

/// Contact that opens bends the sites' paths: straight from reversal to reversal they would lose another amount.
TEST(LoopWork, IsWhatSitesLoseOnAPathCutFinely) {
    const auto model = dry();
    const Interface interface(model);
    BackboneOptions o;
    o.method = Method::qsma;
    o.framework = Framework::loops;
    double bent = 0;
    for (const double q : {1e-4, 1e-3, 3e-3}) {
        Tracer tracer(model, interface, o);
        tracer.start(1);
        int steps = 0;
        ASSERT_TRUE(tracer.reach(q, steps));
        const Loop loop = tracer.close(steps);
        ASSERT_TRUE(loop.converged);
        const Around exact = in_pieces(tracer, loop, 151);
        EXPECT_RELATIVE(exact.work, exact.loss, 1e-3) << q;
        for (const auto dissipation : {Dissipation::local, Dissipation::modal}) {
            auto route = o;
            route.dissipation = dissipation;
            if (dissipation == Dissipation::modal) route.quadrature *= 3;  // as local has with few sites
            const auto p = backbone(model, interface, 1, {q}, route).front();
            ASSERT_TRUE(p.converged);
            EXPECT_RELATIVE(p.dissipation, exact.loss, 5e-3) << q;
            if (dissipation == Dissipation::local) {
                EXPECT_RELATIVE(p.site_dissipation[0].sum(), p.dissipation, 1e-12);
            }
        }
        bent = std::max(bent, std::abs(loop.dissipation[0] / exact.loss - 1));
    }
    EXPECT_GT(bent, 0.5);  // else this test shows nothing
}

/// Under limits that pressure does not move, forces have a potential from one reversal to the next: what is lost is known
/// from where the sites turn, no path is looked for, and the work on one, ever finer, comes to it.
TEST(LoopWork, OfConstantLimitsIsKnownFromTheReversals) {
    EXPECT_TRUE(work_needs_path(dry()));
    EXPECT_TRUE(work_needs_path(full("jenkins-2d-penalty", {{"kt", 5e12}, {"fs", 1e5}, {"kn", 1e13}}, 12845)));
    for (const auto& [law, values] : std::vector<std::pair<std::string, core::ParameterValues>>{
             {"jenkins-2d", {{"kt", 5e12}, {"fs", 1e5}, {"kn", 1e13}}},
             {"jenkins-prager-2d", {{"kt", 5e12}, {"fs", 1e5}, {"kp", 1e11}, {"kn", 1e13}}}}) {
        const auto model = full(law, values, 12845);
        const Interface interface(model);
        EXPECT_FALSE(work_needs_path(model));
        BackboneOptions o;
        o.framework = Framework::loops;
        o.derivatives = true;
        const auto known = backbone(model, interface, 1, {1e-3, 5e-3}, o);
        o.dissipation = Dissipation::modal;
        o.quadrature = 120;
        const auto path = backbone(model, interface, 1, {1e-3, 5e-3}, o);
        for (std::size_t i = 0; i < known.size(); ++i) {
            ASSERT_TRUE(known[i].converged && path[i].converged) << law << " " << i;
            EXPECT_RELATIVE(known[i].dissipation, path[i].dissipation, 2e-3) << law << " " << i;
            EXPECT_RELATIVE(known[i].site_dissipation[0].sum(), known[i].dissipation, 1e-12);
            EXPECT_LT(4 * known[i].iterations, path[i].iterations) << law << " " << i;
            for (std::size_t k = 0; k < known[i].derivatives.size(); ++k) {
                const auto& d = known[i].derivatives[k];
                const double value = model.joints[0].law.values()[d.parameter];  // derivatives to its logarithm
                EXPECT_NEAR(value * d.dissipation, value * path[i].derivatives[k].dissipation,
                            1e-2 * known[i].dissipation)
                    << law << " " << i << " " << k;
            }
        }
    }
}

/// Where every site sticks at both reversals nothing is lost between them, and no path is looked for.
TEST(LoopWork, TakesNoPathWhereAllStick) {
    const auto model = full("elastic-dry-friction", {{"kt", 5e12}, {"mu", 0.5}, {"kn", 1e13}}, 12845);
    BackboneOptions o;
    o.framework = Framework::loops;
    o.derivatives = true;
    const auto p = backbone(model, 1, {1e-7}, o).front();
    ASSERT_TRUE(p.converged);
    EXPECT_EQ(p.dissipation, 0.0);
    EXPECT_LT(p.iterations, 30);  // a path has 68 points between its reversals
    for (const auto& d : p.derivatives) EXPECT_EQ(d.dissipation, 0.0);
}

/// The rule of the path: exact for products of a polynomial and another's derivative, and a constant does no work.
TEST(LoopWork, RuleIntegratesPolynomials) {
    for (const int points : {4, 12, 40, 200}) {
        const Lobatto rule(points);
        const Eigen::MatrixXd share = rule.work();
        const auto n = Eigen::Index(points);
        Eigen::VectorXd f(n), u(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const double x = rule.nodes[std::size_t(i)];
            f(i) = 1 + x * x;
            u(i) = x * x * x - x;
        }
        // Int (1 + x^2)(3 x^2 - 1) dx over [-1, 1] = Int 3 x^4 + 2 x^2 - 1 = 6/5 + 4/3 - 2
        EXPECT_NEAR(f.dot(share * u), 6.0 / 5 + 4.0 / 3 - 2, 1e-11) << points;
        EXPECT_NEAR(f.dot(share * Eigen::VectorXd::Ones(n)), 0.0, 1e-11);
    }
}

TEST(Masing, HoldsUnderConstantLimitsAndSaysWhereItDoesNot) {
    BackboneOptions o;
    const std::vector<double> q{1e-4, 1e-3, 1e-2};
    const auto odd = full("jenkins-2d", {{"kt", 5e12}, {"fs", 1e5}, {"kn", 1e13}}, 12845);
    const auto local = backbone(odd, 1, q, o);
    o.dissipation = Dissipation::modal;
    o.quadrature = 24;
    const auto modal = backbone(odd, 1, q, o);
    o.framework = Framework::loops;
    o.prestress = Friction::conservative;  // as slack at the start as the virgin curves
    const auto loops = backbone(odd, 1, q, o);
    for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_TRUE(local[i].converged && modal[i].converged && loops[i].converged);
        EXPECT_LT(local[i].masing_error, 1e-3) << q[i];
        EXPECT_NEAR(local[i].dissipation, loops[i].dissipation, 1e-2 * loops[i].dissipation + 1e-18) << q[i];
        EXPECT_NEAR(modal[i].dissipation, loops[i].dissipation, 1e-2 * loops[i].dissipation + 1e-18) << q[i];
    }
    EXPECT_GT(local.back().dissipation, 0.0);

    BackboneOptions masing;
    masing.dissipation = Dissipation::modal;
    const auto lopsided = backbone(dry(), 1, {1e-7, 3e-3}, masing);
    EXPECT_LT(lopsided[0].masing_error, masing.masing_tolerance);
    EXPECT_GT(lopsided[1].masing_error, masing.masing_tolerance);
    for (const auto& p : lopsided) EXPECT_TRUE(p.converged && p.reason.empty());
}

}  // namespace
