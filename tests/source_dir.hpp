#pragma once
// Where the repository is, for tests that read its files. A function, so that only one object depends on the place.

#include <string>

namespace faying::tests {

std::string source_dir();

}  // namespace faying::tests
