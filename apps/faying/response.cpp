// faying response: forced vibration against frequency, by harmonic balance.

#include "faying/core/error.hpp"
#include "faying/files/model.hpp"
#include "faying/results/harmonic.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct ResponseOptions {
    Common common;
    io::OutputFiles files;
    results::ResponseWords words;
    bool without_stability = false;
    HarmonicWords harmonics;
    results::ResponseRequest request;
};

void run_response(ResponseOptions& o) {
    auto& r = o.request;
    r.harmonics = results::parse_harmonics(o.harmonics.orders, o.harmonics.samples);
    o.words.check();
    if (r.backbone > 0 && o.files.plot.empty())
        throw core::BadInput("--backbone", "is drawn on --plot, which is not given");
    if (r.synthesis > 0 && (o.words.omega.empty() || !o.words.hold.empty()))
        throw core::BadInput("--synthesis", "goes with --omega LO:HI at given forces");
    if (r.check && o.without_stability) throw core::BadInput("--check", "does not go with --no-stability");
    o.files.check();
    auto model = files::read_model(r.name);
    for (const auto& output : r.outputs) structure::find_output(model, output);
    o.words.apply(model, r);
    r.stability = !o.without_stability;
    const auto made = with_progress("response", r.along_force() ? 1 : r.levels.size(),
                                    [&](const auto& done) { return results::response(std::move(model), r, done); });
    show(o.common, o.files, "response", made);
    made.require_converged();
}

}  // namespace

void add_response(CLI::App& app) {
    const auto [command, o] = add_command<ResponseOptions>(
        app, "response", "Forced vibration against frequency (harmonic balance)",
        "Example:\n  faying response examples/three_masses/model.toml --force \"at=3,p=0.1;1;5\" --omega 0.3:0.6 "
        "--harmonics 5 --plot response.html");
    command->add_option("model", o->request.name, "model file (TOML)")->required();
    command
        ->add_option("--force", o->words.force,
                     "p cos(omega t): at=DOF | output=NAME | mode=N | base=1, and p=N; several levels p=1;3;10")
        ->required();
    command->add_option("--omega", o->words.omega, "from LO:HI in rad/s, through turning points");
    command->add_option("--at-omega", o->words.at, "exactly at these frequencies, rad/s; alone: only there");
    command->add_option("--hold", o->words.hold,
                        "hold the first harmonic and find the force: displacement=M or acceleration=M/S^2, and at=DOF "
                        "or output=NAME (p in --force is then where the search begins)");
    command->add_option("--force-range", o->words.force_range,
                        "along the force instead, LO:HI in N, at one --at-omega or by --phase-resonance; levels p in "
                        "between are met exactly");
    command
        ->add_option("--phase-resonance", o->words.phase_resonance,
                     "along --force-range, where the load's displacement lags by a quarter of a period: the backbone "
                     "by phase, from this mode on")
        ->check(above_zero);
    command
        ->add_option("--superharmonic", o->words.superharmonic,
                     "with --phase-resonance: not the load's phase but that of this order, in resonance with the mode")
        ->check(CLI::Range(2, 500));
    command->add_flag("--both-ends", o->words.both_ends, "from HI as well, where another branch ends there");
    command
        ->add_option("--isolas", o->words.isolas,
                     "and closed branches that reach neither end, through the phase resonances of this mode")
        ->check(above_zero);
    command->add_flag("--no-stability", o->without_stability, "leave out stability (multipliers of the exact orbit)");
    command
        ->add_option(
            "--stability-modes", o->request.stability_modes,
            "look for stability with at most so many modes (60): seconds per point grow with their third power")
        ->check(above_zero);
    command->add_flag("--check", o->request.check,
                      "every point must have an exact orbit beside it, by shooting; else status 3");
    add_harmonics(*command, o->harmonics);
    command
        ->add_option("--output", o->request.outputs,
                     "also give the greatest displacement of this output of the model; several: --output a,b")
        ->delimiter(',');
    add_unit(*command, o->request.unit);
    add_outputs(*command, o->files, "write the points to this file");
    command->add_option("--backbone", o->request.backbone, "draw this mode (EPMC) through the peaks, with --plot")
        ->check(above_zero);
    command
        ->add_option("--synthesis", o->request.synthesis,
                     "also the response of this mode (EPMC) alone, a single oscillator, and by how much it differs")
        ->check(above_zero);
    runs(*command, o, run_response);
}

}  // namespace faying::app
