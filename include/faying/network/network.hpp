#pragma once
// A network of dry-friction sliders joined by springs ([S3] Eqs. 2.4 and 3.2):
//
//     mu sgn(x') + K x = b f(t)          driven by force f; the conjugate displacement is xi = b.x
//     mu sgn(x') + K x = g u(t)          driven by displacement u; the force is f = k0 u - g.x
//
// K symmetric positive definite, mu >= 0 by slider. The second form is springs that join the driven point to the
// sliders, g their stiffnesses and k0 the force that holds u = 1 while nothing slips; `through_spring` makes it
// from the first by one spring between u and xi.
//
//     const auto net = faying::network::random_network(500, 12345);       // generators.hpp
//     faying::network::Follower walk(net);                                // follower.hpp
//     walk.advance(1.2); walk.xi(), walk.dissipated(), walk.slipping();

#include <Eigen/Dense>
#include <string>

#include "faying/laws/law.hpp"

namespace faying::network {

struct Network {
    Eigen::MatrixXd stiffness;  ///< K
    Eigen::VectorXd friction;   ///< mu, by slider
    Eigen::VectorXd coupling;   ///< b, or g where it is driven by displacement
    laws::Drive drive = laws::Drive::force;
    double held = 0;         ///< k0 of a network driven by displacement
    bool may_slide = false;  ///< K may be singular: beyond some load everything slides, and there is no equilibrium

    Eigen::Index size() const { return friction.size(); }
    /// K is diagonal: every slider is a play operator of its own.
    bool decoupled() const;
    bool by_force() const { return drive == laws::Drive::force; }
};

/// Throws core::BadInput opening with `where` for sizes that do not go together, entries that are not finite, friction
/// below zero, K not symmetric or not positive definite, or a k0 that the springs of g do not allow.
void check_network(const Network& network, const std::string& where);

/// The network driven by the displacement u at the far end of a spring that joins it to xi: K + k b b^T, g = k b,
/// k0 = k.
Network through_spring(const Network& network, double k);

}  // namespace faying::network
