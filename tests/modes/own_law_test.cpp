// Laws from outside in a structure: backbones in both frameworks, with derivatives however they come about.

#include <gtest/gtest.h>

#include <array>

#include "faying/modes/backbone.hpp"
#include "own_laws.hpp"
#include "relative.hpp"

namespace {

using namespace faying;
using namespace faying::modes;
using namespace faying::tests;

structure::Model two_masses(laws::Law law) {
    structure::Model m;
    m.mass = Eigen::Matrix2d::Identity();
    m.stiffness = Eigen::Matrix2d{{4.0, -1.0}, {-1.0, 4.0}};
    m.joints = {structure::single_site("joint", std::move(law), Eigen::Vector2d(-1, 1))};
    return m;
}

template <class Plain, class... Values>
laws::Law plain_law(Values... values) {
    Plain law;
    const std::array<double, sizeof...(Values)> given{values...};
    std::size_t next = 0;
    for (const auto& entry : Plain::table()) entry.at(law) = given.at(next++);
    return laws::Law(law);
}

/// Backbone and derivatives of three laws that are one: the library's, a user's template, a user's law of double.
void compare(const laws::Law& known, const laws::Law& templated, const laws::Law& plain, Framework framework) {
    BackboneOptions o;
    o.framework = framework;
    o.derivatives = true;
    o.loop_tolerance = 1e-8;
    const std::vector<double> q{0.05, 0.3, 1.7};
    const auto a = backbone(two_masses(known), 2, q, o), b = backbone(two_masses(templated), 2, q, o),
               c = backbone(two_masses(plain), 2, q, o);
    for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_TRUE(a[i].converged && b[i].converged && c[i].converged) << q[i];
        EXPECT_RELATIVE(b[i].omega, a[i].omega, 1e-9);
        EXPECT_NEAR(b[i].zeta, a[i].zeta, 1e-7 * a[i].zeta + 1e-12);
        EXPECT_RELATIVE(c[i].omega, a[i].omega, 1e-9);
        ASSERT_EQ(b[i].derivatives.size(), templated.parameters().size());
        ASSERT_EQ(c[i].derivatives.size(), plain.parameters().size());
        for (std::size_t k = 0; k < b[i].derivatives.size(); ++k) {
            const auto &exact = b[i].derivatives[k], &by_differences = c[i].derivatives[k];
            EXPECT_EQ(exact.law, laws::Derivatives::exact);
            EXPECT_EQ(by_differences.law, laws::Derivatives::differences);
            EXPECT_NEAR(exact.omega, by_differences.omega, 1e-6 * std::abs(exact.omega) + 1e-8) << q[i] << " " << k;
            EXPECT_NEAR(exact.zeta, by_differences.zeta, 1e-6 * std::abs(exact.zeta) + 1e-8) << q[i] << " " << k;
        }
    }
}

TEST(OwnLawInAStructure, FollowsLoops) {
    compare(laws::Law("valanis", {{"E0", 2}, {"Et", 0}, {"lambda", 2}, {"kappa", 0}}), laws::Law(Dahl<>{2, 1}),
            plain_law<PlainDahl>(2.0, 1.0), Framework::loops);
}

TEST(OwnLawInAStructure, OfSeveralNumbersFollowsVirginCurvesAndLoops) {
    const laws::Law known("jenkins+jenkins", {{"1.kt", 2}, {"1.fs", 0.8}, {"2.kt", 1}, {"2.fs", 0.15}});
    for (const auto framework : {Framework::masing, Framework::loops})
        compare(known, laws::Law(TwoSliders<>{2, 0.8, 1, 0.15}), plain_law<PlainTwoSliders>(2.0, 0.8, 1.0, 0.15),
                framework);
}

TEST(OwnLawInAStructure, OfContactFollowsLoops) {
    const core::ParameterValues values{{"kt", 2}, {"mu", 0.5}, {"kn", 10}};
    const auto model_of = [](laws::Law law) {
        structure::Model m;
        m.mass = Eigen::Matrix3d::Identity();
        m.stiffness = Eigen::Vector3d(1, 2, 1).asDiagonal();
        m.static_force = Eigen::Vector3d(0, 0, 1);
        m.joints = {{"contact", std::move(law), Eigen::Matrix3d::Identity(), Eigen::VectorXd::Ones(1), {}, {}}};
        return m;
    };
    BackboneOptions o;
    o.framework = Framework::loops;
    o.derivatives = true;
    const std::vector<double> q{0.05, 0.5};
    const auto a = backbone(model_of(laws::Law("elastic-dry-friction-decoupled", values)), 1, q, o),
               b = backbone(model_of(laws::Law(Grip{2, 0.5, 10})), 1, q, o);
    for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_TRUE(a[i].converged && b[i].converged);
        EXPECT_RELATIVE(b[i].omega, a[i].omega, 1e-9);
        EXPECT_NEAR(b[i].zeta, a[i].zeta, 1e-6 * a[i].zeta + 1e-12);
        ASSERT_EQ(b[i].derivatives.size(), 3u);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(b[i].derivatives[k].law, laws::Derivatives::differences);
            EXPECT_NEAR(b[i].derivatives[k].omega, a[i].derivatives[k].omega, 1e-6) << k;
            EXPECT_NEAR(b[i].derivatives[k].zeta, a[i].derivatives[k].zeta, 1e-6) << k;
        }
    }
}

}  // namespace
