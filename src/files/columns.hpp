#pragma once
// A measured table whose columns go by name.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "faying/archive/table.hpp"
#include "faying/core/error.hpp"

namespace faying::files {

inline constexpr double hertz = 2 * std::numbers::pi;

class Columns {
 public:
    /// `needed`: for people, where there is no header.
    Columns(const std::string& path, const char* needed) : path_(path), table_(archive::read_table(path)) {
        if (table_.names.empty())
            throw core::BadInput(path, fmt::format("has no header; columns {} are needed by name", needed));
    }

    std::size_t rows() const { return table_.columns.front().size(); }

    /// The first of the names that is there, times its factor; empty if none is.
    std::vector<double> find(const std::vector<std::pair<std::string, double>>& names) const {
        for (const auto& [name, factor] : names) {
            const auto found = std::find(table_.names.begin(), table_.names.end(), name);
            if (found == table_.names.end()) continue;
            auto column = table_.columns[std::size_t(found - table_.names.begin())];
            if (factor != 1)
                for (double& x : column) x *= factor;
            return column;
        }
        return {};
    }

    std::vector<double> need(const std::vector<std::pair<std::string, double>>& names) const {
        auto column = find(names);
        if (column.empty())
            throw core::BadInput(path_, fmt::format("has no column '{}'; there are: {}", names.front().first,
                                                    fmt::join(table_.names, ", ")));
        return column;
    }

    [[noreturn]] void reject(std::size_t row, const std::string& what) const {
        throw core::BadInput(path_, fmt::format("data row {}: {}", row + 1, what));
    }

 private:
    std::string path_;
    io::Table table_;
};

}  // namespace faying::files
