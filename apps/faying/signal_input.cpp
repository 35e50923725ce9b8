#include "signal_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"

namespace faying::app {

namespace {

std::size_t time_column(const io::Table& table, const std::string& wanted, const std::string& file) {
    const auto named = [&](const std::string& name) {
        return std::size_t(std::find(table.names.begin(), table.names.end(), name) - table.names.begin());
    };
    if (!wanted.empty()) {
        if (named(wanted) == table.names.size())
            throw core::BadInput(
                file, fmt::format("has no column '{}'; there are: {}", wanted, fmt::join(table.names, ", ")));
        return named(wanted);
    }
    for (const char* usual : {"t", "time", "Time"})
        if (named(usual) < table.names.size()) return named(usual);
    return 0;
}

}  // namespace

Channels read_channels(const std::string& file, const std::string& time) {
    const io::Table table = io::read_csv(file);
    if (table.columns.size() < 2)
        throw core::BadInput(file, "has one column; a record needs time and at least one channel");
    const std::size_t t = time_column(table, time, file);
    Channels channels;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (c == t) continue;
        channels.names.push_back(table.names.empty() ? fmt::format("{}", channels.names.size() + 1) : table.names[c]);
        channels.records.push_back(signal::even_record(table.columns[t], table.columns[c], file));
    }
    return channels;
}

const signal::Record& channel(const Channels& channels, const std::string& wanted, const std::string& file) {
    if (wanted.empty() && channels.records.size() == 1) return channels.records[0];
    const auto found = std::find(channels.names.begin(), channels.names.end(), wanted);
    if (found != channels.names.end()) return channels.records[std::size_t(found - channels.names.begin())];
    for (std::size_t i = 0; i < channels.records.size(); ++i)
        if (wanted == fmt::format("{}", i + 1)) return channels.records[i];
    throw core::BadInput(file, wanted.empty() ? fmt::format("has {} channels; choose with --channel one of: {}",
                                                            channels.names.size(), fmt::join(channels.names, ", "))
                                              : fmt::format("has no channel '{}'; there are: {}", wanted,
                                                            fmt::join(channels.names, ", ")));
}

}  // namespace faying::app
