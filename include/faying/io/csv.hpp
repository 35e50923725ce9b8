#pragma once
// Columns of numbers in text files, and files that are either whole or not there.
//
//     const auto loop = faying::io::read_csv("loop.csv");   // loop.columns[0][k], loop.names[0]
//     faying::io::write_csv("copy.csv", loop);              // read_csv gives back the same bits

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faying::io {

struct Table {
    std::vector<std::string> names;  ///< one a column, or none where the file has no header
    std::vector<std::vector<double>> columns;
    std::vector<std::string> units = {};  ///< one a column, where a line of units stands below the names
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

/// Writes under a temporary name in the same folder, then renames: a reader never sees half a file. Links are followed;
/// devices and pipes are written directly. Throws core::BadInput naming the path; then nothing is left behind.
void write_file(const std::string& path, std::string_view content);

/// Several files, or none: all are written under temporary names before the first is renamed. An interrupt waits for
/// the end. Two that name the same file are refused.
struct FileContent {
    std::string path, content;
};
void write_files(const std::vector<FileContent>& files);

/// The same for libraries that open files by name themselves: `fill` gets the temporary name, of an empty file. Devices
/// and pipes are refused. If `fill` throws, the file at `path` stays as it was.
void replace_file(const std::string& path, const std::function<void(const std::string& temporary)>& fill);

}  // namespace faying::io
