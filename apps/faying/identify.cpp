// faying identify: the parameters of a law from a measured loop.

#include "faying/fit/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/files/loop.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/laws/expression.hpp"
#include "loop_input.hpp"
#include "loop_output.hpp"

namespace faying::app {

namespace {

using nlohmann::ordered_json;

struct Options {
    Common common;
    std::string file, law, memory = "auto", csv, plot, title;
    std::vector<std::string> fixed, start;
    fit::IdentifyOptions identify;
};

fit::Memory parse_memory(const std::string& text) {
    if (text == "auto") return fit::Memory::automatic;
    if (text == "virgin") return fit::Memory::virgin;
    if (text == "steady") return fit::Memory::steady;
    throw core::BadInput("--memory", fmt::format("'{}' is not known; allowed are auto, virgin, steady", text));
}

ordered_json finite(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); }

/// In the order of the law's table.
ordered_json in_order(const std::vector<core::ParameterInfo>& table, const core::ParameterValues& values) {
    ordered_json object = ordered_json::object();
    for (const auto& info : table)
        if (values.contains(info.key)) object[info.key] = finite(values.at(info.key));
    return object;
}

bool by_force(const Options& o, const fit::Identified& found) {
    return laws::Law(o.law, found.parameters).drive() == laws::Drive::force;
}

/// How the past of the record was decided, and what the other one gave.
ordered_json memory_json(const std::vector<core::ParameterInfo>& table, const fit::Identified& found) {
    if (!found.other) return {{"followed", name(found.memory)}, {"decided_by", "option"}};
    const auto& other = *found.other;
    return {{"followed", name(found.memory)},
            {"decided_by", other.alike ? "first point" : "misfit"},
            {"misfit_ratio", finite(other.alike ? 1 : other.rms / found.rms)},
            {"other",
             {{"followed", name(other.memory)},
              {"rms", finite(other.rms)},
              {"relative_rms", finite(other.relative_rms)},
              {"complete", other.complete},
              {"parameters", in_order(table, other.parameters)}}}};
}

ordered_json result_json(const Options& o, const fit::Loop& loop, const fit::Identified& found) {
    const auto table = laws::expression_parameters(o.law);
    const bool force = by_force(o, found);
    ordered_json units = ordered_json::object(), fixed = ordered_json::array();
    for (const auto& info : table) {
        if (!found.parameters.contains(info.key)) continue;
        units[info.key] = info.unit;
        if (!found.standard_errors.contains(info.key)) fixed.push_back(info.key);
    }
    return {{"law", o.law},
            {"file", o.file},
            {"parameters", in_order(table, found.parameters)},
            {"standard_errors", in_order(table, found.standard_errors)},
            {"units", units},
            {"fixed", fixed},
            {"rms", found.rms},
            {"rms_unit", force ? "m" : "N"},
            {"relative_rms", found.relative_rms},
            {"condition", finite(found.condition)},
            {"entangled", found.entangled},
            {"followed", name(found.memory)},
            {"memory", memory_json(table, found)},
            {"passes", found.memory == fit::Memory::steady ? o.identify.passes : 1},
            {"points", loop.size()},
            {"iterations", found.iterations},
            {"converged", found.converged},
            {"driven_by", force ? "f" : "u"},
            {"modelled", found.modelled}};
}

std::string past_text(fit::Memory memory) {
    return memory == fit::Memory::steady ? "as a steady loop" : "from the virgin state";
}

/// "both were tried; as a steady loop the misfit is 3.2 times as large".
std::string decision_text(const fit::Identified& found) {
    if (!found.other) return "as --memory says";
    const auto other = past_text(found.other->memory);
    if (found.other->alike)
        return fmt::format("both were tried; {} it fits alike, the first point decides (or --memory)", other);
    if (!std::isfinite(found.other->rms)) return fmt::format("both were tried; {} the law refuses it", other);
    return fmt::format("both were tried; {} the misfit is {}{:.3g} times as large", other,
                       found.other->complete ? "" : "about ", found.other->rms / found.rms);
}

void print(const Options& o, const fit::Loop& loop, const fit::Identified& found) {
    fmt::print("{} from {} points of {}, followed {} ({})\n", o.law, loop.size(), o.file, past_text(found.memory),
               decision_text(found));
    fmt::print("{:>10} {:>16} {:>14}  {}\n", "", "value", "standard error", "unit");
    for (const auto& info : laws::expression_parameters(o.law)) {
        if (!found.parameters.contains(info.key)) continue;
        const bool free = found.standard_errors.contains(info.key);
        fmt::print("{:>10} {:16.9g} {:>14}  {}\n", info.key, found.parameters.at(info.key),
                   free ? fmt::format("{:.3g}", found.standard_errors.at(info.key)) : "fixed", info.unit);
    }
    fmt::print("misfit {:.4g} {} root mean square ({:.3g} % of the measured), condition {:.3g}\n", found.rms,
               by_force(o, found) ? "m" : "N", 100 * found.relative_rms, found.condition);
    if (!found.entangled.empty())
        fmt::print("This loop cannot tell {} apart; hold some with --fix.\n", fmt::join(found.entangled, ", "));
    if (!found.converged) fmt::print("NOT CONVERGED: these are the values where the descent stopped.\n");
}

void write_files(const Options& o, const fit::Loop& loop, const fit::Identified& found) {
    const bool force = by_force(o, found);
    const auto& u = force ? found.modelled : loop.u;
    const auto& f = force ? loop.f : found.modelled;
    if (!o.csv.empty()) io::write_csv(o.csv, {{"u", "f", "u_model", "f_model"}, {loop.u, loop.f, u, f}});
    if (o.plot.empty()) return;
    io::Figure figure;
    figure.title = o.title.empty() ? fmt::format("{} identified from {}", o.law, o.file) : o.title;
    figure.panels = {{.title = "loop",
                      .x = {"displacement u / m"},
                      .y = {"force f / N"},
                      .curves = {{.label = "measured", .x = loop.u, .y = loop.f}, {.label = o.law, .x = u, .y = f}}}};
    figure.table = {{"parameter", "value", "standard error", "unit"}};
    for (const auto& info : laws::expression_parameters(o.law))
        if (found.parameters.contains(info.key))
            figure.table.push_back({info.key, fmt::format("{:.6g}", found.parameters.at(info.key)),
                                    found.standard_errors.contains(info.key)
                                        ? fmt::format("{:.2g}", found.standard_errors.at(info.key))
                                        : "fixed",
                                    info.unit});
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void run(Options& o) {
    check_outputs(o.csv, o.plot);
    o.identify.memory = parse_memory(o.memory);
    o.identify.fixed = parse_parameters("--fix", o.fixed);
    o.identify.start = parse_parameters("--start", o.start);
    o.identify.threads = o.common.threads;
    const fit::Loop loop = files::read_loop(o.file);
    fit::Identified found;
    {
        core::Progress progress(fmt::format("identify {}", o.law), 1000);
        o.identify.progress = [&](double share) { progress.at(std::size_t(1000 * share)); };
        found = fit::identify(loop, o.law, o.identify);
    }
    write_files(o, loop, found);
    o.common.report("identify", result_json(o, loop, found), [&] { print(o, loop, found); });
    if (!found.converged)  // what there is has been shown, and is marked
        throw core::NotConverged(fmt::format("{}: {} did not settle in {} iterations; --iterations or --start may help",
                                             o.file, o.law, found.iterations),
                                 found.relative_rms);
}

}  // namespace

void add_identify(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("identify", "Parameters of a law from a measured loop");
    command->footer(
        "Examples:\n"
        "  faying identify loop.csv --law iwan4 --plot fit.html\n"
        "  faying identify loop.csv --law bouc-wen --free n --fix beta=0\n"
        "  faying identify loop.csv --law generalized-valanis --terms a1,a6 --symmetric\n"
        "A record may begin with the virgin curve or be a steady loop: both are tried, the one of less misfit is "
        "taken\n"
        "and the answer says what the other gave. --memory virgin or steady decides.");
    command->add_option("file", o->file, "text, .h5 or .mat with columns u and f (and t, for laws that need it)")
        ->required();
    command->add_option("--law", o->law, "law, or sum of laws such as iwan4+kp (faying laws lists them)")->required();
    command->add_option("--fix", o->fixed, "hold parameters: key=value ..")->delimiter(',');
    command->add_option("--free", o->identify.free, "find these too, which have defaults")->delimiter(',');
    command->add_option("--start", o->start, "start from here instead of what the loop suggests: key=value ..")
        ->delimiter(',');
    command->add_option("--memory", o->memory, "what was before the record: auto (try both), virgin or steady");
    command->add_option("--passes", o->identify.passes, "times a steady loop is run through before it is compared");
    command->add_option("--iterations", o->identify.iterations, "most iterations");
    command->add_option("--terms", o->identify.branch.terms, "generalized-valanis: terms of P (default a1)")
        ->delimiter(',');
    command->add_flag("--symmetric", o->identify.branch.symmetric,
                      "generalized-valanis: one set for both directions instead of one each");
    command->add_option("--cut", o->identify.branch.cut,
                        "generalized-valanis: leave out points slower than this share of the greatest speed");
    command->add_option("--stride", o->identify.branch.stride,
                        "generalized-valanis: samples either way that a slope is differenced over");
    command->add_flag("--refine", o->identify.refine, "generalized-valanis: least squares of the force afterwards");
    command->add_option("--csv", o->csv, "write measured and modelled loop to this file");
    command->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
