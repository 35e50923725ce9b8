#pragma once
// Moved to faying/sparse/direct.hpp. Kept for code on its way; new code includes that.

#include "faying/sparse/direct.hpp"

namespace faying::solve {
using sparse::DirectSolver;
}  // namespace faying::solve
