#pragma once
// What a run may be told by, and what it may tell a terminal: see docs/trust.md.

namespace faying::app {

/// Starts this program again without the variables that libraries obey (some read them before main), if there are any.
void forget_environment(char** arguments);

/// From here on, control characters in what is printed to standard output are spelled out, \u001b: names in decks and
/// files are shown, not obeyed. Valid JSON stays the same JSON.
void escape_standard_output();

}  // namespace faying::app
