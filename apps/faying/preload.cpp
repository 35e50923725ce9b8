// faying preload: static equilibrium of a model and its joints.

#include "faying/results/preload.hpp"

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/files/model.hpp"
#include "faying/io/file.hpp"
#include "faying/modes/choice.hpp"

namespace faying::app {

namespace {

struct PreloadOptions {
    Common common;
    io::OutputFiles files;
    std::string file, dofs, vtk;
    modes::Friction friction = modes::Friction::active;
};

}  // namespace

void add_preload(CLI::App& app) {
    const auto [command, o] = add_command<PreloadOptions>(
        app, "preload", "Static equilibrium of a model file and its joints",
        "Example:\n  faying preload model.toml --plot preload.html --csv sites.csv\n\n"
        "gap: how far the faces of a site are apart, 0 where they touch; slip: how far they have moved along each "
        "other.");
    command->add_option("model", o->file, "model file (TOML)")->required();
    add_friction(*command, o->friction);
    command->add_option("--csv", o->files.csv,
                        "write pressure, gap and slip of every site, with its place, to this file");
    command->add_option("--dofs", o->dofs, "write the displacement of every DOF, by name, to this file (CSV)");
    command->add_option("--plot", o->files.plot, "write a page with maps of the joints (.html) or a picture (.svg)");
    command->add_option("--vtk", o->vtk, "write the sites as points for ParaView (.vtu)");
    command->add_option("--title", o->files.title, "title of the plot");
    runs(*command, o, [](PreloadOptions& o) {
        o.files.check();
        for (const auto& file : {o.dofs, o.vtk})
            if (!file.empty()) io::check_writable(file);
        const auto rest = results::preload(files::read_model(o.file), o.friction, o.file);
        results::write_files(rest, o.files, o.dofs, o.vtk);
        o.common.report("preload", json(rest), [&] { return text(rest); });
    });
}

}  // namespace faying::app
