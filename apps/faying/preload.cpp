// faying preload: static equilibrium of a model and its joints.

#include "faying/results/preload.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/files/model.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    io::OutputFiles files;
    std::string file, friction = "active", dofs, vtk;
};

void write(const Options& o, const results::AtRest& rest) {
    std::vector<io::FileContent> files;
    if (!o.files.csv.empty()) files.push_back({o.files.csv, results::sites_csv(rest)});
    if (!o.dofs.empty()) files.push_back({o.dofs, results::dofs_csv(rest)});
    if (!o.files.plot.empty()) {
        auto drawn = figure(rest);
        if (!o.files.title.empty()) drawn.title = o.files.title;
        files.push_back({o.files.plot, io::figure_text(o.files.plot, drawn)});
    }
    if (!o.vtk.empty()) files.push_back({o.vtk, results::sites_vtk(rest)});
    io::write_files(files);
}

}  // namespace

void add_preload(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("preload", "Static equilibrium of a model file and its joints");
    command->footer(
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
    add_common(*command, o->common);
    command->callback([o] {
        o->files.check();
        for (const auto& file : {o->dofs, o->vtk})
            if (!file.empty()) check_folder_of(file);
        const auto rest = results::preload(files::read_model(o->file),
                                           core::named(modes::frictions, o->friction, "--prestress"), o->file);
        write(*o, rest);
        o->common.report("preload", json(rest), [&] { return text(rest); });
    });
}

}  // namespace faying::app
