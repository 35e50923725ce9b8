// Where least squares begins: what each law of an expression makes of the loop.

#include <algorithm>

#include "faying/fit/identify.hpp"
#include "faying/laws/expression.hpp"

namespace faying::fit {

namespace {

using Values = core::ParameterValues;

/// A law that makes nothing of a loop starts from its specimen and its defaults.
std::vector<Values> starts_of_part(const laws::LawEntry& law, const LoopFeatures& seen, const Values& known) {
    if (law.starts) return law.starts(seen, known);
    Values values;
    if (!law.specimens.empty())
        for (std::size_t i = 0; i < law.specimens.front().values.size(); ++i)
            if (const auto& p = law.info.parameters[i]; !p.fallback) values[p.key] = law.specimens.front().values[i];
    return {values};
}

}  // namespace

std::vector<Values> suggested_starts(const std::string& law, const LoopFeatures& seen, const Values& known) {
    const auto parts = laws::parts_of(law);
    std::vector<Values> all{{}};
    LoopFeatures share = seen;
    if (parts.size() > 1) {
        // Springs beside take the slip stiffness; several friction laws share the force.
        const auto springs =
            std::count_if(parts.begin(), parts.end(), [](const auto& p) { return p.law->info.claims.elastic; });
        const double others = double(std::max<long>(1, long(parts.size()) - springs));
        if (springs > 0) {
            share.force = std::max(seen.force - seen.slip_stiffness * seen.amplitude, 0.1 * seen.force) / others;
            share.stiffness = seen.sticking_stiffness() / others;
        }
        share.slip_force = seen.slip_force / others;
    }
    for (const auto& part : parts) {
        const auto& table = part.law->info.parameters;  // the law's names; part.parameters are the expression's
        Values known_here;
        for (std::size_t i = 0; i < table.size(); ++i)
            if (known.contains(part.parameters[i].key)) known_here[table[i].key] = known.at(part.parameters[i].key);
        const bool beside = part.law->info.key == "kp";  // it sees the whole loop
        std::vector<Values> extended;
        for (const auto& before : all)
            for (const auto& values : starts_of_part(*part.law, beside ? seen : share, known_here)) {
                Values start = before;
                for (std::size_t i = 0; i < table.size(); ++i)
                    if (values.contains(table[i].key)) start[part.parameters[i].key] = values.at(table[i].key);
                if (std::find(extended.begin(), extended.end(), start) == extended.end()) extended.push_back(start);
            }
        all = std::move(extended);
    }
    return all;
}

}  // namespace faying::fit
