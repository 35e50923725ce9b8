#include "deck_notes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "faying/core/progress.hpp"

namespace faying::app {

namespace {

/// "+3.1 %, +2.9 %"; what is nothing but round-off is 0.
std::string percent(const std::vector<double>& change) {
    std::string text;
    for (double x : change) {
        const double p = std::abs(x) < 5e-6 ? 0.0 : 100 * x;
        text += fmt::format("{}{:+.2g} %", text.empty() ? "" : ", ", p);
    }
    return text;
}

}  // namespace

const char* word(fe::Severity severity) {
    switch (severity) {
        case fe::Severity::note: return "note";
        case fe::Severity::kept: return "kept";
        case fe::Severity::physics: return "physics";
    }
    return "";
}

DeckNotes::DeckNotes(const fe::Deck& deck, const std::vector<fe::Complaint>& model,
                     const std::vector<fe::UntiedSlave>& untied, const std::vector<fe::Choice>& choices) {
    for (const auto* list : {&deck.complaints, &model})
        for (const auto& c : *list) {
            Note note{word(c.severity), deck.where(c.at), c.text};
            const auto same = std::find_if(notes_.begin(), notes_.end(), [&](const Note& n) {
                return n.text == note.text && n.where == note.where && n.severity == note.severity;
            });
            if (same == notes_.end())
                notes_.push_back(std::move(note));
            else
                ++same->count;
        }
    for (const auto& c : choices)
        choices_.push_back(
            {deck.where(c.at), c.text, c.instead, {c.frequency_change.begin(), c.frequency_change.end()}});
    for (const auto& u : untied)
        untied_.push_back(
            {deck.ties[static_cast<std::size_t>(u.tie)].name, fe::node_name(deck, u.node), u.distance, u.tolerance});
}

void DeckNotes::add(const std::string& text) { notes_.push_back({"note", "", text}); }

void DeckNotes::put(nlohmann::ordered_json& result) const {
    auto &notes = result["notes"], &choices = result["choices"], &untied = result["untied_slaves"];
    notes = choices = untied = nlohmann::ordered_json::array();
    for (const auto& n : notes_)
        notes.push_back({{"severity", n.severity}, {"where", n.where}, {"text", n.text}, {"count", n.count}});
    for (const auto& c : choices_)
        choices.push_back(
            {{"where", c.where}, {"text", c.text}, {"instead", c.instead}, {"frequency_change", c.change}});
    for (const auto& u : untied_)
        untied.push_back({{"tie", u.tie}, {"node", u.node}, {"distance", u.distance}, {"tolerance", u.tolerance}});
}

std::vector<std::string> DeckNotes::lines() const {
    constexpr std::size_t shown = 20;
    std::vector<std::string> all;
    for (const auto& c : choices_)
        all.push_back(fmt::format("{}: {}{}", c.where, c.text,
                                  c.change.empty() ? fmt::format("; {} has it the other way", c.instead)
                                                   : fmt::format("; {} would change the first frequencies by about {}",
                                                                 c.instead, percent(c.change))));
    std::size_t said = 0, kept = 0, left = 0;
    for (const auto& n : notes_) {
        if (n.severity == "kept")
            kept += n.count;
        else if (said++ < shown)
            all.push_back(fmt::format("{}{}{}{}", n.where, n.where.empty() ? "" : ": ", n.text,
                                      n.count > 1 ? fmt::format(" ({} times)", n.count) : ""));
        else
            ++left;
    }
    if (left > 0) all.push_back(fmt::format("and {} more notes; --json lists them all", left));
    if (kept > 0)
        all.push_back(
            fmt::format("{} keywords that change no mass and no stiffness are not used; --json lists them", kept));
    if (!untied_.empty()) {
        const auto& u = untied_[0];
        all.push_back(
            fmt::format("{} tie slaves have no master and stay free, the first node {} of tie {}: {:.4g} away, "
                        "{:.4g} is allowed",
                        untied_.size(), u.node, u.tie, u.distance, u.tolerance));
    }
    return all;
}

void DeckNotes::print() const {
    for (const auto& line : lines()) fmt::print("note: {}\n", line);
}

void DeckNotes::say(bool json) const {
    if (!json && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO)) return;
    for (const auto& line : lines()) core::tell(fmt::format("faying: note: {}\n", line));
}

}  // namespace faying::app
