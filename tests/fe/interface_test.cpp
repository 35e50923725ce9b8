// Averages of patches and node-by-node relative motion: rigid motions come through exactly, on meshes that match, do
// not match, or should match and do not quite.

#include "faying/fe/interface.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "constraint_decks.hpp"
#include "faying/fe/interface_mesh.hpp"

namespace faying::fe {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Case {
    Deck deck;
    Interface interface;
    LinearModel model;
};

Case case_of(int lower, int upper, double gap = 0) {
    Case c{parse_deck(tests::two_blocks(lower, upper, gap)), {}, {}};
    c.interface =
        interface_of(c.deck, {.first = "B_LOW", .second = "A_HIGH", .tangent = {1, 0.2, 0.7}, .tolerance = 0.1});
    c.model = model_of(c.deck);
    return c;
}

/// A rigid motion of one block only: those nodes above (or below) the interface.
VectorXd block_motion(const Case& c, bool upper, const Vector3d& translation, const Vector3d& turn,
                      const Vector3d& about) {
    VectorXd u = VectorXd::Zero(c.model.all.size());
    for (Index i = 0; i < c.model.all.size(); ++i) {
        const NodalDof dof = c.model.all[i];
        const Node& node = c.deck.nodes[static_cast<std::size_t>(dof.node)];
        if ((node.label >= 1001) == upper) u(i) = (translation + turn.cross(node.point - about))[dof.dof - 1];
    }
    return u;
}

TEST(Interface, AxesAreOrthonormalAndTheNormalLeavesTheFirstSide) {
    const Case c = case_of(2, 3);
    EXPECT_LT((c.interface.axes * c.interface.axes.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_NEAR(c.interface.axes(2, 2), -1, 1e-14);
    EXPECT_NEAR(c.interface.area(), 1, 1e-14);
    EXPECT_FALSE(c.interface.matching());
    EXPECT_TRUE(case_of(3, 3).interface.matching());
}

TEST(Interface, PatchAveragesReproduceRigidPatchMotion) {
    for (const auto& [lower, upper, gap] : {std::tuple{3, 3, 0.0}, {4, 6, 0.0}, {3, 3, 84e-6}, {4, 6, 2e-3}}) {
        const Case c = case_of(lower, upper, gap);
        for (const PatchFaces& patch : cut_patches(c.interface, {0, 0.5, 1})) {
            const auto rows = patch_average(c.interface, patch, c.model.all);
            const Vector3d move(0.3, -1.1, 0.4), turn(0.2, 0.5, -0.7);
            const VectorXd up = rows * block_motion(c, true, move, turn, patch.centroid);
            EXPECT_LT((up.head<3>() - c.interface.axes * move).norm(), 1e-13);
            EXPECT_LT((up.tail<3>() - c.interface.axes * turn).norm(), 1e-12);
            const VectorXd both = up + rows * block_motion(c, false, move, turn, patch.centroid);
            EXPECT_LT(both.norm(), 1e-12) << "a motion of both sides is no relative motion";
        }
    }
}

TEST(Interface, RelativeMotionIgnoresRigidMotionsOfTheWhole) {
    for (const auto& [lower, upper, gap] : {std::tuple{3, 3, 0.0}, {4, 6, 0.0}, {3, 3, 84e-6}, {4, 6, 2e-3}}) {
        const Case c = case_of(lower, upper, gap);
        const auto rows = relative_motion(c.deck, c.interface, c.model.all);
        const Vector3d move(0.3, -1.1, 0.4), turn(0.2, 0.5, -0.7), about(0.1, 0.2, 0.3);
        const VectorXd u = block_motion(c, true, move, turn, about) + block_motion(c, false, move, turn, about);
        EXPECT_LT((rows * u).cwiseAbs().maxCoeff(), 1e-12) << lower << " " << upper << " " << gap;
    }
}

TEST(Interface, CutsPartitionTheArea) {
    const Case c = case_of(8, 8);
    double sum = 0;
    for (const auto& patch : cut_patches(c.interface, {0, 0.125, 0.375, 0.625, 0.875, 1})) sum += patch.area;
    EXPECT_NEAR(sum, c.interface.area(), 1e-14);
}

TEST(InterfaceMesh, QuadratureIntegratesLinearTractionsExactly) {
    const Case c = case_of(3, 3);
    const InterfaceMesh mesh = deck_mesh(c.deck, c.interface);
    const InterfacePoints p = quadrature_points(mesh, c.interface.axes);
    // Int (x + 2 y) (1, x, y) dA over the unit square, the virtual displacement being linear too.
    const VectorXd x = p.points.col(0), y = p.points.col(1), traction = x + 2 * y;
    EXPECT_NEAR(p.weight.dot(traction), 1.5, 1e-13);
    const VectorXd nodal = p.shape.transpose() * p.weight.cwiseProduct(traction);
    EXPECT_NEAR(nodal.dot(mesh.points.col(0)), 1.0 / 3 + 0.5, 1e-13);
    EXPECT_NEAR(nodal.dot(mesh.points.col(1)), 0.25 + 2.0 / 3, 1e-13);
}

TEST(InterfaceMesh, ProjectionPassesLinearFieldsAndIsTheIdentityOnItself) {
    const Case fine = case_of(6, 6), coarse = case_of(2, 2);
    const InterfaceMesh f = deck_mesh(fine.deck, fine.interface), g = deck_mesh(coarse.deck, coarse.interface);
    const MatrixXd q = projection(f, g);
    const VectorXd linear_f = 0.3 * f.points.col(0) - 2 * f.points.col(1) + VectorXd::Ones(f.points.rows());
    const VectorXd linear_g = 0.3 * g.points.col(0) - 2 * g.points.col(1) + VectorXd::Ones(g.points.rows());
    EXPECT_LT((q * linear_g - linear_f).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((projection(f, f) - MatrixXd::Identity(f.points.rows(), f.points.rows())).cwiseAbs().maxCoeff(), 1e-11);
}

/// A square with a round hole: a fine mesh of rings around it.
InterfaceMesh plate_with_hole(int around, int rings) {
    InterfaceMesh mesh;
    mesh.points.resize(around * (rings + 1), 3);
    for (int r = 0; r <= rings; ++r)
        for (int a = 0; a < around; ++a) {
            const double angle = 2 * std::numbers::pi * a / around, c = std::cos(angle), s = std::sin(angle);
            const double edge = 1 / std::max(std::abs(c), std::abs(s)), share = double(r) / rings;
            mesh.points.row(r * around + a) = Vector3d(c, s, 0) * (0.3 + share * (edge - 0.3));
        }
    for (int r = 0; r < rings; ++r)
        for (int a = 0; a < around; ++a) {
            const int b = (a + 1) % around;
            mesh.elements.push_back(
                {Shape::quad4, {r * around + a, (r + 1) * around + a, (r + 1) * around + b, r * around + b}});
        }
    return mesh;
}

double area_of(const InterfaceMesh& mesh) {
    double area = 0;
    for (const auto& e : mesh.elements) area += face_area(e.shape, mesh.corners(e));
    return area;
}

TEST(InterfaceMesh, CoarseMeshKeepsOutlineHoleAndCount) {
    const InterfaceMesh fine = plate_with_hole(64, 12);
    const InterfaceMesh coarse = coarse_mesh(fine, Eigen::Matrix3d::Identity(), 80);
    EXPECT_NEAR(double(coarse.elements.size()), 80, 8);
    EXPECT_NEAR(area_of(coarse), area_of(fine), 0.02 * area_of(fine));
    for (const auto& e : coarse.elements) {
        const FaceGeometry g = face_geometry(e.shape, coarse.corners(e));
        EXPECT_GT(g.normal[2], 0.99);
        EXPECT_GT(g.centroid.head<2>().norm(), 0.3) << "no element in the hole";
    }
    const MatrixXd q = projection(fine, coarse);
    EXPECT_LT((q.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-9);
}

TEST(InterfaceMesh, GradingPutsElementsWhereTheDensityIs) {
    const InterfaceMesh fine = plate_with_hole(64, 12);
    Eigen::VectorXd density(fine.points.rows());
    for (Eigen::Index i = 0; i < density.size(); ++i) density(i) = fine.points(i, 0) > 0 ? 9 : 1;
    const InterfaceMesh coarse = coarse_mesh(fine, Eigen::Matrix3d::Identity(), 120, density);
    int right = 0, left = 0;
    for (const auto& e : coarse.elements) ++(coarse.corners(e).col(0).mean() > 0 ? right : left);
    EXPECT_GT(right, 4 * left);
    EXPECT_NEAR(right + left, 120, 12);
}

TEST(Interface, RefusesWhatIsNoInterface) {
    const Deck deck = parse_deck(tests::two_blocks(2, 2, 0.5));
    const auto message = [&](const InterfaceOptions& o) {
        try {
            interface_of(deck, o);
        } catch (const core::BadInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(message({.first = "B_LOW", .second = "NOWHERE"}).find("A_LOW, A_HIGH, B_LOW"), std::string::npos);
    EXPECT_NE(message({.first = "B_LOW", .second = "A_HIGH"}).find("do not meet"), std::string::npos);
    EXPECT_NE(message({.first = "B_LOW", .second = "A_LOW", .tolerance = 9.0}).find("do not face"), std::string::npos);
    EXPECT_NE(message({.first = "B_LOW", .second = "A_HIGH", .tangent = {0, 0, 1}, .tolerance = 0.6}).find("normal"),
              std::string::npos);
}

}  // namespace
}  // namespace faying::fe
