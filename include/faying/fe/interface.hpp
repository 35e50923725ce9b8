#pragma once
// Two surfaces of a deck that touch: what a joint acts between.
//
//     const Interface i = interface_of(deck, {.first = "TOP_FACE", .second = "BOTTOM_FACE", .tangent = {1, 0, 0}});
//     const Eigen::SparseMatrix<double> c = patch_average(i, patch, dofs);        // 6 x DOF: relative motion of the two sides
//
// Relative motion is u(first) - u(second) along the axes tangent 1, tangent 2, normal; the normal points out of the
// first side, so that positive closes the joint. Averages are taken on each side's own mesh about a common point:
// nodes that should coincide and do not leak no rotation.

#include <Eigen/Sparse>
#include <optional>
#include <string>
#include <vector>

#include "faying/fe/deck_geometry.hpp"
#include "faying/fe/elimination.hpp"

namespace faying::fe {

struct InterfaceOptions {
    std::string first, second;                           ///< surfaces
    Eigen::Vector3d tangent = Eigen::Vector3d::UnitX();  ///< tangent 1, before it is laid into the plane
    std::optional<double> tolerance = {};                ///< how far apart the sides may be; else half a face
};

struct InterfaceFace : MeshFace {
    Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
    double area = 0;
};

struct InterfaceSide {
    std::string surface;
    std::vector<InterfaceFace> faces;  ///< those that the other side faces
    std::vector<Index> nodes;          ///< of these faces, ascending
    std::size_t left_out = 0;          ///< faces beyond the other side's edge
    double area = 0;
};

struct Interface {
    InterfaceSide first, second;
    Eigen::Matrix3d axes;       ///< rows: tangent 1, tangent 2, normal out of the first side
    double largest_gap = 0;     ///< between a face of the first side and the second
    double largest_offset = 0;  ///< between nodes that pair, when the meshes match
    /// Of each node of the first side, its partner on the second; empty when the meshes do not match.
    std::vector<Index> partner;

    double area() const { return 0.5 * (first.area + second.area); }
    bool matching() const { return !partner.empty(); }
};

/// Throws BadInput, naming those there are, unless the deck has a surface of that name with element faces.
const Surface& face_surface(const Deck& deck, const std::string& name);

/// Throws BadInput for surfaces that are not there, have no faces, do not face each other or do not meet.
Interface interface_of(const Deck& deck, const InterfaceOptions& options);

/// The deck with the second side's nodes moved onto their partners, for meshes that should match and do not quite.
/// Throws BadInput when they do not pair.
Deck snapped(const Deck& deck, const Interface& interface);

/// Faces of both sides that one patch averages.
struct PatchFaces {
    std::string name;
    std::vector<std::size_t> first, second;  ///< in Interface
    Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
    double area = 0;  ///< mean of both sides
};

/// Patches between cuts at these fractions of the interface's length along tangent 1, first to last.
std::vector<PatchFaces> cut_patches(const Interface& interface, const std::vector<double>& fractions);
/// The patch of faces whose middle is within `half` (along the tangents) of a point.
PatchFaces box_patch(const Interface& interface, const std::string& name, const Eigen::Vector3d& centre,
                     const Eigen::Vector2d& half);

/// The patch of faces that are in these surfaces of the deck; where they hold faces of one side only, with the faces of
/// the other whose middle is over them.
PatchFaces surface_patch(const Deck& deck, const Interface& interface, const std::string& name,
                         const std::vector<std::string>& surfaces);

/// Six rows: relative translation of the patch along the axes, then rotation about them; columns as in `dofs`.
/// v = A^-1 B^T u on each side, B = Int N^T G, A = Int G^T G, G the rigid field about the common centroid.
Eigen::SparseMatrix<double> patch_average(const Interface& interface, const PatchFaces& patch, const DofTable& dofs);

/// Three rows per node of the first side, u(first) - u(second) along the axes: node to node where the meshes match, else
/// the second side's motion projected onto the first side's mesh in the least-squares (L2) sense.
Eigen::SparseMatrix<double> relative_motion(const Deck& deck, const Interface& interface, const DofTable& dofs);

}  // namespace faying::fe
