#pragma once
// Columns of numbers in text files.
//
//     const auto loop = faying::io::read_csv("loop.csv");   // loop.columns[0][k], loop.names[0]
//     faying::io::write_csv("copy.csv", loop);              // read_csv gives back the same bits

#include <string>
#include <vector>

#include "faying/io/file.hpp"

namespace faying::io {

struct Table {
    std::vector<std::string> names;  ///< one per column, or none where the file has no header
    std::vector<std::vector<double>> columns;
    std::vector<std::string> units = {};  ///< one per column, where a line of units stands below the names
    bool operator==(const Table&) const = default;
};

/// Cells are separated by tabs, semicolons, commas or blanks: the first of these that the first line of numbers
/// contains. Lines before it are a header: names (they may stand in double quotes), then perhaps units, known by a unit
/// of time among them; titles further up are passed over. Where commas do not separate they may be decimal points. From
/// '#' to the end of a line is comment, and a line that begins with '%'. Blank lines, an empty last cell of every line,
/// CRLF and a UTF-8 byte order mark are passed over. Names and units become valid UTF-8 (io/text_file.hpp). Throws
/// core::BadInput "FILE:LINE: .." for what is not a table of finite numbers.
Table read_csv(const std::string& path);

/// A table as text: comma separated; the shortest digits that read back to the same double. Names are quoted where
/// needed. NaN and infinity are written as nan and inf, which read_csv refuses. Throws std::invalid_argument for ragged
/// columns or a name with a line break.
std::string csv_text(const Table& table);

/// Throws as csv_text and write_file do.
void write_csv(const std::string& path, const Table& table);

}  // namespace faying::io
