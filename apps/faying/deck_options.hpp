#pragma once
// What commands on decks share.

#include <unistd.h>

#include "command.hpp"
#include "faying/core/progress.hpp"
#include "faying/fe/deck_notes.hpp"

namespace faying::app {

/// --element and --weighting.
inline void add_deck_choices(CLI::App& command, std::vector<std::string>& elements, std::string& weighting) {
    command.add_option("--element", elements,
                       "of a deck: formulation instead of the deck's, as C3D8R=C3D8I, C3D8R=enhanced (hourglass "
                       "control; default: stiffness), C3D8=averaged (dilatation); may be repeated");
    command.add_option("--weighting", weighting,
                       "of a deck: weights of distributing couplings on element faces: deck (default), uniform, area, "
                       "linear, quadratic, cubic");
}

/// Notes on standard error too, for whoever keeps only the result; not on a terminal that shows the text anyway.
inline void say(const fe::DeckNotes& notes, bool json) {
    if (!json && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO)) return;
    for (const auto& line : notes.lines()) core::tell("faying: note: " + line + "\n");
}

}  // namespace faying::app
