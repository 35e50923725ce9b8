#include "faying/files/loop.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "faying/archive/table.hpp"
#include "faying/core/error.hpp"

namespace faying::files {

using core::BadInput;
using fit::Loop;

Loop read_loop(const std::string& path) {
    const io::Table table = archive::read_table(path);
    const auto column = [&](std::initializer_list<const char*> names) -> const std::vector<double>* {
        for (const char* name : names) {
            const auto found = std::find(table.names.begin(), table.names.end(), name);
            if (found != table.names.end()) return &table.columns[std::size_t(found - table.names.begin())];
        }
        return nullptr;
    };
    Loop loop;
    loop.source = path;
    const auto* u = column({"u", "x", "displacement"});
    const auto* f = column({"f", "F", "force"});
    const auto* t = column({"t", "time"});
    if (!table.names.empty() && (!u || !f))
        throw BadInput(path, fmt::format("needs columns u (or x, displacement) and f (or force); there are: {}",
                                         fmt::join(table.names, ", ")));
    if (table.names.empty() && table.columns.size() < 2)
        throw BadInput(path, "has one column; displacement and force are needed");
    loop.u = u ? *u : table.columns[0];
    loop.f = f ? *f : table.columns[1];
    if (t) loop.t = *t;
    loop.check();
    return loop;
}

}  // namespace faying::files
