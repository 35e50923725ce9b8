#pragma once
// Words of the command line for the choices of nonlinear modal analysis.

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <string>

#include "faying/modes/backbone.hpp"

namespace faying::app {

inline void add_friction(CLI::App& command, std::string& word) {
    command
        .add_option("--prestress", word,
                    "friction while preloading: active, conservative (springs and normal contact only), linear")
        ->check(CLI::IsMember({"active", "conservative", "linear"}));
}

inline modes::Friction friction_of(const std::string& word) {
    return word == "conservative" ? modes::Friction::conservative
           : word == "linear"     ? modes::Friction::linear
                                  : modes::Friction::active;
}

}  // namespace faying::app
