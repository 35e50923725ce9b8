#pragma once
// faying modes of a deck; modes.cpp calls it for files that end in .inp.

#include "command.hpp"
#include "mode_options.hpp"

namespace faying::app {

struct DeckModesOptions {
    Common common;
    std::string file;
    int count = 0;
    bool shapes = false;  ///< in the JSON: long
    std::string vtk;
    FrequencyUnit unit = {};
};

void deck_modes(const DeckModesOptions& options);

}  // namespace faying::app
