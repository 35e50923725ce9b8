#pragma once
// The motions that a time history keeps: the first modes, and what forces that act at a few places do to the rest.

#include <Eigen/Dense>

#include "faying/transient/system.hpp"

namespace faying::transient::detail {

struct Basis {
    Eigen::VectorXd omega;
    Eigen::MatrixXd shapes;  ///< mass and stiffness are diagonal in them: modes, then static shapes
    Eigen::Index kept = 0;   ///< modes
    LeftOut left_out;        ///< omega, shapes and coupling
};

/// The first `modes` of K phi = omega^2 M phi (all when 0), and the displacements that a column of `forces` holds
/// statically in the others. Both together are all motions where the forces reach as many. Throws BadInput when there
/// are fewer modes than asked for, or when a rigid motion would be left out: nothing holds it statically.
Basis basis(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& forces,
            Eigen::Index modes);

}  // namespace faying::transient::detail
