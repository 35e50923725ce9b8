// Reading reduced models from files.

#include "faying/core/error.hpp"
#include "faying/structure/reduced.hpp"

namespace faying::structure {

Reduced read_reduced(const std::string& path) {
    throw core::BadInput(path, "reduced model files cannot be read yet; write mass and stiffness into the model file");
}

}  // namespace faying::structure
