#pragma once
// Independently computed numbers, kept in tests/reference/*.json.

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "relative.hpp"
#include "source_dir.hpp"

namespace faying::tests {

/// Read once and kept, so that a part of it may be looped over directly.
inline const nlohmann::json& reference(const std::string& name) {
    static std::map<std::string, nlohmann::json> read;
    const auto found = read.find(name);
    if (found != read.end()) return found->second;
    std::ifstream file(source_dir() + "/tests/reference/" + name + ".json");
    if (!file) throw std::runtime_error("no reference file " + name);
    return read.emplace(name, nlohmann::json::parse(file)).first->second;
}

/// A list (or table) of the reference that must have so many entries: a loop over it that sees none proves nothing.
inline const nlohmann::json& rows(const nlohmann::json& list, std::size_t count) {
    if (list.size() != count)
        throw std::runtime_error("the reference has " + std::to_string(list.size()) + " rows where the test knows " +
                                 std::to_string(count));
    return list;
}

}  // namespace faying::tests
