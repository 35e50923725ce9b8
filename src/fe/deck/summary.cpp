#include <cmath>

#include "faying/fe/deck_summary.hpp"

namespace faying::fe {

namespace {

struct Units {
    const char* name;
    double pascal;   ///< one unit of stress
    double density;  ///< one unit of density in kg/m3
};

constexpr Units systems[] = {
    {"SI: m, kg, s, N, Pa", 1.0, 1.0},
    {"mm, t, s, N, MPa", 1e6, 1e12},
    {"mm, kg, ms, kN, GPa", 1e9, 1e9},
    {"mm, kg, s, mN, kPa", 1e3, 1e9},
    {"mm, g, ms, N, MPa", 1e6, 1e6},
    {"inch, lbf s2/in, s, lbf, psi", 6894.757, 1.0686895e7},
    {"foot, slug, s, lbf, psf", 47.880259, 515.37882},
};

/// From foams and soft rubbers to ceramics and tungsten, in SI.
bool plausible_stiffness(double pascal) { return pascal > 5e8 && pascal < 1.3e12; }
bool plausible_density(double density) { return density > 500 && density < 25000; }

}  // namespace

std::string guess_units(std::optional<double> young, std::optional<double> density) {
    if (!young) return "";
    std::string name;
    double best = INFINITY;
    for (const auto& units : systems) {
        const double pascal = *young * units.pascal;
        if (!plausible_stiffness(pascal)) continue;
        if (density && !plausible_density(*density * units.density)) continue;
        // Metals first: the nearest to steel on a log scale, where two systems would do.
        const double off =
            std::abs(std::log(pascal / 2e11)) + (density ? std::abs(std::log(*density * units.density / 7800)) : 0.0);
        if (off < best) {
            best = off;
            name = units.name;
        }
    }
    return name;
}

DeckSummary summarize(const Deck& deck) {
    DeckSummary summary;
    for (const auto& type : deck.types) summary.types.push_back({type.name, 0, type.known && type.known->assembled_as});
    for (Index m = 0; m < deck.materials.size(); ++m) {
        MaterialUse use;
        use.material = m;
        if (deck.materials[m].density) use.mass = 0.0;
        summary.materials.push_back(use);
    }
    summary.box = bounding_box(deck);
    for (std::size_t e = 0; e < deck.elements.size(); ++e) {
        const Element& element = deck.elements[e];
        ++summary.types[static_cast<std::size_t>(element.type)].count;
        const ElementType* type = known_type(deck, element);
        if (type && type->family == Family::mass && element.section != none) {
            const auto& values = deck.sections[static_cast<std::size_t>(element.section)].values;
            if (!values.empty()) summary.mass += values[0];
            continue;
        }
        if (type && (type->family == Family::spring || type->family == Family::rigid)) continue;
        const auto volume = element_volume(deck, element);
        if (volume && type->family == Family::solid && !(*volume > 0) && summary.inside_out++ == 0)
            summary.first_inside_out = static_cast<Index>(e);
        const Index m = material_of(deck, element);
        if (!volume || m == none || !deck.materials[m].density) summary.mass_is_whole = false;
        if (!volume) continue;
        summary.volume += *volume;
        if (m == none) continue;
        auto& use = summary.materials[static_cast<std::size_t>(m)];
        ++use.elements;
        use.volume += *volume;
        if (!use.mass) continue;
        *use.mass += *volume * *deck.materials[m].density;
        summary.mass += *volume * *deck.materials[m].density;
    }
    for (const auto& material : deck.materials) {
        if (material.elastic.empty() || !summary.units.empty()) continue;
        summary.units = guess_units(material.elastic[0], material.density);
    }
    return summary;
}

}  // namespace faying::fe
