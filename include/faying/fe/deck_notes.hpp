#pragma once
// What a run on a deck has to say besides its numbers: what was chosen, what was left out, what is loose.
//
//     const DeckNotes notes(deck, model.notes, model.untied, choices);
//     for (const auto& line : notes.lines()) ..                        // for people
//     result.update(notes.json());                                     // notes, choices, untied_slaves

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/fe/choices.hpp"

namespace faying::fe {

const char* name(Severity severity);
nlohmann::json json(const Deck& deck, const std::vector<UntiedSlave>& untied);
nlohmann::json json(const Deck& deck, const std::vector<Note>& notes);

class DeckNotes {
 public:
    DeckNotes() = default;
    /// Notes of the deck's reader and of its model, slaves that no master holds, choices with what the others
    /// would change; the same said in several places is said once.
    DeckNotes(const Deck& deck, const std::vector<Note>& model, const std::vector<UntiedSlave>& untied,
              const std::vector<Choice>& choices);
    void add(const std::string& text) { notes_.push_back({"note", "", text}); }

    nlohmann::json json() const;
    std::vector<std::string> lines() const;
    std::string text() const;  ///< "note: .." lines

 private:
    struct Entry {
        std::string severity, where, text;
        std::size_t count = 1;
    };
    struct Chosen {
        std::string where, text, instead;
        std::vector<double> change;
    };
    struct Untied {
        std::string tie, node;
        double distance, tolerance;
    };
    std::vector<Entry> notes_;
    std::vector<Chosen> choices_;
    std::vector<Untied> untied_;
};

}  // namespace faying::fe
