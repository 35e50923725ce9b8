// faying modes: linear modes of a model about its preload, or with its joints stuck or slipping; or of a deck.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/modes/about.hpp"
#include "faying/files/model.hpp"
#include "mode_options.hpp"
#include "modes_deck.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, about, friction = "active", vtk, weighting;
    std::vector<std::string> elements;
    FrequencyUnit unit;
    int count = 0;
    bool slip = false;
    bool shapes = false;
};

/// What the joints do, in words.
std::string state_of(const modes::JointModes& m) {
    if (m.about != modes::About::preload) return name(m.about);
    return m.contacts == 0 ? "about the preload"
                           : fmt::format("about the preload, {} of {} contact sites touching", m.touching, m.contacts);
}

void model_modes(const Options& o) {
    const auto model = files::read_model(o.file);
    if (o.about == "preload" && model.static_force.size() == 0)
        throw core::BadInput(o.file, "[structure] has no static load: there is no preload to take modes about");
    const auto about = o.slip || o.about == "slipping" ? modes::About::slipping
                       : o.about == "stuck"            ? modes::About::stuck
                                                       : modes::About::preload;
    const auto made = modes::modes_about(model, about, o.count, {.friction = friction_of(o.friction)});
    const auto& modes = made.modes;
    nlohmann::json shapes = nlohmann::json::array();
    for (Eigen::Index r = 0; r < modes.omega.size(); ++r) {
        const Eigen::VectorXd phi = modes.shapes.col(r);
        shapes.push_back(std::vector<double>(phi.begin(), phi.end()));
    }
    nlohmann::ordered_json result = {{"about", name(made.about)},
                                     {"joints", made.about == modes::About::preload ? "preloaded" : name(made.about)},
                                     {"omega", std::vector<double>(modes.omega.begin(), modes.omega.end())},
                                     {"frequency", hertz(modes.omega)},
                                     {"shapes", shapes},
                                     {"residual", std::vector<double>(modes.residual.begin(), modes.residual.end())}};
    if (made.contacts > 0) result["contact"] = {{"sites", made.contacts}, {"touching", made.touching}};
    o.common.report("modes", result, [&] {
        fmt::print("{} DOF, {} joints, {}\n", model.size(), model.joints.size(), state_of(made));
        print_modes(modes.omega, modes.residual, o.unit);
    });
}

}  // namespace

void add_modes(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "modes", "Linear modes of a model file about its preload, joints stuck or slipping; or of a deck");
    command->footer(
        "Example:\n  faying modes examples/three_masses/model.toml --count 2 --about slipping\n"
        "  faying modes beam.inp --count 16 --vtk modes.vtu");
    command->add_option("model", o->file, "model file (.toml) or Abaqus deck (.inp)")->required();
    command->add_option("--count", o->count, "how many modes, rigid ones included (default: all; 16 of a deck)")
        ->check(CLI::PositiveNumber);
    auto* about =
        command
            ->add_option("--about", o->about,
                         "state of the joints: preload (default: contact as the static load leaves it, friction "
                         "sticking; stuck where nothing is preloaded), stuck (all contact closed), slipping")
            ->check(CLI::IsMember({"preload", "stuck", "slipping"}));
    command->add_flag("--slip", o->slip, "the same as --about slipping")->excludes(about);
    add_friction(*command, o->friction);
    add_unit(*command, o->unit);
    command->add_flag("--shapes", o->shapes, "of a deck: put the shapes into the JSON too");
    command->add_option("--vtk", o->vtk, "of a deck: write the shapes for ParaView (.vtu)");
    add_deck_choices(*command, o->elements, o->weighting);
    add_common(*command, o->common);
    command->callback([o] {
        const bool deck = o->file.ends_with(".inp");
        if (deck && (o->slip || !o->about.empty()))
            throw core::BadInput(o->slip ? "--slip" : "--about", "is for model files: a deck has no joints that slip");
        if (deck)
            return deck_modes({o->common, o->file, o->count, o->shapes, o->vtk, o->unit, o->elements, o->weighting});
        if (!o->elements.empty() || !o->weighting.empty())
            throw core::BadInput(o->file, "is no deck; --element and --weighting are choices about a deck (.inp)");
        model_modes(*o);
    });
}

}  // namespace faying::app
