#pragma once
// What the page and the picture share.

#include <string>
#include <string_view>

#include "faying/io/plot.hpp"

namespace faying::io {

/// Throws std::invalid_argument saying which panel and curve cannot be drawn.
void require_drawable(const Figure& figure);

/// Text for HTML and XML, in content or in a double-quoted attribute. What is not UTF-8, and control characters, which
/// XML forbids, become U+FFFD.
std::string escaped(std::string_view text);

/// Length in bytes of the UTF-8 character at the front of the text, 0 where there is none.
std::size_t character_length(std::string_view text);

}  // namespace faying::io
