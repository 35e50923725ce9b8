#pragma once
// Where a preloaded run starts.

#include "faying/transient/system.hpp"

namespace faying::transient::detail {

/// Displacement at rest under the model's static force (modes::prestress); empty where no contact depends on it.
Eigen::VectorXd rest_of_contacts(const structure::Model& model);

/// Modal displacement at rest, in the modes that the system keeps; `rest` is that of the contacts. The joints go there
/// straight from virgin; they are left as they are.
Eigen::VectorXd static_start(const structure::Model& model, const System& system, const Eigen::VectorXd& rest);

}  // namespace faying::transient::detail
