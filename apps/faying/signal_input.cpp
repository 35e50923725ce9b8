#include "signal_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/io/archive.hpp"
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

/// A channel a vector, and a channel a column (or row, whichever is as long as time) of a matrix.
Channels archive_channels(const std::string& file, const std::string& wanted) {
    const io::Archive archive = io::read_archive(file);
    std::string time = wanted;
    for (const char* usual : {"t", "time", "Time"})
        if (time.empty() && archive.has(usual)) time = usual;
    if (time.empty())
        throw core::BadInput(file, fmt::format("has no variable t or time; name it with --time, one of: {}",
                                               fmt::join(archive.names(), ", ")));
    const Eigen::VectorXd t = archive.vector(time);
    Channels channels;
    const auto add = [&](const std::string& name, const Eigen::VectorXd& x) {
        channels.names.push_back(name);
        channels.records.push_back(signal::even_record(
            {t.data(), std::size_t(t.size())}, {x.data(), std::size_t(x.size())}, fmt::format("{}: {}", file, name)));
    };
    for (const auto& entry : archive.entries()) {
        if (entry.name == time) continue;
        if (const auto* vector = std::get_if<Eigen::VectorXd>(&entry.value)) {
            if (vector->size() == t.size()) add(entry.name, *vector);
        } else if (const auto* matrix = std::get_if<Eigen::MatrixXd>(&entry.value)) {
            const bool columns = matrix->rows() == t.size();
            if (!columns && matrix->cols() != t.size()) continue;
            const Eigen::Index count = columns ? matrix->cols() : matrix->rows();
            for (Eigen::Index c = 0; c < count; ++c)
                add(count == 1 ? entry.name : fmt::format("{}{}", entry.name, c + 1),
                    columns ? Eigen::VectorXd(matrix->col(c)) : Eigen::VectorXd(matrix->row(c).transpose()));
        }
    }
    if (channels.names.empty())
        throw core::BadInput(file, fmt::format("has no variable as long as '{}' ({})", time, t.size()));
    return channels;
}

}  // namespace

Channels read_channels(const std::string& file, const std::string& time) {
    for (const char* ending : {".mat", ".h5", ".hdf5"})
        if (file.ends_with(ending)) return archive_channels(file, time);
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
