#include "faying/modes/prestress.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "faying/modes/backbone.hpp"
#include "lap_joint.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using namespace faying::modes;

/// Two masses on springs, the one pressed against the other; one contact site.
structure::Model pressed(const std::string& law, const core::ParameterValues& values, const Eigen::Vector3d& load) {
    structure::Model m;
    m.mass = m.stiffness = Eigen::MatrixXd::Identity(3, 3);
    m.static_force = load;
    m.joints = {{"contact", laws::Law(law, values), Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Ones(1), {}, {}}};
    return m;
}
const core::ParameterValues dry = {{"kt", 3}, {"mu", 0.5}, {"kn", 9}};

TEST(Prestress, ContactClosedForm) {
    // un = P/(1 + kn); tangentially stuck: T/(1 + kt), else (T - mu kn un)/1
    for (const double T : {0.5, 4.0, -7.0}) {
        const auto p = prestress(pressed("elastic-dry-friction", dry, {T, 0, 2}));
        const double un = 2.0 / 10, limit = 0.5 * 9 * un, stuck = T / 4;
        const double expected = std::abs(3 * stuck) <= limit ? stuck : T - std::copysign(limit, T);
        EXPECT_RELATIVE(p.u(2), un, 1e-14);
        EXPECT_NEAR(p.u(0), expected, 1e-13);
        EXPECT_LT(p.residual, 1e-14);
    }
    const auto off =
        prestress(pressed("elastic-dry-friction+kp", {{"kt", 3}, {"mu", 0.5}, {"kn", 9}, {"kp", 1}}, {4, 1, 2}),
                  {.friction = Friction::conservative});
    EXPECT_RELATIVE(off.u(0), 2.0, 1e-14);  // kp alone
    EXPECT_RELATIVE(off.u(1), 0.5, 1e-14);
    const auto linear = prestress(pressed("elastic-dry-friction", dry, {4, 0, 2}), {.friction = Friction::linear});
    EXPECT_RELATIVE(linear.u(0), 1.0, 1e-14);
}

TEST(Prestress, OpenedCompletelyIsSaid) {
    EXPECT_THROW(prestress(pressed("elastic-dry-friction", dry, {0, 0, -2})), core::NotConverged);
}

TEST(Prestress, FullJointIsInEquilibriumWithPartsOpen) {
    const auto r = tests::full_joint(9, 4, 12);
    for (const char* law : {"elastic-dry-friction", "elastic-dry-friction-decoupled"})
        for (const double preload : {100.0, 12845.0, 1e6}) {
            auto model = structure::bare_model(r, {{"preload", preload}});
            model.joints = {
                structure::joint_on_interface(r, "j", laws::Law(law, {{"kt", 1e14}, {"mu", 0.8}, {"kn", 5e11}}), "")};
            const auto p = prestress(model);
            EXPECT_LT(p.residual, 1e-10) << law << " " << preload;
            double pressure = 0;
            for (Eigen::Index i = 0; i < model.joints[0].sites(); ++i)
                pressure += 5e11 * std::max(0.0, p.sites(3 * i + 2)) * model.joints[0].weight(i);
            EXPECT_RELATIVE(pressure, 3 * preload, 1e-5);  // the bolts' force, but for what the soft supports take
        }
}

TEST(Prestress, DropsOutOfMasingBackbonesWithLinearNormalSprings) {
    const auto r = tests::whole_joint();
    for (const double preload : {0.0, 12845.0}) {
        auto model = structure::bare_model(r, {{"preload", preload}});
        model.joints = {
            structure::joint_on_patches(r, "t", laws::Law("jenkins", {{"kt", 3e12}, {"fs", 1.6e5}}), {"all"},
                                        "tangential", true),
            structure::joint_on_patches(r, "n", laws::Law("polynomial", {{"k1", 1e13}}), {"all"}, "normal", true)};
        static double first = 0;
        const double omega = backbone(model, 1, {1e-3}).back().omega;
        if (first == 0) first = omega;
        EXPECT_EQ(omega, first);
    }
}

/// With constant pressure a dry-friction patch is Jenkins at mu kn un; penalty contact does not open at small
/// amplitude.
TEST(Contact, DryFrictionUnderConstantPressureIsJenkins) {
    structure::Model m;
    m.mass = m.stiffness = Eigen::MatrixXd::Identity(3, 3);
    m.static_force = Eigen::Vector3d(0, 0, 2);
    const auto contact = [&](const std::string& law) {
        auto copy = m;
        copy.joints = {{"c", laws::Law(law, dry), Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Ones(1), {}, {}}};
        return copy;
    };
    auto line = m;
    line.static_force.resize(0);
    const double limit = 0.5 * 9 * 0.2;
    line.joints = {
        structure::single_site("t1", laws::Law("jenkins", {{"kt", 3}, {"fs", limit}}), Eigen::Vector3d(1, 0, 0)),
        structure::single_site("t2", laws::Law("jenkins", {{"kt", 3.000001}, {"fs", limit}}), Eigen::Vector3d(0, 1, 0)),
        structure::single_site("n", laws::Law("polynomial", {{"k1", 9}}), Eigen::Vector3d(0, 0, 1))};
    BackboneOptions loops;
    loops.framework = Framework::loops;
    const std::vector<double> q{0.1, 0.5, 2.0};
    const auto expected = backbone(line, 1, q, loops);
    const auto got = backbone(contact("elastic-dry-friction-decoupled"), 1, q, loops);
    for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_TRUE(got[i].converged && expected[i].converged);
        EXPECT_RELATIVE(got[i].omega, expected[i].omega, 1e-9);
        EXPECT_NEAR(got[i].dissipation, expected[i].dissipation, 1e-9 * expected[i].dissipation + 1e-12);
    }
    BackboneOptions area;
    area.dissipation = Dissipation::modal;
    area.quadrature = 40;
    const auto masing = backbone(contact("elastic-dry-friction-decoupled"), 1, q, area);
    for (std::size_t i = 0; i < q.size(); ++i) {
        EXPECT_RELATIVE(masing[i].omega, expected[i].omega, 1e-9);
        EXPECT_NEAR(masing[i].dissipation, expected[i].dissipation, 3e-3 * expected[i].dissipation + 1e-12);  // a kink
    }
}

}  // namespace
