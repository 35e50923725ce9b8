#include "starting_fronts.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/io/json_file.hpp"
#include "faying/study/store.hpp"
#include "stored_result.hpp"

namespace faying::study {

using core::BadInput;
using nlohmann::json;

namespace {

json parsed(const Store& store, const std::string& key) {
    const auto text = store.text(key);
    return text ? io::parse_json(*text, fmt::format("{}: '{}' in it", store.path(), key)) : json();
}

/// Where each axis stands among the parameters that the earlier study had.
std::vector<std::size_t> places(const Variant& v, const json& earlier, const std::string& path) {
    std::vector<std::string> had, has;
    for (const auto& p : earlier.at("parameters")) had.push_back(p.at("key"));
    for (const auto& axis : v.axes) has.push_back(axis.key);
    std::vector<std::size_t> at;
    for (const auto& key : has) {
        const auto found = std::find(had.begin(), had.end(), key);
        if (found == had.end())
            throw BadInput(path, fmt::format("variant '{}' was searched in {} there and is in {} here", v.name,
                                             fmt::join(had, ", "), fmt::join(has, ", ")));
        at.push_back(std::size_t(found - had.begin()));
    }
    return at;
}

}  // namespace

std::map<std::string, std::vector<std::vector<double>>> read_starting_fronts(const std::string& path,
                                                                             const std::vector<Variant>& variants) {
    const Store store(path, Access::read);
    std::map<std::string, std::vector<std::vector<double>>> fronts;
    std::vector<std::string> finished;
    const json head = parsed(store, head_key);
    if (head.is_null()) throw BadInput(path, "is the store of no study");
    for (const auto& earlier : head.at("variants")) {
        const std::string name = earlier.at("name");
        const json result = parsed(store, result_key(name));
        if (result.is_null() || result.at("front").empty()) continue;
        finished.push_back(name);
        const auto v = std::find_if(variants.begin(), variants.end(), [&](const auto& w) { return w.name == name; });
        if (v == variants.end()) continue;
        const auto at = places(*v, earlier, path);
        for (const auto& point : result.at("front")) {
            auto& values = fronts[name].emplace_back();
            for (const std::size_t i : at) values.push_back(point.at("x").at(i));
        }
    }
    if (fronts.empty())
        throw BadInput(path, fmt::format("has no front of any variant of this study; it has those of: {}",
                                         finished.empty() ? "none" : fmt::format("{}", fmt::join(finished, ", "))));
    return fronts;
}

}  // namespace faying::study
