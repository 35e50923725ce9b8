#pragma once
// What a run may be told by, and what it may tell a terminal: see docs/trust.md.

#include <CLI/App.hpp>

namespace faying::app {

/// Lets no option of the command and its subcommands take nan or inf.
void refuse_non_finite(CLI::App& app);

/// Starts this program again without the variables that libraries obey (some read them before main), if there are any.
void forget_environment(char** arguments);

/// From here on, control characters in what is printed to standard output and standard error are spelled out, \u001b:
/// names in decks and files are shown, not obeyed. Valid JSON stays the same JSON, and a progress line may begin anew.
void escape_standard_streams();

}  // namespace faying::app
