#include "faying/fe/deck_geometry.hpp"

namespace faying::fe {

namespace {

template <class Nodes>
Coordinates points_of(const Deck& deck, const Nodes& nodes) {
    Coordinates x(static_cast<Eigen::Index>(nodes.size()), 3);
    for (std::size_t a = 0; a < nodes.size(); ++a)
        x.row(static_cast<Eigen::Index>(a)) = deck.nodes[static_cast<std::size_t>(nodes[a])].point;
    return x;
}

}  // namespace

MeshFace mesh_face(const Deck& deck, const SurfaceFace& face) {
    const Element& element = deck.elements[static_cast<std::size_t>(face.element)];
    const auto& local = element_faces(*known_type(deck, element))[static_cast<std::size_t>(face.face - 1)];
    auto nodes = nodes_of(deck, face);
    Coordinates points = points_of(deck, nodes);
    return {local.shape, std::move(nodes), std::move(points)};
}

std::vector<MeshFace> mesh_faces(const Deck& deck, const Surface& surface) {
    std::vector<MeshFace> all;
    for (const SurfaceFace& face : surface.faces) all.push_back(mesh_face(deck, face));
    return all;
}

double face_area(const Deck& deck, const SurfaceFace& face) {
    const MeshFace f = mesh_face(deck, face);
    return face_area(f.shape, f.points);
}

double face_thickness(const Deck& deck, const SurfaceFace& face) {
    const Element& element = deck.elements[static_cast<std::size_t>(face.element)];
    const ElementType* type = known_type(deck, element);
    if (!type || (type->family != Family::plane_strain && type->family != Family::plane_stress)) return 1.0;
    if (element.section == none) return 1.0;
    const auto& values = deck.sections[static_cast<std::size_t>(element.section)].values;
    return !values.empty() && values[0] > 0 ? values[0] : 1.0;
}

double surface_area(const Deck& deck, const Surface& surface) {
    double area = 0.0;
    for (const auto& face : surface.faces) area += face_area(deck, face);
    for (const auto& node : surface.nodes) area += node.area;
    return area;
}

std::optional<double> element_volume(const Deck& deck, const Element& element) {
    const ElementType* type = known_type(deck, element);
    if (!type) return {};
    const auto nodes = nodes_of(deck, element);
    if (type->family == Family::solid) return signed_volume(*type->shape, points_of(deck, nodes));
    const bool plane = type->family == Family::plane_strain || type->family == Family::plane_stress;
    if (!plane && type->family != Family::shell) return {};
    const Section* section =
        element.section == none ? nullptr : &deck.sections[static_cast<std::size_t>(element.section)];
    const bool given = section && !section->values.empty() && section->values[0] > 0;
    if (!plane && !given) return {};
    const Coordinates x = points_of(deck, nodes);
    return (plane ? signed_volume(*type->shape, x) : face_area(*type->shape, x)) * (given ? section->values[0] : 1.0);
}

Box bounding_box(const Deck& deck) {
    Box box;
    if (deck.nodes.empty()) return box;
    box.low = box.high = deck.nodes[0].point;
    for (const Node& node : deck.nodes) {
        box.low = box.low.cwiseMin(node.point);
        box.high = box.high.cwiseMax(node.point);
    }
    return box;
}

}  // namespace faying::fe
