// faying quasistatic: a model taken slowly through loads and prescribed displacements.

#include "faying/results/quasistatic.hpp"

#include "faying/results/series.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct QuasistaticOptions {
    Common common;
    io::OutputFiles files;
    std::string file;
    results::SlowWords words;
    results::SlowHistory loop;  ///< points, closure, most_loops
    modes::QuasistaticOptions options;
    bool penalty_check = false;
    std::string vtk, shapes;
};

void run_quasistatic(QuasistaticOptions& o) {
    o.files.check();
    const auto read = results::read_slow_structure(o.file);
    const auto& model = read.model;
    const auto history = o.words.on(model, o.loop);
    if (!o.shapes.empty() && o.vtk.empty()) throw core::BadInput("--shapes", "goes with --vtk");
    if (read.sparse && !o.shapes.empty())
        throw core::BadInput("--shapes", "a structure that is not condensed has none; its sites are shown (--vtk)");
    if (!o.vtk.empty()) results::check_series(o.vtk, model, !o.shapes.empty());
    std::optional<results::ShapeMesh> shapes;
    if (!o.shapes.empty()) shapes = results::read_shapes(o.shapes, model.size());
    if (!o.files.plot.empty() || !o.vtk.empty()) o.options.sites = true;
    const std::size_t points = history.cycle != 0        ? std::size_t(history.points) * 5
                               : history.columns.empty() ? history.shares.size()
                                                         : history.columns[0].size();
    const auto done = with_progress("quasistatic", o.penalty_check ? 2 * points : points, [&](const auto& at) {
        o.options.progress = at;
        auto run = read.sparse ? results::quasistatic(*read.sparse, history, o.options, o.file)
                               : results::quasistatic(model, history, o.options, o.file);
        if (!o.penalty_check || !run.loop.run.stopped.empty()) return run;
        const std::size_t first = run.loop.run.points.size();
        o.options.progress = [&at, first](std::size_t k) { at(first + k); };
        run.penalty_effect = results::penalty_effect(run, o.options);
        return run;
    });
    if (!o.vtk.empty()) results::write_series(o.vtk, done, shapes);
    show(o.common, o.files, "quasistatic", done);
    done.require_converged();
}

}  // namespace

void add_quasistatic(CLI::App& app) {
    const auto [command, o] = add_command<QuasistaticOptions>(
        app, "quasistatic", "A model taken slowly through loads and prescribed displacements",
        "Example:\n  faying quasistatic model.toml --force output=tip,p=30 --path 0,1,-1,1 --events --plot loop.html\n"
        "  faying quasistatic model.toml --displace output=tip,u=1e-4 --cycle 1\n"
        "  faying quasistatic plate.toml --force load=x,p=-20e6 --force load=y,p=100e6 --signal \"sin(2*pi*t)\" --time "
        "0:3:601\n"
        "  faying quasistatic joint.toml --lock load=BOLT_1 --displace output=P,u=1e-3 --signal \"2*sin(2*pi*t)\" "
        "--time "
        "0:1:401\n\n"
        "The model's static force (bolts) comes first, prescribed rows held at zero. Histories are shares: they "
        "multiply every p and u.");
    command->add_option("model", o->file, "model file (TOML)")->required();
    command
        ->add_option(
            "--force,--load", o->words.forces,
            "at=DOF | output=NAME | load=NAME (of a reduced model) | mode=N | base=1, and p=N (default 1); may be "
            "repeated")
        ->allow_extra_args(false);
    command
        ->add_option("--displace", o->words.displacements, "at=DOF | output=NAME, and u=M (default 1); may be repeated")
        ->allow_extra_args(false);
    command
        ->add_option("--lock", o->words.locked,
                     "load=NAME | output=NAME | at=DOF: free under the static force, then held there (a bolt that was "
                     "tightened); may be repeated")
        ->allow_extra_args(false);
    command->add_option("--path", o->words.path, "shares to go through, straight from one to the next: 0,1,-1,1");
    command->add_option("--signal", o->words.signal, "shares as a formula in t; its turning points are landed on");
    command->add_option("--time", o->words.time, "START:STOP:COUNT of --signal");
    command->add_option("--history", o->words.history,
                        "shares from a CSV file: one column, t and one, or a column per drive");
    command->add_option("--cycle", o->words.cycle, "loops between this share and its negative until they close");
    command->add_option("--points", o->loop.points, "points of half a loop of --cycle")->check(CLI::Range(1, 100000));
    command->add_option("--closure", o->loop.closure, "closure error at which a loop has closed");
    command->add_option("--most-loops", o->loop.most_loops, "at most so many loops")->check(CLI::Range(1, 100000));
    command->add_option("--path-tolerance", o->options.path_tolerance,
                        "steps are cut until one agrees with two halves to this; 1: steps as given, unchecked");
    command->add_flag("--events", o->options.events, "locate where sites start to slip, stick, open or close");
    command->add_flag("--sites", o->options.sites, "what every site does at every point (status, pressure, gap, slip)");
    command->add_flag("--penalty-check", o->penalty_check,
                      "again with ten times the contact stiffness kn, kt, and say what that changes");
    command->add_option("--vtk", o->vtk, "write a time series for ParaView (.pvd): what the sites do at every point");
    command->add_option("--shapes", o->shapes,
                        "with --vtk: shapes of faying reduce --shapes, to see the structure deform");
    add_outputs(*command, o->files, "write the points to this file");
    runs(*command, o, run_quasistatic);
}

}  // namespace faying::app
