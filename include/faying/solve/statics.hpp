#pragma once
// Moved to faying/sparse/statics.hpp. Kept for code on its way; new code includes that.

#include "faying/solve/ranks.hpp"
#include "faying/sparse/statics.hpp"

namespace faying::solve {
using sparse::bodies;
using sparse::Eigenpairs;
using sparse::Factor;
using sparse::fix_signs;
using sparse::lowest;
using sparse::Operator;
using sparse::Sparse;
using sparse::Statics;
}  // namespace faying::solve
