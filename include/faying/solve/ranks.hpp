#pragma once
// Moved to faying/sparse/ranks.hpp. Kept for code on its way; new code includes that.

#include "faying/sparse/ranks.hpp"

namespace faying::solve {
using sparse::inner;
using sparse::launched;
using sparse::rank;
using sparse::ranks;
using sparse::Rows;
using sparse::start;
using sparse::sum_over_ranks;
}  // namespace faying::solve
