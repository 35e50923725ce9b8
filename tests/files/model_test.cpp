// Model files: joints on patches, interfaces and DOF, and what is refused.

#include "faying/files/model.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"
#include "source_dir.hpp"
#include "structure/reduced_sample.hpp"
#include "three_mass_model.hpp"

namespace {

using namespace faying;
using namespace faying::files;
using structure::Model;
using tests::sample;

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
    std::string note(const std::string& text) {
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
        {joint + "along = \"t1\"", "give one of patch"},
        {joint + "interface = true\nalong = \"x\"", "allowed are: tangential, t1, t2, normal"},
        {"[[joint]]\nlaw = \"jenkins-2d\"\nparameters = { kt = 3, fs = 1, kn = 2 }\npatch = \"all\"\nalong = \"t1\"",
         "leave 'along' out"},
        {"[[output]]\nname = \"a\"\ndof = 11", "DOF 11 does not exist"},
        {"[[output]]\nname = \"a\"", "either dof or row"},
    };
    for (const auto& [text, expected] : cases) {
        const auto said = note(head + text);
        EXPECT_NE(said.find(expected), std::string::npos) << said;
        EXPECT_NE(said.find("model.toml:"), std::string::npos) << said;
    }
    EXPECT_NE(note("[structure]\nfile = \"rom.h5\"\nstatic = { bolt = 3 }\n").find("allowed are: preload, gravity"),
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
        note(structure + "[[joint]]\nlaw = \"jenkins-2d\"\nparameters = { kt = 3, fs = 1, kn = 2 }\ndofs = [1, 2]")
            .find("reads 3 displacements and needs as many rows per site"),
        std::string::npos);
}

/// What other tests take for the example is the example.
TEST(Example, ThreeMassesAreThoseOfTheTests) {
    const auto read = read_model(tests::source_dir() + "/examples/three_masses/model.toml");
    const auto built = tests::three_masses();
    EXPECT_EQ(read.mass, built.mass);
    EXPECT_EQ(read.stiffness, built.stiffness);
    EXPECT_EQ(read.damping_ratio, built.damping_ratio);
    ASSERT_EQ(read.joints.size(), 1u);
    EXPECT_EQ(read.joints[0].map, built.joints[0].map);
    EXPECT_EQ(read.joints[0].law.name(), built.joints[0].law.name());
    EXPECT_EQ(read.joints[0].law.values(), built.joints[0].law.values());
}

}  // namespace
