#include "faying/archive/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"

namespace faying::archive {

namespace {

/// A vector, or a matrix of one row or column.
bool is_column(const ArchiveEntry& entry) {
    if (std::holds_alternative<Eigen::VectorXd>(entry.value)) return true;
    const auto* matrix = std::get_if<Eigen::MatrixXd>(&entry.value);
    return matrix && std::min(matrix->rows(), matrix->cols()) == 1;
}

io::Table columns_of(const Archive& archive) {
    io::Table table;
    for (const auto& entry : archive.entries()) {
        if (!is_column(entry)) continue;
        const Eigen::VectorXd values = archive.vector(entry.name);
        table.names.push_back(entry.name);
        table.columns.emplace_back(values.begin(), values.end());
        table.units.push_back(entry.unit);
    }
    return table;
}

/// The one group of a file that has no vectors itself.
const Archive* only_group(const Archive& archive) {
    const Archive* found = nullptr;
    for (const auto& entry : archive.entries())
        if (const auto* group = std::get_if<Archive>(&entry.value)) {
            if (found) return nullptr;
            found = group;
        }
    return found;
}

void check(const std::string& path, const io::Table& table) {
    if (table.columns.empty())
        throw core::BadInput(path,
                             "has no vectors of numbers, or several structs (groups) of them; a table is the vectors "
                             "of a file, or of the one struct in it");
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const auto& column = table.columns[c];
        if (column.size() != table.columns.front().size())
            throw core::BadInput(
                path, fmt::format("{} has {} values and {} has {}; a table needs as many of each", table.names.front(),
                                  table.columns.front().size(), table.names[c], column.size()));
        for (std::size_t i = 0; i < column.size(); ++i)
            if (!std::isfinite(column[i]))
                throw core::BadInput(path, fmt::format("value {} of {} is not finite", i + 1, table.names[c]));
    }
}

}  // namespace

io::Table read_table(const std::string& path) {
    if (!is_archive(path)) return io::read_csv(path);
    const Archive archive = read_archive(io::input(path));
    io::Table table = columns_of(archive);
    if (table.columns.empty())
        if (const auto* group = only_group(archive)) table = columns_of(*group);
    check(path, table);
    return table;
}

void write_table(const std::string& path, const io::Table& table) {
    if (!is_archive(path)) return io::write_csv(path, table);
    if (table.names.size() != table.columns.size())
        throw std::invalid_argument("write_table: every variable of an archive needs a name");
    Archive archive;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const auto& column = table.columns[c];
        archive.set(table.names[c],
                    Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(column.data(), Eigen::Index(column.size()))),
                    c < table.units.size() ? table.units[c] : "");
    }
    write_archive(path, archive);
}

Converted convert(const std::string& from, const std::string& to, bool v73) {
    if (v73 && !to.ends_with(".mat")) throw core::BadInput("--v7.3", "is a version of .mat files");
    if (is_archive(from) && is_archive(to)) {
        const auto variables = read_archive(from);
        io::check_writable(to);
        write_archive(to, variables, v73 ? MatlabVersion::v7_3 : MatlabVersion::v5_compressed);
        return {variables.names().size()};
    }
    if (v73) throw core::BadInput("--v7.3", "goes with an archive (.mat, .h5) on both sides");
    auto table = read_table(from);
    if (table.names.empty())
        for (std::size_t i = 0; i < table.columns.size(); ++i) table.names.push_back(fmt::format("column{}", i + 1));
    io::check_writable(to);
    write_table(to, table);
    return {table.columns.size(), "columns"};
}

}  // namespace faying::archive
