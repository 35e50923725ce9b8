#include "faying/results/channels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/output.hpp"
#include "faying/io/recording.hpp"

namespace faying::results {

namespace {

const std::vector<std::string> usual_names{"t", "time", "Time", "TIME"};

/// "Time (ms)", "t [ms]", "t / ms", or the unit alone.
double seconds_of(const std::string& text) {
    std::string unit = text.substr(std::min(text.size(), text.find_last_of("([/") + 1));  // npos + 1 is the beginning
    std::erase_if(unit, [](char c) { return c == ' ' || c == ')' || c == ']'; });
    if (unit == "ms") return 1e-3;
    if (unit == "us" || unit == "\u00b5s" || unit == "\u03bcs") return 1e-6;
    return unit == "ns" ? 1e-9 : 1;
}

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
    for (const auto& usual : usual_names)
        if (io::has_column(table, usual)) return place(usual);
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
        if (c == t) continue;
        channels.names.push_back(table.names.empty() ? fmt::format("{}", channels.names.size() + 1) : table.names[c]);
        channels.units.push_back(c < table.units.size()   ? table.units[c]
                                 : c < table.names.size() ? unit_in_name(table.names[c])
                                                          : "");
        channels.records.push_back(signal::even_record(times, table.columns[c], file));
    }
    return channels;
}

/// Every vector and matrix of a file, those in groups under dotted names; a vector is a matrix of one column.
void collect_variables(const archive::Archive& archive, const std::string& prefix,
                       std::vector<std::pair<std::string, Eigen::MatrixXd>>& found) {
    for (const auto& entry : archive.entries()) {
        const std::string name = prefix + entry.name;
        if (const auto* vector = std::get_if<Eigen::VectorXd>(&entry.value))
            found.push_back({name, *vector});
        else if (const auto* matrix = std::get_if<Eigen::MatrixXd>(&entry.value))
            found.push_back({name, matrix->rows() == 1 ? Eigen::MatrixXd(matrix->transpose()) : *matrix});
        else if (const auto* group = std::get_if<archive::Archive>(&entry.value))
            collect_variables(*group, name + ".", found);
    }
}

std::string time_variable(const std::vector<std::pair<std::string, Eigen::MatrixXd>>& variables, const TimeAxis& time,
                          const std::string& file) {
    std::vector<std::string> names;
    for (const auto& [name, values] : variables) names.push_back(name);
    if (!time.name.empty()) {
        if (std::find(names.begin(), names.end(), time.name) == names.end())
            throw core::BadInput(file,
                                 fmt::format("has no variable '{}'; there are: {}", time.name, fmt::join(names, ", ")));
        return time.name;
    }
    for (const auto& usual : usual_names)
        for (const auto& name : names)
            if (name == usual || name.ends_with("." + usual)) return name;
    if (time.rate > 0) return "";
    throw core::BadInput(file,
                         fmt::format("has no variable t or time; name it with --time, one of: {}, or give --rate, "
                                     "samples per second",
                                     fmt::join(names, ", ")));
}

/// Units in words beside the variables: a text `units` of "s, m/s^2" in their group, time first, then of the channels
/// together or one each.
std::vector<std::string> listed_units(const archive::Archive& archive, const std::string& variable) {
    const auto dot = variable.rfind('.');
    const auto& group = dot == std::string::npos ? archive : archive.group(variable.substr(0, dot));
    std::vector<std::string> units;
    for (const auto& entry : group.entries())
        if (const auto* text = std::get_if<std::string>(&entry.value);
            text && (entry.name == "units" || entry.name == "Units" || entry.name == "unit"))
            for (std::size_t at = 0; at <= text->size();) {
                const auto end = std::min(text->find_first_of(",;", at), text->size());
                const auto word = text->substr(at, end - at);
                const auto first = word.find_first_not_of(' ');
                units.push_back(
                    first == std::string::npos ? "" : word.substr(first, word.find_last_not_of(' ') - first + 1));
                at = end + 1;
            }
    return units;
}

/// A channel per vector, and a channel per column (or row, whichever is as long as time, or longer) of a matrix.
Channels archive_channels(const std::string& file, const TimeAxis& time) {
    const auto archive = archive::read_archive(io::input(file));
    std::vector<std::pair<std::string, Eigen::MatrixXd>> variables;
    collect_variables(archive, "", variables);
    const std::string time_name = time_variable(variables, time, file);
    Eigen::VectorXd t;
    const auto in_words = listed_units(archive, time_name);
    if (!(time.rate > 0)) {
        const auto unit = archive.unit(time_name);
        t = seconds_of(unit.empty() && !in_words.empty() ? in_words[0] : unit) * archive.vector(time_name);
    }
    Channels channels;
    const auto add = [&](const std::string& name, const std::string& unit, const Eigen::VectorXd& x) {
        const Eigen::VectorXd at =
            time.rate > 0 ? Eigen::VectorXd::LinSpaced(x.size(), 0, double(x.size() - 1) / time.rate) : t;
        channels.names.push_back(name);
        channels.units.push_back(unit);
        channels.records.push_back(signal::even_record(
            {at.data(), std::size_t(at.size())}, {x.data(), std::size_t(x.size())}, fmt::format("{}: {}", file, name)));
    };
    const auto group_of = [](const std::string& name) { return name.substr(0, name.rfind('.') + 1); };
    const auto last_of = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
    // Structs with a time of their own each are records of their own: --time chooses another one.
    const bool several = std::count_if(variables.begin(), variables.end(),
                                       [&](const auto& v) { return last_of(v.first) == last_of(time_name); }) > 1;
    for (const auto& [name, matrix] : variables) {
        if (name == time_name || (several && group_of(name) != group_of(time_name))) continue;
        const Eigen::Index length = time.rate > 0 ? std::max(matrix.rows(), matrix.cols()) : t.size();
        const bool columns = matrix.rows() == length;
        if ((!columns && matrix.cols() != length) || length < 3) continue;
        const Eigen::Index count = columns ? matrix.cols() : matrix.rows();
        for (Eigen::Index c = 0; c < count; ++c)
            add(count == 1 ? name : fmt::format("{}{}", name, c + 1), archive.unit(name),
                columns ? Eigen::VectorXd(matrix.col(c)) : Eigen::VectorXd(matrix.row(c).transpose()));
    }
    const bool one_each = in_words.size() == channels.names.size() + 1;
    for (std::size_t c = 0; c < channels.names.size(); ++c) {
        if (channels.units[c].empty() && in_words.size() == 2) channels.units[c] = in_words[1];
        if (channels.units[c].empty() && one_each) channels.units[c] = in_words[c + 1];
    }
    if (!channels.names.empty()) return channels;
    throw core::BadInput(file, time.rate > 0
                                   ? std::string("has no variable with at least three samples")
                                   : fmt::format("has no variable as long as '{}' ({})", time_name, t.size()));
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

Channels read_channels(const std::string& file, const TimeAxis& time) {
    if (io::is_recording(file)) return recorded_channels(file, time);
    return archive::is_archive(file) ? archive_channels(file, time) : csv_channels(file, time);
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
