// faying modes: linear modes of a model about its preload, or with its joints stuck or slipping; or of a deck.

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "deck_options.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/deck_modes.hpp"
#include "faying/files/model.hpp"
#include "faying/modes/choice.hpp"
#include "faying/results/preload.hpp"
#include "faying/sparse/ranks.hpp"

namespace faying::app {

namespace {

struct ModesOptions {
    Common common;
    std::string file, vtk, weighting;
    std::optional<modes::About> about;
    modes::Friction friction = modes::Friction::active;
    std::vector<std::string> elements;
    core::FrequencyUnit unit;
    int count = 0;
    bool slip = false;
    bool shapes = false;
};

void model_modes(const ModesOptions& o) {
    const auto about = o.slip ? modes::About::slipping : o.about;
    auto made = results::model_modes(files::read_model(o.file), about, o.count, o.friction, o.file);
    made.unit = o.unit;
    o.common.report("modes", json(made), [&] { return text(made); });
}

void deck_modes(const ModesOptions& o) {
    fe::DeckModesRequest request{o.count, {}};
    fe::apply_choices(o.elements, o.weighting, request.model);
    auto stages = std::make_unique<core::Stages>("modes");
    const auto m = fe::deck_modes(o.file, request, *stages);
    stages.reset();
    if (sparse::rank() != 0) return;
    if (!o.vtk.empty()) fe::write_shapes(o.vtk, m);
    say(m.notes, o.common.json);
    o.common.report("modes", json(m, o.common.json && o.shapes), [&] { return results::modes_text(m, o.unit); });
}

}  // namespace

void add_modes(CLI::App& app) {
    const auto [command, o] = add_command<ModesOptions>(
        app, "modes", "Linear modes of a model file about its preload, joints stuck or slipping; or of a deck",
        "Example:\n  faying modes examples/three_masses/model.toml --count 2 --about slipping\n"
        "  faying modes beam.inp --count 16 --vtk modes.vtu");
    command->add_option("model", o->file, "model file (.toml) or Abaqus deck (.inp)")->required();
    command->add_option("--count", o->count, "how many modes, rigid ones included (default: all; 16 of a deck)")
        ->check(above_zero);
    auto* about =
        add_choice(*command, "--about", o->about, modes::states,
                   "state of the joints: preload (default: contact as the static load leaves it, friction sticking; "
                   "stuck where nothing is preloaded), stuck (all contact closed), slipping");
    command->add_flag("--slip", o->slip, "the same as --about slipping")->excludes(about);
    add_friction(*command, o->friction);
    add_unit(*command, o->unit);
    command->add_flag("--shapes", o->shapes, "of a deck: put the shapes into the JSON too");
    command->add_option("--vtk", o->vtk, "of a deck: write the shapes for ParaView (.vtu)");
    add_deck_choices(*command, o->elements, o->weighting);
    runs(*command, o, [](ModesOptions& o) {
        const bool deck = o.file.ends_with(".inp");
        if (deck && (o.slip || o.about))
            throw core::BadInput(o.slip ? "--slip" : "--about", "is for model files: a deck has no joints that slip");
        if (deck) return deck_modes(o);
        if (!o.elements.empty() || !o.weighting.empty())
            throw core::BadInput(o.file, "is no deck; --element and --weighting are choices about a deck (.inp)");
        model_modes(o);
    });
}

}  // namespace faying::app
