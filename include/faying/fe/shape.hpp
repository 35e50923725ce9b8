#pragma once
// Shape functions of the isoparametric families, x = sum_a N_a(xi) x_a, in Abaqus (= CalculiX) node order.
//
// Natural coordinates: lines, quads and hexes in [-1, 1]; triangles and tetrahedra from node 1 at the origin, so
// N_1 = 1 - xi - eta (- zeta); wedges a triangle times [-1, 1]. Quadratic shapes are serendipity: corner nodes first,
// then the middle of each edge in the order of `edges`.

#include <Eigen/Dense>
#include <array>
#include <span>

namespace faying::fe {

enum class Shape { line2, line3, tri3, tri6, quad4, quad8, tet4, tet10, wedge6, wedge15, hex8, hex20 };

/// Natural dimension: 1, 2 or 3.
int dimension(Shape shape);
int node_count(Shape shape);
int corner_count(Shape shape);

/// The linear shape with the same corners.
Shape linear_shape(Shape shape);

/// Corner pairs (from 0); the midside node of edges[i] is node corner_count + i of the quadratic shape.
std::span<const std::array<int, 2>> edges(Shape shape);

/// Natural coordinates of the nodes, one per row.
const Eigen::MatrixX3d& node_coordinates(Shape shape);

struct ShapeValues {
    Eigen::VectorXd value;     ///< N_a
    Eigen::MatrixXd gradient;  ///< dN_a / dxi_k, one node a row
};

ShapeValues shape_functions(Shape shape, const Eigen::Vector3d& xi);

}  // namespace faying::fe
