#pragma once
// Moved to faying/archive/matrix.hpp. Kept for code on its way; new code includes that.

#include "faying/archive/matrix.hpp"

namespace faying::io {
using archive::align;
using archive::check_finite;
using archive::DofLabel;
using archive::LabelledMatrix;
using archive::read_matrix;
using archive::read_matrix_text;
}  // namespace faying::io
