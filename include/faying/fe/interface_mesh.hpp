#pragma once
// Zero-thickness elements of a full joint: a mesh of the interface, the points where laws act, and how a coarser mesh
// is tied to the deck's own.
//
//     f = Q^T W t(Q u),   df/du = Q^T W (dt/du) Q          Q: nodes to quadrature points, W: their areas

#include <Eigen/Dense>

#include "faying/fe/interface.hpp"

namespace faying::fe {

struct InterfaceMesh {
    struct Element {
        Shape shape = Shape::quad4;
        std::vector<int> nodes;  ///< rows of points
    };
    Coordinates points;
    std::vector<Element> elements;

    Coordinates corners(const Element& element) const;
};

/// The first side's own faces; rows of points are Interface::first.nodes.
InterfaceMesh deck_mesh(const Deck& deck, const Interface& interface);

/// About `elements` quadrilaterals over the same outline, made by Gmsh; `density` at each node of the fine mesh is how
/// many of them an area there should have, up to a factor (empty: the same everywhere). The count is met as closely as
/// a mesh allows.
InterfaceMesh coarse_mesh(const InterfaceMesh& fine, const Eigen::Matrix3d& axes, int elements,
                          const Eigen::VectorXd& density = {});

struct InterfacePoints {
    Eigen::MatrixXd shape;   ///< points x nodes
    Eigen::VectorXd weight;  ///< areas
    Coordinates points;
    std::vector<Eigen::Matrix3d> axes;  ///< at each: tangent 1, tangent 2, normal, as rows
    std::vector<int> element;
};

/// Gauss points that integrate linear tractions against the shape functions exactly on flat elements. `axes` are the
/// interface's: on a curved one each point's are turned to its own normal.
InterfacePoints quadrature_points(const InterfaceMesh& mesh, const Eigen::Matrix3d& axes);

/// The points of a mesh that stands for `fine`, their weights moved as little as it takes for every shape function of
/// `coarse` to have the area it has on the fine mesh: a uniform pressure then does the same work on both, and the
/// weights add up to the area of the fine mesh, although chords of the coarse one cut its round edges.
InterfacePoints quadrature_points(const InterfaceMesh& coarse, const InterfaceMesh& fine, const Eigen::Matrix3d& axes);

/// Of each node of `fine`: shape functions of `coarse`, projected onto the fine mesh in the least-squares (L2) sense,
/// Q12 = (Int N^T N)^-1 Int N^T N_coarse. Rows sum to one and linear fields on flat meshes come through exactly.
Eigen::MatrixXd projection(const InterfaceMesh& fine, const InterfaceMesh& coarse);

}  // namespace faying::fe
