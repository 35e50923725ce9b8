#pragma once
// Faces, areas and volumes of what is in a deck, with curved quadratic edges.

#include <Eigen/Core>
#include <optional>

#include "faying/fe/deck.hpp"
#include "faying/fe/face.hpp"

namespace faying::fe {

/// A face with its nodes, in the deck and in space.
struct MeshFace {
    Shape shape = Shape::quad4;
    std::vector<Index> nodes;
    Coordinates points;
};
MeshFace mesh_face(const Deck& deck, const SurfaceFace& face);
std::vector<MeshFace> mesh_faces(const Deck& deck, const Surface& surface);

double face_area(const Deck& deck, const SurfaceFace& face);
/// What an edge of a plane element is times its length: the section's thickness (1 without one); 1 of other faces.
double face_thickness(const Deck& deck, const SurfaceFace& face);

/// Sum over the faces; edges of plane elements count their length. Node-based surfaces: the sum of the areas they give.
double surface_area(const Deck& deck, const Surface& surface);

/// Solids: volume, negative when inside out. Plane elements and shells: area times the section's thickness (plane
/// elements without one: 1). Nothing for other elements.
std::optional<double> element_volume(const Deck& deck, const Element& element);

struct Box {
    Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
};
Box bounding_box(const Deck& deck);

}  // namespace faying::fe
