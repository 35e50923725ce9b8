// faying response: forced vibration against frequency, by harmonic balance.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/frequency.hpp"
#include "faying/core/progress.hpp"
#include "faying/core/words.hpp"
#include "faying/files/model.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/file.hpp"
#include "faying/results/loads.hpp"
#include "harmonic.hpp"
#include "response_plot.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, force, omega, at, hold, force_range, output, csv, plot, title;
    int phase_resonance = 0, isolas = 0, backbone = 0;
    bool both_ends = false, check = false, without_stability = false;
    HarmonicWords harmonics;
    core::FrequencyUnit unit;
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

using Level = ResponseLevel;

/// The mode through the peaks of the levels, over the amplitudes that they reach.
std::vector<modes::HarmonicPoint> mode_through(const Options& o, const structure::Model& model,
                                               const modes::Interface& interface, const std::vector<Level>& levels,
                                               const modes::HarmonicOptions& options) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const auto& level : levels) {
        double peak = 0;
        for (const auto& p : level.points) peak = std::max(peak, p.a);
        least = std::min(least, peak);
        most = std::max(most, peak);
    }
    std::vector<double> amplitudes;
    if (most > 0)
        for (int i = 0; i < 30; ++i) amplitudes.push_back(0.1 * least * std::pow(20 * most / least, i / 29.0));
    return amplitudes.empty() ? std::vector<modes::HarmonicPoint>()
                              : modes::epmc(model, interface, o.backbone, amplitudes, options);
}

void write(const Options& o, const structure::Model& model, const modes::Interface& interface,
           const std::vector<Level>& levels, const modes::HarmonicOptions& options) {
    const bool named = !o.output.empty();
    if (!o.csv.empty()) {
        io::Table table{{"force", "omega", "frequency", "a", "dissipation", "residual", "stable", "branch"}, {}};
        if (named) table.names.push_back("peak");
        table.columns.resize(table.names.size());
        for (const auto& level : levels)
            for (const auto& p : level.points) {
                if (!p.converged) continue;
                const double stable =
                    p.stability.stable ? double(*p.stability.stable) : std::numeric_limits<double>::quiet_NaN();
                std::vector<double> values{p.force,    p.omega, core::hertz(p.omega), p.a, p.dissipation,
                                           p.residual, stable,  double(p.branch)};
                if (named) values.push_back(peak_of(p, structure::find_output(model, o.output), options.harmonics));
                for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].push_back(values[i]);
            }
        io::write_csv(o.csv, table);
    }
    if (o.plot.empty()) return;
    ResponseFigure about;
    about.title = o.title.empty() ? fmt::format("Forced response of {}", o.file) : o.title;
    about.subtitle = fmt::format(
        "harmonics {}{}", o.harmonics.orders(),
        o.harmonics.samples > 0 ? fmt::format(", {} samples per period", o.harmonics.samples) : ", joint forces exact");
    about.output = o.output;
    about.unit = o.unit;
    about.along_force = !o.force_range.empty();
    if (o.backbone > 0) about.mode = mode_through(o, model, interface, levels, options);
    const auto figure = response_figure(model, levels, options.harmonics, about);
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
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
    if (o.backbone > 0 && o.plot.empty()) throw core::BadInput("--backbone", "is drawn on --plot, which is not given");
    if (o.check && o.without_stability) throw core::BadInput("--check", "does not go with --no-stability");
}

modes::ResponseTask task_of(const Options& o, const structure::Model& model, const results::HarmonicForceWords& force) {
    const auto at = asked_for(o);
    refuse_mixtures(o, at);
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
        task.hold = parse_hold(model, o.hold);
    }
    return task;
}

/// The first point or branch that is not what was asked for: status 3.
void refuse_failures(const Options& o, const modes::ResponseTask& task, const std::vector<Level>& levels) {
    const bool along_force = !o.force_range.empty();
    for (const auto& level : levels) {
        for (const auto& p : level.points)
            if (o.check && !(p.stability.orbit_residual <= 1e-8))
                throw core::NotConverged(
                    fmt::format("response: no exact orbit was found next to the harmonics at {:g} rad/s: {}", p.omega,
                                p.stability.reason),
                    p.stability.orbit_residual);
        const modes::HarmonicPoint* last = nullptr;
        for (const auto& p : level.points)
            if (p.branch == 0) last = &p;
        const double end = !last ? task.from : along_force ? last->force : last->omega;
        const bool only_asked = o.omega.empty() && !along_force;
        if (only_asked ? level.points.size() < task.at.size() : end != task.to && end != task.from)
            throw core::NotConverged(
                along_force ? fmt::format("response: the branch was lost after {:g} N", end)
                            : fmt::format("response: the branch at {:g} N was lost after {:g} rad/s", level.force, end),
                last ? last->residual : std::numeric_limits<double>::quiet_NaN());
    }
}

void run(Options& o) {
    auto options = harmonic_options(o.harmonics);
    options.stability = !o.without_stability;
    const auto at = asked_for(o);
    refuse_mixtures(o, at);
    io::OutputFiles{o.csv, o.plot}.check();
    const auto model = files::read_model(o.file);
    if (!o.output.empty()) structure::find_output(model, o.output);
    const auto force = results::parse_harmonic_force(model, o.force);
    auto task = task_of(o, model, force);
    const bool along_force = !o.force_range.empty();
    const modes::Interface interface(model);
    std::vector<Level> levels;
    core::Progress progress("response", along_force ? 1 : force.levels.size());
    for (const double p : along_force ? std::vector<double>{force.levels.front()} : force.levels) {
        Level level{p, {}};
        task.load.force = p;
        level.points = modes::response(model, interface, task, options);
        if (o.omega.empty() && !along_force)  // only what was asked for
            std::erase_if(level.points,
                          [&](const auto& point) { return std::find(at.begin(), at.end(), point.omega) == at.end(); });
        levels.push_back(std::move(level));
        progress.at(levels.size());
    }
    write(o, model, interface, levels, options);
    nlohmann::json list = nlohmann::json::array();
    for (const auto& level : levels)
        for (const auto& p : level.points) {
            auto entry = entry_of(p, o.harmonics);
            entry["force"] = p.force;
            entry["branch"] = p.branch;
            entry["turning_point"] = p.turning_point;
            if (options.stability) add_stability(entry, p.stability);
            if (p.bifurcation != modes::Bifurcation::none) entry["bifurcation"] = modes::name_of(p.bifurcation);
            if (!o.output.empty() && p.converged)
                entry["peak"] = peak_of(p, structure::find_output(model, o.output), options.harmonics);
            list.push_back(nlohmann::json(entry));
        }
    const nlohmann::ordered_json result = {{"orders", options.harmonics.orders()}, {"points", list}};
    o.common.report("response", result, [&] {
        fmt::print("{:>12} {:>16} {:>14} {:>16} {:>10} {:>9}\n", "force / N", o.unit.label(), "a", "dissipation / J",
                   "residual", "stable");
        for (const auto& level : levels)
            for (const auto& p : level.points)
                fmt::print("{:12.5g} {:16.10g} {:14.7g} {:16.9g} {:10.1e} {:>9}{}\n", p.force, o.unit.of(p.omega), p.a,
                           p.dissipation, p.residual,
                           !p.stability.stable   ? "-"
                           : *p.stability.stable ? "yes"
                                                 : "no",
                           p.bifurcation != modes::Bifurcation::none ? "  " + modes::name_of(p.bifurcation)
                           : p.turning_point                         ? "  turning point before"
                                                                     : "");
    });
    refuse_failures(o, task, levels);
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
    command->add_flag("--check", o->check,
                      "every point must have an exact orbit beside it, by shooting; else status 3");
    add_harmonics(*command, o->harmonics);
    command->add_option("--output", o->output, "also give the greatest displacement of this output of the model");
    add_unit(*command, o->unit);
    command->add_option("--csv", o->csv, "write the points to this file");
    command->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    command->add_option("--backbone", o->backbone, "draw this mode (EPMC) through the peaks, with --plot")
        ->check(CLI::PositiveNumber);
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
