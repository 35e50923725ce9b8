#pragma once
// Moved to faying/archive/table.hpp. Kept for code on its way; new code includes that.

#include "faying/archive/table.hpp"

namespace faying::io {
using archive::read_table;
using archive::write_table;
}  // namespace faying::io
