// faying reduce: a deck to a small model with its joint.

#include "faying/results/reduce.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "deck_options.hpp"
#include "faying/sparse/ranks.hpp"
#include "version.hpp"

namespace faying::app {

namespace {

struct ReduceOptions {
    Common common;
    results::ReduceRequest request;
};

void run_reduce(ReduceOptions& o) {
    o.request.tool = std::string("faying ") + faying_version;
    auto stages = std::make_unique<core::Stages>("reduce");
    const auto made = results::run_reduction(o.request, *stages);
    stages.reset();
    if (sparse::rank() != 0) return;
    say(made.notes, o.common.json);
    o.common.report("reduce", json(made), [&] { return text(made); });
}

}  // namespace

void add_reduce(CLI::App& app) {
    const auto [command, o] = add_command<ReduceOptions>(
        app, "reduce", "A deck to a reduced model with its joint (Craig-Bampton)",
        "Example:\n  faying mesh brake-reuss --out beam.inp\n  faying reduce examples/brake_reuss/whole_joint.toml "
        "--out "
        "rom.h5\n  mpirun -n 2 faying reduce examples/brake_reuss/whole_joint.toml --out rom.mat");
    command->add_option("file", o->request.file, "reduction file (TOML)")->required();
    command->add_option("--out", o->request.out, "the reduced model: .h5 or .mat")->required();
    add_deck_choices(*command, o->request.elements, o->request.weighting);
    command->add_option("--vtk", o->request.vtk, "write shapes and interface for ParaView (.vtu)");
    command->add_option("--shapes", o->request.shapes,
                        "write the mesh and how it moves with every coordinate (.h5), for faying quasistatic --vtk");
    command
        ->add_option("--solver", o->request.solver,
                     "of slow histories: condensed (dense, on the contact alone), sparse (contact pairs, nothing "
                     "condensed: for many thousands of sites), auto: by their number")
        ->capture_default_str();
    runs(*command, o, run_reduce);
}

}  // namespace faying::app
