#include "faying/laws/expression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faying/laws/catalogue.hpp"
#include "faying/laws/polynomial.hpp"

namespace faying::laws {

std::vector<std::vector<std::string>> named_apart(const std::vector<std::vector<std::string>>& keys) {
    auto named = keys;
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (auto& key : named[i]) {
            std::ptrdiff_t holders = 0;
            for (const auto& part : keys) holders += std::count(part.begin(), part.end(), key);
            if (holders > 1) key = fmt::format("{}.{}", i + 1, key);
        }
    return named;
}

std::vector<ExpressionPart> parts_of(const std::string& name, int components) {
    static const LawEntry spring = entry_of<Spring<>>();
    std::vector<ExpressionPart> parts;
    if (components > 1) {
        parts.push_back({&find_law(name, components), {}});
    } else {
        for (std::size_t from = 0; from <= name.size();) {
            const std::size_t plus = std::min(name.find('+', from), name.size());
            const std::string key = name.substr(from, plus - from);
            parts.push_back({key == Spring<>::key && from > 0 ? &spring : &find_law(key), {}});
            from = plus + 1;
        }
    }
    std::vector<std::vector<std::string>> keys;
    for (auto& part : parts) {
        if (parts.size() > 1 && part.law->info.drive == Drive::force)
            throw core::BadInput(part.law->info.key,
                                 "is driven by force and cannot stand in parallel with another law");
        part.parameters = part.law->info.parameters;
        auto& of_part = keys.emplace_back();
        for (const auto& p : part.parameters) of_part.push_back(p.key);
    }
    const auto named = named_apart(keys);
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t k = 0; k < named[i].size(); ++k) parts[i].parameters[k].key = named[i][k];
    return parts;
}

std::vector<core::ParameterInfo> expression_parameters(const std::string& name, int components) {
    std::vector<core::ParameterInfo> all;
    for (const auto& part : parts_of(name, components))
        all.insert(all.end(), part.parameters.begin(), part.parameters.end());
    return all;
}

}  // namespace faying::laws
