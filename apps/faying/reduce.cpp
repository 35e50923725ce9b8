// faying reduce: a deck to a small model with its joint.

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"
#include "deck_notes.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/reduce_file.hpp"
#include "faying/fe/vtk.hpp"
#include "faying/files/reduced.hpp"
#include "faying/archive/archive.hpp"
#include "faying/io/file.hpp"
#include "modes_deck.hpp"
#include "stages.hpp"
#include "version.hpp"

namespace faying::app {

namespace {

constexpr double hertz = 1 / (2 * std::numbers::pi);

struct Options {
    Common common;
    std::string file, out, vtk;
    std::vector<std::string> elements;
    std::string weighting;
};

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void check_writable(const std::string& out) {
    if (!archive::is_archive(out)) throw core::BadInput(out, "a reduced model is written as .h5 or .mat");
    check_folder_of(out);
}

/// Fixed-interface modes, and the interface's static shapes when they are few.
void write_shapes(const std::string& path, const fe::Deck& deck, const fe::Reduction& r, const Eigen::MatrixXd& basis) {
    const fe::DeckMesh mesh = fe::mesh_of(deck);
    std::vector<fe::VtkField> fields;
    const Eigen::Index n = r.craig_bampton.boundary;
    for (Eigen::Index j = n < 100 ? 0 : n; j < basis.cols(); ++j)
        fields.push_back(
            {r.reduced.dofs[static_cast<std::size_t>(j)], fe::nodal_displacements(mesh, r.model, basis.col(j))});
    fe::write_vtk(path, mesh.mesh, fields);
    const std::filesystem::path p = path;
    const auto beside = p.parent_path() / (p.stem().string() + "-interface.vtu");
    fe::write_vtk(beside.string(), r.interface_mesh, {});
}

nlohmann::ordered_json result_of(const fe::Reduction& r, const std::string& out, double seconds) {
    nlohmann::ordered_json patches = nlohmann::ordered_json::array();
    for (const auto& p : r.reduced.patches)
        patches.push_back(
            {{"name", p.name}, {"area", p.area}, {"centroid", {p.centroid[0], p.centroid[1], p.centroid[2]}}});
    const auto &omega = r.craig_bampton.fixed_omega, &residual = r.craig_bampton.fixed_residual;
    return {{"file", out},
            {"dof_full", r.full_dof},
            {"dof", r.reduced.mass.rows()},
            {"mass", r.mass},
            {"area", r.interface.area()},
            {"largest_gap", r.interface.largest_gap},
            {"matching", r.interface.matching()},
            {"rigid", r.craig_bampton.rigid},
            {"loose", r.craig_bampton.loose},
            {"rigid_frequency", r.rigid_frequency},
            {"elements", r.interface_mesh.elements.size()},
            {"points", r.reduced.quadrature.weight.size()},
            {"points_area", r.reduced.quadrature.weight.sum()},
            {"untied", r.model.untied.size()},
            {"patches", patches},
            {"fixed_interface_residual", std::vector<double>(residual.begin(), residual.end())},
            {"fixed_interface_omega", std::vector<double>(omega.begin(), omega.end())},
            {"seconds", seconds},
            {"peak_megabytes", peak_megabytes()}};
}

void print(const DeckNotes& notes, const fe::Reduction& r, const std::string& out, double seconds) {
    notes.print();
    fmt::print("{} DOF, mass {:.6g}; interface area {:.6g}, {} meshes, gap {:.3g}\n", r.full_dof, r.mass,
               r.interface.area(), r.interface.matching() ? "matching" : "different", r.interface.largest_gap);
    if (r.interface.first.left_out + r.interface.second.left_out > 0)
        fmt::print("{} and {} faces beyond the other side's edge are left out\n", r.interface.first.left_out,
                   r.interface.second.left_out);
    fmt::print("{} rigid motions projected out (below {:.2g} Hz), {} more that only the joint stops\n",
               r.craig_bampton.rigid, r.rigid_frequency, r.craig_bampton.loose);
    for (const auto& p : r.reduced.patches)
        fmt::print("  {:<12} area {:.6g} at ({:.4g}, {:.4g}, {:.4g})\n", p.name, p.area, p.centroid[0], p.centroid[1],
                   p.centroid[2]);
    if (r.reduced.quadrature.weight.size() > 0)
        fmt::print("  {} interface elements, {} quadrature points\n", r.interface_mesh.elements.size(),
                   r.reduced.quadrature.weight.size());
    fmt::print("fixed-interface modes / Hz:");
    for (double omega : r.craig_bampton.fixed_omega) fmt::print(" {:.5g}", omega * hertz);
    if (r.craig_bampton.fixed_residual.size() > 0)
        fmt::print("\nresiduals below {:.1e}", r.craig_bampton.fixed_residual.maxCoeff());
    fmt::print("\n{}: {} DOF, {:.1f} s, {:.0f} MB\n", out, r.reduced.mass.rows(), seconds, peak_megabytes());
}

void run(const Options& o) {
    const auto start = std::chrono::steady_clock::now();
    check_writable(o.out);
    fe::ReduceFile file = fe::read_reduce_file(o.file);
    const fe::Deck deck = fe::read_deck(file.deck);
    for (const auto& output : {o.out, o.vtk})
        if (!output.empty()) io::check_writable(output);  // also that it is none of the files just read
    apply_deck_choices(o.elements, o.weighting, file.options.model);
    auto stages = std::make_unique<Stages>("reduce");
    stages->at(0.01, "assembling");
    file.options.done = [&](double share) {
        if (share >= 0.2) stages->at(share, "factorising, static shapes, fixed-interface modes (times estimated)");
    };
    fe::Reduction r = fe::reduce(deck, file.options);
    stages.reset();
    r.reduced.provenance["tool"] = std::string("faying ") + faying_version;
    r.reduced.provenance["deck"] = std::filesystem::path(file.deck).filename().string();
    r.reduced.provenance["units"] = file.units.empty() ? "those of the deck" : file.units;
    r.reduced.provenance["degrees_of_freedom"] = std::to_string(r.full_dof);
    const Eigen::MatrixXd basis = o.vtk.empty() ? Eigen::MatrixXd() : r.craig_bampton.rows.whole(r.craig_bampton.basis);
    if (sparse::rank() != 0) return;
    files::write_reduced(o.out, r.reduced);
    if (!o.vtk.empty()) write_shapes(o.vtk, deck, r, basis);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const DeckNotes notes(deck, r.complaints, r.model.untied, r.choices);
    nlohmann::ordered_json result = result_of(r, o.out, seconds);
    notes.put(result);
    notes.say(o.common.json);
    o.common.report("reduce", result, [&] { print(notes, r, o.out, seconds); });
}

}  // namespace

void add_reduce(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("reduce", "A deck to a reduced model with its joint (Craig-Bampton)");
    command->footer(
        "Example:\n  faying mesh brake-reuss --out beam.inp\n  faying reduce examples/brake_reuss/whole_joint.toml "
        "--out "
        "rom.h5\n  mpirun -n 2 faying reduce examples/brake_reuss/whole_joint.toml --out rom.mat");
    command->add_option("file", o->file, "reduction file (TOML)")->required();
    command->add_option("--out", o->out, "the reduced model: .h5 or .mat")->required();
    add_deck_choices(*command, o->elements, o->weighting);
    command->add_option("--vtk", o->vtk, "write shapes and interface for ParaView (.vtu)");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
