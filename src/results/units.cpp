#include "units.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace faying::results {

namespace {

constexpr double standard_gravity = 9.80665, inch = 0.0254, pound_force = 4.4482216152605;

struct Scale {
    const char* name;
    double si;
};
constexpr std::array lengths{Scale{"m", 1},     Scale{"mm", 1e-3},   Scale{"um", 1e-6},      Scale{"nm", 1e-9},
                             Scale{"in", inch}, Scale{"inch", inch}, Scale{"ft", 12 * inch}, Scale{"cm", 1e-2}};
constexpr std::array forces{Scale{"N", 1}, Scale{"kN", 1e3}, Scale{"mN", 1e-3}, Scale{"lbf", pound_force},
                            Scale{"lb", pound_force}};

/// Without blanks and brackets, micro as u, powers as ^2.
std::string plain(std::string text) {
    const auto replace = [&](const std::string& from, const std::string& to) {
        for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    };
    std::erase_if(text, [](char c) { return c == ' ' || c == '(' || c == ')' || c == '[' || c == ']'; });
    for (const char* micro : {"\u00b5", "\u03bc"}) replace(micro, "u");
    replace("\u00b2", "^2");
    replace("**", "^");
    replace("s/s", "s^2");
    replace("sec", "s");
    if (text.ends_with("s2")) text.insert(text.size() - 1, "^");
    return text;
}

}  // namespace

std::optional<MeasuredUnit> measured_unit(const std::string& given) {
    using signal::Quantity;
    const std::string text = plain(given);
    if (text == "g" || text == "G" || text == "gn" || text == "g_n")
        return MeasuredUnit{Quantity::acceleration, false, standard_gravity};
    for (const auto& [name, si] : forces)
        if (text == name) return MeasuredUnit{{}, true, si};
    for (const auto& [name, si] : lengths) {
        if (text == name) return MeasuredUnit{Quantity::displacement, false, si};
        if (text == std::string(name) + "/s") return MeasuredUnit{Quantity::velocity, false, si};
        if (text == std::string(name) + "/s^2") return MeasuredUnit{Quantity::acceleration, false, si};
    }
    return {};
}

}  // namespace faying::results
