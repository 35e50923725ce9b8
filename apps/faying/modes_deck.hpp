#pragma once
// faying modes of a deck; modes.cpp calls it for files that end in .inp.

#include <string>
#include <vector>

#include "command.hpp"
#include "mode_options.hpp"
#include "faying/fe/model.hpp"

namespace faying::app {

struct DeckModesOptions {
    Common common;
    std::string file;
    int count = 0;
    bool shapes = false;  ///< in the JSON: long
    std::string vtk;
    FrequencyUnit unit = {};
    std::vector<std::string> elements = {};  ///< "C3D8R=C3D8I", ..
    std::string weighting = {};              ///< empty: the deck's
};

void deck_modes(const DeckModesOptions& options);

/// --element and --weighting.
void add_deck_choices(CLI::App& command, std::vector<std::string>& elements, std::string& weighting);
/// Puts them into the options of a model; those given win over what is there.
void apply_deck_choices(const std::vector<std::string>& elements, const std::string& weighting, fe::ModelOptions& to);

}  // namespace faying::app
