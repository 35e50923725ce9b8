#pragma once
// Areas and volumes of what is in a deck, from the faces alone: V = 1/3 of the integral of x . n over the faces, exact
// for isoparametric elements, quadratic ones included.

#include <Eigen/Core>
#include <span>

#include "faying/fe/deck.hpp"

namespace faying::fe {

struct FaceIntegral {
    double area = 0.0;                                 ///< of an edge: its length
    Eigen::Vector3d vector = Eigen::Vector3d::Zero();  ///< integral of the normal; zero for an edge
    double flux = 0.0;                                 ///< integral of (x - origin) . n
};

/// Nodes corners first, then midside nodes.
FaceIntegral integrate_face(Topology shape, std::span<const Eigen::Vector3d> points, const Eigen::Vector3d& origin);

double face_area(const Deck& deck, const SurfaceFace& face);

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
