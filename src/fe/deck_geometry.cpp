#include "faying/fe/deck_geometry.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <vector>

namespace faying::fe {

namespace {

struct Sample {
    double s, t, weight;
};

using Values = std::array<double, 8>;
struct Shapes {
    Values n, ds, dt;
};

Shapes triangle6(double s, double t) {
    const double r = 1.0 - s - t;
    return {{r * (2 * r - 1), s * (2 * s - 1), t * (2 * t - 1), 4 * r * s, 4 * s * t, 4 * t * r},
            {1 - 4 * r, 4 * s - 1, 0, 4 * (r - s), 4 * t, -4 * t},
            {1 - 4 * r, 0, 4 * t - 1, -4 * s, 4 * s, 4 * (r - t)}};
}

Shapes triangle3(double s, double t) { return {{1 - s - t, s, t}, {-1, 1, 0}, {-1, 0, 1}}; }

constexpr double corner_s[4] = {-1, 1, 1, -1}, corner_t[4] = {-1, -1, 1, 1};

Shapes quad4(double s, double t) {
    Shapes f{};
    for (std::size_t a = 0; a < 4; ++a) {
        f.n[a] = 0.25 * (1 + s * corner_s[a]) * (1 + t * corner_t[a]);
        f.ds[a] = 0.25 * corner_s[a] * (1 + t * corner_t[a]);
        f.dt[a] = 0.25 * corner_t[a] * (1 + s * corner_s[a]);
    }
    return f;
}

Shapes quad8(double s, double t) {
    Shapes f{};
    for (std::size_t a = 0; a < 4; ++a) {
        const double p = s * corner_s[a], q = t * corner_t[a];
        f.n[a] = 0.25 * (1 + p) * (1 + q) * (p + q - 1);
        f.ds[a] = 0.25 * corner_s[a] * (1 + q) * (2 * p + q);
        f.dt[a] = 0.25 * corner_t[a] * (1 + p) * (p + 2 * q);
    }
    f.n[4] = 0.5 * (1 - s * s) * (1 - t), f.ds[4] = -s * (1 - t), f.dt[4] = -0.5 * (1 - s * s);
    f.n[5] = 0.5 * (1 + s) * (1 - t * t), f.ds[5] = 0.5 * (1 - t * t), f.dt[5] = -t * (1 + s);
    f.n[6] = 0.5 * (1 - s * s) * (1 + t), f.ds[6] = -s * (1 + t), f.dt[6] = 0.5 * (1 - s * s);
    f.n[7] = 0.5 * (1 - s) * (1 - t * t), f.ds[7] = -0.5 * (1 - t * t), f.dt[7] = -t * (1 - s);
    return f;
}

template <std::size_t n>
std::vector<Sample> product(const double (&x)[n], const double (&w)[n]) {
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) samples.push_back({x[i], x[j], w[i] * w[j]});
    return samples;
}

/// Exact for the flux through the face: degree 2 a direction on quad4, 5 on quad8, 4 in all on triangle6.
const std::vector<Sample>& samples(Topology shape) {
    static const std::vector<Sample> one = {{1.0 / 3, 1.0 / 3, 0.5}};
    static const std::vector<Sample> six = [] {
        constexpr double a = 0.445948490915965, b = 0.091576213509771;
        constexpr double wa = 0.5 * 0.223381589678011, wb = 0.5 * 0.109951743655322;
        return std::vector<Sample>{{a, a, wa}, {1 - 2 * a, a, wa}, {a, 1 - 2 * a, wa},
                                   {b, b, wb}, {1 - 2 * b, b, wb}, {b, 1 - 2 * b, wb}};
    }();
    constexpr double g = 0.57735026918962576;
    static const std::vector<Sample> four = product({-g, g}, {1.0, 1.0});
    constexpr double p = 0.86113631159405258, q = 0.33998104358485626;
    constexpr double wp = 0.34785484513745386, wq = 0.65214515486254614;
    static const std::vector<Sample> sixteen = product({-p, -q, q, p}, {wp, wq, wq, wp});
    switch (shape) {
        case Topology::triangle3: return one;
        case Topology::triangle6: return six;
        case Topology::quad4: return four;
        default: return sixteen;
    }
}

struct Tabulated {
    double weight;
    Shapes shapes;
};

const std::vector<Tabulated>& tabulated(Topology shape) {
    const auto make = [](Topology of) {
        std::vector<Tabulated> all;
        for (const auto& at : samples(of))
            all.push_back({at.weight, of == Topology::triangle3   ? triangle3(at.s, at.t)
                                      : of == Topology::triangle6 ? triangle6(at.s, at.t)
                                      : of == Topology::quad4     ? quad4(at.s, at.t)
                                                                  : quad8(at.s, at.t)});
        return all;
    };
    static const auto t3 = make(Topology::triangle3), t6 = make(Topology::triangle6), q4 = make(Topology::quad4),
                      q8 = make(Topology::quad8);
    switch (shape) {
        case Topology::triangle3: return t3;
        case Topology::triangle6: return t6;
        case Topology::quad4: return q4;
        default: return q8;
    }
}

FaceIntegral integrate_edge(Topology shape, std::span<const Eigen::Vector3d> points) {
    FaceIntegral result;
    if (shape == Topology::line2) {
        result.area = (points[1] - points[0]).norm();
        return result;
    }
    constexpr double x[3] = {-0.7745966692414834, 0.0, 0.7745966692414834};
    constexpr double w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (int i = 0; i < 3; ++i)
        result.area += w[i] * ((x[i] - 0.5) * points[0] + (x[i] + 0.5) * points[1] - 2 * x[i] * points[2]).norm();
    return result;
}

FaceIntegral integrate_nodes(const Deck& deck, std::span<const Index> nodes, const TopologyFace& face,
                             const Eigen::Vector3d& origin) {
    std::array<Eigen::Vector3d, 8> points;
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
        points[a] = deck.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(face.nodes[a])])].point;
    return integrate_face(face.shape, std::span(points).first(face.nodes.size()), origin);
}

}  // namespace

FaceIntegral integrate_face(Topology shape, std::span<const Eigen::Vector3d> points, const Eigen::Vector3d& origin) {
    if (shape == Topology::line2 || shape == Topology::line3) return integrate_edge(shape, points);
    FaceIntegral result;
    for (const auto& sample : tabulated(shape)) {
        Eigen::Vector3d x = -origin, ds = Eigen::Vector3d::Zero(), dt = Eigen::Vector3d::Zero();
        for (std::size_t a = 0; a < points.size(); ++a) {
            x += sample.shapes.n[a] * points[a];
            ds += sample.shapes.ds[a] * points[a];
            dt += sample.shapes.dt[a] * points[a];
        }
        const Eigen::Vector3d normal = sample.weight * ds.cross(dt);
        result.vector += normal;
        result.area += normal.norm();
        result.flux += x.dot(normal);
    }
    return result;
}

double face_area(const Deck& deck, const SurfaceFace& face) {
    const Element& element = deck.elements[static_cast<std::size_t>(face.element)];
    const auto& local = element_faces(*known_type(deck, element))[static_cast<std::size_t>(face.face - 1)];
    return integrate_nodes(deck, nodes_of(deck, element), local, Eigen::Vector3d::Zero()).area;
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
    if (type->family == Family::solid) {
        const Eigen::Vector3d origin = deck.nodes[static_cast<std::size_t>(nodes[0])].point;
        double flux = 0.0;
        for (const auto& face : element_faces(*type)) flux += integrate_nodes(deck, nodes, face, origin).flux;
        return flux / 3.0;
    }
    const bool plane = type->family == Family::plane_strain || type->family == Family::plane_stress;
    if (!plane && type->family != Family::shell) return {};
    const Section* section =
        element.section == none ? nullptr : &deck.sections[static_cast<std::size_t>(element.section)];
    const bool given = section && !section->values.empty() && section->values[0] > 0;
    if (!plane && !given) return {};
    const TopologyFace face = element_plane(*type);
    const FaceIntegral integral = integrate_nodes(deck, nodes, face, Eigen::Vector3d::Zero());
    return (plane ? integral.vector[2] : integral.area) * (given ? section->values[0] : 1.0);
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
