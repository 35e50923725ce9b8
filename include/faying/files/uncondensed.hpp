#pragma once
// Structures with contact pairs that are not condensed, in HDF5 and MATLAB files, and model files on them.
//
//     write_uncondensed("plate.h5", structure);
//     const SlowStructure read = read_slow_structure("model.toml", factor);   // of either kind

#include <optional>

#include "faying/files/model.hpp"
#include "faying/modes/quasistatic.hpp"
#include "faying/structure/uncondensed.hpp"

namespace faying::files {

void write_uncondensed(const std::string& path, const structure::Uncondensed& structure);

/// What a slow history takes: a model, or a structure that is not condensed.
struct SlowStructure {
    structure::Model model;  ///< of a structure that is not condensed: its joints, loads and outputs
    std::optional<modes::SparseStructure> sparse = {};
};

/// A model file whose structure may be condensed or not. Throws BadInput as read_model does.
SlowStructure read_slow_structure(const std::string& path,
                                  const std::function<std::unique_ptr<modes::SparseFactor>(bool symmetric)>& factor);

}  // namespace faying::files
