#pragma once
// The closest point of a surface, for ties: a tree of boxes around faces, and a Newton search on each face.

#include <Eigen/Dense>
#include <vector>

#include "faying/fe/deck_geometry.hpp"

namespace faying::fe::constraint {

struct ClosestPoint {
    Eigen::Vector3d xi = Eigen::Vector3d::Zero();
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    double distance = INFINITY;
};

/// Newton in natural coordinates for the foot of the perpendicular; outside the face, the closest point of its edges.
ClosestPoint closest_point(Shape face, const Coordinates& points, const Eigen::Vector3d& to);

class FaceSearch {
 public:
    explicit FaceSearch(std::vector<MeshFace> faces);

    struct Hit {
        const MeshFace* face = nullptr;  ///< nullptr: none is within the limit
        ClosestPoint at;
    };
    Hit closest(const Eigen::Vector3d& to, double limit) const;

    const std::vector<MeshFace>& faces() const { return faces_; }
    double mean_diagonal() const { return mean_diagonal_; }

 private:
    struct Box {
        Eigen::Vector3d low, high;
        std::size_t begin = 0, end = 0;  ///< in order_
        std::size_t left = 0;            ///< of boxes_; 0: a leaf. The right one follows at `right`
        std::size_t right = 0;
        double distance(const Eigen::Vector3d& to) const { return (low - to).cwiseMax(to - high).cwiseMax(0.0).norm(); }
    };
    std::size_t build(std::size_t begin, std::size_t end);

    std::vector<MeshFace> faces_;
    std::vector<Eigen::Vector3d> middle_;
    std::vector<std::size_t> order_;
    std::vector<Box> boxes_;
    double mean_diagonal_ = 0;
};

/// Of each face node: the matrix C_a in u_s = sum_a C_a u_a, C_a = N_a - [g] P [grad N_a] with [a] b = a x b: the gap g
/// turns with the face, whose least-squares rotation is theta = P sum_a grad N_a x u_a, P = 1 - n n^T / 2.
std::vector<Eigen::Matrix3d> follow_face(const MeshFace& face, const ClosestPoint& at, const Eigen::Vector3d& gap,
                                         double none_below);

}  // namespace faying::fe::constraint
