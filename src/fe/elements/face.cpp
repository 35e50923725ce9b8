#include "faying/fe/face.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::fe {

namespace {

/// Corner nodes of each face, outward, in Abaqus' face order.
std::vector<std::vector<int>> face_corners(Shape linear) {
    switch (linear) {
        case Shape::tri3: return {{0, 1}, {1, 2}, {2, 0}};
        case Shape::quad4: return {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
        case Shape::tet4: return {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
        case Shape::wedge6: return {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
        case Shape::hex8: return {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
        default: return {};
    }
}

int edge_between(Shape shape, int a, int b) {
    const auto all = edges(shape);
    for (std::size_t i = 0; i < all.size(); ++i)
        if ((all[i][0] == a && all[i][1] == b) || (all[i][0] == b && all[i][1] == a)) return static_cast<int>(i);
    throw std::logic_error("a face names two corners without an edge");
}

std::vector<Face> make_faces(Shape shape) {
    const bool quadratic = linear_shape(shape) != shape;
    std::vector<Face> all;
    for (const auto& corners : face_corners(linear_shape(shape))) {
        const std::size_t n = corners.size();
        Face f{};
        f.shape = n == 2   ? (quadratic ? Shape::line3 : Shape::line2)
                  : n == 3 ? (quadratic ? Shape::tri6 : Shape::tri3)
                           : (quadratic ? Shape::quad8 : Shape::quad4);
        for (std::size_t i = 0; i < n; ++i) f.nodes[i] = corners[i];
        if (quadratic)
            for (std::size_t i = 0; i < edges(f.shape).size(); ++i) {
                const auto [a, b] = edges(f.shape)[i];
                f.nodes[n + i] = corner_count(shape) + edge_between(shape, corners[static_cast<std::size_t>(a)],
                                                                    corners[static_cast<std::size_t>(b)]);
            }
        f.count = node_count(f.shape);
        all.push_back(f);
    }
    return all;
}

/// Enough points for the Jacobian of curved edges.
Rule volume_rule(Shape shape) {
    switch (shape) {
        case Shape::tri3: return Rule::tri1;
        case Shape::tri6: return Rule::tri3;
        case Shape::quad4: return Rule::quad4;
        case Shape::quad8: return Rule::quad9;
        case Shape::tet4: return Rule::tet1;
        case Shape::tet10: return Rule::tet15;
        case Shape::wedge6: return Rule::wedge9;
        case Shape::wedge15: return Rule::wedge18;
        case Shape::hex8: return Rule::hex8;
        case Shape::hex20: return Rule::hex27;
        default: throw std::logic_error("not an element's shape");
    }
}

}  // namespace

std::span<const Face> faces(Shape shape) {
    static const std::vector<std::vector<Face>> tables = [] {
        std::vector<std::vector<Face>> t;
        for (int s = 0; s <= static_cast<int>(Shape::hex20); ++s) t.push_back(make_faces(static_cast<Shape>(s)));
        return t;
    }();
    return tables[static_cast<std::size_t>(shape)];
}

std::span<const Face> shell_faces(Shape shape) {
    static const auto make = [](Shape of) {
        Face front{of, node_count(of), {}}, back = front;
        const int corners = corner_count(of);
        for (int a = 0; a < front.count; ++a) {
            const bool corner = a < corners;
            front.nodes[static_cast<std::size_t>(a)] = a;
            back.nodes[static_cast<std::size_t>(a)] =
                corner ? (corners - a) % corners : corners + (2 * corners - 1 - a) % corners;
        }
        std::vector<Face> all{front, back};
        all.insert(all.end(), faces(of).begin(), faces(of).end());
        return all;
    };
    static const auto tri3 = make(Shape::tri3), tri6 = make(Shape::tri6), quad4 = make(Shape::quad4),
                      quad8 = make(Shape::quad8);
    switch (shape) {
        case Shape::tri3: return tri3;
        case Shape::tri6: return tri6;
        case Shape::quad4: return quad4;
        case Shape::quad8: return quad8;
        default: return {};
    }
}

double face_area(Shape shape, const Eigen::Ref<const Coordinates>& nodes) {
    const Tabulation& t = tabulated(shape, face_rule(shape));
    double area = 0;
    for (Eigen::Index p = 0; p < t.weight.size(); ++p) {
        const Eigen::Matrix3Xd tangents = nodes.transpose() * t.gradient[static_cast<std::size_t>(p)];
        const Eigen::Vector3d first = tangents.col(0);
        area +=
            t.weight[p] * (tangents.cols() == 1 ? first.norm() : first.cross(Eigen::Vector3d(tangents.col(1))).norm());
    }
    return area;
}

double signed_volume(Shape shape, const Eigen::Ref<const Coordinates>& nodes) {
    const Tabulation& t = tabulated(shape, volume_rule(shape));
    const int d = dimension(shape);
    const Coordinates x = nodes.rowwise() - nodes.row(0);  // far from the origin, products would lose digits
    double volume = 0;
    for (Eigen::Index p = 0; p < t.weight.size(); ++p)
        volume += t.weight[p] *
                  Eigen::MatrixXd(x.leftCols(d).transpose() * t.gradient[static_cast<std::size_t>(p)]).determinant();
    return volume;
}

Rule face_rule(Shape shape) {
    switch (shape) {
        case Shape::line2: return Rule::line2;
        case Shape::line3: return Rule::line3;
        case Shape::tri3: return Rule::tri3;
        case Shape::tri6: return Rule::tri6;
        case Shape::quad4: return Rule::quad4;
        case Shape::quad8: return Rule::quad9;
        default: throw std::logic_error("not the shape of a face");
    }
}

std::vector<FacePoint> face_points(Shape shape, const Eigen::Ref<const Coordinates>& nodes, Rule rule,
                                   std::string_view label) {
    if (nodes.rows() != node_count(shape))
        throw core::BadInput(std::string(label),
                             fmt::format("{} nodes given where the face has {}", nodes.rows(), node_count(shape)));
    const Tabulation& t = tabulated(shape, rule);
    const double size = (nodes.colwise().maxCoeff() - nodes.colwise().minCoeff()).norm();
    std::vector<FacePoint> points;
    for (Eigen::Index p = 0; p < t.weight.size(); ++p) {
        const auto& gradient = t.gradient[static_cast<std::size_t>(p)];
        const Eigen::Matrix3Xd tangents = nodes.transpose() * gradient;
        // An edge of a plane element has its normal in the plane, on the right hand of the walk.
        const Eigen::Vector3d first = tangents.col(0);
        const Eigen::Vector3d second =
            dimension(shape) == 1 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(tangents.col(1));
        const Eigen::Vector3d normal = first.cross(second);
        const double jacobian = normal.norm();
        if (!(jacobian > 1e-14 * std::pow(size, dimension(shape))))
            throw core::BadInput(std::string(label), "the face has no area");
        points.push_back(
            {t.value.col(p), nodes.transpose() * t.value.col(p), normal / jacobian, t.weight[p] * jacobian});
    }
    return points;
}

FaceGeometry face_geometry(Shape shape, const Eigen::Ref<const Coordinates>& nodes, std::string_view label) {
    FaceGeometry g;
    const int n = node_count(shape);
    g.normal.setZero();
    g.centroid.setZero();
    g.nodal_areas = Eigen::VectorXd::Zero(n);
    g.mass = Eigen::MatrixXd::Zero(n, n);
    for (const auto& p : face_points(shape, nodes, face_rule(shape), label)) {
        g.area += p.weight;
        g.normal += p.weight * p.normal;
        g.centroid += p.weight * p.position;
        g.nodal_areas += p.weight * p.shape;
        g.mass += p.weight * p.shape * p.shape.transpose();
    }
    g.normal.normalize();
    g.centroid /= g.area;
    return g;
}

}  // namespace faying::fe
