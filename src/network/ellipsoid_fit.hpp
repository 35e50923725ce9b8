#pragma once
// [S3] 2.3: a basis from the network's own motion, and one ellipsoid for its friction.

#include "faying/network/condense.hpp"

namespace faying::network {

Condensed condense_ellipsoid(const Network& network, const std::vector<KnownHistory>& training,
                             const CondenseOptions& options);

/// Columns orthonormal.
Eigen::MatrixXd motion_basis(const Network& network, const std::vector<KnownHistory>& training, int states,
                             Basis basis);

/// A with eta.A eta near G(eta)^2, G = Sum_j mu_j |(Phi eta)_j|, over normal random eta; `error` is that of G,
/// relative.
Eigen::MatrixXd friction_ellipsoid(const Eigen::MatrixXd& basis, const Eigen::VectorXd& friction, FitOf fit,
                                   std::uint64_t seed, double& error);

}  // namespace faying::network
