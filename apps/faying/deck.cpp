// faying deck show, faying deck flatten: what is in a deck, and the same deck as CalculiX takes it.

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/fe/deck_report.hpp"

namespace faying::app {

namespace {

struct DeckOptions {
    Common common;
    fe::FlattenRequest request;
};

void add_show(CLI::App& deck) {
    const auto [command, o] =
        add_command<DeckOptions>(deck, "show", "What is in a deck: counts, materials, sets, mass, units, notes",
                                 "Example:\n  faying deck show beam.inp");
    command->add_option("file", o->request.file, "an Abaqus or CalculiX input file")->required();
    runs(*command, o, [](DeckOptions& o) {
        const auto report = fe::report_deck(o.request.file);
        o.common.report("deck show", json(report), [&] { return text_of(report); });
    });
}

void add_flatten(CLI::App& deck) {
    const auto [command, o] =
        add_command<DeckOptions>(deck, "flatten", "Write a deck without parts and constraints, as CalculiX takes it",
                                 "Example:\n  faying deck flatten assembly.inp --out flat.inp --frequency 20");
    command->add_option("file", o->request.file, "an Abaqus or CalculiX input file")->required();
    command->add_option("--out", o->request.out, "the file to write")->required();
    auto* frequency = command->add_option("--frequency", o->request.frequency, "end with a step for this many modes")
                          ->check(above_zero);
    command->add_flag("--static", o->request.with_static, "end with a static step")->excludes(frequency);
    command->add_option("--step", o->request.step, "with the supports and loads of this step of the deck, from 1")
        ->check(above_zero);
    runs(*command, o, [](DeckOptions& o) {
        const auto flat = fe::flatten(o.request);
        o.common.report("deck flatten", json(flat), [&] { return text_of(flat); });
    });
}

}  // namespace

void add_deck(CLI::App& app) {
    auto* deck = app.add_subcommand("deck", "Read Abaqus and CalculiX decks");
    deck->require_subcommand(1);
    add_show(*deck);
    add_flatten(*deck);
}

}  // namespace faying::app
