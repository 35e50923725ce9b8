#include "faying/results/reduce.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/core/lines.hpp"
#include "faying/fe/deck_modes.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/vtk.hpp"
#include "faying/files/reduced.hpp"
#include "faying/files/uncondensed.hpp"
#include "faying/io/file.hpp"
#include "faying/results/shapes.hpp"
#include "faying/sparse/ranks.hpp"

namespace faying::results {

namespace {

constexpr double per_radian = 1 / (2 * std::numbers::pi);

double memory_peak() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Fixed-interface modes, and the interface's static shapes when they are few.
void write_basis(const std::string& path, const fe::Deck& deck, const fe::Reduction& r, const Eigen::MatrixXd& basis) {
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

}  // namespace

namespace {

/// Whether a structure stays as it is.
bool stays_sparse(const ReduceRequest& o, const fe::Deck& deck, const fe::ReduceOptions& options) {
    const bool pairs = options.pairs_of_deck || !options.pairs.empty();
    if (o.solver != "auto" && o.solver != "sparse" && o.solver != "condensed")
        throw core::BadInput("--solver",
                             fmt::format("'{}' is not known; allowed are auto, condensed, sparse", o.solver));
    if (o.solver == "sparse" && !pairs) throw core::BadInput("--solver", "sparse goes with contact pairs");
    if (o.solver != "auto") return o.solver == "sparse";
    return pairs && fe::relative_motions(deck, options) > most_condensed;
}

std::map<std::string, std::string> provenance(const ReduceRequest& o, const fe::ReduceFile& file,
                                              const fe::Reduction& made) {
    return {{"tool", o.tool},
            {"deck", std::filesystem::path(file.deck).filename().string()},
            {"units", file.units.empty() ? "those of the deck" : file.units},
            {"degrees_of_freedom", std::to_string(made.full_dof)}};
}

}  // namespace

ReduceRun run_reduction(const ReduceRequest& o, core::Stages& stages) {
    const auto start = std::chrono::steady_clock::now();
    if (!archive::is_archive(o.out)) throw core::BadInput(o.out, "a reduced model is written as .h5 or .mat");
    if (!o.shapes.empty() && !archive::is_archive(o.shapes))
        throw core::BadInput(o.shapes, "shapes are written as .h5 or .mat");
    if (!std::filesystem::is_directory(std::filesystem::absolute(o.out).parent_path()))
        throw core::BadInput(o.out, "its folder does not exist");
    fe::ReduceFile file = fe::read_reduce_file(o.file);
    const fe::Deck deck = fe::read_deck(file.deck);
    for (const auto& output : {o.out, o.vtk, o.shapes})
        if (!output.empty()) io::check_writable(output);  // also that it is none of the files just read
    fe::apply_choices(o.elements, o.weighting, file.options.model);
    stages.at(0.01, "assembling");
    file.options.done = [&](double share) {
        if (share >= 0.2) stages.at(share, "factorising, static shapes, fixed-interface modes (times estimated)");
    };
    const auto finish = [&](ReduceRun& run) {
        run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        run.peak_megabytes = memory_peak();
        run.notes = fe::DeckNotes(deck, run.made.notes, run.made.model.untied, run.made.choices);
    };
    if (stays_sparse(o, deck, file.options)) {
        if (!o.vtk.empty() || !o.shapes.empty())
            throw core::BadInput("--solver",
                                 "a structure that is not condensed has no shapes to write (--vtk, --shapes)");
        fe::SparseContact made = fe::leave_uncondensed(deck, file.options);
        ReduceRun run{o.out, std::move(made.about), {}, true, made.structure.stiffness.rows(), 0, 0};
        made.structure.provenance = provenance(o, file, run.made);
        if (sparse::rank() != 0) return run;
        files::write_uncondensed(o.out, made.structure);
        finish(run);
        return run;
    }
    ReduceRun run{o.out, fe::reduce(deck, file.options), {}, false, 0, 0, 0};
    auto& r = run.made;
    run.dof = r.reduced.mass.rows();
    r.reduced.provenance = provenance(o, file, r);
    const bool shown = !o.vtk.empty() || !o.shapes.empty();
    const Eigen::MatrixXd basis = shown ? r.craig_bampton.rows.whole(r.craig_bampton.basis) : Eigen::MatrixXd();
    if (sparse::rank() != 0) return run;
    files::write_reduced(o.out, r.reduced);
    if (!o.vtk.empty()) write_basis(o.vtk, deck, r, basis);
    if (!o.shapes.empty()) write_shapes(o.shapes, shapes_of(deck, r, basis));
    finish(run);
    return run;
}

nlohmann::json json(const ReduceRun& run) {
    const auto& r = run.made;
    nlohmann::json patches = nlohmann::json::array();
    for (const auto& p : r.reduced.patches)
        patches.push_back(
            {{"name", p.name}, {"area", p.area}, {"centroid", {p.centroid[0], p.centroid[1], p.centroid[2]}}});
    nlohmann::json pairs = nlohmann::json::array();
    for (std::size_t k = 0; k < r.pairs.size(); ++k)
        pairs.push_back({{"name", r.pairs[k].name},
                         {"sites", r.pairs[k].sites()},
                         {"area", r.pairs[k].area()},
                         {"matching", r.pairs[k].matching},
                         {"smallest_gap", r.pairs[k].gap.minCoeff()},
                         {"largest_gap", r.pairs[k].gap.maxCoeff()},
                         {"left_out", r.pairs[k].left_out},
                         {"penalty", r.reduced.pairs[k].penalty}});
    const auto &omega = r.craig_bampton.fixed_omega, &residual = r.craig_bampton.fixed_residual;
    nlohmann::json result = {{"file", run.out},
                             {"dof_full", r.full_dof},
                             {"dof", run.dof},
                             {"solver", run.sparse ? "sparse" : "condensed"},
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
                             {"pairs", pairs},
                             {"fixed_interface_residual", std::vector<double>(residual.begin(), residual.end())},
                             {"fixed_interface_omega", std::vector<double>(omega.begin(), omega.end())},
                             {"seconds", run.seconds},
                             {"peak_megabytes", run.peak_megabytes}};
    result.update(run.notes.json());
    return result;
}

std::string text(const ReduceRun& run) {
    const auto& r = run.made;
    core::Lines out;
    out.print("{}", run.notes.text());
    if (r.pairs.empty())
        out.print("{} DOF, mass {:.6g}; interface area {:.6g}, {} meshes, gap {:.3g}\n", r.full_dof, r.mass,
                  r.interface.area(), r.interface.matching() ? "matching" : "different", r.interface.largest_gap);
    else
        out.print("{} DOF, mass {:.6g}; {} contact pairs\n", r.full_dof, r.mass, r.pairs.size());
    for (std::size_t k = 0; k < r.pairs.size(); ++k) {
        const auto& p = r.pairs[k];
        out.print("  {:<16} {} sites, area {:.6g}, {} meshes, gaps {:.3g} to {:.3g}, penalty {:.4g} per area", p.name,
                  p.sites(), p.area(), p.matching ? "matching" : "different", p.gap.minCoeff(), p.gap.maxCoeff(),
                  r.reduced.pairs[k].penalty);
        out.print("{}\n", p.left_out > 0 ? fmt::format("; {} points face nothing", p.left_out) : "");
    }
    if (r.interface.first.left_out + r.interface.second.left_out > 0)
        out.print("{} and {} faces beyond the other side's edge are left out\n", r.interface.first.left_out,
                  r.interface.second.left_out);
    if (run.sparse) {
        out.print("{}: not condensed, {} DOF with relative motions among them, {:.1f} s, {:.0f} MB\n", run.out, run.dof,
                  run.seconds, run.peak_megabytes);
        return out;
    }
    out.print("{} rigid motions projected out (below {:.2g} Hz), {} more that only the joint stops\n",
              r.craig_bampton.rigid, r.rigid_frequency, r.craig_bampton.loose);
    for (const auto& p : r.reduced.patches)
        out.print("  {:<12} area {:.6g} at ({:.4g}, {:.4g}, {:.4g})\n", p.name, p.area, p.centroid[0], p.centroid[1],
                  p.centroid[2]);
    if (r.reduced.quadrature.weight.size() > 0)
        out.print("  {} interface elements, {} quadrature points\n", r.interface_mesh.elements.size(),
                  r.reduced.quadrature.weight.size());
    out.print("fixed-interface modes / Hz:");
    for (double omega : r.craig_bampton.fixed_omega) out.print(" {:.5g}", omega * per_radian);
    if (r.craig_bampton.fixed_residual.size() > 0)
        out.print("\nresiduals below {:.1e}", r.craig_bampton.fixed_residual.maxCoeff());
    out.print("\n{}: {} DOF, {:.1f} s, {:.0f} MB\n", run.out, run.dof, run.seconds, run.peak_megabytes);
    return out;
}

}  // namespace faying::results
