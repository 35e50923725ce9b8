#pragma once
// faying modes of a deck; modes.cpp calls it for files that end in .inp.

#include "command.hpp"

namespace faying::app {

struct DeckModesOptions {
    Common common;
    std::string file;
    int count = 0;
    bool shapes = false;  ///< in the JSON: long
    std::string vtk;
};

void deck_modes(const DeckModesOptions& options);

}  // namespace faying::app
