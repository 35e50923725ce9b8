// faying simulate: time histories of a model with joints.

#include "faying/results/simulate.hpp"

#include <fmt/format.h>

#include "faying/core/words.hpp"
#include "faying/files/model.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct SimulateOptions {
    Common common;
    io::OutputFiles files;
    std::string sample;
    std::vector<std::string> impulse, sine, chirp, random, table;
    results::SimulateRequest request;
};

void check(SimulateOptions& o) {
    auto& r = o.request;
    const std::pair<const char*, const std::vector<std::string>*> kinds[] = {
        {"impulse", &o.impulse}, {"sine", &o.sine}, {"chirp", &o.chirp}, {"random", &o.random}, {"table", &o.table}};
    for (const auto& [kind, texts] : kinds)
        for (const auto& text : *texts) r.loads.push_back({kind, text});
    r.record = !o.files.csv.empty() || !o.files.plot.empty();
    o.files.check();
    r.run.samples = o.sample.empty() ? std::vector<double>{r.run.duration} : core::parse_numbers(o.sample, "--sample");
    r.check();
}

void run_simulate(SimulateOptions& o) {
    check(o);
    auto& r = o.request;
    auto model = files::read_model(r.name);
    for (const auto& file : {o.files.csv, o.files.plot})
        if (!file.empty()) io::check_writable(file);  // also that it is none of the files just read
    const InterruptGuard interrupt;
    const auto made = with_progress("simulate", 1000000, [&](const auto& done) {
        results::SimulateWatch watch;
        watch.note = [](const std::string& note) { core::tell(fmt::format("faying: note: {}\n", note)); };
        watch.go_on = [&](double share) { return done(std::size_t(1e6 * share)), !interrupt.raised(); };
        return results::simulate(std::move(model), r, watch);
    });
    if (!made.ended)
        throw Interrupted(r.out.empty() ? "stopped; nothing was kept (--out keeps a record that --resume continues)"
                                        : fmt::format("stopped at t = {:g}; the same command with --resume goes on",
                                                      made.simulation->now().time));
    if (!o.files.csv.empty()) io::write_file(o.files.csv, csv(made));
    show(o.common, {{}, o.files.plot, o.files.title}, "simulate", made);
    made.require_balance();
}

}  // namespace

void add_simulate(CLI::App& app) {
    const auto [c, o] = add_command<SimulateOptions>(
        app, "simulate", "Time history of a model with joints",
        "Examples (three masses of [S2]):\n"
        "  faying simulate examples/three_masses/model.toml --impulse at=2,p=30,pulse=3 --time 4000 --dt 0.02 --out "
        "hit.h5\n"
        "  faying simulate examples/three_masses/model.toml --impulse mode=2,p=9 --time 100 --dt 1 --method events "
        "--sample 10,100 --json\n"
        "  faying simulate examples/three_masses/model.toml --free mode=2,q=5 --time 200 --dt 0.05 --plot ring.html\n"
        "Loads act at=DOF, output=NAME, mode=N (shape=stuck|slip) or base=1 (acceleration of the base, all DOF along "
        "it;\n"
        "or base=1;0;1;0, the rigid motion of every DOF),\n"
        "and may be repeated; frequencies are in rad/s.");
    c->add_option("model", o->request.name, "model file (TOML)")->required();
    c->add_option("--impulse", o->impulse, "half sine: at=2,p=30,omega=1.7 (or pulse=3: omega of stuck mode 3)");
    c->add_option("--sine", o->sine, "at=2,p=1,omega=3[,phase=0][,duration=10]");
    c->add_option("--chirp", o->chirp, "at=2,p=1,from=1,to=9,duration=100");
    c->add_option("--random", o->random,
                  "at=2,level=0.1,from=1,to=9[,lines=500][,seed=1]; level: one-sided, unit^2 s/rad; or file=psd.csv: "
                  "frequency, rad/s, and level");
    c->add_option("--table", o->table, "at=2,file=force.csv[,scale=1]: time and value, straight lines between");
    c->add_option("--free", o->request.free,
                  "start from mode=2,q=5[,v=0] (stuck; about the preload with --preload), or u=1;0;0[,v=0;0;0]");
    c->add_flag("--preload", o->request.preload, "start from the equilibrium under the model's static force");
    add_choice(*c, "--method", o->request.run.method, results::transient_methods,
               "newmark, alpha (generalised), exponential (exact modes; long steps) or events (lands on reversals, "
               "to the tolerance)");
    c->add_option("--time", o->request.run.duration, "how long, s")->required();
    c->add_option("--dt", o->request.run.step, "step, and interval of the record, s")->required();
    c->add_option("--every", o->request.run.record_every, "record every so many steps");
    c->add_flag("--adaptive", o->request.run.adaptive, "newmark, alpha: substeps by local error");
    c->add_option("--tolerance", o->request.run.tolerance,
                  "local error, relative (default: events 1e-12, --adaptive 1e-10)");
    c->add_option("--rho", o->request.run.spectral_radius, "alpha: spectral radius at high frequency, 0 to 1");
    c->add_option(
        "--modes", o->request.run.modes,
        "keep only the first stuck modes, and the joints' static shapes beside them (the error is estimated)");
    c->add_option("--energy-tolerance", o->request.run.energy_tolerance,
                  "a balance that is off by more of the motion's energy ends with status 3");
    c->add_option("--sample", o->sample, "report the state at t1,t2,.. (default: at the end)");
    add_choice(*c, "--coordinates", o->request.modal, results::transient_coordinates,
               "physical or modal (stuck modes, then static shapes)");
    c->add_option("--out", o->request.out,
                  "whole record (.h5); kept in FILE.journal while it is made, which survives a kill");
    c->add_flag("--resume", o->request.resume, "go on with an interrupted --out");
    add_outputs(*c, o->files, "write the record to this file");
    runs(*c, o, run_simulate);
}

}  // namespace faying::app
