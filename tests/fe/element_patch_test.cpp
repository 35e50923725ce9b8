// Patch test: a linear displacement given on the outside of a distorted mesh is found inside too, exactly.

#include <gtest/gtest.h>

#include "box_mesh.hpp"

namespace {

using namespace faying;
using namespace faying::fe;

class PatchTest : public testing::TestWithParam<ElementTraits> {};
FAYING_EVERY_ELEMENT(PatchTest);

double patch_error(const ElementTraits& t, double reach, const AssemblyOptions& options = {}) {
    const bool solid = t.stress == Stress::solid;
    const int d = t.dimension();
    const auto material = isotropic(200.0, 0.3, 7.8);
    tests::Grid grid{3, 3, 3, {1, 1, 1}, {}};
    const auto held_nodes = tests::outside(tests::box_mesh(t.kind, grid, material), grid, solid);
    grid.map = tests::scattered(reach, solid);
    const Mesh mesh = tests::box_mesh(t.kind, grid, material);
    Eigen::Matrix3d slope;
    slope << 1e-3, 2e-3, -0.5e-3, 0.3e-3, -1e-3, 0.7e-3, 0.2e-3, 0.1e-3, 0.4e-3;
    Eigen::VectorXd exact(mesh.nodes.rows() * d);
    std::vector<bool> held;
    for (Eigen::Index a = 0; a < mesh.nodes.rows(); ++a) {
        exact.segment(a * d, d) = (slope * mesh.nodes.row(a).transpose()).head(d);
        for (int i = 0; i < d; ++i) held.push_back(held_nodes[static_cast<std::size_t>(a)]);
    }
    const Eigen::VectorXd u = tests::solve_held(assemble(mesh, options).stiffness, {}, exact, held);
    return (u - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
}

TEST_P(PatchTest, DistortedMesh) {
    EXPECT_LT(patch_error(GetParam(), 0.05), 1e-12);
    EXPECT_LT(patch_error(GetParam(), 0.05, {.dilatation = Dilatation::averaged}), 1e-12);
}

}  // namespace
