// Joints on patches and interfaces of a reduced model.

#include "faying/structure/reduced.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "structure/reduced_sample.hpp"

namespace {

using namespace faying;
using namespace faying::structure;
using tests::random_rows;
using tests::sample;

const laws::Law jenkins("jenkins", {{"kt", 3}, {"fs", 1}});
const laws::Law dry = laws::Law("elastic-dry-friction", {{"kt", 3}, {"mu", 0.4}, {"kn", 5}});

TEST(Reduced, TangentialIsTwoSitesAPatchNormalOne) {
    const auto r = sample();
    const auto tangential = joint_on_patches(r, "j", jenkins, {"all"}, "tangential", true);
    ASSERT_EQ(tangential.sites(), 4);
    EXPECT_EQ(tangential.map.row(2), r.patches[1].map.row(0));
    EXPECT_EQ(tangential.weight, (Eigen::VectorXd(4) << 2, 2, 3, 3).finished());
    const auto normal = joint_on_patches(r, "j", jenkins, {"right"}, "normal", false);
    ASSERT_EQ(normal.sites(), 1);
    EXPECT_EQ(normal.map.row(0), r.patches[1].map.row(2));
    EXPECT_EQ(normal.weight(0), 1.0);
}

/// Global directions are the same displacement vector in other axes: lengths and angles agree.
TEST(Reduced, GlobalDirectionsAreTheLocalOnesTurned) {
    const auto r = sample();
    const Eigen::VectorXd x = random_rows(10, 1, 20);
    const auto& patch = r.patches[0];
    Eigen::Vector3d moved, turned;
    const std::string along[] = {"x", "y", "z", "rx", "ry", "rz"};
    for (int i = 0; i < 3; ++i) {
        moved(i) = (joint_on_patches(r, "j", jenkins, {"left"}, along[i], false).map * x)(0);
        turned(i) = (joint_on_patches(r, "j", jenkins, {"left"}, along[i + 3], false).map * x)(0);
    }
    const Eigen::VectorXd local = patch.map * x;
    EXPECT_LT((patch.axes * moved - local.head(3)).norm(), 1e-14);
    EXPECT_LT((patch.axes * turned - local.tail(3)).norm(), 1e-14);
}

TEST(Reduced, ContactLawsTakeAllThreeDirections) {
    const auto r = sample();
    const auto patches = joint_on_patches(r, "j", dry, {"left", "right"}, "", true);
    EXPECT_EQ(patches.components(), 3);
    EXPECT_EQ(patches.sites(), 2);
    EXPECT_EQ(patches.map.bottomRows(3), r.patches[1].map.topRows(3));
    const auto everywhere = joint_on_interface(r, "j", dry, "");
    EXPECT_EQ(everywhere.sites(), 3);
    EXPECT_EQ(everywhere.map, r.quadrature.map);
    const auto tangential = joint_on_interface(r, "j", jenkins, "tangential");
    ASSERT_EQ(tangential.sites(), 6);
    EXPECT_EQ(tangential.map.row(3), r.quadrature.map.row(4));
    EXPECT_EQ(tangential.weight(3), r.quadrature.weight(1));
    EXPECT_LT((tangential.local * tangential.base - tangential.map).norm(), 1e-14);
    check_reduced(r, "sample");
}

/// The stuck stiffness of one group is the sum of area * kt over its sites, whichever way they are grouped.
TEST(Reduced, StuckAndSlippingStiffnessAddUpBySite) {
    const auto r = sample();
    Model grouped = bare_model(r), apart = bare_model(r);
    grouped.joints = {joint_on_patches(r, "all", jenkins, {"all"}, "tangential", true)};
    for (const auto& patch : r.patches)
        for (int i = 0; i < 2; ++i)
            apart.joints.push_back(single_site(
                "one", laws::Law("jenkins", {{"kt", 3 * patch.area}, {"fs", patch.area}}), patch.map.row(i)));
    EXPECT_LT((stuck_stiffness(grouped) - stuck_stiffness(apart)).norm(), 1e-12 * stuck_stiffness(apart).norm());
    EXPECT_LT((slipping_stiffness(grouped) - r.stiffness).norm(), 1e-12 * r.stiffness.norm());

    Model contact = bare_model(r);
    contact.joints = {joint_on_interface(r, "all", dry, "")};
    Eigen::VectorXd stuck(9), slipping(9);
    for (int i = 0; i < 9; ++i) {
        stuck(i) = r.quadrature.weight(i / 3) * (i % 3 == 2 ? 5.0 : 3.0);
        slipping(i) = i % 3 == 2 ? stuck(i) : 0.0;
    }
    const auto& map = r.quadrature.map;
    EXPECT_LT((stuck_stiffness(contact) - r.stiffness - map.transpose() * stuck.asDiagonal() * map).norm(), 1e-10);
    EXPECT_LT((slipping_stiffness(contact) - r.stiffness - map.transpose() * slipping.asDiagonal() * map).norm(),
              1e-10);
}

TEST(Reduced, NamesAreGivenOnce) {
    const auto note = [](const Reduced& reduced) -> std::string {
        try {
            check_reduced(reduced, "rom.h5");
        } catch (const core::BadInput& error) {
            return error.what();
        }
        return "";
    };
    Reduced r = sample();
    EXPECT_EQ(note(r), "");
    r.patches[1].name = r.patches[0].name;
    EXPECT_EQ(note(r), "rom.h5: there are two patches named '" + r.patches[0].name + "'");
    r = sample();
    r.loads[1].first = "preload";
    EXPECT_EQ(note(r), "rom.h5: there are two loads named 'preload'");
    r = sample();
    r.dofs = {"only one"};
    EXPECT_EQ(note(r), "rom.h5: there are 1 names of DOF; expected 10");
    r = sample();
    const laws::Law law("jenkins", {{"kt", 1}, {"fs", 1}});
    EXPECT_THROW(joint_on_patches(r, "j", law, {r.patches[0].name, r.patches[0].name}, "t1", false), core::BadInput);
    EXPECT_THROW(joint_on_patches(r, "j", law, {"all", r.patches[1].name}, "t1", false), core::BadInput);
    EXPECT_TRUE(joint_on_patches(r, "j", law, {"all"}, "normal", false).normal);
    EXPECT_FALSE(joint_on_patches(r, "j", law, {"all"}, "t1", false).normal);
}

TEST(Reduced, LoadsAddWithTheirFactors) {
    const auto r = sample();
    const auto model = bare_model(r, {{"preload", 3.0}, {"gravity", -2.0}});
    EXPECT_EQ(model.static_force, (3.0 * r.loads[0].second - 2.0 * r.loads[1].second).eval());
    EXPECT_EQ(find_output(model, "tip"), r.outputs[0].row);
    EXPECT_THROW(find_output(model, "top"), core::BadInput);
}

}  // namespace
