#include "faying/fe/shape.hpp"

#include <stdexcept>
#include <vector>

namespace faying::fe {

namespace {

using Edge = std::array<int, 2>;

constexpr std::array<Edge, 1> line_edges{{{0, 1}}};
constexpr std::array<Edge, 3> tri_edges{{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<Edge, 4> quad_edges{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<Edge, 6> tet_edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
constexpr std::array<Edge, 9> wedge_edges{{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}};
constexpr std::array<Edge, 12> hex_edges{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

bool quadratic(Shape shape) { return linear_shape(shape) != shape; }

Eigen::MatrixX3d corner_coordinates(Shape corners) {
    Eigen::MatrixX3d x = Eigen::MatrixX3d::Zero(corner_count(corners), 3);
    switch (corners) {
        case Shape::line2: x.col(0) << -1, 1; break;
        case Shape::tri3: x << 0, 0, 0, 1, 0, 0, 0, 1, 0; break;
        case Shape::quad4: x << -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0; break;
        case Shape::tet4: x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1; break;
        case Shape::wedge6: x << 0, 0, -1, 1, 0, -1, 0, 1, -1, 0, 0, 1, 1, 0, 1, 0, 1, 1; break;
        default:
            x << -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,  //
                -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1;
    }
    return x;
}

Eigen::MatrixX3d all_coordinates(Shape shape) {
    const Eigen::MatrixX3d corners = corner_coordinates(linear_shape(shape));
    Eigen::MatrixX3d x(node_count(shape), 3);
    x.topRows(corners.rows()) = corners;
    if (quadratic(shape)) {
        int node = corner_count(shape);
        for (const auto& [a, b] : edges(shape)) x.row(node++) = 0.5 * (corners.row(a) + corners.row(b));
    }
    return x;
}

/// Lines, quads and hexes, linear: N_a = prod_k (1 + xi_k xi_ak)/2. Serendipity: corner times
/// (sum_k xi_k xi_ak - (D - 1)), and (1 - xi_m^2) in the direction m along an edge for its midside node.
ShapeValues tensor_shape(Shape shape, const Eigen::Vector3d& xi) {
    const int d = dimension(shape);
    const auto& nodes = node_coordinates(shape);
    const bool second = quadratic(shape);
    ShapeValues s{Eigen::VectorXd(nodes.rows()), Eigen::MatrixXd(nodes.rows(), d)};
    for (int a = 0; a < nodes.rows(); ++a) {
        std::array<double, 3> factor{1, 1, 1}, slope{0, 0, 0};
        bool corner = true;
        for (int k = 0; k < d; ++k) {
            const double at = nodes(a, k);
            if (at == 0.0) {
                corner = false;
                factor[k] = 1 - xi[k] * xi[k];
                slope[k] = -2 * xi[k];
            } else {
                factor[k] = 0.5 * (1 + xi[k] * at);
                slope[k] = 0.5 * at;
            }
        }
        const double product = factor[0] * factor[1] * factor[2];
        const double bracket = second && corner ? nodes.row(a).dot(xi) - (d - 1) : 1.0;
        s.value[a] = product * bracket;
        for (int k = 0; k < d; ++k) {
            const double others = factor[(k + 1) % 3] * factor[(k + 2) % 3];
            s.gradient(a, k) = slope[k] * others * bracket;
            if (second && corner) s.gradient(a, k) += product * nodes(a, k);
        }
    }
    return s;
}

/// Triangles and tetrahedra in barycentric coordinates L: L_a, or L_a (2 L_a - 1) at corners and 4 L_a L_b between.
ShapeValues simplex_shape(Shape shape, const Eigen::Vector3d& xi) {
    const int d = dimension(shape);
    const int corners = d + 1;
    Eigen::VectorXd l(corners);
    Eigen::MatrixXd dl = Eigen::MatrixXd::Zero(corners, d);
    l[0] = 1 - xi.head(d).sum();
    l.tail(d) = xi.head(d);
    dl.row(0).setConstant(-1);
    dl.bottomRows(d).setIdentity();
    if (!quadratic(shape)) return {l, dl};
    ShapeValues s{Eigen::VectorXd(node_count(shape)), Eigen::MatrixXd(node_count(shape), d)};
    for (int a = 0; a < corners; ++a) {
        s.value[a] = l[a] * (2 * l[a] - 1);
        s.gradient.row(a) = (4 * l[a] - 1) * dl.row(a);
    }
    int node = corners;
    for (const auto& [a, b] : edges(shape)) {
        s.value[node] = 4 * l[a] * l[b];
        s.gradient.row(node++) = 4 * (l[a] * dl.row(b) + l[b] * dl.row(a));
    }
    return s;
}

/// Wedges, with T = (1 + zeta zeta_a)/2: L T linear; serendipity L T (2 L - 2 + zeta zeta_a) at corners,
/// 4 L_a L_b T on the triangles' edges, L (1 - zeta^2) on the three edges between them.
ShapeValues wedge_shape(Shape shape, const Eigen::Vector3d& xi) {
    const double z = xi[2];
    const std::array<double, 3> l{1 - xi[0] - xi[1], xi[0], xi[1]};
    const Eigen::Matrix<double, 3, 2> dl{{-1, -1}, {1, 0}, {0, 1}};
    ShapeValues s{Eigen::VectorXd(node_count(shape)), Eigen::MatrixXd(node_count(shape), 3)};
    for (int a = 0; a < 6; ++a) {
        const int i = a % 3;
        const double at = a < 3 ? -1 : 1, t = 0.5 * (1 + z * at), dt = 0.5 * at;
        if (shape == Shape::wedge6) {
            s.value[a] = l[i] * t;
            s.gradient.row(a) << dl.row(i) * t, l[i] * dt;
        } else {
            const double bracket = 2 * l[i] - 2 + z * at;
            s.value[a] = l[i] * t * bracket;
            s.gradient.row(a) << dl.row(i) * (t * bracket + 2 * l[i] * t), l[i] * (dt * bracket + t * at);
        }
    }
    if (shape == Shape::wedge6) return s;
    for (int e = 0; e < 6; ++e) {
        const int i = e % 3, j = (e + 1) % 3;
        const double at = e < 3 ? -1 : 1, t = 0.5 * (1 + z * at);
        s.value[6 + e] = 4 * l[i] * l[j] * t;
        s.gradient.row(6 + e) << 4 * t * (l[i] * dl.row(j) + l[j] * dl.row(i)), 2 * l[i] * l[j] * at;
    }
    for (int i = 0; i < 3; ++i) {
        s.value[12 + i] = l[i] * (1 - z * z);
        s.gradient.row(12 + i) << dl.row(i) * (1 - z * z), -2 * z * l[i];
    }
    return s;
}

}  // namespace

int dimension(Shape shape) {
    switch (linear_shape(shape)) {
        case Shape::line2: return 1;
        case Shape::tri3:
        case Shape::quad4: return 2;
        default: return 3;
    }
}

Shape linear_shape(Shape shape) {
    switch (shape) {
        case Shape::line3: return Shape::line2;
        case Shape::tri6: return Shape::tri3;
        case Shape::quad8: return Shape::quad4;
        case Shape::tet10: return Shape::tet4;
        case Shape::wedge15: return Shape::wedge6;
        case Shape::hex20: return Shape::hex8;
        default: return shape;
    }
}

int corner_count(Shape shape) {
    switch (linear_shape(shape)) {
        case Shape::line2: return 2;
        case Shape::tri3: return 3;
        case Shape::quad4:
        case Shape::tet4: return 4;
        case Shape::wedge6: return 6;
        default: return 8;
    }
}

int node_count(Shape shape) {
    return corner_count(shape) + (quadratic(shape) ? static_cast<int>(edges(shape).size()) : 0);
}

std::span<const std::array<int, 2>> edges(Shape shape) {
    switch (linear_shape(shape)) {
        case Shape::line2: return line_edges;
        case Shape::tri3: return tri_edges;
        case Shape::quad4: return quad_edges;
        case Shape::tet4: return tet_edges;
        case Shape::wedge6: return wedge_edges;
        default: return hex_edges;
    }
}

const Eigen::MatrixX3d& node_coordinates(Shape shape) {
    static const std::vector<Eigen::MatrixX3d> tables = [] {
        std::vector<Eigen::MatrixX3d> t;
        for (int s = 0; s <= static_cast<int>(Shape::hex20); ++s) t.push_back(all_coordinates(static_cast<Shape>(s)));
        return t;
    }();
    return tables[static_cast<std::size_t>(shape)];
}

ShapeValues shape_functions(Shape shape, const Eigen::Vector3d& xi) {
    switch (linear_shape(shape)) {
        case Shape::tri3:
        case Shape::tet4: return simplex_shape(shape, xi);
        case Shape::wedge6: return wedge_shape(shape, xi);
        default: return tensor_shape(shape, xi);
    }
}

}  // namespace faying::fe
