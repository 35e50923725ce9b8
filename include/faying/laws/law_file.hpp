#pragma once
// Laws that are written in files: wherever a law's name may stand, `joint.toml` may stand too. What such files hold is
// known above this folder (networks of sliders, laws of m states), which says here how to read one.

#include <functional>
#include <string>

#include "faying/laws/entry.hpp"

namespace faying::laws {

/// The name is that of a file: it ends in .toml.
bool is_law_file(std::string_view name);

/// From here on find_law reads a name that is a file's by this. The entry's key is the name.
void read_law_files_with(std::function<LawEntry(const std::string& path)> reader);

}  // namespace faying::laws
