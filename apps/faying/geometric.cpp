#include "geometric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "deck_options.hpp"
#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/fe/deck_modes.hpp"
#include "faying/results/loads.hpp"

namespace faying::app {

void add_geometric(CLI::App& command, GeometricWords& words, const std::string& amplitude) {
    command
        .add_option("structure", words.request.file,
                    "Abaqus deck (.inp), or model file (.toml) with joints or [[contact]]")
        ->required();
    command.add_option("--mode", words.request.mode, "which mode about rest, from 1")->check(above_zero);
    auto* at = command.add_option("--at", words.at, "exactly at these amplitudes " + amplitude + ": q1,q2,..");
    command
        .add_option("--range", words.range, "amplitudes LO:HI:N, evenly spaced; HI alone is a default spacing up to it")
        ->excludes(at);
    add_unit(command, words.request.unit);
    add_deck_choices(command, words.elements, words.weighting);
    add_outputs(command, words.files, "write the points to this file");
    add_common(command, words.common);
}

void complete(GeometricWords& words, bool both_sides) {
    auto& amplitudes = words.request.amplitudes;
    if (!words.range.empty()) amplitudes = results::even_amplitudes(words.range, both_sides, "--range");
    if (!words.at.empty()) {
        amplitudes = core::parse_numbers(words.at, "--at");
        auto sorted = amplitudes;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            throw core::BadInput("--at", "an amplitude is given twice");
    }
    const char* given = words.at.empty() ? "--range" : "--at";
    for (const double q : amplitudes) {
        if (!both_sides && !(q > 0)) throw core::BadInput(given, fmt::format("{:g} is not above zero", q));
        results::check_size(given, "amplitude", std::abs(q));
    }
    words.files.check();
    fe::apply_choices(words.elements, words.weighting, words.request.model);
}

}  // namespace faying::app
