#include "faying/results/identify.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/files/loop.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/laws/expression.hpp"
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

/// A parameter of the law's table that has a value.
struct Found {
    std::string key, unit;
    double value;
    std::optional<double> error;  ///< none: it was held
};

std::vector<Found> found_parameters(const LawIdentified& run) {
    std::vector<Found> all;
    const auto &values = run.found.parameters, &errors = run.found.standard_errors;
    for (const auto& info : laws::expression_parameters(run.law))
        if (values.contains(info.key))
            all.push_back({info.key, info.unit, values.at(info.key),
                           errors.contains(info.key) ? std::optional(errors.at(info.key)) : std::nullopt});
    return all;
}

}  // namespace

LawIdentified identify_law(const std::string& file, const std::string& law, const fit::IdentifyOptions& options) {
    LawIdentified run{file, law, files::read_loop(file), {}, options.passes, false};
    run.found = fit::identify(run.loop, law, options);
    run.by_force = laws::Law(law, run.found.parameters).drive() == laws::Drive::force;
    return run;
}

void LawIdentified::require_converged() const {
    if (!found.converged)
        throw core::NotConverged(fmt::format("{}: {} did not settle in {} iterations; --iterations or --start may help",
                                             file, law, found.iterations),
                                 found.relative_rms);
}

nlohmann::json json(const LawIdentified& run) {
    const auto& found = run.found;
    nlohmann::json units = nlohmann::json::object(), fixed = nlohmann::json::array();
    for (const auto& p : found_parameters(run)) {
        units[p.key] = p.unit;
        if (!p.error) fixed.push_back(p.key);
    }
    return {{"law", run.law},
            {"file", run.file},
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
            {"points", run.loop.size()},
            {"iterations", found.iterations},
            {"converged", found.converged},
            {"driven_by", run.by_force ? "f" : "u"},
            {"modelled", found.modelled}};
}

std::string text(const LawIdentified& run) {
    const auto& found = run.found;
    Text out;
    out.print("{} from {} points of {}, followed {} ({})\n", run.law, run.loop.size(), run.file,
              past_text(found.memory), decision_text(found));
    out.print("{:>10} {:>16} {:>14}  {}\n", "", "value", "standard error", "unit");
    for (const auto& p : found_parameters(run))
        out.print("{:>10} {:16.9g} {:>14}  {}\n", p.key, p.value, p.error ? fmt::format("{:.3g}", *p.error) : "fixed",
                  p.unit);
    out.print("misfit {:.4g} {} root mean square ({:.3g} % of the measured), condition {:.3g}\n", found.rms,
              run.by_force ? "m" : "N", 100 * found.relative_rms, found.condition);
    if (!found.entangled.empty())
        out.print("This loop cannot tell {} apart; hold some with --fix.\n", fmt::join(found.entangled, ", "));
    if (!found.converged) out.print("NOT CONVERGED: these are the values where the descent stopped.\n");
    return out;
}

io::Table table(const LawIdentified& run) {
    return {{"u", "f", "u_model", "f_model"},
            {run.loop.u, run.loop.f, run.by_force ? run.found.modelled : run.loop.u,
             run.by_force ? run.loop.f : run.found.modelled}};
}

io::Figure figure(const LawIdentified& run) {
    const auto columns = table(run).columns;
    io::Figure made{fmt::format("{} identified from {}", run.law, run.file),
                    "",
                    {{"loop",
                      {"displacement u / m"},
                      {"force f / N"},
                      {{"measured", columns[0], columns[1]}, {run.law, columns[2], columns[3]}}}},
                    {{"parameter", "value", "standard error", "unit"}}};
    for (const auto& p : found_parameters(run))
        made.table.push_back(
            {p.key, fmt::format("{:.6g}", p.value), p.error ? fmt::format("{:.2g}", *p.error) : "fixed", p.unit});
    return made;
}

}  // namespace faying::results
