// Shape functions, quadrature rules and faces.

#include <gtest/gtest.h>

#include <cmath>

#include "box_mesh.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/face.hpp"

namespace {

using namespace faying;
using namespace faying::fe;

std::vector<Shape> every_shape() {
    std::vector<Shape> all;
    for (int s = 0; s <= static_cast<int>(Shape::hex20); ++s) all.push_back(static_cast<Shape>(s));
    return all;
}

TEST(ShapeFunctions, AreOneAtTheirNodeAndSumToOne) {
    for (const Shape shape : every_shape()) {
        const auto& nodes = node_coordinates(shape);
        for (Eigen::Index a = 0; a < nodes.rows(); ++a) {
            const auto s = shape_functions(shape, nodes.row(a).transpose());
            for (Eigen::Index b = 0; b < nodes.rows(); ++b) EXPECT_NEAR(s.value[b], a == b ? 1.0 : 0.0, 1e-15);
        }
        const auto s = shape_functions(shape, {0.21, 0.13, 0.4});
        EXPECT_NEAR(s.value.sum(), 1.0, 1e-15);
        EXPECT_LT(s.gradient.colwise().sum().cwiseAbs().maxCoeff(), 1e-14);
        const Eigen::Vector3d position = nodes.transpose() * s.value, xi(0.21, 0.13, 0.4);
        for (int k = 0; k < dimension(shape); ++k) EXPECT_NEAR(position[k], xi[k], 1e-15);
    }
}

TEST(ShapeFunctions, GradientsAreDerivatives) {
    const double step = 1e-6;
    for (const Shape shape : every_shape())
        for (int k = 0; k < dimension(shape); ++k) {
            const Eigen::Vector3d xi(0.21, 0.13, 0.4), h = step * Eigen::Vector3d::Unit(k);
            const Eigen::VectorXd slope =
                (shape_functions(shape, xi + h).value - shape_functions(shape, xi - h).value) / (2 * step);
            EXPECT_LT((slope - shape_functions(shape, xi).gradient.col(k)).cwiseAbs().maxCoeff(), 1e-9);
        }
}

double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }
double over_line(int p) { return p % 2 ? 0.0 : 2.0 / (p + 1); }
double over_triangle(int p, int q) { return factorial(p) * factorial(q) / factorial(p + q + 2); }
double over_tetrahedron(int p, int q, int r) {
    return factorial(p) * factorial(q) * factorial(r) / factorial(p + q + r + 3);
}

TEST(Quadrature, IntegratesMonomialsOfItsDegree) {
    struct Claim {
        Rule rule;
        int degree, along;  ///< total (simplex) or a direction; of a wedge's third direction
    };
    const std::vector<Claim> claims{
        {Rule::line1, 1, 0}, {Rule::line2, 3, 0}, {Rule::line3, 5, 0},  {Rule::tri1, 1, 0},   {Rule::tri3, 2, 0},
        {Rule::tri6, 4, 0},  {Rule::quad1, 1, 0}, {Rule::quad4, 3, 0},  {Rule::quad9, 5, 0},  {Rule::tet1, 1, 0},
        {Rule::tet4, 2, 0},  {Rule::tet15, 5, 0}, {Rule::wedge2, 1, 3}, {Rule::wedge9, 2, 5}, {Rule::wedge18, 4, 5},
        {Rule::hex1, 1, 0},  {Rule::hex8, 3, 0},  {Rule::hex27, 5, 0}};
    for (const auto& c : claims)
        for (int p = 0; p <= c.degree; ++p)
            for (int q = 0; q <= c.degree; ++q)
                for (int r = 0; r <= std::max(c.degree, c.along); ++r) {
                    double exact = 0;
                    const bool line = c.rule <= Rule::line3, tri = !line && c.rule <= Rule::tri6;
                    const bool quad = !line && !tri && c.rule <= Rule::quad9;
                    const bool tet = c.rule >= Rule::tet1 && c.rule <= Rule::tet15;
                    const bool wedge = c.rule >= Rule::wedge2 && c.rule <= Rule::wedge18;
                    if ((line && q + r > 0) || ((tri || quad) && r > 0)) continue;
                    if ((tri || wedge) && p + q > c.degree) continue;
                    if ((tet && p + q + r > c.degree) || (wedge && r > c.along)) continue;
                    if (line)
                        exact = over_line(p);
                    else if (tri)
                        exact = over_triangle(p, q);
                    else if (quad)
                        exact = over_line(p) * over_line(q);
                    else if (tet)
                        exact = over_tetrahedron(p, q, r);
                    else if (wedge)
                        exact = over_triangle(p, q) * over_line(r);
                    else
                        exact = over_line(p) * over_line(q) * over_line(r);
                    double sum = 0;
                    for (const auto& at : quadrature(c.rule))
                        sum += at.weight * std::pow(at.xi[0], p) * std::pow(at.xi[1], q) * std::pow(at.xi[2], r);
                    EXPECT_NEAR(sum, exact, 4e-15) << static_cast<int>(c.rule) << ": " << p << " " << q << " " << r;
                }
}

class FacesOf : public testing::TestWithParam<ElementTraits> {};
FAYING_EVERY_ELEMENT(FacesOf);

/// Outward and closed: their area vectors sum to nothing and (1/D) Int x . n dA is the volume. Both hold on distorted
/// elements with straight edges.
TEST_P(FacesOf, EncloseTheVolume) {
    const auto mesh = tests::box_mesh(
        GetParam().kind, {1, 1, 1, {1, 2, 3}, tests::scattered(0.15, GetParam().dimension() == 3)}, isotropic(1, 0, 1));
    const auto& block = mesh.blocks[0];
    const auto n = static_cast<std::size_t>(GetParam().nodes());
    for (std::size_t e = 0; e < block.size(); ++e) {
        Coordinates x(GetParam().nodes(), 3);
        for (std::size_t a = 0; a < n; ++a)
            x.row(static_cast<Eigen::Index>(a)) = mesh.nodes.row(block.nodes[e * n + a]);
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        double volume = 0;
        for (const Face& face : faces(GetParam().shape)) {
            Coordinates on(face.count, 3);
            for (int a = 0; a < face.count; ++a) on.row(a) = x.row(face.nodes[static_cast<std::size_t>(a)]);
            for (const auto& p : face_points(face.shape, on, face_rule(face.shape))) {
                sum += p.weight * p.normal;
                volume += p.weight * p.position.dot(p.normal) / GetParam().dimension();
            }
            const auto g = face_geometry(face.shape, on);
            EXPECT_NEAR(g.nodal_areas.sum(), g.area, 1e-14 * g.area);
            EXPECT_LT((g.mass.rowwise().sum() - g.nodal_areas).cwiseAbs().maxCoeff(), 1e-14 * g.area);
        }
        EXPECT_LT(sum.norm(), 1e-13);
        EXPECT_NEAR(volume, element_matrices(GetParam().kind, x, isotropic(1, 0, 1)).volume, 1e-13);
    }
}

TEST(Faces, FollowAbaqusNumbering) {
    // The corner sets of S1 .. from the Abaqus manual, as sets: the order here is outward.
    const auto corners = [](Shape shape, int face) {
        const Face& f = faces(shape)[static_cast<std::size_t>(face - 1)];
        std::vector<int> c;
        for (int i = 0; i < corner_count(f.shape); ++i) c.push_back(f.nodes[static_cast<std::size_t>(i)] + 1);
        std::sort(c.begin(), c.end());
        return c;
    };
    using V = std::vector<int>;
    const std::vector<V> hex{{1, 2, 3, 4}, {5, 6, 7, 8}, {1, 2, 5, 6}, {2, 3, 6, 7}, {3, 4, 7, 8}, {1, 4, 5, 8}};
    const std::vector<V> wedge{{1, 2, 3}, {4, 5, 6}, {1, 2, 4, 5}, {2, 3, 5, 6}, {1, 3, 4, 6}};
    const std::vector<V> tet{{1, 2, 3}, {1, 2, 4}, {2, 3, 4}, {1, 3, 4}};
    for (int f = 1; f <= 6; ++f) EXPECT_EQ(corners(Shape::hex20, f), hex[static_cast<std::size_t>(f - 1)]);
    for (int f = 1; f <= 5; ++f) EXPECT_EQ(corners(Shape::wedge15, f), wedge[static_cast<std::size_t>(f - 1)]);
    for (int f = 1; f <= 4; ++f) EXPECT_EQ(corners(Shape::tet10, f), tet[static_cast<std::size_t>(f - 1)]);
    EXPECT_EQ(faces(Shape::quad8).size(), 4u);
    EXPECT_EQ(faces(Shape::tri3).size(), 3u);
}

TEST(Faces, UniformPressureOnQuadraticFaces) {
    const Coordinates quad = node_coordinates(Shape::quad8), tri = node_coordinates(Shape::tri6);
    const auto q = face_geometry(Shape::quad8, quad).nodal_areas, t = face_geometry(Shape::tri6, tri).nodal_areas;
    for (int a = 0; a < 8; ++a) EXPECT_NEAR(q[a], a < 4 ? -4.0 / 12 : 4.0 / 3, 1e-14);
    for (int a = 0; a < 6; ++a) EXPECT_NEAR(t[a], a < 3 ? 0.0 : 1.0 / 6, 1e-15);
    EXPECT_THROW(face_geometry(Shape::quad4, Coordinates::Zero(4, 3)), core::BadInput);
    EXPECT_THROW(face_geometry(Shape::quad4, Coordinates::Zero(3, 3)), core::BadInput);
}

}  // namespace
