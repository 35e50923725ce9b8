// Joints on patches and interfaces of a reduced model, built here by hand, and the model files that ask for them.

#include "faying/structure/reduced.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"
#include "faying/structure/model_file.hpp"

namespace {

using namespace faying;
using namespace faying::structure;

Eigen::MatrixXd random_rows(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
    std::srand(seed);
    return Eigen::MatrixXd::Random(rows, columns);
}

/// Ten DOF, two patches with tilted axes, three quadrature points; nothing about it is symmetric.
Reduced sample() {
    Reduced r;
    const Eigen::MatrixXd a = random_rows(10, 10, 1);
    r.mass = Eigen::MatrixXd::Identity(10, 10);
    r.stiffness = a * a.transpose();
    r.loads = {{"preload", random_rows(10, 1, 2)}, {"gravity", random_rows(10, 1, 3)}};
    for (int i = 0; i < 2; ++i) {
        const Eigen::Matrix3d axes =
            (Eigen::AngleAxisd(0.3 + i, Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()))
                .toRotationMatrix();
        r.patches.push_back(
            {i == 0 ? "left" : "right", 2.0 + i, Eigen::Vector3d::Zero(), axes, random_rows(6, 10, unsigned(4 + i))});
    }
    r.quadrature.nodes = random_rows(6, 10, 9);
    Eigen::MatrixXd between = Eigen::MatrixXd::Zero(9, 6);
    for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 3; ++c) {
            between(3 * i + c, c) = 0.25 * (i + 0.5);
            between(3 * i + c, 3 + c) = 1 - 0.25 * (i + 0.5);
        }
    r.quadrature.interpolation = between.sparseView();
    r.quadrature.map = r.quadrature.interpolation * r.quadrature.nodes;
    r.quadrature.weight = Eigen::Vector3d(0.5, 0.25, 0.125);
    r.outputs = {{"tip", Eigen::VectorXd::Unit(10, 9)}};
    return r;
}

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
    const auto complaint = [](const Reduced& reduced) -> std::string {
        try {
            check_reduced(reduced, "rom.h5");
        } catch (const core::BadInput& error) {
            return error.what();
        }
        return "";
    };
    Reduced r = sample();
    EXPECT_EQ(complaint(r), "");
    r.patches[1].name = r.patches[0].name;
    EXPECT_EQ(complaint(r), "rom.h5: there are two patches named '" + r.patches[0].name + "'");
    r = sample();
    r.loads[1].first = "preload";
    EXPECT_EQ(complaint(r), "rom.h5: there are two loads named 'preload'");
    r = sample();
    r.dofs = {"only one"};
    EXPECT_EQ(complaint(r), "rom.h5: there are 1 names of DOF; expected 10");
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

class ModelFiles : public testing::Test {
 protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("faying_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Model read(const std::string& text) {
        std::ofstream(folder_ / "model.toml") << text;
        return read_model((folder_ / "model.toml").string(), [this](const std::string& path) {
            EXPECT_EQ(std::filesystem::path(path), folder_ / "rom.h5");
            return sample();
        });
    }
    std::string complaint(const std::string& text) {
        try {
            read(text);
        } catch (const core::BadInput& error) {
            return error.what();
        }
        return "";
    }
    std::filesystem::path folder_;
};

const std::string head = "[structure]\nfile = \"rom.h5\"\nstatic = { preload = 3 }\n";

TEST_F(ModelFiles, ReducedModelsWithJointsOnPatchesAndEverywhere) {
    const auto model = read(head + R"(
[[joint]]
law = "jenkins+kp"
parameters = { kt = 3, fs = 1, kp = 0.5 }
patch = "all"
along = "tangential"
per = "area"
[[joint]]
law = "elastic-dry-friction"
parameters = { kt = 3, mu = 0.4, kn = 5 }
interface = true
[[joint]]
law = "elastic-dry-friction-decoupled"
parameters = { kt = 3, mu = 0.4, kn = 5 }
patch = ["left"]
[[output]]
name = "first"
dof = 1
)");
    ASSERT_EQ(model.joints.size(), 3u);
    EXPECT_EQ(model.joints[0].sites(), 4);
    EXPECT_EQ(model.joints[1].components(), 3);
    EXPECT_EQ(model.joints[2].weight(0), 1.0);
    EXPECT_EQ(model.static_force, (3.0 * sample().loads[0].second).eval());
    EXPECT_EQ(model.outputs.size(), 2u);
}

TEST_F(ModelFiles, SaysWhatIsWrongAndWhatIsAllowed) {
    const std::string joint = "[[joint]]\nlaw = \"jenkins\"\nparameters = { kt = 3, fs = 1 }\n";
    const std::pair<std::string, std::string> cases[] = {
        {joint + "patch = \"middle\"\nalong = \"t1\"", "there is no patch 'middle'; allowed are: all, left, right"},
        {joint + "patch = \"all\"", "needs 'along'"},
        {joint + "patch = \"all\"\nalong = \"up\"", "allowed are: tangential"},
        {joint + "patch = \"all\"\nalong = \"t1\"\nper = \"length\"", "per = \"area\""},
        {joint + "along = \"t1\"", "either patch"},
        {joint + "interface = true\nalong = \"x\"", "allowed are: tangential, t1, t2, normal"},
        {"[[joint]]\nlaw = \"jenkins-2d\"\nparameters = { kt = 3, fs = 1, kn = 2 }\npatch = \"all\"\nalong = \"t1\"",
         "leave 'along' out"},
        {"[[output]]\nname = \"a\"\ndof = 11", "DOF 11 does not exist"},
        {"[[output]]\nname = \"a\"", "either dof or row"},
    };
    for (const auto& [text, expected] : cases) {
        const auto said = complaint(head + text);
        EXPECT_NE(said.find(expected), std::string::npos) << said;
        EXPECT_NE(said.find("model.toml:"), std::string::npos) << said;
    }
    EXPECT_NE(
        complaint("[structure]\nfile = \"rom.h5\"\nstatic = { bolt = 3 }\n").find("allowed are: preload, gravity"),
        std::string::npos);
    std::ofstream(folder_ / "model.toml") << head;
    EXPECT_THROW(read_model((folder_ / "model.toml").string()), core::BadInput);
}

TEST_F(ModelFiles, PlainModelsWithManySitesAndContact) {
    const std::string structure =
        "[structure]\nmass = [[1,0,0],[0,1,0],[0,0,1]]\nstiffness = [[2,0,0],[0,2,0],[0,0,2]]\n";
    const auto model = read(structure + R"(
[[joint]]
law = "jenkins"
parameters = { kt = 3, fs = 1 }
dofs = [[1, 2], [3]]
weight = [2, 0.5]
[[joint]]
law = "jenkins-2d"
parameters = { kt = 3, fs = 1, kn = 2 }
dofs = [[1], [2], [3]]
)");
    EXPECT_EQ(model.joints[0].map, (Eigen::MatrixXd(2, 3) << -1, 1, 0, 0, 0, 1).finished());
    EXPECT_EQ(model.joints[0].weight, Eigen::Vector2d(2, 0.5));
    EXPECT_EQ(model.joints[1].sites(), 1);
    EXPECT_NE(
        complaint(structure + "[[joint]]\nlaw = \"jenkins-2d\"\nparameters = { kt = 3, fs = 1, kn = 2 }\ndofs = [1, 2]")
            .find("three rows a site"),
        std::string::npos);
}

}  // namespace
