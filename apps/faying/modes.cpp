// faying modes: linear modes of a model with its joints stuck or slipping, or of a deck.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/modes/linear.hpp"
#include "faying/structure/model_file.hpp"
#include "modes_deck.hpp"

namespace faying::app {

void add_modes(CLI::App& app) {
    struct Options {
        Common common;
        std::string file;
        int count = 0;
        bool slip = false;
        bool shapes = false;
        std::string vtk;
        std::vector<std::string> elements;
        std::string weighting;
    };
    auto o = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("modes", "Linear modes of a model file, joints stuck (or slipping), or of a deck");
    command->footer(
        "Example:\n  faying modes examples/three_masses/model.toml --count 2 --slip\n"
        "  faying modes beam.inp --count 16 --vtk modes.vtu");
    command->add_option("model", o->file, "model file (.toml) or Abaqus deck (.inp)")->required();
    command->add_option("--count", o->count, "how many modes, rigid ones included (default: all; 16 of a deck)")
        ->check(CLI::PositiveNumber);
    command->add_flag("--slip", o->slip, "joints in full slip instead of stuck");
    command->add_flag("--shapes", o->shapes, "of a deck: put the shapes into the JSON too");
    command->add_option("--vtk", o->vtk, "of a deck: write the shapes for ParaView (.vtu)");
    add_deck_choices(*command, o->elements, o->weighting);
    add_common(*command, o->common);
    command->callback([o] {
        if (o->file.ends_with(".inp"))
            return deck_modes({o->common, o->file, o->count, o->shapes, o->vtk, o->elements, o->weighting});
        if (!o->elements.empty() || !o->weighting.empty())
            throw core::BadInput(o->file, "is no deck; --element and --weighting are choices about a deck (.inp)");
        const auto model = structure::read_model(o->file);
        const auto k = o->slip ? structure::slipping_stiffness(model) : structure::stuck_stiffness(model);
        const auto modes = modes::linear_modes(model.mass, k, o->count);
        nlohmann::json shapes = nlohmann::json::array();
        for (Eigen::Index r = 0; r < modes.omega.size(); ++r) {
            const Eigen::VectorXd phi = modes.shapes.col(r);
            shapes.push_back(std::vector<double>(phi.begin(), phi.end()));
        }
        const nlohmann::ordered_json result = {
            {"joints", o->slip ? "slipping" : "stuck"},
            {"omega", std::vector<double>(modes.omega.begin(), modes.omega.end())},
            {"shapes", shapes},
            {"residual", std::vector<double>(modes.residual.begin(), modes.residual.end())}};
        o->common.report("modes", result, [&] {
            fmt::print("{} DOF, {} joints, {}\n", model.size(), model.joints.size(), o->slip ? "slipping" : "stuck");
            fmt::print("{:>5} {:>16} {:>16} {:>10}\n", "mode", "omega / (rad/s)", "frequency / Hz", "residual");
            for (Eigen::Index r = 0; r < modes.omega.size(); ++r)
                fmt::print("{:5} {:16.9g} {:16.9g} {:10.1e}\n", r + 1, modes.omega(r),
                           modes.omega(r) / (2 * std::numbers::pi), modes.residual(r));
        });
    });
}

}  // namespace faying::app
