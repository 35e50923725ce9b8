#pragma once
// A deck as keyword blocks: each keyword with its parameters and the stretch of text that holds its data lines.
// *INCLUDE is followed here, so what comes after sees one long deck. Private to the reader.

#include <functional>
#include <string>
#include <vector>

#include "text.hpp"

namespace faying::fe::text {

struct Block {
    std::string name;     ///< upper case, without blanks
    std::string written;  ///< "*Solid Section"
    std::vector<Keyword::Parameter> parameters;
    std::vector<Segment> data;
    Segment header;  ///< the keyword line, continuations included
    Place at;
    const std::string* find(std::string_view parameter) const;
    bool has(std::string_view parameter) const { return find(parameter) != nullptr; }
};

/// The text of a file, or nothing when there is none.
using Loader = std::function<std::optional<std::string>(const std::string& path)>;

std::optional<std::string> load_from_disk(const std::string& path);

/// Splits a file, and all it includes, into blocks.
std::vector<Block> read_blocks(Sources& sources, const std::string& path, const Loader& load);

/// Word for word, as the deck keeps what it does not use.
Keyword keep(const Block& block);
std::string verbatim(const Block& block);

}  // namespace faying::fe::text
