#pragma once
// The HDF5 file of a stream: its tables, vectors and texts, read and written.

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace faying::archive {

struct StreamContent {
    struct Shape {
        std::size_t columns = 1, rows = 0;
        std::string unit = {};
        std::vector<std::string> labels = {};  ///< of the columns, in labels/NAME of the file
    };
    std::map<std::string, Shape> tables = {};
    std::map<std::string, std::vector<double>> vectors = {};
    std::map<std::string, std::string> texts = {};
};

/// Rows one after the other.
using TakeRows = std::function<void(const double* data, std::size_t rows)>;

/// What is in a file, without the rows of its tables. Throws core::BadInput where it is not an HDF5 file.
StreamContent read_stream_file(const std::string& path);

/// The first `rows` of a table, some at a time.
void read_stream_rows(const std::string& path, const std::string& table, std::size_t rows, const TakeRows& take);

/// Replaces the file: old or new, never half. `give` passes on all rows of a table.
void write_stream_file(const std::string& path, const StreamContent& content,
                       const std::function<void(const std::string& table, const TakeRows& take)>& give);

}  // namespace faying::archive
