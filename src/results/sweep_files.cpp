#include "sweep_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numbers>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"

namespace faying::results {

namespace {

constexpr const char* parts[] = {"frequency", "force", "amplitude", "phase"};

/// Which of the four a column is; 4: none.
std::size_t part_of(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    name = name.substr(0, name.find_first_of(" ([/"));
    static const std::map<std::string, std::size_t> known{{"frequency", 0},    {"freq", 0},      {"f", 0},
                                                          {"force", 1},        {"amplitude", 2}, {"response", 2},
                                                          {"acceleration", 2}, {"velocity", 2},  {"displacement", 2},
                                                          {"phase", 3},        {"phi", 3}};
    const auto found = known.find(name);
    return found == known.end() ? 4 : found->second;
}

std::string blanks_off(const std::string& text) {
    const auto from = text.find_first_not_of(" \t()[]");
    return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(" \t()[]") - from + 1);
}

/// Columns and units of one sweep, by part.
struct Parts {
    std::vector<double> values[4];
    bool there[4] = {};
    std::string unit[4];
};

signal::Sweep sweep_of(Parts& p, const std::string& name, const std::string& where) {
    for (std::size_t k = 0; k < 4; ++k)
        if (!p.there[k])
            throw core::BadInput(
                where, k == 3
                           ? "has no phase: a sweep needs the phase of the response against the force, to tell "
                             "damping from a phase offset of the instruments"
                           : fmt::format("has no {}; a sweep needs frequency, force, amplitude and phase", parts[k]));
    if (p.unit[0] == "rad/s")
        for (double& f : p.values[0]) f /= 2 * std::numbers::pi;
    else if (!p.unit[0].empty() && p.unit[0] != "Hz" && p.unit[0] != "hz")
        throw core::BadInput(where, fmt::format("frequency is in '{}'; allowed are Hz and rad/s", p.unit[0]));
    if (!p.unit[1].empty() && p.unit[1] != "N")
        throw core::BadInput(where, fmt::format("force is in '{}'; it must be in N", p.unit[1]));
    bool degrees = p.unit[3].starts_with("deg") || p.unit[3] == "\u00b0";
    if (!degrees && !p.unit[3].empty() && p.unit[3] != "rad")
        throw core::BadInput(where, fmt::format("phase is in '{}'; allowed are rad and deg", p.unit[3]));
    // Nobody writes phases of a sweep beyond two turns in radians.
    if (p.unit[3].empty())
        degrees = std::any_of(p.values[3].begin(), p.values[3].end(),
                              [](double x) { return std::abs(x) > 4 * std::numbers::pi; });
    if (degrees)
        for (double& x : p.values[3]) x *= std::numbers::pi / 180;
    return {name, p.values[0], p.values[1], p.values[2], p.values[3]};
}

/// A text such as "Hz, N, m/s^2, rad" beside the variables, in their order.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find_first_of(",;", at), text.size());
        words.push_back(blanks_off(text.substr(at, end - at)));
        at = end + 1;
    }
    return words;
}

/// Every group that has a frequency and one more of the four.
void collect_sweeps(const archive::Archive& group, const std::string& path, const std::string& file, SweepsRead& read) {
    Parts p;
    std::vector<std::size_t> order;
    std::string units;
    for (const auto& entry : group.entries()) {
        if (const auto* inner = std::get_if<archive::Archive>(&entry.value)) {
            collect_sweeps(*inner, path.empty() ? entry.name : path + "." + entry.name, file, read);
            continue;
        }
        if (const auto* text = std::get_if<std::string>(&entry.value);
            text && (entry.name == "units" || entry.name == "Units"))
            units = *text;
        const std::size_t k = part_of(entry.name);
        if (k == 4) continue;
        Eigen::VectorXd values;
        if (const auto* vector = std::get_if<Eigen::VectorXd>(&entry.value))
            values = *vector;
        else if (const auto* matrix = std::get_if<Eigen::MatrixXd>(&entry.value);
                 matrix && std::min(matrix->rows(), matrix->cols()) == 1)
            values = Eigen::Map<const Eigen::VectorXd>(matrix->data(), matrix->size());
        else
            continue;
        p.values[k].assign(values.begin(), values.end());
        p.there[k] = true;
        p.unit[k] = entry.unit;
        order.push_back(k);
    }
    if (!p.there[0] || order.size() < 2) return;
    const auto words = words_of(units);
    if (words.size() == order.size())
        for (std::size_t i = 0; i < order.size(); ++i)
            if (p.unit[order[i]].empty()) p.unit[order[i]] = words[i];
    read.sweeps.push_back(sweep_of(p, path, fmt::format("{}: {}", file, path)));
    if (read.amplitude_unit.empty()) read.amplitude_unit = p.unit[2];
    if (read.amplitude_unit != p.unit[2])
        throw core::BadInput(file,
                             fmt::format("has amplitudes in {} and in {} ({})", read.amplitude_unit, p.unit[2], path));
}

/// A table: one sweep, or one for each value of a column `sweep`.
SweepsRead table_sweeps(const std::string& file) {
    const io::Table table = io::read_csv(file);
    SweepsRead read;
    std::size_t which[4] = {}, by = table.columns.size();
    Parts all;
    for (std::size_t c = 0; c < table.names.size(); ++c) {
        if (table.names[c] == "sweep") by = c;
        const std::size_t k = part_of(table.names[c]);
        if (k == 4 || all.there[k]) continue;
        which[k] = c;
        all.there[k] = true;
        const auto open = table.names[c].find_first_of("([/");
        all.unit[k] = c < table.units.size()      ? table.units[c]
                      : open == std::string::npos ? ""
                                                  : blanks_off(table.names[c].substr(open + 1));
    }
    std::map<double, Parts> sweeps;
    for (std::size_t r = 0; r < table.columns[0].size(); ++r) {
        auto& p = sweeps[by < table.columns.size() ? table.columns[by][r] : 1];
        for (std::size_t k = 0; k < 4; ++k) {
            p.there[k] = all.there[k];
            p.unit[k] = all.unit[k];
            if (all.there[k]) p.values[k].push_back(table.columns[which[k]][r]);
        }
    }
    for (auto& [number, p] : sweeps) {
        const auto name = sweeps.size() == 1 ? file : fmt::format("{}: sweep {:g}", file, number);
        read.sweeps.push_back(sweep_of(p, name, name));
    }
    read.amplitude_unit = all.unit[2];
    return read;
}

}  // namespace

SweepsRead read_sweeps(const std::string& file) {
    if (!archive::is_archive(file)) return table_sweeps(file);
    SweepsRead read;
    collect_sweeps(archive::read_archive(io::input(file)), "", file, read);
    if (read.sweeps.empty())
        throw core::BadInput(file, "has no sweep: no struct or group with frequency, force, amplitude and phase");
    return read;
}

}  // namespace faying::results
