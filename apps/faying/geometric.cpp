#include "geometric.hpp"

#include "deck_options.hpp"
#include "faying/fe/deck_modes.hpp"

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
}

void complete(GeometricWords& words, bool both_sides) {
    words.request.amplitudes = results::given_amplitudes(words.at, words.range, both_sides);
    words.files.check();
    fe::apply_choices(words.elements, words.weighting, words.request.model);
}

}  // namespace faying::app
