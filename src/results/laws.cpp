#include "faying/results/laws.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "text.hpp"

namespace faying::results {

namespace {

nlohmann::json law_entry(const laws::LawInfo& info) {
    nlohmann::json parameters = nlohmann::json::array();
    for (const auto& p : info.parameters) {
        nlohmann::json entry = {{"key", p.key},
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

void print_law(Text& out, const laws::LawInfo& info, bool every_parameter) {
    out.print("{:<28} {}  {}\n", info.key, info.title, info.source);
    std::size_t optional = 0;
    for (const auto& p : info.parameters) {
        if (p.fallback && !every_parameter && info.parameters.size() > 10) {
            ++optional;
            continue;
        }
        out.print("    {:<10} {:<12} {:<14} {}{}\n", p.key, p.unit.empty() ? "-" : p.unit, p.bounds.text(), p.meaning,
                  p.fallback && std::isfinite(*p.fallback) ? fmt::format(" (default {:g})", *p.fallback) : "");
    }
    if (optional > 0) out.print("    and {} optional ones: faying laws {}\n", optional, info.key);
}

}  // namespace

std::vector<laws::LawInfo> listed_laws() {
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

laws::LawInfo described_law(const std::string& key) {
    for (const auto& info : listed_laws())
        if (info.key == key) return info;
    return laws::find_law(key).info;
}

nlohmann::json json(const std::vector<laws::LawInfo>& laws) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& info : laws) list.push_back(law_entry(info));
    return {{"laws", list}};
}

std::string text(const std::vector<laws::LawInfo>& laws, bool every_parameter) {
    Text out;
    for (const auto& info : laws) print_law(out, info, every_parameter);
    if (!every_parameter) out.print("\nAny law takes +kp (a parallel spring); laws joined by + stand in parallel.\n");
    return out;
}

}  // namespace faying::results
