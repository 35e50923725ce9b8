// faying response: forced vibration against frequency, by harmonic balance.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/structure/model_file.hpp"
#include "harmonic.hpp"
#include "faying/core/words.hpp"
#include "faying/results/loads.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, force, omega, at, output, csv, plot, title;
    HarmonicWords harmonics;
    core::FrequencyUnit unit;
};

struct Range {
    double from = 0, to = 0;
};

/// LO:HI, or for frequencies asked for alone a little beyond them on both sides.
Range range_of(const Options& o, const std::vector<double>& at) {
    if (o.omega.empty()) {
        const auto [low, high] = std::minmax_element(at.begin(), at.end());
        return {0.9 * *low, 1.1 * *high};
    }
    Range range;
    char rest = 0;
    if (std::sscanf(o.omega.c_str(), "%lf:%lf%c", &range.from, &range.to, &rest) != 2 || !(range.from > 0) ||
        !(range.to > 0) || range.from == range.to || !std::isfinite(range.from + range.to))
        throw core::BadInput("--omega",
                             fmt::format("'{}' must be LO:HI in rad/s, two different positive numbers", o.omega));
    return range;
}

/// The greatest displacement of an output in a period.
double peak_of(const modes::HarmonicPoint& point, const Eigen::VectorXd& output, const core::Harmonics& harmonics) {
    const Eigen::VectorXd u = point.harmonics.transpose() * output;
    double peak = 0;
    for (const double t : core::turning_points(harmonics, u)) {
        double value = 0, slope = 0, curvature = 0;
        harmonics.motion(u, t, value, slope, curvature);
        peak = std::max(peak, std::abs(value));
    }
    return peak;
}

struct Level {
    double force = 0;
    std::vector<modes::HarmonicPoint> points;
};

void write(const Options& o, const structure::Model& model, const std::vector<Level>& levels,
           const core::Harmonics& harmonics) {
    const bool named = !o.output.empty();
    const Eigen::VectorXd row = named ? structure::find_output(model, o.output) : Eigen::VectorXd();
    io::Table table{{"force", "omega", "frequency", "a", "dissipation", "residual"}, {}};
    if (named) table.names.push_back("peak");
    table.columns.resize(table.names.size());
    io::Figure figure;
    io::Panel panel;
    panel.x = {o.unit.label(), false};
    panel.y = {named ? fmt::format("peak displacement of {} / m", o.output) : "amplitude a / (m kg^(1/2))", true};
    for (const auto& level : levels) {
        io::Curve curve;
        curve.label = fmt::format("{:g} N", level.force);
        for (const auto& p : level.points) {
            if (!p.converged) continue;
            std::vector<double> values{p.force, p.omega, core::hertz(p.omega), p.a, p.dissipation, p.residual};
            if (named) values.push_back(peak_of(p, row, harmonics));
            for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].push_back(values[i]);
            curve.x.push_back(o.unit.of(p.omega));
            curve.y.push_back(named ? values.back() : p.a);
        }
        panel.curves.push_back(std::move(curve));
    }
    if (!o.csv.empty()) io::write_csv(o.csv, table);
    if (o.plot.empty()) return;
    figure.title = o.title.empty() ? fmt::format("Forced response of {}", o.file) : o.title;
    figure.subtitle = fmt::format(
        "harmonics {}{}", o.harmonics.harmonics,
        o.harmonics.samples > 0 ? fmt::format(", {} samples per period", o.harmonics.samples) : ", joint forces exact");
    figure.panels.push_back(std::move(panel));
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void run(Options& o) {
    if (o.omega.empty() && o.at.empty())
        throw core::BadInput("response", "give --omega LO:HI, --at-omega w1,w2,.., or both");
    const auto at = o.at.empty() ? std::vector<double>() : core::parse_numbers(o.at, "--at-omega");
    for (const double w : at)
        if (!(w > 0)) throw core::BadInput("--at-omega", fmt::format("frequency {:g} is not above zero", w));
    const Range range = range_of(o, at);
    for (const double w : at)
        if (w < std::min(range.from, range.to) || w > std::max(range.from, range.to))
            throw core::BadInput("--at-omega", fmt::format("{:g} is outside --omega {}", w, o.omega));
    const auto options = harmonic_options(o.harmonics);
    io::OutputFiles{o.csv, o.plot}.check();
    const auto model = structure::read_model(o.file);
    if (!o.output.empty()) structure::find_output(model, o.output);
    const auto force = results::parse_harmonic_force(model, o.force);
    const modes::Interface interface(model);
    std::vector<Level> levels;
    core::Progress progress("response", force.levels.size());
    for (const double p : force.levels) {
        Level level{p, {}};
        level.points = modes::response(model, interface, {force.shape, p}, range.from, range.to, at, options);
        if (o.omega.empty())  // only what was asked for
            std::erase_if(level.points,
                          [&](const auto& point) { return std::find(at.begin(), at.end(), point.omega) == at.end(); });
        levels.push_back(std::move(level));
        progress.at(levels.size());
    }
    write(o, model, levels, options.harmonics);
    nlohmann::json list = nlohmann::json::array();
    for (const auto& level : levels)
        for (const auto& p : level.points) {
            auto entry = entry_of(p, o.harmonics);
            entry["force"] = p.force;
            entry["turning_point"] = p.turning_point;
            if (!o.output.empty() && p.converged)
                entry["peak"] = peak_of(p, structure::find_output(model, o.output), options.harmonics);
            list.push_back(nlohmann::json(entry));
        }
    const nlohmann::ordered_json result = {{"orders", options.harmonics.orders()}, {"points", list}};
    o.common.report("response", result, [&] {
        fmt::print("{:>12} {:>16} {:>14} {:>16} {:>10}\n", "force / N", o.unit.label(), "a", "dissipation / J",
                   "residual");
        for (const auto& level : levels)
            for (const auto& p : level.points)
                fmt::print("{:12.5g} {:16.10g} {:14.7g} {:16.9g} {:10.1e}{}\n", p.force, o.unit.of(p.omega), p.a,
                           p.dissipation, p.residual, p.turning_point ? "  turning point before" : "");
    });
    for (const auto& level : levels) {
        const double last = level.points.empty() ? range.from : level.points.back().omega;
        if (o.omega.empty() ? level.points.size() < at.size() : last != range.to && last != range.from)
            throw core::NotConverged(
                fmt::format("response: the branch at {:g} N was lost after {:g} rad/s", level.force, last),
                level.points.empty() ? std::numeric_limits<double>::quiet_NaN() : level.points.back().residual);
    }
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
    add_harmonics(*command, o->harmonics);
    command->add_option("--output", o->output, "also give the greatest displacement of this output of the model");
    add_unit(*command, o->unit);
    command->add_option("--csv", o->csv, "write the points to this file");
    command->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
