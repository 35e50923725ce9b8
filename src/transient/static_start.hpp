#pragma once
// Where a preloaded run starts.

#include "faying/transient/system.hpp"

namespace faying::transient::detail {

/// Modal displacement at rest under the model's static force (modes::prestress), in the modes that the system keeps.
/// The joints go there straight from virgin; they are left as they are.
Eigen::VectorXd static_start(const structure::Model& model, const System& system);

}  // namespace faying::transient::detail
