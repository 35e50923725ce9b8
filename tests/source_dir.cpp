#include "source_dir.hpp"

namespace faying::tests {

std::string source_dir() { return FAYING_SOURCE_DIR; }

}  // namespace faying::tests
