// faying preload: static equilibrium of a model and its joints.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "contact_list.hpp"
#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/modes/rest_state.hpp"
#include "faying/files/model.hpp"
#include "loop_output.hpp"
#include "mode_options.hpp"
#include "preload_output.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, friction = "active", csv, dofs, plot, vtk, title;
};

void write(const Options& o, const AtRest& rest) {
    std::vector<io::FileContent> files;
    if (!o.csv.empty()) files.push_back({o.csv, sites_csv(rest)});
    if (!o.dofs.empty()) files.push_back({o.dofs, dofs_csv(rest)});
    if (!o.plot.empty()) {
        auto figure = preload_figure(rest);
        figure.title = o.title.empty() ? fmt::format("Preload of {}", o.file) : o.title;
        figure.subtitle = fmt::format("friction {} while preloading", o.friction);
        files.push_back({o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure)});
    }
    if (!o.vtk.empty()) files.push_back({o.vtk, sites_vtk(rest)});
    io::write_files(files);
}

nlohmann::ordered_json result_of(const Options& o, const AtRest& rest) {
    const auto& p = rest.prestress;
    nlohmann::json sites = nlohmann::json::object(), contact = nlohmann::json::array(), dofs = nlohmann::json::array();
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        const auto u = modes::rest_rows(rest.model, p, j).displacement;
        sites[joint.name] = std::vector<double>(u.begin(), u.end());
        if (modes::has_normal(joint)) contact.push_back(contact_list(joint, rest.states[j]));
    }
    for (Eigen::Index i = 0; i < p.u.size(); ++i) dofs.push_back(structure::dof_name(rest.model, i));
    return {{"u", std::vector<double>(p.u.begin(), p.u.end())},
            {"dofs", dofs},
            {"sites", sites},
            {"contact", contact},
            {"residual", p.residual},
            {"iterations", p.iterations},
            {"load_steps", p.load_steps},
            {"friction", o.friction}};
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
    command->add_option("--csv", o->csv, "write pressure, gap and slip of every site, with its place, to this file");
    command->add_option("--dofs", o->dofs, "write the displacement of every DOF, by name, to this file (CSV)");
    command->add_option("--plot", o->plot, "write a page with maps of the joints (.html) or a picture (.svg)");
    command->add_option("--vtk", o->vtk, "write the sites as points for ParaView (.vtu)");
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] {
        check_outputs(o->csv, o->plot);
        for (const auto& file : {o->dofs, o->vtk})
            if (!file.empty()) check_folder_of(file);
        const auto model = files::read_model(o->file);
        if (model.static_force.size() == 0)
            throw core::BadInput(o->file, "[structure] has no static load: there is nothing to prestress");
        AtRest rest{model, modes::prestress(model, {.friction = friction_of(o->friction)}), {}};
        for (std::size_t j = 0; j < model.joints.size(); ++j)
            rest.states.push_back(modes::rest_states(model, rest.prestress, j));
        write(*o, rest);
        const auto& p = rest.prestress;
        o->common.report("preload", result_of(*o, rest), [&] {
            fmt::print("{} DOF, friction {}: {} iterations, residual {:.1e}\n", model.size(), o->friction, p.iterations,
                       p.residual);
            print_sites(rest);
            fmt::print("{:>24} {:>16}\n", "DOF", "u");
            for (Eigen::Index i = 0; i < p.u.size(); ++i)
                fmt::print("{:>24} {:16.9g}\n", structure::dof_name(model, i), p.u(i));
        });
    });
}

}  // namespace faying::app
