// faying laws: what is in the catalogue.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/laws/catalogue.hpp"

namespace faying::app {

namespace {

nlohmann::json describe(const laws::LawInfo& info) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (const auto& p : info.parameters) {
        nlohmann::ordered_json entry = {{"key", p.key},
                                        {"symbol", p.symbol},
                                        {"unit", p.unit},
                                        {"range", p.bounds.text()},
                                        {"scale", p.scale == core::Scale::logarithmic ? "log" : "linear"},
                                        {"meaning", p.meaning},
                                        {"required", !p.fallback.has_value()}};
        if (p.fallback && std::isfinite(*p.fallback)) entry["default"] = *p.fallback;
        parameters.push_back(entry);
    }
    return {{"key", info.key},
            {"title", info.title},
            {"source", info.source},
            {"displacements", info.components},
            {"driven_by", info.drive == laws::Drive::force ? "force" : "displacement"},
            {"masing", info.claims.masing},
            {"return_point_memory", info.claims.return_point},
            {"odd", info.claims.odd},
            {"parameters", parameters}};
}

void print(const laws::LawInfo& info, bool every_parameter) {
    fmt::print("{:<28} {}  {}\n", info.key, info.title, info.source);
    std::size_t optional = 0;
    for (const auto& p : info.parameters) {
        if (p.fallback && !every_parameter && info.parameters.size() > 10) {
            ++optional;
            continue;
        }
        fmt::print("    {:<10} {:<12} {:<14} {}{}\n", p.key, p.unit.empty() ? "-" : p.unit, p.bounds.text(), p.meaning,
                   p.fallback && std::isfinite(*p.fallback) ? fmt::format(" (default {:g})", *p.fallback) : "");
    }
    if (optional > 0) fmt::print("    and {} optional ones: faying laws {}\n", optional, info.key);
}

/// A contact law that can be moved along a line is listed as such.
std::vector<laws::LawInfo> listed() {
    std::vector<laws::LawInfo> all;
    const auto entries = laws::catalogue();
    for (const auto& entry : entries) {
        const bool along_line = std::any_of(entries.begin(), entries.end(), [&](const auto& other) {
            return other.info.components == 1 && other.info.key == entry.info.key;
        });
        if (entry.info.components == 1 || !along_line) all.push_back(entry.info);
    }
    return all;
}

laws::LawInfo found(const std::string& key) {
    for (const auto& info : listed())
        if (info.key == key) return info;
    return laws::find_law(key).info;
}

}  // namespace

void add_laws(CLI::App& app) {
    struct Options {
        Common common;
        std::string key;
    };
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("laws", "List the hysteresis laws, their parameters, units and ranges");
    command->footer("Example:\n  faying laws iwan4");
    command->add_option("law", options->key, "only this law, with every parameter");
    add_common(*command, options->common);
    command->callback([options] {
        std::vector<laws::LawInfo> chosen;
        if (!options->key.empty())
            chosen.push_back(found(options->key));
        else
            chosen = listed();
        nlohmann::json result = nlohmann::json::array();
        for (const auto& info : chosen) result.push_back(describe(info));
        options->common.report("laws", {{"laws", result}}, [&] {
            for (const auto& info : chosen) print(info, !options->key.empty());
            if (options->key.empty())
                fmt::print("\nAny law takes +kp (a parallel spring); laws joined by + stand in parallel.\n");
        });
    });
}

}  // namespace faying::app
