// Elements of several displacements, laws driven by force, and branches that fold, in structures.

#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/modes/backbone.hpp"
#include "own_laws.hpp"
#include "relative.hpp"

namespace {

using namespace faying;
using namespace faying::modes;

structure::Model two_modes(const laws::Law& law) {
    structure::Model m;
    m.mass = Eigen::Matrix2d::Identity();
    m.stiffness = Eigen::Vector2d(1.0, 2.5).asDiagonal();
    m.joints = {{"element", law, Eigen::Matrix2d::Identity(), Eigen::VectorXd::Ones(1), {}, {}}};
    return m;
}

TEST(Element, OfTwoModalCoordinatesHasItsNonlinearModesAndDerivatives) {
    const tests::CoupledModes<> element{.a = 0.3, .b = 0.8, .c = 0.5, .d = 0.2};
    BackboneOptions o;
    o.derivatives = true;
    const std::vector<double> q{0.01, 0.3, 1.0};
    for (int mode = 1; mode <= 2; ++mode) {
        const auto points = backbone(two_modes(laws::Law(element)), mode, q, o);
        ASSERT_EQ(points.size(), 3u);
        for (std::size_t i = 0; i < q.size(); ++i) {
            ASSERT_TRUE(points[i].converged);
            const Eigen::Vector2d d = q[i] * points[i].shape;
            EXPECT_RELATIVE(d.norm(), q[i], 1e-12);
            const auto s = element.step({}, {d(0), d(1)});
            const double lambda = points[i].omega * points[i].omega;
            EXPECT_NEAR((1.0 - lambda) * d(0) + s.force[0], 0.0, 1e-12);
            EXPECT_NEAR((2.5 - lambda) * d(1) + s.force[1], 0.0, 1e-12);
            ASSERT_EQ(points[i].derivatives.size(), 4u);
            for (std::size_t k = 0; k < 4; ++k) {
                auto up = element, down = element;
                auto& table = tests::CoupledModes<>::table();
                table[k].at(up) += 1e-5;
                table[k].at(down) -= 1e-5;
                const auto above = backbone(two_modes(laws::Law(up)), mode, {q[i]}),
                           below = backbone(two_modes(laws::Law(down)), mode, {q[i]});
                EXPECT_NEAR(points[i].derivatives[k].omega, (above[0].omega - below[0].omega) / 2e-5, 1e-8) << k;
            }
        }
    }
}

/// (tangential, normal) against (tangential, across, normal) with nothing that moves across.
TEST(Element, OfContactInThePlaneIsContactInSpace) {
    const auto model = [](const laws::Law& law, bool plane) {
        structure::Model m;
        const Eigen::Index n = plane ? 3 : 4;
        m.mass = Eigen::MatrixXd::Identity(n, n);
        Eigen::Matrix4d k = Eigen::Vector4d(1, 5, 1, 3).asDiagonal();
        k(0, 3) = k(3, 0) = -0.5;
        k(0, 2) = k(2, 0) = 0.1;
        m.stiffness = k;
        m.static_force = Eigen::Vector4d(0.01, 0, 1, 0);
        Eigen::MatrixXd map = Eigen::MatrixXd::Identity(3, 4);
        if (plane) {
            const std::vector<Eigen::Index> kept{0, 2, 3};
            m.stiffness = k(kept, kept);
            m.static_force = Eigen::Vector3d(0.01, 1, 0);
            map = Eigen::MatrixXd::Identity(2, 3);
        }
        m.joints = {{"contact", law, map, Eigen::VectorXd::Ones(1), {}, {}}};
        return m;
    };
    const auto plane = model(laws::Law(tests::PlaneContact<>{2, 0.3, 10}), true),
               space = model(laws::Law("elastic-dry-friction", {{"kt", 2}, {"mu", 0.3}, {"kn", 10}}), false);
    const auto rest = prestress(plane), rest_in_space = prestress(space);
    EXPECT_NEAR(rest.u(1), rest_in_space.u(2), 1e-13);
    EXPECT_LT((structure::stuck_stiffness(plane) - structure::stuck_stiffness(space)({0, 2, 3}, {0, 2, 3})).norm(),
              1e-13);
    BackboneOptions o;
    o.framework = Framework::loops;
    o.derivatives = true;
    const std::vector<double> q{0.02, 0.1, 0.4};
    const auto a = backbone(plane, 1, q, o), b = backbone(space, 1, q, o);
    for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_TRUE(a[i].converged && b[i].converged) << a[i].reason << b[i].reason;
        EXPECT_RELATIVE(a[i].omega, b[i].omega, 1e-10);
        EXPECT_NEAR(a[i].zeta, b[i].zeta, 1e-8 * b[i].zeta + 1e-14);
        ASSERT_EQ(a[i].derivatives.size(), 3u);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[i].derivatives[k].zeta, b[i].derivatives[k].zeta, 1e-7);
    }
    EXPECT_GT(a[2].zeta, 1e-3);
}

structure::Model behind_a_spring(const core::ParameterValues& values) {
    structure::Model m;
    m.mass = Eigen::Matrix2d::Identity();
    m.stiffness = Eigen::Matrix2d{{2.0, -1.0}, {-1.0, 2.0}};
    m.joints = {structure::single_site("joint", laws::Law("six-state", values), Eigen::Vector2d(-1, 1))};
    return m;
}

TEST(ForceDriven, LawStandsInAStructureBehindASpring) {
    const auto model = behind_a_spring({{"ks", 1.0}});
    structure::check_model(model, "model");
    EXPECT_THROW(structure::check_model(behind_a_spring({}), "model"), core::BadInput);
    EXPECT_NEAR(structure::stuck_stiffness(model)(0, 0), 3.0, 1e-9);  // rigid while it sticks: the spring alone
    BackboneOptions o;
    o.framework = Framework::loops;
    o.loop_tolerance = 1e-9;
    const std::vector<double> q{0.01, 0.3, 3.0};
    const auto points = backbone(model, 2, q, o);
    const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
    for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_TRUE(points[i].converged) << points[i].reason;
        laws::JointSet<double> site({{model.joints[0].law, one}});
        const auto loops = site.steady_loops(points[i].site_plus[0], points[i].site_minus[0], 1e-12, 2000);
        EXPECT_NEAR(points[i].dissipation, loops.dissipated(0), 1e-6 * loops.dissipated(0) + 1e-14);
    }
    EXPECT_RELATIVE(points[0].omega, std::sqrt(5.0), 1e-6);
    EXPECT_LT(points[2].omega, points[0].omega);
    EXPECT_GT(points[2].zeta, 1e-3);
}

// Two oscillators, the first of which softens and then hardens: mode 1 turns back at q = 1.094 and up again at 0.714.
structure::Model folding() {
    structure::Model m;
    m.mass = Eigen::Matrix2d::Identity();
    m.stiffness = Eigen::Matrix2d{{1.4768623352, -0.1}, {-0.1, 1.5}};
    m.joints = {structure::single_site(
        "spring", laws::Law("polynomial", {{"k1", 0.5}, {"k3", -1.8502738927}, {"k5", 0.7907154977}}),
        Eigen::Vector2d(1, 0))};
    return m;
}

/// Angles of shapes on the circle of radius q, by signs of the force across.
std::vector<double> angles(double q) {
    const auto across = [q](double t) {
        const double x = q * std::cos(t), y = q * std::sin(t);
        const double fx = 1.9768623352 * x - 0.1 * y - 1.8502738927 * std::pow(x, 3) + 0.7907154977 * std::pow(x, 5);
        return std::cos(t) * (1.5 * y - 0.1 * x) - std::sin(t) * fx;
    };
    std::vector<double> found;
    for (double t = -1.57; t < 1.57; t += 1e-3) {
        double low = t, high = t + 1e-3;
        if (across(low) * across(high) > 0) continue;
        for (int k = 0; k < 60; ++k) (across(low) * across(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
        found.push_back(low);
    }
    return found;
}

TEST(Folds, AreFollowedAndTheirPointsCounted) {
    BackboneOptions o;
    o.folds = true;
    const std::vector<double> q{0.1, 0.6, 0.8, 1.0, 1.3, 2.0};
    const auto points = backbone(folding(), 1, q, o);
    std::vector<std::pair<double, int>> order;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged) << p.q << ": " << p.reason;
        EXPECT_LE(p.residual, 1e-10);
        order.emplace_back(p.q, p.branch);
        const double angle = std::atan2(p.shape(1), p.shape(0));
        double nearest = 1;
        for (const double t : angles(p.q)) nearest = std::min(nearest, std::abs(t - angle));
        EXPECT_LT(nearest, 1e-9) << p.q;
    }
    const std::vector<std::pair<double, int>> expected{{0.1, 0}, {0.6, 0}, {0.8, 0}, {1.0, 0}, {1.0, 1},
                                                       {0.8, 1}, {0.8, 2}, {1.0, 2}, {1.3, 2}, {2.0, 2}};
    EXPECT_EQ(order, expected);
    EXPECT_GT(std::abs(points[4].omega - points[3].omega), 1e-3);
}

TEST(Folds, WithoutBeingAskedForLeadToOnePointPerAmplitude) {
    const std::vector<double> q{0.1, 0.6, 0.8, 1.0, 1.3, 2.0};
    const auto points = backbone(folding(), 1, q);
    ASSERT_EQ(points.size(), q.size());
    for (const auto& p : points) EXPECT_TRUE(p.converged) << p.q << ": " << p.reason;
}

TEST(Interface, DynamicStiffnessIsThatOfTheWholeStructureCondensed) {
    structure::Model m;
    m.mass = Eigen::Vector4d(1, 2, 3, 4).asDiagonal();
    m.stiffness = Eigen::Matrix4d{{3, -1, 0, 0}, {-1, 4, -2, 0}, {0, -2, 5, -1}, {0, 0, -1, 2}};
    m.joints = {
        structure::single_site("joint", laws::Law("jenkins", {{"kt", 1}, {"fs", 1}}), Eigen::Vector4d(1, 0, -1, 0))};
    const Interface interface(m);
    const double lambda = 0.7;
    // compliance of the whole structure along the joint's displacement
    const Eigen::Matrix4d whole = m.stiffness - lambda * m.mass;
    const Eigen::Vector4d row = interface.rows().row(0).transpose();
    const double compliance = row.dot(whole.partialPivLu().solve(row));
    EXPECT_RELATIVE(interface.dynamic_stiffness(lambda)(0, 0), 1 / compliance, 1e-11);
    const Eigen::MatrixXd kept = interface.dynamic_stiffness(lambda, {0, 2});
    ASSERT_EQ(kept.rows(), 3);
    const double condensed =
        kept(0, 0) - (kept.block(0, 1, 1, 2) * kept.bottomRightCorner(2, 2).inverse() * kept.block(1, 0, 2, 1))(0);
    EXPECT_RELATIVE(condensed, 1 / compliance, 1e-11);
}

}  // namespace
