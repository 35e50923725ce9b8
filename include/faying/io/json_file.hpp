#pragma once
// A JSON file, or JSON kept in a store, whose nesting is bounded: the values of a deep one would be copied, written and
// destroyed by functions that call themselves as often as it is deep.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "faying/core/error.hpp"
#include "faying/io/text_file.hpp"

namespace faying::io {

/// Throws core::BadInput naming `where` for what is not JSON.
inline nlohmann::json parse_json(const std::string& text, const std::string& where) {
    constexpr int deepest = 64;
    using json = nlohmann::json;
    const auto shallow = [&](int depth, json::parse_event_t, const json&) {
        if (depth > deepest)
            throw core::BadInput(where, fmt::format("is nested more than {} deep; nothing read here is", deepest));
        return true;
    };
    try {
        return json::parse(text, shallow);
    } catch (const json::exception& error) {
        throw core::BadInput(where, fmt::format("is not JSON: {}", error.what()));
    }
}

inline nlohmann::json read_json(const std::string& path) {
    return parse_json(read_text(path, {.size = 1'000'000'000, .line = 1'000'000'000}), path);
}

}  // namespace faying::io
