#include "faying/results/identify.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/files/loop.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/laws/expression.hpp"
#include "identify_parts.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

nlohmann::json finite(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); }

nlohmann::json finite(const core::ParameterValues& values) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, value] : values) object[key] = finite(value);
    return object;
}

/// How the past of the record was decided, and what the other one gave.
nlohmann::json memory_json(const fit::Identified& found) {
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
              {"parameters", finite(other.parameters)}}}};
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

/// What the branches gave: the form, and the terms where they were chosen.
nlohmann::json terms_json(const fit::ChosenTerms& chosen) {
    nlohmann::json path = nlohmann::json::array();
    for (const auto& step : chosen.path)
        path.push_back({{"added", step.added.empty() ? nlohmann::json() : nlohmann::json(step.added)},
                        {"error", finite(step.error)}});
    return {{"terms", chosen.terms}, {"path", path}};
}

std::string terms_text(const char* where, const fit::ChosenTerms& chosen) {
    std::string line = fmt::format("terms{}: {}; cross-validated error", where,
                                   chosen.terms.empty() ? "none" : fmt::format("{}", fmt::join(chosen.terms, " ")));
    for (const auto& step : chosen.path)
        line += fmt::format("{} {}{:.3g}", &step == &chosen.path.front() ? "" : ",",
                            step.added.empty() ? "" : "+" + step.added + " ", step.error);
    return line + "\n";
}

std::string branches_text(const LawIdentified& run) {
    const auto& b = *run.found.branches;
    if (b.rising.path.empty()) return "";
    const bool alike = !run.found.parameters.contains("E1_down");
    return alike ? terms_text("", b.rising)
                 : terms_text(" when x rises", b.rising) + terms_text(" when x falls", b.falling);
}

}  // namespace

std::vector<FoundParameter> found_parameters(const LawIdentified& run) {
    std::vector<FoundParameter> all;
    const auto &values = run.found.parameters, &errors = run.found.standard_errors;
    for (const auto& info : laws::expression_parameters(run.law))
        if (values.contains(info.key))
            all.push_back({info.key, info.unit, values.at(info.key),
                           errors.contains(info.key) ? std::optional(errors.at(info.key)) : std::nullopt});
    return all;
}

std::vector<io::Panel> loop_panels(const std::vector<const LawIdentified*>& runs) {
    std::vector<io::Panel> panels;
    const auto& loops = runs.front()->loops;
    for (std::size_t k = 0; k < loops.size(); ++k) {
        const auto& l = loops[k];
        io::Panel panel{loops.size() == 1 ? "loop" : l.file + (l.held_out ? " (held out)" : ""),
                        {"displacement u / m"},
                        {"force f / N"},
                        {{"measured", l.loop.u, l.loop.f}}};
        for (const auto* run : runs) {
            const auto& modelled = run->loops[k].law.modelled;
            panel.curves.push_back(
                {run->law, run->by_force ? modelled : l.loop.u, run->by_force ? l.loop.f : modelled});
        }
        panels.push_back(std::move(panel));
    }
    return panels;
}

std::size_t LawIdentified::points() const { return found.modelled.size(); }

std::optional<double> LawIdentified::held_out_rms() const {
    double squares = 0, measured = 0;
    for (const auto& l : loops)
        if (l.held_out) {
            const double n = double(l.loop.size());
            squares += n * std::pow(l.law.rms, 2);
            measured += n * std::pow(l.law.rms / l.law.relative_rms, 2);
        }
    return measured > 0 ? std::optional(std::sqrt(squares / measured)) : std::nullopt;
}

std::vector<LoopAnswer> read_loops(const IdentifyRequest& request) {
    std::vector<LoopAnswer> loops;
    for (const auto& [files, held_out] : {std::pair(&request.files, false), std::pair(&request.held_out, true)})
        for (const auto& file : *files) {
            for (const auto& l : loops)
                if (l.file == file) throw core::BadInput(file, "is there twice");
            loops.push_back({file, held_out, files::read_loop(file), {}});
        }
    return loops;
}

LawIdentified identified(const std::string& law, std::vector<LoopAnswer> loops, const fit::IdentifyOptions& options) {
    LawIdentified run{law, {}, std::move(loops), options.passes, false, options.branch.form};
    std::vector<fit::Loop> fitted;
    for (const auto& l : run.loops)
        if (!l.held_out) fitted.push_back(l.loop);
    run.found = fit::identify_together(fitted, law, options);
    run.by_force = laws::Law(law, run.found.parameters).drive() == laws::Drive::force;
    for (auto& l : run.loops) l.law = fit::predict(l.loop, law, run.found.parameters, run.found.memory, run.passes);
    return run;
}

LawIdentified identify_law(const IdentifyRequest& request) {
    return identified(request.laws.front(), read_loops(request), request.options);
}

void LawIdentified::require_converged() const {
    if (!problem.empty()) throw core::NotConverged(law + ": " + problem, std::nan(""));
    if (!found.converged)
        throw core::NotConverged(fmt::format("{}: {} did not settle in {} iterations; --iterations or --start may help",
                                             loops.front().file, law, found.iterations),
                                 found.relative_rms);
}

nlohmann::json json(const LawIdentified& run) {
    const auto& found = run.found;
    nlohmann::json units = nlohmann::json::object(), fixed = nlohmann::json::array();
    for (const auto& p : found_parameters(run)) {
        units[p.key] = p.unit;
        if (!p.error) fixed.push_back(p.key);
    }
    nlohmann::json loops = nlohmann::json::array();
    for (const auto& l : run.loops)
        loops.push_back({{"file", l.file},
                         {"held_out", l.held_out},
                         {"points", l.loop.size()},
                         {"rms", finite(l.law.rms)},
                         {"relative_rms", finite(l.law.relative_rms)}});
    nlohmann::json made = {
        {"law", run.law},
        {"file", run.loops.front().file},
        {"loops", loops},
        {"held_out_relative_rms", run.held_out_rms() ? finite(*run.held_out_rms()) : nlohmann::json()},
        {"aic", finite(found.aic)},
        {"bic", finite(found.bic)},
        {"parameters", finite(found.parameters)},
        {"standard_errors", finite(found.standard_errors)},
        {"units", units},
        {"fixed", fixed},
        {"rms", found.rms},
        {"rms_unit", run.by_force ? "m" : "N"},
        {"relative_rms", found.relative_rms},
        {"condition", finite(found.condition)},
        {"entangled", found.entangled},
        {"followed", name(found.memory)},
        {"memory", memory_json(found)},
        {"passes", found.memory == fit::Memory::steady ? run.passes : 1},
        {"points", run.points()},
        {"iterations", found.iterations},
        {"converged", found.converged},
        {"driven_by", run.by_force ? "f" : "u"},
        {"modelled", found.modelled}};
    if (found.branches)
        made["branches"] = {{"form", core::name_of(loop_forms, run.form)},
                            {"points", found.branches->points},
                            {"rising", terms_json(found.branches->rising)},
                            {"falling", terms_json(found.branches->falling)}};
    return made;
}

std::string text(const LawIdentified& run) {
    const auto& found = run.found;
    Text out;
    std::vector<std::string> fitted;
    for (const auto& l : run.loops)
        if (!l.held_out) fitted.push_back(l.file);
    out.print("{} from {} points of {}, followed {} ({})\n", run.law, run.points(), fmt::join(fitted, ", "),
              past_text(found.memory), decision_text(found));
    if (found.branches) out.print("{}", branches_text(run));
    out.print("{:>10} {:>16} {:>14}  {}\n", "", "value", "standard error", "unit");
    for (const auto& p : found_parameters(run))
        out.print("{:>10} {:16.9g} {:>14}  {}\n", p.key, p.value, p.error ? fmt::format("{:.3g}", *p.error) : "fixed",
                  p.unit);
    out.print("misfit {:.4g} {} root mean square ({:.3g} % of the measured), condition {:.3g}\n", found.rms,
              run.by_force ? "m" : "N", 100 * found.relative_rms, found.condition);
    if (run.loops.size() > 1)
        for (const auto& l : run.loops)
            out.print("  {:30} {:.4g} % of the measured{}\n", l.file, 100 * l.law.relative_rms,
                      l.held_out ? " (held out)" : "");
    if (!found.entangled.empty())
        out.print("This loop cannot tell {} apart; hold some with --fix.\n", fmt::join(found.entangled, ", "));
    if (!found.converged) out.print("NOT CONVERGED: these are the values where the descent stopped.\n");
    return out;
}

io::Table table(const LawIdentified& run) {
    auto made = io::named_table({});
    std::vector<double> number, u, f, u_model, f_model;
    for (std::size_t k = 0; k < run.loops.size(); ++k) {
        const auto& l = run.loops[k];
        number.insert(number.end(), l.loop.size(), double(k + 1));
        u.insert(u.end(), l.loop.u.begin(), l.loop.u.end());
        f.insert(f.end(), l.loop.f.begin(), l.loop.f.end());
        const auto &x = run.by_force ? l.law.modelled : l.loop.u, &y = run.by_force ? l.loop.f : l.law.modelled;
        u_model.insert(u_model.end(), x.begin(), x.end());
        f_model.insert(f_model.end(), y.begin(), y.end());
    }
    if (run.loops.size() > 1) io::add_column(made, "loop", number);
    io::add_column(made, "u", u);
    io::add_column(made, "f", f);
    io::add_column(made, "u_model", u_model);
    io::add_column(made, "f_model", f_model);
    return made;
}

io::Figure figure(const LawIdentified& run) {
    io::Figure made{fmt::format("{} identified from {}", run.law, run.loops.front().file),
                    "",
                    loop_panels({&run}),
                    {{"parameter", "value", "standard error", "unit"}}};
    for (const auto& p : found_parameters(run))
        made.table.push_back(
            {p.key, fmt::format("{:.6g}", p.value), p.error ? fmt::format("{:.2g}", *p.error) : "fixed", p.unit});
    return made;
}

}  // namespace faying::results
