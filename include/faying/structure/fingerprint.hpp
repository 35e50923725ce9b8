#pragma once
// Tells models apart: whether a stored record or run belongs to the model at hand.

#include <string>

#include "faying/structure/model.hpp"

namespace faying::structure {

/// A number made of all matrices, laws and parameters.
std::string fingerprint(const Model& model);

}  // namespace faying::structure
