// faying loop: one law or several along a path, a signal, a recorded history, or steady cycles.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "loop_input.hpp"
#include "loop_output.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string law;
    std::vector<std::string> parameters, compare;
    std::string path, cycle, signal, time, history, csv, plot, title;
    bool derivatives = false;
};

std::vector<laws::Law> chosen_laws(const Options& o) {
    std::vector<laws::Law> chosen;
    if (o.compare.empty()) {
        if (o.law.empty())
            throw core::BadInput("loop", "name a law, or several with --compare; `faying laws` lists them");
        chosen.emplace_back(o.law, parse_parameters(o.law, o.parameters));
        return chosen;
    }
    if (!o.law.empty())
        throw core::BadInput(
            "loop", fmt::format("'{}' stands outside --compare; write it as {}:key=value,.. after it", o.law, o.law));
    for (const auto& text : o.compare) chosen.push_back(parse_law(text));
    for (const auto& law : chosen)
        if (law.drive() != chosen.front().drive())
            throw core::BadInput("--compare", fmt::format("{} and {} cannot follow the same path: one is driven by "
                                                          "force, the other by displacement",
                                                          chosen.front().name(), law.name()));
    return chosen;
}

/// Exactly one way to say what to follow.
std::string followed(const Options& o) {
    std::vector<std::string> ways;
    if (!o.path.empty()) ways.push_back("--path");
    if (!o.cycle.empty()) ways.push_back("--cycle");
    if (!o.signal.empty()) ways.push_back("--signal");
    if (!o.history.empty()) ways.push_back("--history");
    if (ways.size() != 1)
        throw core::BadInput("loop", "give exactly one of --path, --cycle, --signal (with --time) and --history");
    if ((ways[0] == "--signal") != !o.time.empty())
        throw core::BadInput("loop",
                             "--signal and --time go together, such as --signal \"sin(2*pi*t)\" --time 0:3:3001");
    return ways[0];
}

void run_cycles(const Options& o) {
    const auto amplitudes = parse_numbers(o.cycle, "--cycle");
    std::vector<CycleRun> runs;
    std::string failure;
    double worst = 0;
    const auto chosen = chosen_laws(o);
    core::Progress progress("cycles", chosen.size() * amplitudes.size());
    std::size_t done = 0;
    for (const auto& law : chosen) {
        CycleRun run{law, {}, {}};
        for (const double A : amplitudes) {
            CycleResult result;
            try {
                result.cycle = law.cycle(A);
                if (o.derivatives) result.derivatives = law.cycle_derivatives(A);
                result.converged = true;
            } catch (const core::NotConverged& error) {
                result.cycle.amplitude = A;
                result.cycle.residual = error.residual;
                failure = error.what();
                worst = std::max(worst, error.residual);
            }
            run.results.push_back(result);
            progress.at(++done);
        }
        runs.push_back(std::move(run));
    }
    write_cycles(runs, o.csv, o.plot, o.title);
    o.common.report("loop", cycles_json(runs, o.derivatives), [&] { print_cycles(runs); });
    if (!failure.empty()) throw core::NotConverged(failure, worst);
}

void run_contact(const Options& o, const LoopInput& input) {
    if (!o.compare.empty() || o.derivatives)
        throw core::BadInput("loop", "--compare and --derivatives take paths of one displacement, not x:y:n");
    const ContactRun run = follow_contact(o.law, parse_parameters(o.law, o.parameters), input);
    write_contact(run, o.csv, o.plot, o.title);
    o.common.report("loop", contact_json(run), [&] { print_contact(run); });
}

void run_path(const Options& o, const LoopInput& input) {
    if (!input.contact.empty()) return run_contact(o, input);
    std::vector<PathRun> runs;
    for (const auto& law : chosen_laws(o)) {
        PathRun run{law, law.follow({input.points, input.times}), {}};
        if (o.derivatives) run.derivatives = law.follow_derivatives({input.points, input.times});
        runs.push_back(std::move(run));
    }
    write_paths(runs, input, o.csv, o.plot, o.title);
    o.common.report("loop", paths_json(runs, input), [&] { print_paths(runs, input); });
}

}  // namespace

void add_loop(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("loop", "Force, tangent and dissipation of a law along a path or in steady cycles");
    command->footer(
        "Examples:\n"
        "  faying loop jenkins kt=1 fs=2 --path 0,3,-1,2\n"
        "  faying loop iwan4+kp FS=10 KT=1 chi=-0.5 beta=5 kp=0.1 --cycle 0.1,1,10 --plot loops.html\n"
        "  faying loop bouc-wen A=1 alpha=0.8 beta=-0.2 n=1 --signal \"sin(2*pi*t)+0.6*sin(8*pi*t)\" --time 0:3:3001 "
        "--csv loop.csv\n"
        "  faying loop elastic-dry-friction kt=1e6 mu=0.3 kn=1e7 --path 0:0:1e-6,5e-6:0:1e-6,0:2e-6:2e-6\n"
        "  faying loop elastic-dry-friction kt=1e6 mu=0.3 kn=1e7 un=1e-6 --cycle 1e-6,1e-5\n"
        "  faying loop --compare jenkins:kt=1,fs=2 iwan4:FS=2,KT=1,chi=0,beta=0 --path 0,5,-5,5 --plot both.html");
    command->add_option("law", o->law, "a law of `faying laws`; laws joined by + stand in parallel, +kp adds a spring");
    command->add_option("parameters", o->parameters, "key=value ..");
    command->add_option("--compare", o->compare, "laws to overlay, each law:key=value,key=value");
    command->add_option("--path", o->path,
                        "displacements in m (forces for six-state): 0,1,-0.5,0.7; x:y:n triples for "
                        "contact laws, which on plain displacements need their normal approach as un=..");
    command->add_option("--cycle", o->cycle, "amplitudes of steady cycling: 0.1,1,10");
    command->add_option("--signal", o->signal,
                        "displacement as a formula in t; turning points between samples are found");
    command->add_option("--time", o->time, "START:STOP:COUNT for --signal");
    command->add_option("--history", o->history, "CSV with u (forces for six-state), or t and u, or x y n");
    command->add_flag("--derivatives", o->derivatives, "also the derivatives of every answer to every parameter");
    command->add_option("--csv", o->csv, "write the table to this file");
    command->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] {
        const std::string way = followed(*o);
        check_outputs(o->csv, o->plot);
        if (way == "--cycle") return run_cycles(*o);
        run_path(*o, way == "--path"     ? input_from_path(o->path)
                     : way == "--signal" ? input_from_signal(o->signal, o->time)
                                         : input_from_history(o->history));
    });
}

}  // namespace faying::app
