#pragma once
// What the answers of this folder are put together with.

#include <Eigen/Dense>
#include <vector>

#include "faying/core/lines.hpp"

namespace faying::results {

using Text = core::Lines;

inline std::vector<double> list(const Eigen::VectorXd& values) { return {values.begin(), values.end()}; }

}  // namespace faying::results
