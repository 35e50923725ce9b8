// faying response: forced vibration against frequency, by harmonic balance.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/files/model.hpp"
#include "faying/results/harmonic.hpp"
#include "faying/results/loads.hpp"
#include "harmonic.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    io::OutputFiles files;
    std::string file, force, omega, at, hold, force_range;
    int phase_resonance = 0, superharmonic = 1, isolas = 0;
    bool both_ends = false, without_stability = false;
    HarmonicWords harmonics;
    results::ResponseRequest request;
};

struct Range {
    double from = 0, to = 0;
};

Range two_numbers(const std::string& text, const char* option, const char* unit) {
    Range range;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf%c", &range.from, &range.to, &rest) != 2 || !(range.from > 0) ||
        !(range.to > 0) || range.from == range.to || !std::isfinite(range.from + range.to))
        throw core::BadInput(option,
                             fmt::format("'{}' must be LO:HI in {}, two different positive numbers", text, unit));
    return range;
}

/// LO:HI, or for frequencies asked for alone a little beyond them on both sides.
Range range_of(const Options& o, const std::vector<double>& at) {
    if (!o.omega.empty()) return two_numbers(o.omega, "--omega", "rad/s");
    const auto [low, high] = std::minmax_element(at.begin(), at.end());
    return {0.9 * *low, 1.1 * *high};
}

/// Frequencies asked for exactly.
std::vector<double> asked_for(const Options& o) {
    const auto at = o.at.empty() ? std::vector<double>() : core::parse_numbers(o.at, "--at-omega");
    for (const double w : at)
        if (!(w > 0)) throw core::BadInput("--at-omega", fmt::format("frequency {:g} is not above zero", w));
    return at;
}

/// Options that do not go together.
void refuse_mixtures(const Options& o, const std::vector<double>& at) {
    const bool along_force = !o.force_range.empty();
    if (!along_force && o.omega.empty() && o.at.empty())
        throw core::BadInput("response", "give --omega LO:HI, --at-omega w1,w2,.., or both");
    if (along_force && (o.phase_resonance > 0) == (at.size() == 1))
        throw core::BadInput("--force-range", "needs one frequency (--at-omega) or --phase-resonance MODE");
    if (along_force && (!o.omega.empty() || !o.hold.empty() || o.both_ends || o.isolas > 0))
        throw core::BadInput("--force-range", "does not go with --omega, --hold, --both-ends or --isolas");
    if (!along_force && o.phase_resonance > 0)
        throw core::BadInput("--phase-resonance", "needs --force-range LO:HI, along which it is followed");
    if (o.superharmonic > 1 && o.phase_resonance == 0)
        throw core::BadInput("--superharmonic", "needs --phase-resonance MODE, with which it is in resonance");
    if (o.request.synthesis > 0 && (along_force || !o.hold.empty() || o.omega.empty()))
        throw core::BadInput("--synthesis", "goes with --omega LO:HI at given forces");
    if (o.isolas > 0 && !o.hold.empty()) throw core::BadInput("--isolas", "does not go with --hold");
    if (o.request.backbone > 0 && o.files.plot.empty())
        throw core::BadInput("--backbone", "is drawn on --plot, which is not given");
    if (o.request.check && o.without_stability) throw core::BadInput("--check", "does not go with --no-stability");
}

modes::ResponseTask task_of(const Options& o, const structure::Model& model, const results::HarmonicForceWords& force) {
    const auto at = asked_for(o);
    modes::ResponseTask task;
    task.load = {force.shape, force.levels.front()};
    if (!o.force_range.empty()) {
        const Range range = two_numbers(o.force_range, "--force-range", "N");
        task.along = modes::ResponseTask::Along::force;
        task.from = range.from;
        task.to = range.to;
        task.phase_mode = o.phase_resonance;
        task.superharmonic = o.superharmonic;
        if (o.phase_resonance == 0) task.omega = at.front();
        for (const double p : force.levels)
            if (p > std::min(range.from, range.to) && p < std::max(range.from, range.to)) task.at.push_back(p);
        return task;
    }
    const Range range = range_of(o, at);
    for (const double w : at)
        if (w < std::min(range.from, range.to) || w > std::max(range.from, range.to))
            throw core::BadInput("--at-omega", fmt::format("{:g} is outside --omega {}", w, o.omega));
    task.from = range.from;
    task.to = range.to;
    task.at = at;
    task.both_ends = o.both_ends;
    task.isolas = o.isolas > 0;
    task.phase_mode = o.isolas;
    if (!o.hold.empty()) {
        if (force.levels.size() > 1) throw core::BadInput("--hold", "finds the force: give --force without levels");
        task.hold = results::parse_hold(model, o.hold);
    }
    return task;
}

void run(Options& o) {
    auto& r = o.request;
    r.harmonics = results::parse_harmonics(o.harmonics.orders, o.harmonics.samples);
    refuse_mixtures(o, asked_for(o));
    o.files.check();
    const auto model = files::read_model(o.file);
    if (!r.output.empty()) structure::find_output(model, r.output);
    const auto force = results::parse_harmonic_force(model, o.force);
    r.task = task_of(o, model, force);
    r.levels = force.levels;
    r.only_asked = o.omega.empty() && o.force_range.empty();
    r.stability = !o.without_stability;
    r.name = o.file;
    const auto done = with_progress("response", r.along_force() ? 1 : r.levels.size(),
                                    [&](const auto& at) { return results::response(model, r, at); });
    show(o.common, o.files, "response", done);
    done.require_converged();
}

}  // namespace

void add_response(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("response", "Forced vibration against frequency (harmonic balance)");
    command->footer(
        "Example:\n  faying response examples/three_masses/model.toml --force \"at=3,p=0.1;1;5\" --omega 0.3:0.6 "
        "--harmonics 5 --plot response.html");
    command->add_option("model", o->file, "model file (TOML)")->required();
    command
        ->add_option("--force", o->force,
                     "p cos(omega t): at=DOF | output=NAME | mode=N | base=1, and p=N; several levels p=1;3;10")
        ->required();
    command->add_option("--omega", o->omega, "from LO:HI in rad/s, through turning points");
    command->add_option("--at-omega", o->at, "exactly at these frequencies, rad/s; alone: only there");
    command->add_option("--hold", o->hold,
                        "hold the first harmonic and find the force: displacement=M or acceleration=M/S^2, and at=DOF "
                        "or output=NAME (p in --force is then where the search begins)");
    command->add_option("--force-range", o->force_range,
                        "along the force instead, LO:HI in N, at one --at-omega or by --phase-resonance; levels p in "
                        "between are met exactly");
    command
        ->add_option("--phase-resonance", o->phase_resonance,
                     "along --force-range, where the load's displacement lags by a quarter of a period: the backbone "
                     "by phase, from this mode on")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--superharmonic", o->superharmonic,
                     "with --phase-resonance: not the load's phase but that of this order, in resonance with the mode")
        ->check(CLI::Range(2, 500));
    command->add_flag("--both-ends", o->both_ends, "from HI as well, where another branch ends there");
    command
        ->add_option("--isolas", o->isolas,
                     "and closed branches that reach neither end, through the phase resonances of this mode")
        ->check(CLI::PositiveNumber);
    command->add_flag("--no-stability", o->without_stability, "leave out stability (multipliers of the exact orbit)");
    command->add_flag("--check", o->request.check,
                      "every point must have an exact orbit beside it, by shooting; else status 3");
    add_harmonics(*command, o->harmonics);
    command->add_option("--output", o->request.output,
                        "also give the greatest displacement of this output of the model");
    add_unit(*command, o->request.unit);
    add_outputs(*command, o->files, "write the points to this file");
    command->add_option("--backbone", o->request.backbone, "draw this mode (EPMC) through the peaks, with --plot")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--synthesis", o->request.synthesis,
                     "also the response of this mode (EPMC) alone, a single oscillator, and by how much it differs")
        ->check(CLI::PositiveNumber);
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
