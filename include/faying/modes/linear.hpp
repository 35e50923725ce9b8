#pragma once
// Linear modes:  K phi = omega^2 M phi,  phi^T M phi = 1, the largest component of each positive.

#include <Eigen/Dense>

namespace faying::modes {

struct LinearModes {
    Eigen::VectorXd omega;     ///< rad/s, ascending; rigid-body modes are zero
    Eigen::MatrixXd shapes;    ///< a column per mode
    Eigen::VectorXd residual;  ///< |K phi - omega^2 M phi| / |K| |phi|
};

/// The first `count` (all when 0). Throws BadInput when there are fewer, NotConverged when the solver fails.
LinearModes linear_modes(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness, Eigen::Index count = 0);

}  // namespace faying::modes
