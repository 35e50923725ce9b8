#pragma once
// Faces of elements in Abaqus numbering S1 .. S6, and integrals over them, for surfaces, loads and contact.
//
// Nodes are listed so that the right-hand normal points out of the element (Abaqus lists the same nodes the other way
// round). Faces of plane elements are edges, out of the element on the right hand when walked; their `area` is a
// length times the thickness, which the caller multiplies in.

#include <Eigen/Dense>
#include <array>
#include <span>
#include <vector>

#include "faying/fe/element.hpp"

namespace faying::fe {

struct Face {
    Shape shape;  ///< line2, line3, tri3, tri6, quad4 or quad8
    int count;
    std::array<int, 8> nodes;  ///< of the element, from 0; the first `count` count

    std::span<const int> local_nodes() const { return {nodes.data(), static_cast<std::size_t>(count)}; }
};

/// faces(shape)[0] is S1.
std::span<const Face> faces(Shape element_shape);

/// Of a shell of this shape: both sides (SPOS, SNEG), then the edges.
std::span<const Face> shell_faces(Shape element_shape);

/// A rule that integrates N^T N exactly on a flat, straight-sided face.
Rule face_rule(Shape face_shape);

/// Area, or length of an edge; zero for one that is collapsed.
double face_area(Shape face_shape, const Eigen::Ref<const Coordinates>& nodes);

/// Of a solid element; of a plane one its area in x, y. Negative when it is inside out.
double signed_volume(Shape element_shape, const Eigen::Ref<const Coordinates>& nodes);

struct FacePoint {
    Eigen::VectorXd shape;     ///< N_a
    Eigen::Vector3d position;  ///< sum_a N_a x_a
    Eigen::Vector3d normal;    ///< unit
    double weight = 0;         ///< quadrature weight times surface Jacobian: sums to the area
};

/// Quadrature points of a face with the given nodes, one per row. Throws BadInput naming `label` when it has no area.
std::vector<FacePoint> face_points(Shape face_shape, const Eigen::Ref<const Coordinates>& nodes, Rule rule,
                                   std::string_view label = "face");

struct FaceGeometry {
    double area = 0;
    Eigen::Vector3d normal;       ///< mean, unit
    Eigen::Vector3d centroid;     ///< of area
    Eigen::VectorXd nodal_areas;  ///< Int N_a dA: a uniform pressure's share at each node (zero or less at corners of
                                  ///< quad8, zero at those of a straight tri6)
    Eigen::MatrixXd mass;         ///< Int N_a N_b dA
};

FaceGeometry face_geometry(Shape face_shape, const Eigen::Ref<const Coordinates>& nodes,
                           std::string_view label = "face");

}  // namespace faying::fe
