#pragma once
// Reads decks in the Abaqus input language, which CalculiX shares, as people write them.
//
//     const fe::Deck deck = fe::read_deck("beam.inp");
//     for (const auto& c : deck.notes) fmt::print("{}: {}\n", deck.where(c.at), c.text);
//
// What makes no sense is refused: core::BadInput, "beam.inp:12: what is wrong, what is allowed". What is sense but not
// read is kept word for word and listed in Deck::notes with how much it matters; nothing is dropped without a
// word.

#include <functional>
#include <optional>
#include <string>

#include "faying/fe/deck.hpp"

namespace faying::fe {

/// The text of a file, or nothing when it cannot be read.
using FileLoader = std::function<std::optional<std::string>(const std::string& path)>;

Deck read_deck(const std::string& path);

/// The same with files from elsewhere: tests, archives. `path` itself is loaded first, then what it includes.
Deck read_deck(const std::string& path, const FileLoader& load);

/// A deck in memory; it cannot include files.
Deck parse_deck(std::string text, const std::string& name = "deck");

}  // namespace faying::fe
