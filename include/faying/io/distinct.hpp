#pragma once
// Files that a command line names: none to be written may be one that is read, or that is written already.
//
//     check_distinct({{"model", "model.toml"}}, {{"--csv", "points.csv"}, {"--plot", "points.svg"}});

#include <string>
#include <vector>

namespace faying::io {

/// A file, and the option that names it.
struct NamedFile {
    std::string option, path;
};

/// Throws core::BadInput where what is to be written is also read, or written twice. A device may take several.
void check_distinct(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

}  // namespace faying::io
