#include "faying/files/backbones.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "columns.hpp"

namespace faying::files {

using core::BadInput;
using fit::Backbone;

namespace {

constexpr double least_amplitude = 1e-150;

std::vector<std::pair<std::string, double>> bound_names(const std::string& quantity, const std::string& end) {
    std::vector<std::pair<std::string, double>> names{{quantity + "_" + end, 1}, {quantity + "_observation_" + end, 1}};
    if (quantity == "omega") names.push_back({"frequency_" + end, hertz});
    return names;
}

/// All points of a file in one, and the mode of each.
struct Points {
    Backbone all;
    std::vector<int> mode;
};

Points read_points(const Columns& columns) {
    Points p;
    p.all.amplitude = columns.need({{"amplitude", 1}, {"q", 1}});
    p.all.omega = columns.need({{"omega", 1}, {"frequency", hertz}});
    p.all.zeta = columns.need({{"zeta", 1}, {"damping", 1}});
    p.all.omega_low = columns.find(bound_names("omega", "low"));
    p.all.omega_high = columns.find(bound_names("omega", "high"));
    p.all.zeta_low = columns.find(bound_names("zeta", "low"));
    p.all.zeta_high = columns.find(bound_names("zeta", "high"));
    const auto mode = columns.find({{"mode", 1}});
    for (std::size_t i = 0; i < columns.rows(); ++i) {
        const double m = mode.empty() ? 1 : mode[i];
        if (!(m >= 1) || m > 1e6 || m != std::floor(m))
            columns.reject(i, fmt::format("mode {:g} must be a whole number from 1", m));
        p.mode.push_back(int(m));
    }
    return p;
}

void check(const Columns& columns, const Backbone& b) {
    const std::size_t bounded =
        std::size_t(!b.omega_low.empty()) + !b.omega_high.empty() + !b.zeta_low.empty() + !b.zeta_high.empty();
    if (bounded != 0 && bounded != 4)
        columns.reject(0, "bounds need all of omega_low, omega_high, zeta_low, zeta_high, or none");
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (!(b.amplitude[i] >= least_amplitude))
            columns.reject(i, fmt::format("amplitude {:g} must be positive, {:g} at least (energies are its square)",
                                          b.amplitude[i], least_amplitude));
        if (!(b.omega[i] > 0)) columns.reject(i, fmt::format("frequency {:g} must be positive", b.omega[i]));
        if (!(b.zeta[i] > 0 && b.zeta[i] < 1))
            columns.reject(i, fmt::format("damping ratio {:g} must be in (0, 1)", b.zeta[i]));
        if (bounded == 0) continue;
        if (b.omega_low[i] > b.omega[i] || b.omega_high[i] < b.omega[i])
            columns.reject(i, "the bounds of the frequency must enclose it");
        if (b.zeta_low[i] > b.zeta[i] || b.zeta_high[i] < b.zeta[i])
            columns.reject(i, "the bounds of the damping ratio must enclose it");
    }
}

}  // namespace

std::vector<Backbone> read_backbones(const std::string& path) {
    const Columns columns(path, "amplitude, omega (or frequency), zeta");
    const Points points = read_points(columns);
    check(columns, points.all);
    std::map<int, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < points.mode.size(); ++i) rows[points.mode[i]].push_back(i);
    std::vector<Backbone> backbones;
    for (auto& [mode, which] : rows) {
        std::stable_sort(which.begin(), which.end(), [&](std::size_t a, std::size_t b) {
            return points.all.amplitude[a] < points.all.amplitude[b];
        });
        backbones.push_back(fit::picked(points.all, which));
        backbones.back().mode = mode;
        for (std::size_t i = 1; i < which.size(); ++i)
            if (backbones.back().amplitude[i] == backbones.back().amplitude[i - 1])
                columns.reject(which[i], fmt::format("amplitude {:g} of mode {} is there twice",
                                                     backbones.back().amplitude[i], mode));
    }
    return backbones;
}

namespace {

io::Table table_of(const std::vector<Backbone>& backbones) {
    io::Table table;
    table.names = {"mode", "amplitude", "omega", "zeta"};
    const bool bounds = !backbones.empty() && std::all_of(backbones.begin(), backbones.end(),
                                                          [](const Backbone& b) { return b.has_bounds(); });
    if (bounds)
        for (const char* name : {"omega_low", "omega_high", "zeta_low", "zeta_high"}) table.names.emplace_back(name);
    table.columns.resize(table.names.size());
    for (const auto& b : backbones) {
        const std::vector<double> mode(b.size(), b.mode);
        const std::vector<double>* parts[] = {&mode,        &b.amplitude,  &b.omega,    &b.zeta,
                                              &b.omega_low, &b.omega_high, &b.zeta_low, &b.zeta_high};
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            table.columns[c].insert(table.columns[c].end(), parts[c]->begin(), parts[c]->end());
    }
    for (const auto& name : table.names) table.units.emplace_back(name.starts_with("omega") ? "rad/s" : "");
    return table;
}

}  // namespace

std::string backbones_text(const std::vector<Backbone>& backbones) { return io::csv_text(table_of(backbones)); }

void write_backbones(const std::string& path, const std::vector<Backbone>& backbones) {
    archive::write_table(path, table_of(backbones));
}

}  // namespace faying::files
