// faying mesh: built-in structures with bolted joints as decks.

#include "faying/results/mesh.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/words.hpp"

namespace faying::app {

namespace {

struct MeshOptions {
    Common common;
    std::string out;
    std::vector<std::string> values;
    fe::GeometryOptions geometry;
};

void run_mesh(const std::string& name, const MeshOptions& o) {
    fe::GeometryOptions options = o.geometry;
    options.values = core::parse_parameters(name, o.values);
    const auto made = results::mesh(name, options, o.out);
    o.common.report("mesh", json(made), [&] { return text(made); });
}

}  // namespace

void add_mesh(CLI::App& app) {
    auto* mesh = app.add_subcommand("mesh", "Decks of built-in structures with bolted joints (needs Gmsh)");
    mesh->require_subcommand(0, 1);
    mesh->allow_extras();
    mesh->callback([mesh] {
        if (!mesh->get_subcommands().empty()) return;
        const auto words = mesh->remaining();
        fe::make_geometry(words.empty() ? "mesh: nothing" : words[0]);  // says which there are
    });
    mesh->footer("Example:\n  faying mesh brake-reuss --out beam.inp\n  faying mesh brake-reuss --help");
    for (const auto& geometry : fe::geometries()) {
        auto o = std::make_shared<MeshOptions>();
        auto* command = mesh->add_subcommand(geometry.name, geometry.summary);
        command->footer(results::dimensions_text(geometry));
        command->add_option("values", o->values, "key=value .., see below");
        command->add_option("--out", o->out, "the deck to write (.inp)")->required();
        command
            ->add_option("--size", o->geometry.size,
                         fmt::format("element size at the joint, m (default {:g})", geometry.size))
            ->check(above_zero);
        command
            ->add_option("--element", o->geometry.element,
                         fmt::format("{} (default {})",
                                     geometry.elements.empty() ? "C3D8, C3D8I, C3D8R, C3D20, C3D20R, C3D4 or C3D10"
                                                               : fmt::format("{}", fmt::join(geometry.elements, ", ")),
                                     geometry.element))
            ->check(not_empty);
        command->add_flag("--tied", o->geometry.tied, "tie the faying surfaces: the stuck structure");
        add_common(*command, o->common);
        command->callback([o, name = geometry.name] { run_mesh(name, *o); });
    }
}

}  // namespace faying::app
