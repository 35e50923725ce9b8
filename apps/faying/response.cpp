// faying response: forced vibration against frequency, by harmonic balance.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
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
    int phase_resonance = 0, isolas = 0;
    bool both_ends = false, without_stability = false;
    results::ResponseRequest request;
};

struct Range {
    double from = 0, to = 0;

    double low() const { return std::min(from, to); }
    double high() const { return std::max(from, to); }
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
    if (o.isolas > 0 && !o.hold.empty()) throw core::BadInput("--isolas", "does not go with --hold");
    if (o.request.through_mode > 0 && o.files.plot.empty())
        throw core::BadInput("--backbone", "is drawn on --plot, which is not given");
    if (o.request.require_orbits && o.without_stability)
        throw core::BadInput("--check", "does not go with --no-stability");
}

modes::ResponseTask task_of(const Options& o, const structure::Model& model, const std::vector<double>& at,
                            const results::HarmonicForceWords& force) {
    modes::ResponseTask task;
    task.load = {force.shape, force.levels.front()};
    if (!o.force_range.empty()) {
        const Range range = two_numbers(o.force_range, "--force-range", "N");
        task.along = modes::ResponseTask::Along::force;
        task.from = range.from;
        task.to = range.to;
        task.phase_mode = o.phase_resonance;
        if (o.phase_resonance == 0) task.omega = at.front();
        for (const double p : force.levels)
            if (p > range.low() && p < range.high()) task.at.push_back(p);
        return task;
    }
    const Range range = range_of(o, at);
    for (const double w : at)
        if (w < range.low() || w > range.high())
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
    results::harmonic_options(r.harmonics);  // complains before anything is read
    const auto at = asked_for(o);
    refuse_mixtures(o, at);
    o.files.check();
    auto model = files::read_model(o.file);
    if (!r.output.empty()) structure::find_output(model, r.output);
    const auto force = results::parse_harmonic_force(model, o.force);
    r.task = task_of(o, model, at, force);
    r.levels = force.levels;
    r.only_asked = o.omega.empty() && o.force_range.empty();
    r.stability = !o.without_stability;
    r.name = o.file;
    const auto made = with_progress("response", r.along_force() ? 1 : r.levels.size(),
                                    [&](const auto& done) { return results::response(std::move(model), r, done); });
    show(o.common, o.files, "response", made);
    made.require_converged();
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
    command->add_flag("--both-ends", o->both_ends, "from HI as well, where another branch ends there");
    command
        ->add_option("--isolas", o->isolas,
                     "and closed branches that reach neither end, through the phase resonances of this mode")
        ->check(CLI::PositiveNumber);
    command->add_flag("--no-stability", o->without_stability, "leave out stability (multipliers of the exact orbit)");
    command->add_flag("--check", o->request.require_orbits,
                      "every point must have an exact orbit beside it, by shooting; else status 3");
    add_harmonics(*command, o->request.harmonics);
    command->add_option("--output", o->request.output,
                        "also give the greatest displacement of this output of the model");
    add_unit(*command, o->request.unit);
    add_outputs(*command, o->files, "write the points to this file");
    command->add_option("--backbone", o->request.through_mode, "draw this mode (EPMC) through the peaks, with --plot")
        ->check(CLI::PositiveNumber);
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
