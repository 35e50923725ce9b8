#include "faying/io/output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "faying/core/error.hpp"

namespace faying::io {

Table named_table(std::vector<std::string> names, std::vector<std::string> units) {
    const std::size_t width = names.size();
    return {std::move(names), std::vector<std::vector<double>>(width), std::move(units)};
}

void add_row(Table& table, const std::vector<double>& row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].push_back(row.at(i));
}

void add_column(Table& table, std::string name, std::vector<double> values) {
    table.names.push_back(std::move(name));
    table.columns.push_back(std::move(values));
}

bool has_column(const Table& table, const std::string& name) {
    return std::find(table.names.begin(), table.names.end(), name) != table.names.end();
}

const std::vector<double>& column(const Table& table, const std::string& name, const std::string& where) {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    if (found == table.names.end())
        throw core::BadInput(where,
                             fmt::format("has no column '{}'; there are: {}", name, fmt::join(table.names, ", ")));
    return table.columns[std::size_t(found - table.names.begin())];
}

std::string figure_text(const std::string& path, const Figure& figure) {
    return path.ends_with(".svg") ? figure_svg(figure) : figure_html(figure);
}

void OutputFiles::check() const {
    if (!plot.empty() && !plot.ends_with(".html") && !plot.ends_with(".svg"))
        throw core::BadInput("--plot", fmt::format("'{}' must end in .html (interactive) or .svg (picture)", plot));
    for (const auto& file : {csv, plot}) {
        const auto folder = std::filesystem::path(file).parent_path();
        if (!folder.empty() && !std::filesystem::is_directory(folder))
            throw core::BadInput(file, fmt::format("there is no folder {}", folder.string()));
    }
}

void OutputFiles::write(const Table& table, const std::function<Figure(bool)>& figure) const {
    std::vector<FileContent> files;
    if (!csv.empty()) files.push_back({csv, csv_text(table)});
    if (!plot.empty()) {
        auto drawn = figure(plot.ends_with(".svg"));
        if (!title.empty()) drawn.title = title;
        files.push_back({plot, figure_text(plot, drawn)});
    }
    write_files(files);
}

}  // namespace faying::io
