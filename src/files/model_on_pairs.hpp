#pragma once
// Model files, and which contact pair each of their joints is on.

#include "faying/files/model.hpp"

namespace faying::files {

struct ModelOnPairs {
    structure::Model model;
    std::vector<std::size_t> pairs;  ///< of each joint, where the structure has no coordinates
};

/// A structure without coordinates (structure::without_coordinates) takes contact laws on its pairs, and no more.
ModelOnPairs read_model_on_pairs(const std::string& path,
                                 const std::function<structure::Reduced(const std::string&)>& reader);

}  // namespace faying::files
