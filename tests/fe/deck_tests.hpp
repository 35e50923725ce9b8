#pragma once
// What the tests of decks share.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "source_dir.hpp"

namespace faying::tests {

inline std::string deck_path(const std::string& name) { return source_dir() + "/tests/fe/decks/" + name; }

/// A unit cube of one C3D8 with a material, to put other keywords behind. 21 lines.
inline const std::string cube =
    "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n"
    "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11,0.3\n*DENSITY\n7850\n"
    "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n"
    "*NSET, NSET=TOP\n5,6,7,8\n*ELSET, ELSET=ONE\n1\n";

/// The message of the refusal; "" when the deck is read.
inline std::string refusal(const std::string& text) {
    try {
        fe::parse_deck(text);
    } catch (const core::BadInput& error) {
        return error.what();
    }
    return "";
}

/// Labels of a node set.
inline std::vector<fe::Index> labels(const fe::Deck& deck, const std::string& set) {
    const fe::Index k = deck.node_sets.find(set);
    EXPECT_NE(k, fe::none) << set;
    std::vector<fe::Index> found;
    if (k != fe::none)
        for (fe::Index n : deck.node_sets[k].nodes) found.push_back(deck.nodes[static_cast<std::size_t>(n)].label);
    return found;
}

inline bool complains(const fe::Deck& deck, fe::Severity severity, const std::string& text) {
    for (const auto& c : deck.notes)
        if (c.severity == severity && c.text.find(text) != std::string::npos) return true;
    return false;
}

}  // namespace faying::tests
