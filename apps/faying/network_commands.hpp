#pragma once
// Commands on networks of sliders.

#include <CLI/App.hpp>

namespace faying::app {

void add_condense(CLI::App& app);
void add_network(CLI::App& app);

}  // namespace faying::app
