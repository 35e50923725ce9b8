// faying laws: what is in the catalogue. faying loop: one law or several along a path, a signal, a recorded history, or
// in steady cycles.

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/results/laws.hpp"
#include "faying/results/loops.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct LoopOptions {
    Common common;
    std::string law;
    std::vector<std::string> parameters, compare;
    results::HistoryWords words;
    std::string cycle;
    io::OutputFiles files;
    bool derivatives = false;

    std::vector<laws::Law> laws() const { return results::given_laws(law, parameters, compare); }
};

void run_cycles(const LoopOptions& o) {
    const auto amplitudes = core::parse_numbers(o.cycle, "--cycle");
    const auto chosen = o.laws();
    const auto runs = with_progress("cycles", chosen.size() * amplitudes.size(), [&](const auto& done) {
        return results::steady_cycles(chosen, amplitudes, o.derivatives, done);
    });
    show(o.common, o.files, "loop", runs);
    runs.require_converged();
}

void run_path(const LoopOptions& o, const results::LoopInput& input) {
    if (input.contact.empty()) return show(o.common, o.files, "loop", results::follow(o.laws(), input, o.derivatives));
    if (!o.compare.empty() || o.derivatives)
        throw core::BadInput("loop", "--compare and --derivatives take paths of one displacement, not x:y:n");
    show(o.common, o.files, "loop", results::follow_contact(o.law, core::parse_parameters(o.law, o.parameters), input));
}

}  // namespace

void add_laws(CLI::App& app) {
    struct LoopOptions {
        Common common;
        std::string key;
    };
    const auto [command, o] = add_command<LoopOptions>(
        app, "laws", "List the hysteresis laws, their parameters, units and ranges", "Example:\n  faying laws iwan4");
    command->add_option("law", o->key, "only this law, with every parameter");
    runs(*command, o, [](LoopOptions& o) {
        const bool one = !o.key.empty();
        const auto chosen = one ? std::vector{results::described_law(o.key)} : results::listed_laws();
        o.common.report("laws", results::json(chosen), [&] { return results::text(chosen, one); });
    });
}

void add_loop(CLI::App& app) {
    const auto [command, o] = add_command<LoopOptions>(
        app, "loop", "Force, tangent and dissipation of a law along a path or in steady cycles",
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
    command->add_option("--path", o->words.path,
                        "displacements in m (forces for six-state): 0,1,-0.5,0.7; x:y:n triples for "
                        "contact laws, which on plain displacements need their normal approach as un=..");
    command->add_option("--cycle", o->cycle, "amplitudes of steady cycling: 0.1,1,10");
    command->add_option("--signal", o->words.signal,
                        "displacement as a formula in t; turning points between samples are found");
    command->add_option("--time", o->words.time, "START:STOP:COUNT for --signal");
    command->add_option("--history", o->words.history, "CSV with u (forces for six-state), or t and u, or x y n");
    command->add_flag("--derivatives", o->derivatives, "also the derivatives of every answer to every parameter");
    add_outputs(*command, o->files, "write the table to this file");
    runs(*command, o, [](LoopOptions& o) {
        o.words.check("loop", !o.cycle.empty(), "--path, --cycle, --signal (with --time) and --history");
        o.files.check();
        o.cycle.empty() ? run_path(o, o.words.input()) : run_cycles(o);
    });
}

}  // namespace faying::app
