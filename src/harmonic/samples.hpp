#pragma once
// Harmonics of a joint force the usual way: N displacements per period, two periods from the state at rest, trapezoid.

#include "faying/harmonic/force.hpp"

namespace faying::harmonic {

using namespace laws;

/// As harmonic_force_parameters.
Eigen::MatrixXd sampled_parameters(const JointOf<core::Dual>& seeded, const std::vector<core::Dual>& base,
                                   const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                                   const HarmonicOptions& options);

/// As harmonic_force, of any site.
HarmonicForce sampled(const JointOf<core::Dual>& begun, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                      const Eigen::VectorXd& motion, const HarmonicOptions& options);

}  // namespace faying::harmonic
