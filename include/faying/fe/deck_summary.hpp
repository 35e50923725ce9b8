#pragma once
// What is in a deck, counted: for `faying deck show`, and for checks after assembly.

#include <optional>
#include <string>
#include <vector>

#include "faying/fe/deck.hpp"
#include "faying/fe/deck_geometry.hpp"

namespace faying::fe {

struct TypeCount {
    std::string name;
    Index count = 0;
    bool assembled = false;
};

struct MaterialUse {
    Index material = none;
    Index elements = 0;
    double volume = 0.0;
    std::optional<double> mass;  ///< nothing without a density
};

struct DeckSummary {
    std::vector<TypeCount> types;
    std::vector<MaterialUse> materials;  ///< in the order of Deck::materials
    Box box;
    double volume = 0.0;
    double mass = 0.0;          ///< solids, plane elements, shells of one layer, point masses
    bool mass_is_whole = true;  ///< no element was left out for want of a density or a volume
    Index inside_out = 0;       ///< solids whose volume is not positive
    Index first_inside_out = none;
    std::string units;  ///< "" when there is nothing to tell from
};

DeckSummary summarize(const Deck& deck);

/// From Young's modulus and density: which system of units makes this an engineering material. "" when none does.
std::string guess_units(std::optional<double> young, std::optional<double> density);

}  // namespace faying::fe
