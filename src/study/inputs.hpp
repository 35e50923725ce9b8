#pragma once
// Files a study was read from: told apart by their content.

#include <string>

namespace faying::study {

/// Bytes of a file.
std::string content_of(const std::string& path);
/// Tells whether a file is the same, no more.
std::string digest(const std::string& content);

}  // namespace faying::study
