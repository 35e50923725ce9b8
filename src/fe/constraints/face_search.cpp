#include "face_search.hpp"

#include <algorithm>
#include <numeric>

namespace faying::fe::constraint {

namespace {

using Eigen::Vector3d;

bool inside(Shape face, const Vector3d& xi, double slack) {
    const Shape corners = linear_shape(face);
    if (corners == Shape::tri3) return xi[0] >= -slack && xi[1] >= -slack && xi[0] + xi[1] <= 1 + slack;
    return std::abs(xi[0]) <= 1 + slack && (corners == Shape::line2 || std::abs(xi[1]) <= 1 + slack);
}

struct Foot {
    ClosestPoint at;
    bool found = false;
};

/// Newton for (x(xi) - p) . x,k = 0, second derivatives left out when they would make the search climb.
Foot perpendicular(Shape face, const Coordinates& points, const Vector3d& to) {
    const int d = dimension(face);
    Foot foot;
    if (linear_shape(face) == Shape::tri3) foot.at.xi = {1.0 / 3, 1.0 / 3, 0};
    constexpr double h = 1e-4;  // second derivatives by differences: they steer the search, the residual ends it
    for (int iteration = 0; iteration < 30; ++iteration) {
        const ShapeValues s = shape_functions(face, foot.at.xi);
        const Eigen::Matrix3Xd tangents = points.transpose() * s.gradient;
        foot.at.position = points.transpose() * s.value;
        const Vector3d off = foot.at.position - to;
        foot.at.distance = off.norm();
        const Eigen::VectorXd residual = tangents.transpose() * off;
        const Eigen::MatrixXd metric = tangents.transpose() * tangents;
        Eigen::MatrixXd hessian = metric;
        if (face != Shape::tri3 && face != Shape::line2)
            for (int k = 0; k < d; ++k) {
                const Eigen::Matrix3Xd ahead =
                    points.transpose() * shape_functions(face, foot.at.xi + h * Vector3d::Unit(k)).gradient;
                hessian.col(k) += (ahead - tangents).transpose() * off / h;
            }
        hessian = (0.5 * (hessian + hessian.transpose())).eval();
        Eigen::LLT<Eigen::MatrixXd> factor(hessian);
        if (factor.info() != Eigen::Success) factor.compute(metric);
        if (factor.info() != Eigen::Success) return foot;  // a collapsed face
        Eigen::VectorXd step = factor.solve(residual);
        if (step.norm() > 1) step.normalize();
        foot.at.xi.head(d) -= step;
        if (step.norm() < 1e-14) {
            foot.found = true;
            break;
        }
        if (step.norm() < 1e-10) foot.found = true;   // good enough if round-off goes on
        if (!inside(face, foot.at.xi, 2)) return {};  // far off: an edge is closer
    }
    if (!foot.found) return foot;
    const ShapeValues s = shape_functions(face, foot.at.xi);
    foot.at.position = points.transpose() * s.value;
    foot.at.distance = (foot.at.position - to).norm();
    foot.found = inside(face, foot.at.xi, 1e-10);
    return foot;
}

}  // namespace

ClosestPoint closest_point(Shape face, const Coordinates& points, const Vector3d& to) {
    if (const Foot foot = perpendicular(face, points, to); foot.found) return foot.at;
    ClosestPoint best;
    const Eigen::MatrixX3d& natural = node_coordinates(face);
    for (const Face& edge : fe::faces(face)) {
        Coordinates ends(edge.count, 3), xi(edge.count, 3);
        for (int a = 0; a < edge.count; ++a) {
            ends.row(a) = points.row(edge.nodes[static_cast<std::size_t>(a)]);
            xi.row(a) = natural.row(edge.nodes[static_cast<std::size_t>(a)]);
        }
        if (const Foot foot = perpendicular(edge.shape, ends, to); foot.found && foot.at.distance < best.distance) {
            best = foot.at;
            best.xi = xi.transpose() * shape_functions(edge.shape, foot.at.xi).value;
        }
    }
    for (Eigen::Index a = 0; a < points.rows(); ++a)
        if (const double distance = (points.row(a).transpose() - to).norm(); distance < best.distance)
            best = {natural.row(a), points.row(a), distance};
    return best;
}

FaceSearch::FaceSearch(std::vector<MeshFace> faces) : faces_(std::move(faces)) {
    for (const MeshFace& face : faces_) {
        const auto size = face.points.colwise().maxCoeff() - face.points.colwise().minCoeff();
        mean_diagonal_ += size.norm() / static_cast<double>(faces_.size());
        middle_.push_back(face.points.colwise().mean());
    }
    order_.resize(faces_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    boxes_.reserve(2 * faces_.size() + 1);
    if (!faces_.empty()) build(0, faces_.size());
}

std::size_t FaceSearch::build(std::size_t begin, std::size_t end) {
    Box box{Vector3d::Constant(INFINITY), Vector3d::Constant(-INFINITY), begin, end, 0, 0};
    Vector3d low = box.low, high = box.high;
    for (std::size_t k = begin; k < end; ++k) {
        const MeshFace& face = faces_[order_[k]];
        const Vector3d from = face.points.colwise().minCoeff(), to = face.points.colwise().maxCoeff();
        // A curved edge can leave the box of its nodes by an eighth of its length, no more than that of the box.
        const double bulge = linear_shape(face.shape) == face.shape ? 0.0 : 0.125 * (to - from).norm();
        box.low = box.low.cwiseMin((from.array() - bulge).matrix());
        box.high = box.high.cwiseMax((to.array() + bulge).matrix());
        low = low.cwiseMin(middle_[order_[k]]);
        high = high.cwiseMax(middle_[order_[k]]);
    }
    const std::size_t here = boxes_.size();
    boxes_.push_back(box);
    if (end - begin == 1) return here;
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const std::size_t half = begin + (end - begin) / 2;
    const auto at = [&](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::nth_element(at(begin), at(half), at(end),
                     [&](std::size_t a, std::size_t b) { return middle_[a][axis] < middle_[b][axis]; });
    const std::size_t left = build(begin, half), right = build(half, end);
    boxes_[here].left = left;
    boxes_[here].right = right;
    return here;
}

FaceSearch::Hit FaceSearch::closest(const Vector3d& to, double limit) const {
    Hit best;
    std::vector<std::size_t> open;
    if (!boxes_.empty()) open.push_back(0);
    while (!open.empty()) {
        const Box& box = boxes_[open.back()];
        open.pop_back();
        if (box.distance(to) > std::min(limit, best.at.distance)) continue;
        if (box.left == 0) {
            for (std::size_t k = box.begin; k < box.end; ++k) {
                const MeshFace& face = faces_[order_[k]];
                const ClosestPoint found = closest_point(face.shape, face.points, to);
                // Of equals, as on an edge between faces, the first of the deck.
                const bool tie = best.face && std::abs(found.distance - best.at.distance) <= 1e-12 * mean_diagonal_;
                if (found.distance <= limit && (tie ? &face < best.face : found.distance < best.at.distance))
                    best = {&face, found};
            }
            continue;
        }
        const bool left_first = boxes_[box.left].distance(to) < boxes_[box.right].distance(to);
        open.push_back(left_first ? box.right : box.left);
        open.push_back(left_first ? box.left : box.right);
    }
    return best;
}

}  // namespace faying::fe::constraint
