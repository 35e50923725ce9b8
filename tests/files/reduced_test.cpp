// Reduced models through files and back.

#include "faying/files/reduced.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"

namespace {

using namespace faying;
using namespace faying::files;
using structure::Reduced;
namespace fs = std::filesystem;

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::Random(rows, columns);
}

Reduced sample(Eigen::Index size, int patches, int points) {
    std::srand(17);
    Reduced r;
    const Eigen::MatrixXd a = random_matrix(size, size);
    r.mass = a * a.transpose() + Eigen::MatrixXd::Identity(size, size);
    r.stiffness = 1e9 * (a.transpose() * a);
    r.mass = (r.mass + r.mass.transpose()).eval() / 2;
    r.stiffness = (r.stiffness + r.stiffness.transpose()).eval() / 2;
    r.loads = {{"preload of BOLT-1", random_matrix(size, 1)}, {"gravity", random_matrix(size, 1)}};
    for (int k = 0; k < patches; ++k)
        r.patches.push_back({"patch " + std::to_string(k), 1e-4 * (k + 1), random_matrix(3, 1),
                             Eigen::AngleAxisd(0.3 + k, Eigen::Vector3d::UnitX()).toRotationMatrix(),
                             random_matrix(6, size)});
    if (points > 0) {
        auto& q = r.quadrature;
        q.nodes = random_matrix(6, size);
        q.interpolation = random_matrix(3 * points, 6).cwiseMax(0).sparseView();
        q.map = q.interpolation * q.nodes;
        q.weight = random_matrix(points, 1).cwiseAbs();
        q.points = random_matrix(points, 3);
        for (int k = 0; k < points; ++k) q.element.push_back(k / 2);
    }
    for (Eigen::Index k = 0; k < size; ++k) r.dofs.push_back("mode " + std::to_string(k + 1));
    r.outputs = {{"ACCEL 3", random_matrix(size, 1)}};
    r.provenance = {{"deck", "beam µ.inp"}, {"made_by", "faying"}};
    return r;
}

void expect_same(const Reduced& a, const Reduced& b) {
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.stiffness, b.stiffness);
    EXPECT_EQ(a.dofs, b.dofs);
    ASSERT_EQ(a.loads.size(), b.loads.size());
    for (std::size_t k = 0; k < a.loads.size(); ++k) EXPECT_EQ(a.loads[k], b.loads[k]);
    ASSERT_EQ(a.patches.size(), b.patches.size());
    for (std::size_t k = 0; k < a.patches.size(); ++k) {
        EXPECT_EQ(a.patches[k].name, b.patches[k].name);
        EXPECT_EQ(a.patches[k].area, b.patches[k].area);
        EXPECT_EQ(a.patches[k].centroid, b.patches[k].centroid);
        EXPECT_EQ(a.patches[k].axes, b.patches[k].axes);
        EXPECT_EQ(a.patches[k].map, b.patches[k].map);
    }
    EXPECT_EQ(a.quadrature.weight, b.quadrature.weight);
    EXPECT_EQ(a.quadrature.element, b.quadrature.element);
    EXPECT_EQ(a.quadrature.interpolation.nonZeros(), b.quadrature.interpolation.nonZeros());
    if (a.quadrature.weight.size() > 0) {
        EXPECT_EQ(a.quadrature.map, b.quadrature.map);
        EXPECT_EQ(a.quadrature.points, b.quadrature.points);
        EXPECT_EQ(a.quadrature.nodes, b.quadrature.nodes);
        EXPECT_EQ(a.quadrature.interpolation.toDense(), b.quadrature.interpolation.toDense());
    }
    ASSERT_EQ(a.outputs.size(), b.outputs.size());
    for (std::size_t k = 0; k < a.outputs.size(); ++k) {
        EXPECT_EQ(a.outputs[k].name, b.outputs[k].name);
        EXPECT_EQ(a.outputs[k].row, b.outputs[k].row);
    }
    EXPECT_EQ(a.provenance, b.provenance);
}

class ReducedFiles : public testing::TestWithParam<const char*> {
 protected:
    std::string path =
        (fs::temp_directory_path() / ("faying-reduced-" + std::to_string(::getpid()) + GetParam())).string();
    ~ReducedFiles() override { fs::remove(path); }

    std::string refused(const archive::Archive& archive) const {
        archive::write_archive(path, archive);
        try {
            read_reduced(path);
        } catch (const core::BadInput& error) {
            const std::string text = error.what();
            EXPECT_TRUE(text.starts_with(path + ": ")) << text;
            return text.substr(path.size() + 2);
        }
        return "accepted";
    }
};

TEST_P(ReducedFiles, GiveBackTheSameBits) {
    for (const auto& [patches, points] : {std::pair{5, 0}, {0, 4}, {1, 7}, {0, 0}}) {
        const Reduced written = sample(7, patches, points);
        write_reduced(path, written);
        expect_same(read_reduced(path), written);
    }
}

TEST_P(ReducedFiles, SayWhatIsMissingOrOfTheWrongSize) {
    write_reduced(path, sample(4, 2, 0));
    const archive::Archive whole = archive::read_archive(path);
    archive::Archive archive;
    archive.set("M", whole.matrix("M"), "kg");
    archive.set("mass", 1.0);
    EXPECT_EQ(refused(archive), "is not a reduced model: M and K are needed; there are: M, mass");
    archive = whole;
    archive.set("K", random_matrix(3, 3));
    EXPECT_EQ(refused(archive), "'K' is 3 x 3; expected 4 x 4");
    archive = whole;
    archive::Archive patches = whole.group("patches");
    patches.set("area", Eigen::VectorXd(random_matrix(3, 1)));
    archive.set("patches", patches);
    EXPECT_EQ(refused(archive), "'patches.area' is 3 x 1; expected 2 x 1");
}

INSTANTIATE_TEST_SUITE_P(Formats, ReducedFiles, testing::Values(".h5", ".mat"),
                         [](const auto& info) { return std::string(info.param + 1); });

}  // namespace
