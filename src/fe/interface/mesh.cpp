#include <algorithm>
#include <map>

#include "faying/fe/interface_mesh.hpp"
#include "fe/constraints/face_search.hpp"

namespace faying::fe {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// The interface's axes turned by the least rotation that brings its normal onto n.
Matrix3d turned(const Matrix3d& axes, const Vector3d& n) {
    const Vector3d from = axes.row(2);
    const Vector3d to = from.dot(n) < 0 ? Vector3d(-n) : n;
    return axes * Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix().transpose();
}

MeshFace face_of(const InterfaceMesh& mesh, const InterfaceMesh::Element& element) {
    return {element.shape, {element.nodes.begin(), element.nodes.end()}, mesh.corners(element)};
}

}  // namespace

Coordinates InterfaceMesh::corners(const Element& element) const {
    Coordinates x(static_cast<Eigen::Index>(element.nodes.size()), 3);
    for (std::size_t a = 0; a < element.nodes.size(); ++a)
        x.row(static_cast<Eigen::Index>(a)) = points.row(element.nodes[a]);
    return x;
}

InterfaceMesh deck_mesh(const Deck& deck, const Interface& interface) {
    InterfaceMesh mesh;
    const auto& nodes = interface.first.nodes;
    mesh.points.resize(static_cast<Eigen::Index>(nodes.size()), 3);
    for (std::size_t k = 0; k < nodes.size(); ++k)
        mesh.points.row(static_cast<Eigen::Index>(k)) = deck.nodes[static_cast<std::size_t>(nodes[k])].point;
    for (const InterfaceFace& face : interface.first.faces) {
        InterfaceMesh::Element element{face.shape, {}};
        for (Index node : face.nodes)
            element.nodes.push_back(
                static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()));
        mesh.elements.push_back(std::move(element));
    }
    return mesh;
}

InterfacePoints quadrature_points(const InterfaceMesh& mesh, const Matrix3d& axes) {
    struct Row {
        std::size_t element;
        FacePoint point;
    };
    std::vector<Row> rows;
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
        const auto& element = mesh.elements[e];
        for (auto& p : face_points(element.shape, mesh.corners(element), face_rule(element.shape)))
            rows.push_back({e, std::move(p)});
    }
    InterfacePoints all;
    const auto n = static_cast<Eigen::Index>(rows.size());
    all.shape = MatrixXd::Zero(n, mesh.points.rows());
    all.weight.resize(n);
    all.points.resize(n, 3);
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto& [e, p] = rows[static_cast<std::size_t>(i)];
        const auto& nodes = mesh.elements[e].nodes;
        for (std::size_t a = 0; a < nodes.size(); ++a) all.shape(i, nodes[a]) += p.shape(static_cast<Eigen::Index>(a));
        all.weight(i) = p.weight;
        all.points.row(i) = p.position;
        all.axes.push_back(turned(axes, p.normal));
        all.element.push_back(static_cast<int>(e));
    }
    return all;
}

InterfacePoints quadrature_points(const InterfaceMesh& coarse, const InterfaceMesh& fine, const Matrix3d& axes) {
    InterfacePoints points = quadrature_points(coarse, axes);
    std::vector<MeshFace> faces;
    for (const auto& element : coarse.elements) faces.push_back(face_of(coarse, element));
    const constraint::FaceSearch search(faces);
    Eigen::VectorXd areas = Eigen::VectorXd::Zero(coarse.points.rows());
    for (const auto& element : fine.elements)
        for (const FacePoint& p : face_points(element.shape, fine.corners(element), face_rule(element.shape))) {
            const auto hit = search.closest(p.position, INFINITY);
            const Eigen::VectorXd values = shape_functions(hit.face->shape, hit.at.xi).value;
            for (std::size_t b = 0; b < hit.face->nodes.size(); ++b)
                areas(hit.face->nodes[b]) += p.weight * values(static_cast<Eigen::Index>(b));
        }
    // Least change, each weight measured in itself: w + W Q mu with Q^T (w + W Q mu) = areas.
    const MatrixXd weighted = points.weight.asDiagonal() * points.shape;
    const MatrixXd gram = points.shape.transpose() * weighted;
    const Eigen::VectorXd moved =
        points.weight + weighted * gram.ldlt().solve(areas - points.shape.transpose() * points.weight);
    // Where an element is as small as the fine ones its share is a matter of chance: then only the sum is kept.
    if ((moved.array() > 0.5 * points.weight.array()).all())
        points.weight = moved;
    else
        points.weight *= areas.sum() / points.weight.sum();
    return points;
}

MatrixXd projection(const InterfaceMesh& fine, const InterfaceMesh& coarse) {
    std::vector<MeshFace> faces;
    for (const auto& element : coarse.elements) faces.push_back(face_of(coarse, element));
    const constraint::FaceSearch search(faces);
    const Eigen::Index n = fine.points.rows();
    MatrixXd gram = MatrixXd::Zero(n, n), right = MatrixXd::Zero(n, coarse.points.rows());
    for (const auto& element : fine.elements)
        for (const FacePoint& p : face_points(element.shape, fine.corners(element), face_rule(element.shape))) {
            const auto hit = search.closest(p.position, INFINITY);
            const Eigen::VectorXd values = shape_functions(hit.face->shape, hit.at.xi).value;
            for (std::size_t a = 0; a < element.nodes.size(); ++a) {
                const double wa = p.weight * p.shape(static_cast<Eigen::Index>(a));
                for (std::size_t b = 0; b < element.nodes.size(); ++b)
                    gram(element.nodes[a], element.nodes[b]) += wa * p.shape(static_cast<Eigen::Index>(b));
                for (std::size_t b = 0; b < hit.face->nodes.size(); ++b)
                    right(element.nodes[a], hit.face->nodes[b]) += wa * values(static_cast<Eigen::Index>(b));
            }
        }
    return gram.ldlt().solve(right);
}

}  // namespace faying::fe
