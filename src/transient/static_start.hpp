#pragma once
// Equilibrium under the static force, the joints' laws taken there and committed.

#include "faying/transient/system.hpp"

namespace faying::transient::detail {

/// Modal displacement. Throws core::BadInput when the force would move the structure as a rigid body, NotConverged when
/// no equilibrium is found.
Eigen::VectorXd static_start(System& system);

}  // namespace faying::transient::detail
