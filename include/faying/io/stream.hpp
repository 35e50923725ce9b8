#pragma once
// Moved to faying/archive/stream.hpp. Kept for code on its way; new code includes that.

#include "faying/archive/stream.hpp"

namespace faying::io {
using archive::Stream;
using archive::StreamTable;
}  // namespace faying::io
