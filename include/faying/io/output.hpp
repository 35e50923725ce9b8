#pragma once
// Tables that are put together, and the files a run is asked to write beside its answer.
//
//     auto table = named_table({"q", "omega"});
//     add_row(table, {1e-3, 980.2});
//     OutputFiles{.csv = "points.csv", .plot = "points.svg"}.write(table, [&](bool picture) { return figure; });

#include <functional>
#include <string>
#include <vector>

#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"

namespace faying::io {

/// Without rows yet.
Table named_table(std::vector<std::string> names, std::vector<std::string> units = {});
/// As many numbers as there are columns.
void add_row(Table& table, const std::vector<double>& row);
void add_column(Table& table, std::string name, std::vector<double> values = {});
bool has_column(const Table& table, const std::string& name);
/// The values under a name; throws core::BadInput that names `where` and the columns there are.
const std::vector<double>& column(const Table& table, const std::string& name, const std::string& where);

/// A figure as the ending of the file's name asks: .svg, else the page.
std::string figure_text(const std::string& path, const Figure& figure);

/// An empty name asks for nothing.
struct OutputFiles {
    std::string csv = {}, plot = {};
    std::string title = {};  ///< of the plot; empty: what the run calls itself

    /// Throws core::BadInput, before any work, for a folder that is not there and for a plot that is neither .html nor
    /// .svg.
    void check() const;
    /// The table and the figure, both files or neither; the figure is only made where it is asked for, and told whether
    /// it is a picture (.svg).
    void write(const Table& table, const std::function<Figure(bool picture)>& figure) const;
};

}  // namespace faying::io
