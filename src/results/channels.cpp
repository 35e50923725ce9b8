#include "faying/results/channels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "archive_records.hpp"
#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/output.hpp"
#include "faying/io/recording.hpp"

namespace faying::results {

namespace {

/// "acc (m/s^2)", "acc [g]", "acc / (m/s^2)"; "" where the name says none.
std::string unit_in_name(const std::string& name) {
    const auto open = name.find_first_of("([");
    if (open != std::string::npos && open > 0) {
        const auto close = name.find_last_of(")]");
        return close != std::string::npos && close > open ? name.substr(open + 1, close - open - 1) : "";
    }
    const auto slash = name.find(" / ");
    return slash == std::string::npos ? "" : name.substr(slash + 3);
}

/// The column of time; where there is none, as many as there are columns.
std::size_t time_column(const io::Table& table, const TimeAxis& time, const std::string& file) {
    const auto place = [&](const std::string& name) {
        return std::size_t(&io::column(table, name, file) - table.columns.data());
    };
    if (!time.name.empty()) return place(time.name);
    for (const bool exactly : {true, false})
        for (std::size_t c = 0; c < table.names.size(); ++c)
            if (exactly ? called_time(table.names[c]) : may_be_time(table.names[c])) return c;
    return time.rate > 0 ? table.columns.size() : 0;
}

Channels csv_channels(const std::string& file, const TimeAxis& time) {
    const io::Table table = io::read_csv(file);
    if (table.columns.size() < 2 && !(time.rate > 0))
        throw core::BadInput(
            file, "has one column; a record needs time and at least one channel (or --rate, samples per second)");
    const std::size_t t = time_column(table, time, file);
    std::vector<double> times;
    if (t < table.columns.size() && !(time.rate > 0)) {
        const double second = t < table.units.size()   ? seconds_of(table.units[t])
                              : t < table.names.size() ? seconds_of(table.names[t])
                                                       : 1;
        for (const double x : table.columns[t]) times.push_back(second * x);
    } else {
        for (std::size_t i = 0; i < table.columns[0].size(); ++i) times.push_back(double(i) / time.rate);
    }
    Channels channels;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (c == t || (table.columns.size() > 2 && is_clock(table.columns[c]))) continue;
        channels.names.push_back(table.names.empty() ? fmt::format("{}", channels.names.size() + 1) : table.names[c]);
        channels.units.push_back(c < table.units.size()   ? table.units[c]
                                 : c < table.names.size() ? unit_in_name(table.names[c])
                                                          : "");
        channels.records.push_back(signal::even_record(times, table.columns[c], file));
    }
    return channels;
}

/// Of a universal file or a WAV file, which say their own sampling.
Channels recorded_channels(const std::string& file, const TimeAxis& time) {
    if (!time.name.empty()) throw core::BadInput("--time", fmt::format("{} says its own times", file));
    Channels channels;
    for (auto& one : io::read_recording(file)) {
        const std::string where = fmt::format("{}: {}", file, one.name);
        channels.names.push_back(one.name);
        channels.units.push_back(one.unit);
        std::vector<double> at = one.times;
        if (at.empty() || time.rate > 0) {
            const double step = time.rate > 0 ? 1 / time.rate : one.step;
            at.resize(one.values.size());
            for (std::size_t i = 0; i < at.size(); ++i) at[i] = one.start + step * double(i);
        }
        channels.records.push_back(signal::even_record(at, one.values, where));
    }
    return channels;
}

}  // namespace

RecordsRead read_records(const std::string& file, const TimeAxis& time) {
    if (!io::is_recording(file) && archive::is_archive(file)) return archive_records(file, time);
    return {{io::is_recording(file) ? recorded_channels(file, time) : csv_channels(file, time)}, {}};
}

Channels read_channels(const std::string& file, const TimeAxis& time) {
    return std::move(read_records(file, time).records.front());
}

namespace {

/// With their units, where the file says them.
std::string listed(const Channels& channels) {
    std::vector<std::string> all = channels.names;
    for (std::size_t i = 0; i < channels.units.size(); ++i)
        if (!channels.units[i].empty()) all[i] += fmt::format(" ({})", channels.units[i]);
    return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

const signal::Record& channel(const Channels& channels, const std::string& wanted, const std::string& file) {
    if (wanted.empty() && channels.records.size() == 1) return channels.records[0];
    const auto found = std::find(channels.names.begin(), channels.names.end(), wanted);
    if (found != channels.names.end()) return channels.records[std::size_t(found - channels.names.begin())];
    for (std::size_t i = 0; i < channels.records.size(); ++i)
        if (wanted == fmt::format("{}", i + 1)) return channels.records[i];
    throw core::BadInput(file, wanted.empty() ? fmt::format("has {} channels; choose with --channel one of: {}",
                                                            channels.names.size(), listed(channels))
                                              : fmt::format("has no channel '{}'; there are: {}", wanted,
                                                            fmt::join(channels.names, ", ")));
}

}  // namespace faying::results
