#include <gtest/gtest.h>

#include <numbers>

#include "faying/modes/backbone.hpp"
#include "faying/modes/linear.hpp"
#include "modes/small_models.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using faying::tests::reference;

using faying::tests::one_mass;
using faying::tests::three_masses;

TEST(LinearModes, ThreeMassesStuckAndSlipping) {
    const auto data = reference("three_mass");
    const auto model = three_masses();
    const auto stuck = modes::linear_modes(model.mass, structure::stuck_stiffness(model));
    const auto slipping = modes::linear_modes(model.mass, structure::slipping_stiffness(model));
    for (int r = 0; r < 3; ++r) {
        EXPECT_RELATIVE(stuck.omega(r), data["omega0"][r].get<double>(), 1e-13);
        EXPECT_RELATIVE(slipping.omega(r), data["omega_inf"][r].get<double>(), 1e-13);
        EXPECT_LT(stuck.residual(r), 1e-14);
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(stuck.shapes(i, r), data["Phi0_columns_by_row"][i][r].get<double>(), 1e-12);
            EXPECT_NEAR(std::abs(slipping.shapes(i, r)), std::abs(data["Phi_inf"][i][r].get<double>()), 1e-12);
        }
    }
}

TEST(Rqnma, ThreeMassesReferenceRows) {
    for (const auto& row : faying::tests::rows(reference("three_mass")["rqnma"], 13)) {
        const auto p = modes::backbone(three_masses(), row["mode"], {row["q"].get<double>()}).back();
        ASSERT_TRUE(p.converged);
        EXPECT_RELATIVE(p.omega, row["omega_rqnma"].get<double>(), 1e-11) << row["mode"] << " " << row["q"];
        EXPECT_RELATIVE(p.dissipation, row["D_rqnma"].get<double>(), 1e-9) << row["mode"] << " " << row["q"];
        EXPECT_RELATIVE(p.zeta_friction, row["zeta_rqnma_friction"].get<double>(), 1e-9);
        EXPECT_NEAR(p.zeta, p.zeta_friction + 1e-4, 1e-15);
        for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(std::abs(p.shape(i) * p.q), std::abs(row["u_rqnma"][i].get<double>()), 1e-9 * p.q);
        EXPECT_LT(p.residual, 1e-12);
    }
}

/// lambda = secant/m and D = 4 fs (A - fs/kt) with A = q/sqrt(m).
TEST(Rqnma, JenkinsOscillatorClosedForm) {
    const auto model = one_mass("jenkins", {{"kt", 3}, {"fs", 1}}, 5.0);
    const std::vector<double> amplitudes{1e-3, 0.4, 0.5, 1.0, 30.0, 1e4};
    const auto points = modes::backbone(model, 1, amplitudes);
    ASSERT_EQ(points.size(), amplitudes.size());
    for (const auto& p : points) {
        const double A = p.q / std::sqrt(2.0);
        const bool slips = 3 * A > 1;
        const double secant = 5.0 + (slips ? 1.0 / A : 3.0), D = slips ? 4.0 * (A - 1.0 / 3.0) : 0.0;
        EXPECT_RELATIVE(p.omega, std::sqrt(secant / 2.0), 1e-12);
        EXPECT_NEAR(p.dissipation, D, 1e-12 * D);
        EXPECT_NEAR(p.zeta, D / (2 * std::numbers::pi * p.omega * p.omega * p.q * p.q), 1e-12);
    }
}

TEST(Rqnma, LimitsAreTheLinearModes) {
    const auto model = three_masses();
    const auto stuck = modes::linear_modes(model.mass, structure::stuck_stiffness(model));
    const auto slipping = modes::linear_modes(model.mass, structure::slipping_stiffness(model));
    for (int mode = 1; mode <= 3; ++mode) {
        const auto points = modes::backbone(model, mode, {1e-9, 1e9});
        ASSERT_TRUE(points.back().converged);
        EXPECT_RELATIVE(points[0].omega, stuck.omega(mode - 1), 1e-6);  // KT - c u^(1/2)
        EXPECT_RELATIVE(points[1].omega, slipping.omega(mode - 1), 1e-7);
    }
}

/// Two joints on the same DOF are one joint of twice the strength; a mode the joint does not touch stays linear.
TEST(Rqnma, SharedDirectionsAndUntouchedModes) {
    auto model = three_masses();
    model.joints.clear();
    const laws::Law iwan("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}});
    const laws::Law strong("iwan4", {{"FS", 20}, {"KT", 2}, {"chi", -0.5}, {"beta", 5}});
    Eigen::VectorXd b(3);
    b << 0, -1, 1;
    using structure::single_site;
    model.joints = {single_site("a", iwan, b), single_site("b", iwan, b)};
    const auto two = modes::backbone(model, 2, {5.0}).back();
    model.joints = {single_site("both", strong, b)};
    const auto one = modes::backbone(model, 2, {5.0}).back();
    EXPECT_RELATIVE(two.omega, one.omega, 1e-13);
    EXPECT_RELATIVE(two.dissipation, one.dissipation, 1e-12);

    structure::Model pair;  // the symmetric mode does not move the joint between equal masses
    pair.mass = Eigen::MatrixXd::Identity(2, 2);
    pair.stiffness = Eigen::MatrixXd::Identity(2, 2) * 4.0;
    Eigen::VectorXd between(2);
    between << -1, 1;
    pair.joints = {single_site("between", iwan, between)};
    const auto still = modes::backbone(pair, 1, {0.1, 100.0}).back();
    ASSERT_TRUE(still.converged);
    EXPECT_RELATIVE(still.omega, 2.0, 1e-13);
    EXPECT_NEAR(still.dissipation, 0.0, 1e-20);
}

/// The residual is found on the interface and the fixed-interface modes: no product with M and K. Here it is again on
/// all DOF, from what the point gives; and the bound of |f| that it uses is one, and sharp for forces of the joints.
TEST(Rqnma, ResidualHoldsOnAllDegreesOfFreedom) {
    const auto model = three_masses();
    const auto& joint = model.joints.front();
    for (const auto& p : modes::backbone(model, 2, {0.1, 10.0, 100.0})) {
        const Eigen::VectorXd d = p.shape * p.q, inertia = p.omega * p.omega * model.mass * d;
        const Eigen::VectorXd left = model.stiffness * d + joint.map.transpose() * p.site_force.front() - inertia;
        EXPECT_LT(left.norm(), 1e-12 * inertia.norm());
        EXPECT_LT(p.residual, 1e-12);
    }
    const modes::Interface interface(model);
    for (int k = 0; k < 3; ++k) {
        const Eigen::VectorXd f = Eigen::VectorXd::Unit(3, k) + Eigen::VectorXd::Constant(3, 0.3);
        const double bound = interface.force_norm(interface.force_on_y(f), interface.force_on_modes(f));
        EXPECT_GE(bound, f.norm() * (1 - 1e-14));
        EXPECT_LE(bound, 3 * f.norm());  // |M|^(1/2) |Phi^T f| and the joint's share, both at most about |f| here
    }
    const Eigen::VectorXd pull = joint.map.transpose();
    EXPECT_RELATIVE(interface.force_norm(interface.force_on_y(pull), interface.force_on_modes(pull)), pull.norm(),
                    1e-14);
}

/// Shapes are an output, not part of the solution.
TEST(Rqnma, WithoutShapesTheRestIsTheSame) {
    const auto with = modes::backbone(three_masses(), 1, {1.0, 30.0});
    const auto without = modes::backbone(three_masses(), 1, {1.0, 30.0}, {.shapes = false});
    for (std::size_t i = 0; i < with.size(); ++i) {
        EXPECT_EQ(without[i].shape.size(), 0);
        EXPECT_EQ(without[i].omega, with[i].omega);
        EXPECT_EQ(without[i].zeta, with[i].zeta);
        EXPECT_EQ(without[i].site_force.front(), with[i].site_force.front());
    }
}

TEST(Rqnma, RefusesWhatItCannotDo) {
    EXPECT_THROW(modes::backbone(three_masses(), 4, {1.0}), core::BadInput);
    EXPECT_THROW(modes::backbone(three_masses(), 1, {0.0}), core::BadInput);
    for (const double q : {1e-300, 4e-324, 1e200, -1.0})  // squares that are not normal numbers
        EXPECT_THROW(modes::backbone(three_masses(), 1, {q}), core::BadInput) << q;
    EXPECT_TRUE(std::isfinite(modes::backbone(three_masses(), 1, {modes::least_amplitude}).front().zeta));
    EXPECT_THROW(modes::backbone(three_masses(), 1, {2.0, 1.0}), core::BadInput);
    EXPECT_THROW(modes::backbone(one_mass("bouc-wen", {{"A", 1}, {"alpha", 1}, {"beta", 0}}), 1, {1.0}),
                 core::BadInput);
}

}  // namespace
