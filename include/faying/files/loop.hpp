#pragma once
// Measured loops in files (text, .h5, .mat):
//
//     const fit::Loop loop = files::read_loop("loop.csv");      // columns u, f and, for laws that need it, t

#include <string>

#include "faying/fit/loop.hpp"

namespace faying::files {

/// Columns by name (u or x or displacement, f or force, t or time), else the first two are u and f.
fit::Loop read_loop(const std::string& path);

}  // namespace faying::files
