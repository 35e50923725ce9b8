#pragma once
// The closest point of a surface, for ties: a tree of boxes around faces, and a Newton search on each face.

#include <Eigen/Dense>
#include <vector>

#include "faying/fe/deck.hpp"
#include "faying/fe/face.hpp"

namespace faying::fe::constraint {

struct MasterFace {
    Shape shape;
    std::vector<Index> nodes;
    Coordinates points;
};

struct ClosestPoint {
    Eigen::Vector3d xi = Eigen::Vector3d::Zero();
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    double distance = INFINITY;
};

/// Newton in natural coordinates for the foot of the perpendicular; outside the face, the closest point of its edges.
ClosestPoint closest_point(Shape face, const Coordinates& points, const Eigen::Vector3d& to);

class FaceSearch {
 public:
    FaceSearch(const Deck& deck, const Surface& surface);

    struct Hit {
        const MasterFace* face = nullptr;  ///< nullptr: none is within the limit
        ClosestPoint at;
    };
    Hit closest(const Eigen::Vector3d& to, double limit) const;

    const std::vector<MasterFace>& faces() const { return faces_; }
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

    std::vector<MasterFace> faces_;
    std::vector<Eigen::Vector3d> middle_;
    std::vector<std::size_t> order_;
    std::vector<Box> boxes_;
    double mean_diagonal_ = 0;
};

}  // namespace faying::fe::constraint
