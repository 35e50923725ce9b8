#pragma once
// Columns of numbers by name, in text or in a .mat or .h5 file:
//
//     const auto points = faying::archive::read_table("backbone.h5");   // points.names, points.columns, points.units
//     faying::archive::write_table("backbone.mat", points);  // MATLAB: load backbone.mat; plot(amplitude, zeta)

#include <string>

#include "faying/io/csv.hpp"

namespace faying::archive {

/// By extension. Of a .mat, .h5 or .hdf5 file (is_archive) the columns are its vectors or, where it has none, those of
/// the one struct (group) in it; numbers, texts and matrices beside them are passed over. Anything else is read as text
/// (read_csv). Throws core::BadInput naming the file for vectors that are not all as long, or not finite.
io::Table read_table(const std::string& path);

/// By extension, as above; units are kept in .mat and .h5 files. Throws as write_csv and write_archive do, and
/// std::invalid_argument for a .mat or .h5 file without a name for every column.
void write_table(const std::string& path, const io::Table& table);

/// The same variables in another file, by extension: between archives everything, to and from text what a table holds.
/// `v73` asks for a .mat file of MATLAB's version 7.3. Throws BadInput, before `to` is touched, for what cannot be.
struct Converted {
    std::size_t count = 0;
    const char* what = "variables";  ///< or "columns"
};
Converted convert(const std::string& from, const std::string& to, bool v73 = false);

}  // namespace faying::archive
