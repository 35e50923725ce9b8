// faying simulate: time histories of a model with joints.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/files/model.hpp"
#include "interrupt.hpp"
#include "loop_input.hpp"
#include "loop_output.hpp"
#include "simulate_input.hpp"
#include "simulate_output.hpp"
#include "simulate_record.hpp"

namespace faying::app {

namespace {

using nlohmann::json;
using transient::Snapshot;

struct Options {
    Common common;
    std::string file, free, method = "newmark", sample, coordinates = "physical", out, csv, plot, title;
    std::vector<std::string> impulse, sine, chirp, random, table;
    bool preload = false, resume = false;
    transient::Options run;
};

std::vector<LoadWords> load_words(const Options& o) {
    std::vector<LoadWords> all;
    const std::pair<const char*, const std::vector<std::string>*> kinds[] = {
        {"impulse", &o.impulse}, {"sine", &o.sine}, {"chirp", &o.chirp}, {"random", &o.random}, {"table", &o.table}};
    for (const auto& [kind, texts] : kinds)
        for (const auto& text : *texts) all.push_back({kind, text});
    return all;
}

void check(Options& o) {
    const auto method = transient::find_method(o.method);
    if (!method)
        throw core::BadInput("--method",
                             fmt::format("'{}' is not known; allowed are {}", o.method, transient::method_names));
    o.run.method = *method;
    if (o.coordinates != "physical" && o.coordinates != "modal")
        throw core::BadInput("--coordinates",
                             fmt::format("'{}' is not known; allowed are physical, modal", o.coordinates));
    if (o.resume && o.out.empty()) throw core::BadInput("--resume", "needs --out, the record to go on with");
    if (!o.out.empty() && !o.out.ends_with(".h5"))
        throw core::BadInput("--out", fmt::format("'{}' must end in .h5", o.out));
    if (load_words(o).empty() && o.free.empty() && !o.preload)
        throw core::BadInput("simulate",
                             "nothing moves: give a load (--impulse, --sine, --chirp, --random, --table) or --free");
    check_outputs(o.csv, o.plot);
    o.run.samples = o.sample.empty() ? std::vector<double>{o.run.duration} : parse_numbers(o.sample, "--sample");
    o.run.check();
    constexpr double most_steps = 1e9, most_rows = 1e7;
    const double steps = o.run.duration / o.run.step;
    if (steps > most_steps)
        throw core::BadInput("--dt", fmt::format("{:.3g} steps are needed; at most {:g} are made", steps, most_steps));
    if (const double rows = steps / o.run.record_every; !(o.csv.empty() && o.plot.empty()) && rows > most_rows)
        throw core::BadInput("--every", fmt::format("the record would have {:.3g} rows; --csv and --plot take at most "
                                                    "{:g}: record every so many steps with --every",
                                                    rows, most_rows));
}

/// What a record must agree in to be resumed.
std::string study_text(const Options& o, const structure::Model& model) {
    json study = {{"model", fingerprint(model)},
                  {"free", o.free},
                  {"preload", o.preload},
                  {"method", o.method},
                  {"time", o.run.duration},
                  {"dt", o.run.step},
                  {"every", o.run.record_every},
                  {"adaptive", o.run.adaptive},
                  {"tolerance", o.run.local_error()},
                  {"rho", o.run.spectral_radius},
                  {"modes", o.run.modes},
                  {"sample", o.run.samples}};
    for (const auto& words : load_words(o)) study["loads"].push_back({words.kind, words.text});
    return study.dump(-1, ' ', false, json::error_handler_t::replace);  // file names need not be UTF-8
}

/// What earlier sessions recorded.
void add_earlier(RecordColumns& columns, const SimulationRecord& record, bool modal) {
    const Eigen::MatrixXd t = record.rows("t"), x = record.rows(modal ? "q" : "u"),
                          v = record.rows(modal ? "q_velocity" : "v");
    for (Eigen::Index i = 0; i < t.rows(); ++i) columns.add(t(i, 0), x.row(i), v.row(i));
}

void tell(const std::vector<std::string>& notes) {
    for (const auto& note : notes) core::tell(fmt::format("faying: note: {}\n", note));
}

/// Energy that nobody accounts for is a wrong answer, however smooth it looks.
void check_balance(const Options& o, const transient::EnergyBalance& balance) {
    if (balance.held) return;
    std::string cure = balance.step > 0 ? fmt::format("--dt {:.2g} would do", balance.step)
                                        : fmt::format("--tolerance {:.1g} would do", balance.demand);
    if (o.run.method == transient::Method::alpha && o.run.spectral_radius < 1)
        cure += ", or less numerical damping (--rho 1)";
    throw core::NotConverged(fmt::format("simulate: the energy balance is off by {:.3g} % of the motion's energy, more "
                                         "than the {:g} % of --energy-tolerance; {}",
                                         100 * balance.error, 100 * o.run.energy_tolerance, cure),
                             balance.error);
}

void run(Options& o) {
    check(o);
    std::vector<std::string> dofs;  // what a reduced model calls its coordinates
    const auto model = files::read_model(o.file, [&](const std::string& path) {
        auto reduced = files::read_reduced(path);
        dofs = reduced.dofs;
        return reduced;
    });
    transient::Excitation excitation;
    for (const auto& words : load_words(o)) excitation.push_back(parse_load(model, words));
    for (const auto& file : {o.out, o.csv, o.plot})
        if (!file.empty()) io::check_writable(file);  // also that it is none of the files just read
    transient::Simulation simulation(model, excitation, parse_start(model, o.free, o.preload), o.run);
    const InterruptGuard interrupt;
    std::optional<SimulationRecord> record;
    std::vector<Snapshot> samples;
    if (!o.out.empty()) {
        const Labels physical = labels_of(model, dofs, simulation, false),
                     modal = labels_of(model, dofs, simulation, true);
        record.emplace(o.out, study_text(o, model), simulation,
                       RecordLabels{texts_of(physical.displacement), texts_of(physical.velocity),
                                    texts_of(modal.displacement), texts_of(physical.joints)},
                       o.resume);
        record->take_up(simulation);
        record->save(simulation);  // a kill from here on is resumable
        samples = record->earlier_samples();
    }
    const Labels labels = labels_of(model, dofs, simulation, o.coordinates == "modal");
    RecordColumns columns(model, simulation, labels);
    const bool keep_columns = !o.csv.empty() || !o.plot.empty();
    if (record && record->resumed() && keep_columns) add_earlier(columns, *record, labels.modal);
    std::vector<std::string> notes = notes_before(simulation, o.run.step);
    tell(notes);
    core::Progress progress("simulate", 1000000);
    auto saved = std::chrono::steady_clock::now();
    std::size_t steps = 0;
    const bool ended = simulation.to_end(
        [&](const Snapshot& s) {
            if (record) record->add(s);
            if (keep_columns) columns.add(s);
        },
        [&](const Snapshot& s) {
            samples.push_back(s);
            if (record) record->add_sample(s);
        },
        [&](const Eigen::VectorXd& y) {
            if (record) record->commit(y);
        },
        [&](double t) {
            if (++steps % 256 != 0) return !interrupt.raised();
            progress.at(std::size_t(1e6 * t / o.run.duration));
            if (record && std::chrono::steady_clock::now() - saved > std::chrono::seconds(1)) {
                record->save(simulation);
                saved = std::chrono::steady_clock::now();
            }
            return !interrupt.raised();
        });
    if (record) record->finish(simulation);
    if (!ended)
        throw Interrupted(
            record ? fmt::format("stopped at t = {:g}; the same command with --resume goes on", simulation.now().time)
                   : "stopped; nothing was kept (--out keeps a record that --resume continues)");
    if (!o.csv.empty()) columns.write_csv(o.csv);
    if (!o.plot.empty()) columns.draw(o.plot, o.title.empty() ? o.file : o.title, o.method);
    json result = samples_json(samples, labels, model);
    result["method"] = o.method;
    result.update(run_json(simulation));
    const auto later = notes_after(simulation);
    tell(later);
    notes.insert(notes.end(), later.begin(), later.end());
    result["notes"] = notes;
    o.common.report("simulate", result, [&] {
        print_samples(samples, labels);
        print_run(simulation);
    });
    check_balance(o, simulation.balance());
}

}  // namespace

void add_simulate(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* c = app.add_subcommand("simulate", "Time history of a model with joints");
    c->footer(
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
    c->add_option("model", o->file, "model file (TOML)")->required();
    c->add_option("--impulse", o->impulse, "half sine: at=2,p=30,omega=1.7 (or pulse=3: omega of stuck mode 3)");
    c->add_option("--sine", o->sine, "at=2,p=1,omega=3[,phase=0][,duration=10]");
    c->add_option("--chirp", o->chirp, "at=2,p=1,from=1,to=9,duration=100");
    c->add_option("--random", o->random,
                  "at=2,level=0.1,from=1,to=9[,lines=500][,seed=1]; level: one-sided, unit^2 s/rad; or file=psd.csv: "
                  "frequency, rad/s, and level");
    c->add_option("--table", o->table, "at=2,file=force.csv[,scale=1]: time and value, straight lines between");
    c->add_option("--free", o->free,
                  "start from mode=2,q=5[,v=0] (stuck; about the preload with --preload), or u=1;0;0[,v=0;0;0]");
    c->add_flag("--preload", o->preload, "start from the equilibrium under the model's static force");
    c->add_option("--method", o->method,
                  "newmark, alpha (generalised), exponential (exact modes; long steps) or events (lands on reversals, "
                  "to the tolerance)");
    c->add_option("--time", o->run.duration, "how long, s")->required();
    c->add_option("--dt", o->run.step, "step, and interval of the record, s")->required();
    c->add_option("--every", o->run.record_every, "record every so many steps");
    c->add_flag("--adaptive", o->run.adaptive, "newmark, alpha: substeps by local error");
    c->add_option("--tolerance", o->run.tolerance, "local error, relative (default: events 1e-12, --adaptive 1e-10)");
    c->add_option("--rho", o->run.spectral_radius, "alpha: spectral radius at high frequency, 0 to 1");
    c->add_option(
        "--modes", o->run.modes,
        "keep only the first stuck modes, and the joints' static shapes beside them (the error is estimated)");
    c->add_option("--energy-tolerance", o->run.energy_tolerance,
                  "a balance that is off by more of the motion's energy ends with status 3");
    c->add_option("--sample", o->sample, "report the state at t1,t2,.. (default: at the end)");
    c->add_option("--coordinates", o->coordinates, "physical or modal (stuck modes, then static shapes)");
    c->add_option("--out", o->out, "whole record (.h5); kept in FILE.journal while it is made, which survives a kill");
    c->add_flag("--resume", o->resume, "go on with an interrupted --out");
    c->add_option("--csv", o->csv, "write the record to this file");
    c->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    c->add_option("--title", o->title, "title of the plot");
    add_common(*c, o->common);
    c->callback([o] { run(*o); });
}

}  // namespace faying::app
