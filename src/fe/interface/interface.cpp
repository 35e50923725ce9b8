#include "faying/fe/interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "faying/core/error.hpp"
#include "fe/constraints/face_search.hpp"

namespace faying::fe {

namespace {

using constraint::FaceSearch;
using Eigen::Vector3d;

}  // namespace

const Surface& face_surface(const Deck& deck, const std::string& name) {
    const Index found = deck.surfaces.find(name);
    if (found == none) {
        std::string known;
        for (Index i = 0; i < std::min<Index>(12, deck.surfaces.size()); ++i)
            known += (known.empty() ? "" : ", ") + deck.surfaces[i].name;
        throw core::BadInput(deck.files[0], fmt::format("there is no surface '{}'; the deck has: {}", name,
                                                        known.empty() ? "none" : known));
    }
    const Surface& surface = deck.surfaces[found];
    if (surface.kind != Surface::Kind::element || surface.faces.empty())
        throw core::BadInput(deck.where(surface.at),
                             fmt::format("surface '{}' has no element faces; an interface is made of faces", name));
    return surface;
}

namespace {

Vector3d mean_normal(const std::vector<MeshFace>& faces) {
    Vector3d sum = Vector3d::Zero();
    for (const auto& f : faces) {
        const FaceGeometry g = face_geometry(f.shape, f.points);
        sum += g.area * g.normal;
    }
    return sum;
}

/// Faces whose middle lies over the other side.
InterfaceSide side_of(const std::string& name, const std::vector<MeshFace>& faces, const FaceSearch& other,
                      double tolerance, double& largest_gap) {
    InterfaceSide side;
    side.surface = name;
    std::set<Index> nodes;
    for (const auto& f : faces) {
        const FaceGeometry g = face_geometry(f.shape, f.points);
        const auto hit = other.closest(g.centroid, tolerance);
        if (!hit.face) {
            ++side.left_out;
            continue;
        }
        largest_gap = std::max(largest_gap, hit.at.distance);
        InterfaceFace face;
        static_cast<MeshFace&>(face) = f;
        face.centroid = g.centroid;
        face.area = g.area;
        side.area += g.area;
        nodes.insert(f.nodes.begin(), f.nodes.end());
        side.faces.push_back(std::move(face));
    }
    side.nodes.assign(nodes.begin(), nodes.end());
    return side;
}

/// Partners of the first side's nodes, when each has its own on the second within the tolerance.
std::vector<Index> partners(const Deck& deck, const Interface& i, double tolerance, double& largest) {
    if (i.first.nodes.size() != i.second.nodes.size()) return {};
    std::vector<Index> partner;
    std::set<Index> used;
    double worst = 0;
    for (Index a : i.first.nodes) {
        const Vector3d& x = deck.nodes[static_cast<std::size_t>(a)].point;
        Index best = none;
        double distance = tolerance;
        for (Index b : i.second.nodes)
            if (const double d = (deck.nodes[static_cast<std::size_t>(b)].point - x).norm(); d <= distance) {
                distance = d;
                best = b;
            }
        if (best == none || !used.insert(best).second) return {};
        partner.push_back(best);
        worst = std::max(worst, distance);
    }
    largest = worst;
    return partner;
}

double shortest_edge(const InterfaceSide& side) {
    double shortest = INFINITY;
    for (const auto& f : side.faces)
        for (Eigen::Index a = 0; a < f.points.rows(); ++a)
            for (Eigen::Index b = 0; b < a; ++b)
                shortest = std::min(shortest, (f.points.row(a) - f.points.row(b)).norm());
    return shortest;
}

Eigen::Matrix3d axes_about(const Vector3d& normal, const Vector3d& tangent, const std::string& where) {
    const Vector3d n = normal.normalized();
    const Vector3d t = tangent - tangent.dot(n) * n;
    if (!(t.norm() > 1e-6 * tangent.norm()))
        throw core::BadInput(where, fmt::format("tangent ({:g}, {:g}, {:g}) is along the interface's normal ({:g}, "
                                                "{:g}, {:g})",
                                                tangent[0], tangent[1], tangent[2], n[0], n[1], n[2]));
    Eigen::Matrix3d axes;
    axes.row(0) = t.normalized();
    axes.row(1) = n.cross(t.normalized());
    axes.row(2) = n;
    return axes;
}

}  // namespace

Interface interface_of(const Deck& deck, const InterfaceOptions& options) {
    const auto first = mesh_faces(deck, face_surface(deck, options.first));
    const auto second = mesh_faces(deck, face_surface(deck, options.second));
    const std::string where = fmt::format("surfaces '{}' and '{}'", options.first, options.second);
    for (const auto* faces : {&first, &second})
        if (dimension(faces->front().shape) != 2)
            throw core::BadInput(where, "are edges of plane elements; an interface is between solids");
    const Vector3d n1 = mean_normal(first), n2 = mean_normal(second);
    if (!(n1.dot(n2) < -0.5 * n1.norm() * n2.norm()))
        throw core::BadInput(where, "do not face each other: their mean normals are not opposite");

    const FaceSearch over_first(first), over_second(second);
    const double tolerance =
        options.tolerance.value_or(0.5 * std::min(over_first.mean_diagonal(), over_second.mean_diagonal()));
    Interface i;
    i.first = side_of(options.first, first, over_second, tolerance, i.largest_gap);
    i.second = side_of(options.second, second, over_first, tolerance, i.largest_gap);
    if (i.first.faces.empty() || i.second.faces.empty())
        throw core::BadInput(
            where, fmt::format("do not meet: no faces are within {:.4g} of each other; the closest "
                               "are {:.4g} apart",
                               tolerance, over_second.closest(first.front().points.row(0), INFINITY).at.distance));
    i.axes = axes_about(n1, options.tangent, where);
    i.partner = partners(deck, i, std::min(tolerance, 0.25 * std::min(shortest_edge(i.first), shortest_edge(i.second))),
                         i.largest_offset);
    return i;
}

Deck snapped(const Deck& deck, const Interface& interface) {
    if (!interface.matching())
        throw core::BadInput(fmt::format("surfaces '{}' and '{}'", interface.first.surface, interface.second.surface),
                             "cannot be snapped: their nodes do not pair one to one");
    Deck moved = deck;
    for (std::size_t k = 0; k < interface.partner.size(); ++k)
        moved.nodes[static_cast<std::size_t>(interface.partner[k])].point =
            deck.nodes[static_cast<std::size_t>(interface.first.nodes[k])].point;
    return moved;
}

}  // namespace faying::fe
