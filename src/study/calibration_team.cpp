#include "calibration_team.hpp"

#include <nlohmann/json.hpp>

#include "calibration_store.hpp"
#include "faying/sparse/ranks.hpp"
#include "messages.hpp"

namespace faying::study {

namespace {

nlohmann::json said(const std::vector<fit::Chain>& chains, const std::vector<bool>& speaks, bool stopped) {
    nlohmann::json j{{"stopped", stopped}, {"chains", nlohmann::json::object()}};
    for (std::size_t c = 0; c < chains.size(); ++c)
        if (speaks[c]) j["chains"][std::to_string(c)] = chain_text(chains[c]);
    return j;
}

bool heard(const nlohmann::json& j, std::vector<fit::Chain>& chains) {
    for (const auto& [number, text] : j.at("chains").items())
        chains[std::size_t(std::stoul(number))] = chain_from(text.get<std::string>());
    return j.at("stopped").get<bool>();
}

/// To rank 0 and from there to all.
bool share(std::vector<fit::Chain>& chains, const std::vector<bool>& speaks, bool stopped) {
    Messages messages;
    Patience patience;
    const auto wait_for = [&](int count, const auto& take) {
        while (count > 0) {
            const bool came = messages.collect([&](const std::string& text) {
                take(nlohmann::json::parse(text));
                --count;
            });
            patience.sleep(came, false);
        }
    };
    if (sparse::rank() != 0) {
        messages.send(0, said(chains, speaks, stopped).dump());
        wait_for(1, [&](const nlohmann::json& all) { stopped = heard(all, chains); });
        return stopped;
    }
    wait_for(sparse::ranks() - 1, [&](const nlohmann::json& theirs) { stopped = heard(theirs, chains) || stopped; });
    const std::string all = said(chains, std::vector<bool>(chains.size(), true), stopped).dump();
    for (int r = 1; r < sparse::ranks(); ++r) messages.send(r, all);
    return stopped;
}

}  // namespace

fit::Team calibration_team() {
    if (!sparse::launched() || sparse::ranks() == 1) return {};
    return {sparse::rank(), sparse::ranks(), share};
}

}  // namespace faying::study
