#pragma once
// How archives with reduced models and with structures that are not condensed are told apart, and read.

#include "faying/archive/archive.hpp"
#include "faying/structure/uncondensed.hpp"

namespace faying::files {

inline constexpr const char* uncondensed_format = "faying structure with contact 1";

bool is_uncondensed(const archive::Archive& file);
structure::Uncondensed uncondensed_of(const archive::Archive& file);
structure::Reduced reduced_of(const archive::Archive& file);

}  // namespace faying::files
