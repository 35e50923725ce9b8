#include "geometric.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "deck_options.hpp"
#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/fe/deck_modes.hpp"

namespace faying::app {

void add_geometric(CLI::App& command, GeometricWords& words, const std::string& amplitude) {
    command.add_option("structure", words.file, "Abaqus deck (.inp), or model file (.toml) with joints or [[contact]]")
        ->required();
    command.add_option("--mode", words.mode, "which mode about rest, from 1")->check(CLI::PositiveNumber);
    auto* at = command.add_option("--at", words.at, "exactly at these amplitudes " + amplitude + ": q1,q2,..");
    command
        .add_option("--range", words.range, "amplitudes LO:HI:N, evenly spaced; HI alone is a default spacing up to it")
        ->excludes(at);
    add_unit(command, words.unit);
    add_deck_choices(command, words.elements, words.weighting);
    command.add_option("--csv", words.csv, "write the points to this file");
    command.add_option("--plot", words.plot, "write an interactive page (.html) or a picture (.svg)");
    command.add_option("--title", words.title, "title of the plot");
    add_common(command, words.common);
}

std::vector<double> amplitudes_of(const GeometricWords& words, bool both_sides) {
    if (!words.at.empty()) {
        auto at = core::parse_numbers(words.at, "--at");
        auto sorted = at;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            throw core::BadInput("--at", "an amplitude is given twice");
        return at;
    }
    if (words.range.empty()) return {};
    double low = 0, high = 0;
    int n = 0;
    char rest = 0;
    const int read = std::sscanf(words.range.c_str(), "%lf:%lf:%d%c", &low, &high, &n, &rest);
    if (read == 1 && words.range.find(':') == std::string::npos && low > 0 && std::isfinite(low)) {
        high = low;
        low = both_sides ? -high : high / 8;
        n = both_sides ? 17 : 8;
    } else if (read != 3 || n < 2 || n > 100000 || !(low < high) || !std::isfinite(low) || !std::isfinite(high)) {
        throw core::BadInput("--range",
                             fmt::format("'{}' must be LO:HI:N with LO < HI and N >= 2, or HI alone", words.range));
    }
    std::vector<double> q;
    for (int i = 0; i < n; ++i) {
        const double x = i == n - 1 ? high : low + (high - low) * i / (n - 1);
        if (std::abs(x) > 1e-12 * (high - low)) q.push_back(x);  // zero is rest
    }
    return q;
}

geometric::Opened open_geometric(const GeometricWords& words) {
    fe::ModelOptions options;
    fe::apply_choices(words.elements, words.weighting, options);
    return geometric::open_structure(words.file, options);
}

nlohmann::ordered_json mode_entry(const GeometricWords& words, geometric::Opened& structure,
                                  const geometric::Mode& mode) {
    nlohmann::ordered_json result = {{"dof", mode.shape.size()},  {"mode", words.mode},
                                     {"omega", mode.omega},       {"frequency", core::hertz(mode.omega)},
                                     {"residual", mode.residual}, {"frequencies", core::hertz(mode.all_omega)}};
    if (!structure.rest.load.isZero()) {
        nlohmann::ordered_json preload = {{"largest_displacement", structure.rest.u.cwiseAbs().maxCoeff()},
                                          {"residual", structure.rest.residual},
                                          {"steps", structure.rest.steps}};
        if (structure.grounded) {
            preload["closed"] = structure.preload.closed;
            preload["sites"] = structure.grounded->sites().size();
            preload["normal_force"] = structure.preload.normal_sum;
            preload["friction"] = structure.preload.friction;
            if (structure.preload.friction) {
                preload["increments"] = structure.preload.increments;
                preload["change_on_halving"] = structure.preload.change;
            }
        }
        result["preload"] = preload;
    }
    return result;
}

void print_mode(const GeometricWords& words, geometric::Opened& structure, const geometric::Mode& mode) {
    fmt::print("{} DOF, mode {}: {} {:.9g}, residual {:.1e}\n", mode.shape.size(), words.mode, words.unit.label(),
               words.unit.of(mode.omega), mode.residual);
    if (structure.grounded)
        fmt::print(
            "preload: {} of {} sites closed, {:.6g} N, largest displacement {:.6g} m{}\n", structure.preload.closed,
            structure.grounded->sites().size(), structure.preload.normal_sum, structure.rest.u.cwiseAbs().maxCoeff(),
            structure.preload.friction
                ? fmt::format("; with friction: half the increment changes it by {:.2g}", structure.preload.change)
                : "");
}

}  // namespace faying::app
