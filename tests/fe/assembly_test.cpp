// Assembly: sums of elements, its checks, its order, its refusals.

#include "faying/fe/assembly.hpp"

#include <gtest/gtest.h>

#include "box_mesh.hpp"
#include "faying/core/error.hpp"

namespace {

using namespace faying;
using namespace faying::fe;

const ElasticMaterial steel = isotropic(200, 0.3, 7.8);

Mesh two_materials() {
    Mesh mesh = tests::box_mesh(ElementKind::C3D8, {3, 2, 2, {1, 1, 1}, tests::scattered(0.05, true)}, steel);
    mesh.materials.push_back(isotropic(70, 0.33, 2.7));
    ElementBlock half = mesh.blocks[0];  // the second half in another material and formulation
    half.kind = ElementKind::C3D8I;
    half.material = 1;
    const auto middle = static_cast<std::ptrdiff_t>(mesh.blocks[0].nodes.size() / 16 * 8);
    half.nodes.erase(half.nodes.begin(), half.nodes.begin() + middle);
    mesh.blocks[0].nodes.resize(static_cast<std::size_t>(middle));
    mesh.blocks.push_back(half);
    return mesh;
}

TEST(Assembly, IsTheSumOfItsElements) {
    const Mesh mesh = two_materials();
    const auto a = assemble(mesh);
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(a.stiffness.rows(), a.stiffness.rows()), m = k;
    double mass = 0;
    for_each_element_matrix(mesh, {}, {}, [&](std::span<const int> nodes, const ElementMatrices& e) {
        for (std::size_t i = 0; i < nodes.size() * 3; ++i)
            for (std::size_t j = 0; j < nodes.size() * 3; ++j) {
                const Eigen::Index row = nodes[i / 3] * 3 + static_cast<int>(i % 3),
                                   column = nodes[j / 3] * 3 + static_cast<int>(j % 3);
                k(row, column) += e.stiffness(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
                m(row, column) += e.mass(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            }
        mass += e.total_mass;
    });
    EXPECT_EQ((Eigen::MatrixXd(a.stiffness) - k).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ((Eigen::MatrixXd(a.mass) - m).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(a.checks.mass, mass);
    EXPECT_LT(a.checks.mass_error, 1e-14);
    EXPECT_LT(a.checks.rigid_residual, 1e-14);
    EXPECT_EQ(a.checks.unused_nodes, 0);
}

TEST(Assembly, RangesTogetherAreTheWhole) {
    const Mesh mesh = two_materials();
    ASSERT_EQ(element_count(mesh), 12u);
    std::vector<double> whole, parts;
    const auto into = [](std::vector<double>& to) {
        return [&to](std::span<const int>, const ElementMatrices& e) {
            to.push_back(e.stiffness.sum() + e.stiffness(0, 0));
        };
    };
    for_each_element_matrix(mesh, {}, {}, into(whole));
    for (std::size_t i = 0; i < 12; i += 5)
        for_each_element_matrix(mesh, {}, {i, std::min<std::size_t>(i + 5, 12)}, into(parts));
    EXPECT_EQ(whole, parts);
}

TEST(Assembly, FarFromTheOriginNothingIsLost) {
    Mesh mesh = two_materials();
    mesh.nodes = (mesh.nodes * 1024).array().round().matrix() / 1024;  // exact when moved
    const auto near = assemble(mesh);
    mesh.nodes.rowwise() += Eigen::RowVector3d(1e6, -1e6, 1e6);
    const auto far = assemble(mesh);
    EXPECT_EQ((near.stiffness - far.stiffness).norm(), 0.0);
}

TEST(Assembly, SaysWhatIsWrong) {
    const auto refused = [](const Mesh& mesh, const std::string& needle) {
        try {
            assemble(mesh);
            ADD_FAILURE() << "not refused: " << needle;
        } catch (const core::BadInput& e) {
            EXPECT_NE(std::string(e.what()).find(needle), std::string::npos) << e.what();
        }
    };
    refused({}, "no elements");
    Mesh mesh = two_materials();
    mesh.blocks[1].material = 5;
    refused(mesh, "material 5 of 2");
    mesh = two_materials();
    mesh.blocks[0].nodes[3] = 1000;
    refused(mesh, "node 1000");
    mesh = two_materials();
    mesh.blocks[0].nodes.pop_back();
    refused(mesh, "multiple of 8");
    mesh = two_materials();
    mesh.blocks[0].kind = ElementKind::CPE8;
    refused(mesh, "solid and plane");
    mesh = two_materials();
    mesh.blocks[1].labels = {101, 102, 103, 104, 105, 106};
    std::swap(mesh.blocks[1].nodes[8], mesh.blocks[1].nodes[12]);
    std::swap(mesh.blocks[1].nodes[9], mesh.blocks[1].nodes[13]);
    std::swap(mesh.blocks[1].nodes[10], mesh.blocks[1].nodes[14]);
    std::swap(mesh.blocks[1].nodes[11], mesh.blocks[1].nodes[15]);
    refused(mesh, "element 102");
    mesh = two_materials();
    mesh.materials[0].elasticity(0, 0) = -1;
    refused(mesh, "positive definite");
}

TEST(Assembly, CountsNodesOfNoElementAndFindsBadMatrices) {
    Mesh mesh = two_materials();
    mesh.nodes.conservativeResize(mesh.nodes.rows() + 2, 3);
    mesh.nodes.bottomRows(2).setZero();
    auto a = assemble(mesh);
    EXPECT_EQ(a.checks.unused_nodes, 2);
    a.stiffness.coeffRef(3, 0) *= 1.01;
    const auto c = check_assembly(a.stiffness, a.mass, mesh.nodes, 3, 2 * a.checks.mass);
    EXPECT_GT(c.asymmetry, 1e-6);
    EXPECT_GT(c.rigid_residual, 1e-6);
    EXPECT_NEAR(c.mass_error, 0.5, 1e-12);
}

}  // namespace
