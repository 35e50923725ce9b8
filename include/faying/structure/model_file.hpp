#pragma once
// Moved to faying/files/model.hpp. Kept for code on its way; new code includes that.

#include "faying/files/model.hpp"

namespace faying::structure {
using files::read_model;
using files::read_reduced;
using files::write_reduced;
}  // namespace faying::structure
