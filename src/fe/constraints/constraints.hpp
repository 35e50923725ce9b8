#pragma once
// What the makers of constraint equations share. Private to them.

#include <Eigen/Dense>

#include "faying/fe/constraints.hpp"

namespace faying::fe::constraint {

inline const Eigen::Vector3d& point(const Deck& deck, Index node) {
    return deck.nodes[static_cast<std::size_t>(node)].point;
}

/// cross(a) b = a x b.
inline Eigen::Matrix3d cross(const Eigen::Vector3d& a) {
    Eigen::Matrix3d m;
    m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
    return m;
}

/// Collects terms of direction . (sum of matrix * motion of a node); what is zero is left out.
class Row {
 public:
    Row(Place at, const Eigen::Vector3d& direction) : direction_(direction) { equation_.at = at; }
    /// Adds direction^T matrix u(node), u the translations, or the rotations with `first` 4.
    Row& add(Index node, const Eigen::Matrix3d& matrix, int first = 1) {
        const Eigen::RowVector3d c = direction_.transpose() * matrix;
        const double size = matrix.cwiseAbs().maxCoeff();
        for (int j = 0; j < 3; ++j)
            if (std::abs(c[j]) > 1e-15 * size) equation_.terms.push_back({node, first + j, c[j]});
        return *this;
    }
    /// The term with the largest coefficient among the first `count` comes first, to be eliminated.
    LinearEquation finish(std::size_t count = 3);

 private:
    Eigen::Vector3d direction_;
    LinearEquation equation_;
};

/// Unit axes as rows at a point: those of an orientation, or of the *TRANSFORM of a node.
Eigen::Matrix3d axes(const Deck& deck, const Orientation& orientation, const Eigen::Vector3d& at);
Eigen::Matrix3d axes(const Deck& deck, const Transform& transform, const Eigen::Vector3d& at);

void add_tie(const Deck& deck, Index tie, const ConstraintOptions& options, ConstraintEquations& to);
void add_distributing(const Deck& deck, const Coupling& coupling, const ConstraintOptions& options,
                      ConstraintEquations& to);

}  // namespace faying::fe::constraint
