#pragma once
// What a backbone says of its own errors.

#include "faying/fit/errors.hpp"

namespace faying::modal {

inline constexpr double least_own_scatter = 1e-9;  ///< relative: what data without any have

/// Relative standard error from the 95 % bounds of a point (kind 0: omega, 1: zeta); one where there are none.
double stated_error(const fit::Backbone& backbone, std::size_t point, int kind);

}  // namespace faying::modal
