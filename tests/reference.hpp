#pragma once
// Independently computed numbers, kept in tests/reference/*.json.

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace faying::tests {

inline nlohmann::json reference(const std::string& name) {
    std::ifstream file(std::string(FAYING_SOURCE_DIR) + "/tests/reference/" + name + ".json");
    if (!file) throw std::runtime_error("no reference file " + name);
    return nlohmann::json::parse(file);
}

}  // namespace faying::tests

#define EXPECT_RELATIVE(got, want, tolerance) EXPECT_NEAR(got, want, (tolerance)*std::abs(want))
