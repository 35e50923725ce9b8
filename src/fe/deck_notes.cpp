#include "faying/fe/deck_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace faying::fe {

namespace {

/// "+3.1 %, +2.9 %"; what is nothing but round-off is 0.
std::string in_percent(const std::vector<double>& change) {
    std::string text;
    for (double x : change) {
        const double p = std::abs(x) < 5e-6 ? 0.0 : 100 * x;
        text += fmt::format("{}{:+.2g} %", text.empty() ? "" : ", ", p);
    }
    return text;
}

}  // namespace

const char* name(Severity severity) {
    switch (severity) {
        case Severity::note: return "note";
        case Severity::kept: return "kept";
        case Severity::physics: return "physics";
    }
    return "";
}

DeckNotes::DeckNotes(const Deck& deck, const std::vector<Note>& model, const std::vector<UntiedSlave>& untied,
                     const std::vector<Choice>& choices) {
    for (const auto* list : {&deck.notes, &model})
        for (const auto& c : *list) {
            Entry note{name(c.severity), deck.where(c.at), c.text};
            const auto same = std::find_if(notes_.begin(), notes_.end(), [&](const Entry& n) {
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
            {deck.ties[static_cast<std::size_t>(u.tie)].name, node_name(deck, u.node), u.distance, u.tolerance});
}

nlohmann::json DeckNotes::json() const {
    nlohmann::json notes = nlohmann::json::array(), choices = notes, untied = notes;
    for (const auto& n : notes_)
        notes.push_back({{"severity", n.severity}, {"where", n.where}, {"text", n.text}, {"count", n.count}});
    for (const auto& c : choices_)
        choices.push_back(
            {{"where", c.where}, {"text", c.text}, {"instead", c.instead}, {"frequency_change", c.change}});
    for (const auto& u : untied_)
        untied.push_back({{"tie", u.tie}, {"node", u.node}, {"distance", u.distance}, {"tolerance", u.tolerance}});
    return {{"notes", notes}, {"choices", choices}, {"untied_slaves", untied}};
}

nlohmann::json json(const Deck& deck, const std::vector<UntiedSlave>& untied) {
    return DeckNotes(deck, {}, untied, {}).json().at("untied_slaves");
}

nlohmann::json json(const Deck& deck, const std::vector<Note>& notes) {
    auto list = nlohmann::json::array();
    for (const auto& c : notes)
        list.push_back({{"severity", name(c.severity)}, {"where", deck.where(c.at)}, {"text", c.text}});
    return list;
}

std::vector<std::string> DeckNotes::lines() const {
    constexpr std::size_t shown = 20;
    std::vector<std::string> all;
    for (const auto& c : choices_)
        all.push_back(fmt::format("{}: {}{}", c.where, c.text,
                                  c.change.empty() ? fmt::format("; {} has it the other way", c.instead)
                                                   : fmt::format("; {} would change the first frequencies by about {}",
                                                                 c.instead, in_percent(c.change))));
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

std::string DeckNotes::text() const {
    std::string all;
    for (const auto& line : lines()) all += fmt::format("note: {}\n", line);
    return all;
}

}  // namespace faying::fe
