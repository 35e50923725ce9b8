// Single elements: rigid motions and nothing else costs no energy, turning the element turns its matrices, mass is
// exact.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "box_mesh.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/element.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using tests::distorted;

const ElasticMaterial steel = isotropic(200.0, 0.3, 7.8);

class EveryElement : public testing::TestWithParam<ElementTraits> {};
FAYING_EVERY_ELEMENT(EveryElement);

/// Zero-energy modes beyond the rigid ones that the points of a lone element do not see. All are Abaqus' and CalculiX'
/// own; ZeroEnergyModesDoNotSpread shows that they do not survive in a mesh.
int spurious_modes(ElementKind kind) {
    switch (kind) {
        case ElementKind::C3D20R: return 6;  // 60 - 6 DOF, 8 points x 6 strains
        case ElementKind::C3D6: return 1;    // two points on the axis: a twist of one triangle against the other
        case ElementKind::CPE8R:
        case ElementKind::CPS8R: return 1;  // 16 - 3 DOF, 4 points x 3 strains
        default: return 0;
    }
}

int zero_modes(const Eigen::MatrixXd& k) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(k, Eigen::EigenvaluesOnly);
    return static_cast<int>((eigen.eigenvalues().array().abs() < 1e-11 * eigen.eigenvalues().maxCoeff()).count());
}

int rigid_count(const ElementTraits& t) { return t.dimension() == 3 ? 6 : 3; }

TEST_P(EveryElement, OnlyRigidMotionsCostNoEnergy) {
    for (const double reach : {0.0, 0.1}) {
        const Coordinates x = distorted(GetParam(), reach);
        const auto m = element_matrices(GetParam().kind, x, steel);
        EXPECT_EQ(zero_modes(m.stiffness), rigid_count(GetParam()) + spurious_modes(GetParam().kind));
        const Eigen::MatrixXd r = rigid_motions(x, GetParam().dimension());
        EXPECT_LT((m.stiffness * r).cwiseAbs().maxCoeff(), 1e-13 * m.stiffness.cwiseAbs().maxCoeff());
        EXPECT_EQ((m.stiffness - m.stiffness.transpose()).cwiseAbs().maxCoeff(), 0.0);
    }
}

TEST_P(EveryElement, ZeroEnergyModesDoNotSpread) {
    const auto mesh = tests::box_mesh(GetParam().kind, {2, 2, 2, {1, 1, 1}, {}}, steel);
    EXPECT_EQ(zero_modes(Eigen::MatrixXd(assemble(mesh).stiffness)), rigid_count(GetParam()));
}

/// Except those of C3D20R in a bar one element wide, which Abaqus and CalculiX have too: seven beyond the rigid ones in
/// a row of six. Two elements across remove them.
TEST_P(EveryElement, ZeroEnergyModesOfABarOneElementWide) {
    const auto mesh = tests::box_mesh(GetParam().kind, {6, 1, 1, {6, 1, 1}, {}}, steel);
    EXPECT_EQ(zero_modes(Eigen::MatrixXd(assemble(mesh).stiffness)),
              rigid_count(GetParam()) + (GetParam().kind == ElementKind::C3D20R ? 7 : 0));
}

TEST_P(EveryElement, TurnsWithTheElement) {
    const int d = GetParam().dimension();
    const Eigen::Vector3d axis = d == 3 ? Eigen::Vector3d(0.36, -0.48, 0.8) : Eigen::Vector3d(0, 0, 1);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, axis).toRotationMatrix();
    const Coordinates x = distorted(GetParam(), 0.15);
    const Coordinates turned = (x * turn.transpose()).rowwise() + Eigen::RowVector3d(5, -3, d == 3 ? 2 : 0);
    for (const auto dilatation : {Dilatation::full, Dilatation::averaged}) {
        const auto before = element_matrices(GetParam().kind, x, steel, {.dilatation = dilatation});
        const auto after = element_matrices(GetParam().kind, turned, steel, {.dilatation = dilatation});
        Eigen::MatrixXd q = Eigen::MatrixXd::Zero(before.stiffness.rows(), before.stiffness.rows());
        for (int a = 0; a < GetParam().nodes(); ++a) q.block(a * d, a * d, d, d) = turn.topLeftCorner(d, d);
        const double k = before.stiffness.cwiseAbs().maxCoeff(), m = before.mass.cwiseAbs().maxCoeff();
        EXPECT_LT((q * before.stiffness * q.transpose() - after.stiffness).cwiseAbs().maxCoeff(), 1e-12 * k);
        EXPECT_LT((q * before.mass * q.transpose() - after.mass).cwiseAbs().maxCoeff(), 1e-12 * m);
    }
}

/// The quadrature of the exact mass rule against a finer one, over the undistorted element and an affine image of it.
TEST_P(EveryElement, MassIsExactOnAffineElements) {
    const int d = GetParam().dimension();
    Eigen::Matrix3d shear;
    shear << 1.1, 0.2, -0.1, 0.1, 0.8, 0.3, 0.0, 0.1, 1.2;
    if (d == 2) shear.row(2) = shear.col(2).transpose() = Eigen::RowVector3d(0, 0, 1);
    const Coordinates x = node_coordinates(GetParam().shape) * shear.transpose();
    const auto m = element_matrices(GetParam().kind, x, steel, {.thickness = 0.5});
    // Int x_i x_j over the element is exact from its corners' mass when N^T N is; checked on quadratic monomials.
    const double thickness = d == 2 ? 0.5 : 1.0;
    double domain = 0, measured = 0;
    const auto linear = linear_shape(GetParam().shape);
    switch (linear) {
        case Shape::tri3: domain = 0.5; break;
        case Shape::quad4: domain = 4; break;
        case Shape::tet4: domain = 1.0 / 6; break;
        case Shape::wedge6: domain = 1; break;
        default: domain = 8;
    }
    const double volume = domain * shear.determinant() * thickness;
    EXPECT_NEAR(m.volume, volume, 1e-14 * volume);
    EXPECT_NEAR(m.total_mass, 7.8 * volume, 1e-14 * 7.8 * volume);
    for (int i = 0; i < d; ++i) {
        for (int a = 0; a < GetParam().nodes(); ++a)
            for (int b = 0; b < GetParam().nodes(); ++b) measured += m.mass(a * d + i, b * d + i);
        EXPECT_NEAR(measured, m.total_mass, 1e-13 * m.total_mass);
        measured = 0;
    }
    // Int xi^2 over the natural domain, as N^T M N of the nodal values of xi: exact products of shape functions.
    Eigen::VectorXd xi = Eigen::VectorXd::Zero(m.mass.rows());
    for (int a = 0; a < GetParam().nodes(); ++a) xi[a * d] = node_coordinates(GetParam().shape)(a, 0);
    double second = 0;
    switch (linear) {
        case Shape::tri3: second = 1.0 / 12; break;
        case Shape::quad4: second = 4.0 / 3; break;
        case Shape::tet4: second = 1.0 / 60; break;
        case Shape::wedge6: second = 1.0 / 6; break;
        default: second = 8.0 / 3;
    }
    EXPECT_NEAR(xi.dot(m.mass * xi), 7.8 * second * shear.determinant() * thickness, 1e-13 * m.total_mass);
}

TEST_P(EveryElement, MassIsPositiveAndVolumeOfADistortedMeshIsTheBox) {
    const auto m = element_matrices(GetParam().kind, distorted(GetParam(), 0.1), steel);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(m.mass, Eigen::EigenvaluesOnly);
    EXPECT_GT(eigen.eigenvalues()[0], 0.0);
    const bool solid = GetParam().stress == Stress::solid;
    tests::Grid grid{3, 3, 3, {1, 2, 3}, {}};
    auto move = tests::scattered(0.1, solid);
    grid.map = [&](const Eigen::RowVector3d& x) -> Eigen::RowVector3d {  // the outside stays
        bool inside = true;
        for (int i = 0; i < (solid ? 3 : 2); ++i) inside = inside && x[i] > 1e-9 && x[i] < grid.size[i] - 1e-9;
        return inside ? move(x) : x;
    };
    const auto checks = assemble(tests::box_mesh(GetParam().kind, grid, steel)).checks;
    EXPECT_NEAR(checks.volume, solid ? 6.0 : 2.0, 1e-13);
    EXPECT_LT(checks.mass_error, 1e-13);
    EXPECT_LT(checks.rigid_residual, 1e-13);
    EXPECT_LT(checks.asymmetry, 1e-13);
}

TEST_P(EveryElement, SaysWhichElementIsInvertedOrFlat) {
    const auto refused = [&](Coordinates x, const std::string& needle) {
        try {
            element_matrices(GetParam().kind, x, steel, {.label = "element 4711"});
            ADD_FAILURE() << "not refused";
        } catch (const core::BadInput& e) {
            EXPECT_NE(std::string(e.what()).find("element 4711"), std::string::npos) << e.what();
            EXPECT_NE(std::string(e.what()).find(needle), std::string::npos) << e.what();
        }
    };
    Coordinates x = distorted(GetParam(), 0.05);
    x.col(0) *= -1;
    refused(x, "inverted");
    x.col(0).setConstant(0.3);
    refused(x, "degenerate");
    x(1, 1) = std::nan("");
    refused(x, "finite");
    refused(x.topRows(2), "2 nodes");
}

TEST(MeanStrain, EqualsIncompatibleModesOnAParallelepiped) {
    Eigen::Matrix3d shear;
    shear << 3.1, 0.2, -0.1, 0.1, 0.8, 0.3, 0.0, 0.1, 1.2;
    const Coordinates hex = node_coordinates(Shape::hex8) * shear.transpose();
    const ElementOptions enhanced{.hourglass = {Hourglass::enhanced, 1, {}}};
    const auto r = element_matrices(ElementKind::C3D8R, hex, steel, enhanced),
               i = element_matrices(ElementKind::C3D8I, hex, steel);
    EXPECT_LT((r.stiffness - i.stiffness).norm(), 1e-13 * i.stiffness.norm());
    Coordinates quad = node_coordinates(Shape::quad4) * shear.transpose();
    const auto r2 = element_matrices(ElementKind::CPS4R, quad, steel, enhanced),
               i2 = element_matrices(ElementKind::CPS4I, quad, steel);
    EXPECT_LT((r2.stiffness - i2.stiffness).norm(), 1e-13 * i2.stiffness.norm());
}

TEST(Dilatation, AveragedEqualsFullOnAParallelepipedInUniformStrainOnly) {
    const Coordinates x = distorted(traits(ElementKind::C3D8), 0.1);
    const auto full = element_matrices(ElementKind::C3D8, x, steel);
    const auto averaged = element_matrices(ElementKind::C3D8, x, steel, {.dilatation = Dilatation::averaged});
    // Averaging can only soften, and leaves linear fields alone.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(full.stiffness - averaged.stiffness);
    EXPECT_GT(eigen.eigenvalues()[0], -1e-12 * full.stiffness.norm());
    EXPECT_GT((full.stiffness - averaged.stiffness).norm(), 1e-3 * full.stiffness.norm());
    Eigen::VectorXd u(24);
    for (int a = 0; a < 8; ++a)
        u.segment<3>(3 * a) << x.row(a).dot(Eigen::RowVector3d(1, 2, 3)), -x(a, 0), 0.5 * x(a, 2);
    EXPECT_NEAR(u.dot(full.stiffness * u), u.dot(averaged.stiffness * u), 1e-12 * u.dot(full.stiffness * u));
}

TEST(Material, OrthotropicWithEqualConstantsIsIsotropic) {
    const double g = 200 / 2.6;
    const auto o = orthotropic({200, 200, 200, 0.3, 0.3, 0.3, g, g, g}, 7.8);
    EXPECT_LT((o.elasticity - steel.elasticity).norm(), 1e-13 * steel.elasticity.norm());
    EXPECT_THROW(isotropic(200, 0.5, 1), core::BadInput);
    EXPECT_THROW(isotropic(-1, 0.3, 1), core::BadInput);
    EXPECT_THROW(isotropic(200, 0.3, -1), core::BadInput);
    EXPECT_THROW(orthotropic({1, 1, 1, 0.9, 0.9, 0.9, 1, 1, 1}, 1), core::BadInput);
}

TEST(Material, PlaneStressIsEOverOneMinusNuSquared) {
    // A unit square pulled in x with its sides free to contract: stiffness E t in series over the two nodes.
    Coordinates x(4, 3);
    x << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
    const auto m = element_matrices(ElementKind::CPS4, x, steel, {.thickness = 0.25});
    Eigen::VectorXd u(8);
    for (int a = 0; a < 4; ++a) u.segment<2>(2 * a) << x(a, 0), -0.3 * x(a, 1);
    EXPECT_NEAR(u.dot(m.stiffness * u), 200 * 0.25, 1e-12);
}

TEST(ElementNames, AreFoundInAnyCase) {
    for (const auto& t : all_element_kinds()) EXPECT_EQ(element_kind(t.name), t.kind);
    EXPECT_EQ(element_kind("c3d8i"), ElementKind::C3D8I);
    EXPECT_EQ(element_kind("C3D8RH"), std::nullopt);
    EXPECT_EQ(element_kind(""), std::nullopt);
}

}  // namespace
