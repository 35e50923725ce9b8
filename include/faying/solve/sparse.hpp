#pragma once
// Moved to faying/sparse/sparse.hpp. Kept for code on its way; new code includes that.

#include "faying/solve/statics.hpp"
