// What decides the answer of a study.

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "faying/core/checksum.hpp"
#include "faying/study/study.hpp"
#include "inputs.hpp"

namespace faying::study {

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string digest(const std::string& content) {
    core::Checksum sum;
    sum.add(content);
    return fmt::format("fnv1a {:016x}, {} bytes", sum.value(), content.size());
}

nlohmann::json fingerprint(const Study& study) {
    nlohmann::json j;
    for (const auto& mode : study.setup.modes)
        j["modes"][fmt::format("mode {}", mode.number)] = {
            {"index", {mode.index, mode.full_index}}, {"fitted", mode.fitted},    {"zeta0", mode.zeta0},
            {"amplitude", mode.data.amplitude},       {"omega", mode.data.omega}, {"zeta", mode.data.zeta}};
    for (const auto& v : study.variants) {
        auto& e = j["variants"][v.name];
        e = {{"law", v.law},
             {"full", v.full},
             {"loops", v.framework == modes::Framework::loops},
             {"conservative", v.conservative},
             {"viscous", v.viscous},
             {"fixed", v.fixed}};
        if (v.analysis.epmc) e["epmc"] = {v.analysis.harmonics.orders(), v.analysis.samples};
        for (const auto& a : v.axes)
            e["search"][a.key] = {a.range.lower, a.range.upper, a.scale == core::Scale::logarithmic};
    }
    const auto of = [](const Search& s) -> nlohmann::json {
        return {{"method", name(s.method)},     {"seed", s.seed},     {"population", s.population},
                {"generations", s.generations}, {"pooled", s.pooled}, {"rays", s.rays},
                {"starts", s.starts},           {"tries", s.tries},   {"rounds", s.rounds},
                {"evaluations", s.evaluations}, {"front", s.front}};
    };
    j["search"] = of(study.search);
    j["search_full"] = of(study.search_full);
    for (const auto& [name, front] : study.starting_fronts) j["from"][name] = digest(nlohmann::json(front).dump());
    j["static"] = study.setup.loads;
    for (const auto& [name, path] : {std::pair{"whole", study.whole_path}, std::pair{"full", study.full_path}})
        j["structure"][name] = path.empty() ? "" : digest(content_of(path));
    return j;
}

}  // namespace faying::study
