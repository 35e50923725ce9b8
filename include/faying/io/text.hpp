#pragma once
// Text from outside. Everything that is read becomes valid UTF-8, which JSON, pages and stores need.

#include <string>

namespace faying::io {

/// The same where it is valid UTF-8; every byte that is not is taken as Latin-1, which older programs write.
std::string valid_utf8(std::string text);

/// A text file, whole, as valid UTF-8 without byte order mark. Throws core::BadInput for what cannot be read or is no
/// text (a zero byte), and beyond 2 GiB.
std::string read_text(const std::string& path);

}  // namespace faying::io
