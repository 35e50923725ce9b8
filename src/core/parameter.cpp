#include "faying/core/parameter.hpp"

#include <fmt/format.h>

#include <cmath>

namespace faying::core {

bool Bounds::contains(double x) const {
    if (std::isnan(x)) return false;
    const bool above = lower_open ? x > lower : x >= lower;
    const bool below = upper_open ? x < upper : x <= upper;
    return above && below;
}

std::string Bounds::text() const {
    return fmt::format("{}{:g}, {:g}{}", lower_open ? '(' : '[', lower, upper, upper_open ? ')' : ']');
}

std::string number_text(double x) { return fmt::format("{:g}", x); }

namespace {
std::string keys_of(const std::vector<const ParameterInfo*>& table) {
    std::string keys;
    for (const auto* info : table) keys += (keys.empty() ? "" : " ") + info->key;
    return keys.empty() ? "none" : keys;
}
}  // namespace

std::vector<double> checked_values(std::string_view owner, const std::vector<const ParameterInfo*>& table,
                                   const ParameterValues& given) {
    for (const auto& [key, number] : given) {
        bool known = false;
        for (const auto* info : table) known = known || info->key == key;
        if (!known)
            throw BadInput(fmt::format("{}: unknown parameter '{}'; allowed are: {}", owner, key, keys_of(table)));
    }
    std::vector<double> values;
    values.reserve(table.size());
    for (const auto* info : table) {
        const auto found = given.find(info->key);
        if (found == given.end() && !info->fallback)
            throw BadInput(fmt::format("{}: parameter '{}' ({}{}{}) is missing; allowed range {}", owner, info->key,
                                       info->meaning, info->unit.empty() ? "" : ", ", info->unit, info->bounds.text()));
        const double x = found == given.end() ? *info->fallback : found->second;
        if (found != given.end() && (!std::isfinite(x) || !info->bounds.contains(x)))
            throw BadInput(
                fmt::format("{}: parameter '{}' = {:g} is outside {}", owner, info->key, x, info->bounds.text()));
        values.push_back(x);
    }
    return values;
}

}  // namespace faying::core
