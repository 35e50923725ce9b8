// A slender cantilever with one element through its thickness, against Timoshenko's beam: which elements lock.
// The table of docs/theory/elements.md is what this prints.

#include <gtest/gtest.h>

#include "box_mesh.hpp"
#include "faying/fe/face.hpp"

namespace {

using namespace faying;
using namespace faying::fe;

class Cantilever : public testing::TestWithParam<ElementTraits> {};
FAYING_EVERY_ELEMENT(Cantilever);

constexpr double length = 10, height = 1, width = 1, young = 1000;

/// Tip deflection under a unit load spread over the end, over the beam's. The root is held so that it may contract.
double deflection_ratio(const ElementTraits& t, double poisson, double skew, int along, int through,
                        Dilatation dilatation = Dilatation::full) {
    const int d = t.dimension();
    tests::Grid grid{along, through, d == 3 ? through : 1, {length, height, width}, {}};
    const double step = length / along;
    grid.map = [=](const Eigen::RowVector3d& x) -> Eigen::RowVector3d {  // inner sections lean to and fro
        const int section = static_cast<int>(std::lround(x[0] / step));
        const double lean = section == 0 || section == along ? 0.0 : (section % 2 ? 1 : -1) * skew * step;
        return {x[0] + lean * (x[1] / height - 0.5), x[1], x[2]};
    };
    Mesh mesh = tests::box_mesh(t.kind, grid, isotropic(young, poisson, 1));
    mesh.blocks[0].hourglass.kind = Hourglass::enhanced;
    const auto k = assemble(mesh, {.dilatation = dilatation}).stiffness;
    std::vector<bool> held(static_cast<std::size_t>(k.rows()), false);
    for (Eigen::Index a = 0; a < mesh.nodes.rows(); ++a)
        if (mesh.nodes(a, 0) < 1e-9) {
            held[static_cast<std::size_t>(a * d)] = true;
            if (std::abs(mesh.nodes(a, 1)) < 1e-9) held[static_cast<std::size_t>(a * d + 1)] = true;
            if (d == 3 && std::abs(mesh.nodes(a, 2)) < 1e-9) held[static_cast<std::size_t>(a * d + 2)] = true;
        }
    Eigen::VectorXd load = Eigen::VectorXd::Zero(k.rows());
    const auto n = static_cast<std::size_t>(t.nodes());
    const auto& block = mesh.blocks[0];
    for (std::size_t e = 0; e < block.size(); ++e)
        for (const Face& face : faces(t.shape)) {
            Coordinates x(face.count, 3);
            for (int a = 0; a < face.count; ++a)
                x.row(a) = mesh.nodes.row(
                    block.nodes[e * n + static_cast<std::size_t>(face.nodes[static_cast<std::size_t>(a)])]);
            if (x.col(0).minCoeff() < length - 1e-9) continue;
            const auto g = face_geometry(face.shape, x);
            for (int a = 0; a < face.count; ++a)
                load[block.nodes[e * n + static_cast<std::size_t>(face.nodes[static_cast<std::size_t>(a)])] * d + 1] +=
                    g.nodal_areas[a] / (height * (d == 3 ? width : 1));
        }
    const Eigen::VectorXd u = tests::solve_held(k, load, Eigen::VectorXd::Zero(k.rows()), held);
    const double inertia = width * height * height * height / 12, shear = young / (2 * (1 + poisson));
    const double modulus = t.stress == Stress::plane_strain ? young / (1 - poisson * poisson) : young;
    const double beam = length * length * length / (3 * modulus * inertia) + length * 1.2 / (shear * width * height);
    return load.dot(u) / beam;
}

bool locks_in_bending(const ElementTraits& t) {
    return linear_shape(t.shape) == t.shape && t.formulation == Formulation::plain;
}

TEST_P(Cantilever, OneElementThroughTheThickness) {
    const auto& t = GetParam();
    const double plain = deflection_ratio(t, 0.3, 0.0, 10, 1), skewed = deflection_ratio(t, 0.3, 0.25, 10, 1),
                 soft = deflection_ratio(t, 0.4999, 0.0, 10, 1), refined = deflection_ratio(t, 0.3, 0.0, 40, 4);
    std::printf("[ bending  ] | %-6s | %.3f | %.3f | %.3f | %.3f |\n", t.name.data(), plain, skewed, soft, refined);
    if (locks_in_bending(t)) {
        EXPECT_LT(plain, 0.85);
    } else {
        EXPECT_NEAR(plain, 1.0, 0.03);
    }
    EXPECT_LT(std::abs(refined - 1), std::abs(plain - 1) + 0.005);
}

/// Tip deflection over 3.09 mm of an aluminium cantilever of 150 x 5 x 2.5 mm under 5 N, its root clamped.
double clamped_ratio(ElementKind kind, int along, int through, const HourglassControl& control) {
    const auto& t = traits(kind);
    const int d = t.dimension();
    const tests::Grid grid{along, through, 1, {150, 5, 2.5}, {}};
    Mesh mesh = tests::box_mesh(kind, grid, isotropic(70000, 0.0, 1));
    mesh.blocks[0].hourglass = control;
    mesh.blocks[0].thickness = 2.5;
    const auto k = assemble(mesh).stiffness;
    std::vector<bool> held(static_cast<std::size_t>(k.rows()), false);
    Eigen::VectorXd load = Eigen::VectorXd::Zero(k.rows());
    int tip = 0;
    for (Eigen::Index a = 0; a < mesh.nodes.rows(); ++a) {
        if (mesh.nodes(a, 0) < 1e-9)
            for (int i = 0; i < d; ++i) held[static_cast<std::size_t>(a * d + i)] = true;
        if (mesh.nodes(a, 0) > 150 - 1e-9) {
            load[a * d + 1] = 5;
            ++tip;
        }
    }
    load /= tip;
    const Eigen::VectorXd u = tests::solve_held(k, load, Eigen::VectorXd::Zero(k.rows()), held);
    return load.dot(u) / 5 / 3.09;
}

/// The table of reduced integration in "Getting Started with Abaqus", depth by length.
TEST(HourglassStiffness, DeflectsAsAbaqusDoes) {
    const struct {
        ElementKind kind;
        int through, along;
        double abaqus, allowed;
    } rows[] = {{ElementKind::CPS4R, 1, 6, 20.3, 0.01},    {ElementKind::CPS4R, 2, 12, 1.308, 0.002},
                {ElementKind::CPS4R, 4, 12, 1.051, 0.002}, {ElementKind::CPS4R, 8, 24, 1.012, 0.002},
                {ElementKind::C3D8R, 1, 6, 70.1, 0.05},    {ElementKind::C3D8R, 2, 12, 1.323, 0.005},
                {ElementKind::C3D8R, 4, 12, 1.063, 0.002}, {ElementKind::C3D8R, 8, 24, 1.015, 0.002}};
    for (const auto& row : rows) {
        const double ours = clamped_ratio(row.kind, row.along, row.through, {});
        std::printf("[ stiffness] %s %d x %d: %.4g, Abaqus %.4g\n", traits(row.kind).name.data(), row.through,
                    row.along, ours, row.abaqus);
        EXPECT_NEAR(ours / row.abaqus, 1, row.allowed) << row.through << " x " << row.along;
    }
    // Twice the coefficient, half the deflection of what is nearly all hourglassing; enhanced is right at once.
    EXPECT_NEAR(clamped_ratio(ElementKind::C3D8R, 6, 1, {Hourglass::stiffness, 2, {}}) /
                    clamped_ratio(ElementKind::C3D8R, 6, 1, {}),
                0.5, 0.01);
    EXPECT_NEAR(clamped_ratio(ElementKind::C3D8R, 6, 1, {Hourglass::stiffness, 1, 0.005 * 35000}) /
                    clamped_ratio(ElementKind::C3D8R, 6, 1, {}),
                1, 1e-12);
    EXPECT_NEAR(clamped_ratio(ElementKind::C3D8R, 6, 1, {Hourglass::enhanced, 1, {}}), 1, 0.01);
}

/// Abaqus' C3D8 and CPE4: averaging the dilatation cures the volumetric locking. One cube through the thickness is then
/// too soft: its bending mode costs (4/3 + 1) G, stretch and parasitic shear, where the beam has E or E / (1 - nu^2).
TEST(AveragedDilatation, CuresVolumetricLocking) {
    for (const auto kind : {ElementKind::C3D8, ElementKind::CPE4}) {
        const auto averaged = [&](double poisson, int along, int through) {
            return deflection_ratio(traits(kind), poisson, 0.0, along, through, Dilatation::averaged);
        };
        const double plain = averaged(0.3, 10, 1), soft = averaged(0.4999, 10, 1), refined = averaged(0.4999, 40, 4);
        const double refined_full = deflection_ratio(traits(kind), 0.4999, 0.0, 40, 4);
        std::printf("[ averaged ] | %-6s | %.3f | %.3f | refined %.3f, full %.3f\n", traits(kind).name.data(), plain,
                    soft, refined, refined_full);
        if (kind == ElementKind::CPE4) {
            EXPECT_NEAR(plain, (1 / (1 - 0.3 * 0.3)) / (7.0 / 3.0 / 2.6), 0.01);
        }
        EXPECT_NEAR(refined, 1.0, 0.03);
        EXPECT_LT(refined_full, 0.7);
    }
}

}  // namespace
