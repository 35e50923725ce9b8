#include "faying/fe/element_choice.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::fe {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool averages(ElementKind kind) { return kind == ElementKind::C3D8 || kind == ElementKind::CPE4; }

/// Everything that elements of this kind may be taken as.
std::string allowed(const ElementTraits& from) {
    std::string list;
    const auto add = [&](std::string_view word) { list += (list.empty() ? "" : ", ") + std::string(word); };
    for (const auto& t : all_element_kinds())
        if (t.shape == from.shape && t.stress == from.stress && t.kind != from.kind) add(t.name);
    if (from.formulation == Formulation::mean_strain)
        for (const char* word : {"stiffness", "enhanced"}) add(word);
    if (averages(from.kind))
        for (const char* word : {"full", "averaged"}) add(word);
    return list.empty() ? "nothing else" : list;
}

}  // namespace

ElementChoice element_choice(std::string_view text, const std::string& where) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos)
        throw core::BadInput(where, fmt::format("element '{}' is not of the form TYPE=FORMULATION, such as C3D8R=C3D8I "
                                                "or C3D8R=enhanced",
                                                text));
    const std::string_view left = trimmed(text.substr(0, equals)), right = trimmed(text.substr(equals + 1));
    const auto from = element_kind(left);
    if (!from) throw core::BadInput(where, fmt::format("element '{}': '{}' is no type that is assembled", text, left));
    const ElementTraits& t = traits(*from);
    ElementChoice choice{*from, *from, {}, {}, fmt::format("{}={}", left, right)};
    if (const auto to = element_kind(right);
        to && *to != *from && traits(*to).shape == t.shape && traits(*to).stress == t.stress)
        choice.to = *to;
    else if (t.formulation == Formulation::mean_strain && (right == "stiffness" || right == "enhanced"))
        choice.hourglass = right == "stiffness" ? Hourglass::stiffness : Hourglass::enhanced;
    else if (averages(*from) && (right == "full" || right == "averaged"))
        choice.dilatation = right == "full" ? Dilatation::full : Dilatation::averaged;
    else
        throw core::BadInput(where, fmt::format("element '{}': {} cannot be taken as '{}'; allowed are {}", text,
                                                t.name, right, allowed(t)));
    return choice;
}

}  // namespace faying::fe
