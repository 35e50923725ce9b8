// Several laws from the same loops, side by side.

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/laws/expression.hpp"
#include "identify_parts.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

/// The options without what is of other laws; `had` collects the keys that are some law's.
fit::IdentifyOptions options_of(const std::string& law, const fit::IdentifyOptions& all,
                                std::vector<std::string>& had) {
    fit::IdentifyOptions mine = all;
    std::vector<std::string> keys;
    for (const auto& info : laws::expression_parameters(law)) keys.push_back(info.key);
    const auto has = [&](const std::string& key) {
        const bool found = std::find(keys.begin(), keys.end(), key) != keys.end();
        if (found) had.push_back(key);
        return found;
    };
    std::erase_if(mine.fixed, [&](const auto& entry) { return !has(entry.first); });
    std::erase_if(mine.start, [&](const auto& entry) { return !has(entry.first); });
    std::erase_if(mine.free, [&](const auto& key) { return !has(key); });
    return mine;
}

void check_some_law_has(const fit::IdentifyOptions& options, const std::vector<std::string>& had) {
    std::vector<std::string> asked = options.free;
    for (const auto& [key, value] : options.fixed) asked.push_back(key);
    for (const auto& [key, value] : options.start) asked.push_back(key);
    for (const auto& key : asked)
        if (std::find(had.begin(), had.end(), key) == had.end())
            throw core::BadInput("identify", fmt::format("'{}' is a parameter of none of the laws compared", key));
}

/// Smaller is better; those without an answer are worst.
double rank_of(const LawIdentified& run) {
    if (!run.problem.empty()) return core::infinity;
    return run.held_out_rms().value_or(run.found.bic);
}

std::string percent(const std::optional<double>& x) { return x ? fmt::format("{:.4g}", 100 * *x) : "-"; }

std::string followed_word(const LawIdentified& run) { return std::string(name(run.found.memory)); }

std::size_t free_count(const LawIdentified& run) { return run.found.standard_errors.size(); }

}  // namespace

LawsCompared compare_laws(const IdentifyRequest& request) {
    const auto loops = read_loops(request);
    LawsCompared run;
    run.any_held_out = !request.held_out.empty();
    std::vector<std::string> had;
    std::vector<fit::IdentifyOptions> options;
    for (const auto& law : request.laws) options.push_back(options_of(law, request.options, had));
    check_some_law_has(request.options, had);
    for (std::size_t k = 0; k < request.laws.size(); ++k) {
        if (const auto& share = request.options.progress)
            options[k].progress = [&, k](double part) { share((double(k) + part) / double(request.laws.size())); };
        try {
            run.laws.push_back(identified(request.laws[k], loops, options[k]));
        } catch (const core::NotConverged& error) {
            run.laws.push_back({.law = request.laws[k], .found = {}, .loops = loops, .problem = error.what()});
        }
    }
    std::stable_sort(run.laws.begin(), run.laws.end(),
                     [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
    return run;
}

void LawsCompared::require_converged() const {
    for (const auto& law : laws) law.require_converged();
}

nlohmann::json json(const LawsCompared& run) {
    nlohmann::json compared = nlohmann::json::array();
    for (const auto& law : run.laws) {
        nlohmann::json one = law.problem.empty() ? json(law) : nlohmann::json{{"law", law.law}};
        one["problem"] = law.problem.empty() ? nlohmann::json() : nlohmann::json(law.problem);
        compared.push_back(std::move(one));
    }
    return {{"ranked_by", run.any_held_out ? "held_out_relative_rms" : "bic"}, {"compared", compared}};
}

io::Table table(const LawsCompared& run) {
    auto made = io::named_table({});
    std::vector<double> number, u, f;
    const auto& loops = run.laws.front().loops;
    for (std::size_t k = 0; k < loops.size(); ++k) {
        number.insert(number.end(), loops[k].loop.size(), double(k + 1));
        u.insert(u.end(), loops[k].loop.u.begin(), loops[k].loop.u.end());
        f.insert(f.end(), loops[k].loop.f.begin(), loops[k].loop.f.end());
    }
    io::add_column(made, "loop", number);
    io::add_column(made, "u", u);
    io::add_column(made, "f", f);
    for (const auto& law : run.laws) {
        if (!law.problem.empty()) continue;
        std::vector<double> all;
        for (const auto& l : law.loops) all.insert(all.end(), l.law.modelled.begin(), l.law.modelled.end());
        io::add_column(made, (law.by_force ? "u " : "f ") + law.law, all);
    }
    return made;
}

io::Figure figure(const LawsCompared& run) {
    std::vector<const LawIdentified*> shown;
    io::Figure made{"Laws identified from " + run.laws.front().loops.front().file,
                    run.any_held_out ? "best first by the error of the loops held out" : "best first by BIC",
                    {},
                    {{"law", "parameters", "rms %", "held-out rms %", "AIC", "BIC", "values"}}};
    for (const auto& law : run.laws) {
        if (!law.problem.empty()) {
            made.table.push_back({law.law, law.problem, "", "", "", "", ""});
            continue;
        }
        shown.push_back(&law);
        std::vector<std::string> values;
        for (const auto& p : found_parameters(law))
            values.push_back(fmt::format("{} = {:.4g}{}", p.key, p.value,
                                         p.error ? fmt::format(" +- {:.2g}", *p.error) : " (fixed)"));
        made.table.push_back({law.law, fmt::format("{}", free_count(law)), percent(law.found.relative_rms),
                              percent(law.held_out_rms()), fmt::format("{:.1f}", law.found.aic),
                              fmt::format("{:.1f}", law.found.bic), fmt::format("{}", fmt::join(values, ", "))});
    }
    if (!shown.empty()) made.panels = loop_panels(shown);
    return made;
}

std::string text(const LawsCompared& run) {
    Text out;
    out.print("{:28} {:>10} {:>10} {:>12} {:>12} {:>12} {:>8}\n",
              run.any_held_out ? "law, best first (held out)" : "law, best first (BIC)", "parameters", "rms/%",
              "held-out/%", "AIC", "BIC", "past");
    for (const auto& law : run.laws) {
        if (!law.problem.empty()) {
            out.print("{:28} {}\n", law.law, law.problem);
            continue;
        }
        out.print("{:28} {:10} {:>10} {:>12} {:12.1f} {:12.1f} {:>8}{}\n", law.law, free_count(law),
                  percent(law.found.relative_rms), percent(law.held_out_rms()), law.found.aic, law.found.bic,
                  followed_word(law), law.found.converged ? "" : "  NOT CONVERGED");
    }
    for (const auto& law : run.laws) {
        if (!law.problem.empty()) continue;
        out.print("\n{}\n", law.law);
        for (const auto& p : found_parameters(law))
            out.print("  {:>10} {:16.9g} {:>14}  {}\n", p.key, p.value,
                      p.error ? fmt::format("+- {:.3g}", *p.error) : "fixed", p.unit);
        if (!law.found.entangled.empty())
            out.print("  these loops cannot tell {} apart\n", fmt::join(law.found.entangled, ", "));
    }
    return out;
}

}  // namespace faying::results
