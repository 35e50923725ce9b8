#pragma once
// What a run on a deck has to say besides its numbers: what was chosen, what was left out, what is loose.

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/fe/choices.hpp"

namespace faying::app {

class DeckNotes {
 public:
    /// Complaints of the deck's reader and of its model, slaves that no master holds, choices with what the others
    /// would change; the same said in several places is said once.
    DeckNotes(const fe::Deck& deck, const std::vector<fe::Complaint>& model, const std::vector<fe::UntiedSlave>& untied,
              const std::vector<fe::Choice>& choices);
    void add(const std::string& text);

    /// Puts "notes", "choices" and "untied_slaves" into a result.
    void put(nlohmann::ordered_json& result) const;
    /// Part of the text a person reads.
    void print() const;
    /// On standard error too, for whoever keeps only the result; not on a terminal that shows the text anyway.
    void say(bool json) const;

 private:
    struct Note {
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
    std::vector<Note> notes_;
    std::vector<Chosen> choices_;
    std::vector<Untied> untied_;

    std::vector<std::string> lines() const;
};

const char* word(fe::Severity severity);

}  // namespace faying::app
