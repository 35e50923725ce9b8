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

}  // namespace faying::tests
