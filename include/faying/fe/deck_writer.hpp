#pragma once
// Writes a deck as CalculiX takes it: no parts, no instances, labels and names unique, constraints as plain equations.
//
//     FlatOptions options;
//     options.constraints = equations;             // what ties, couplings, rigid bodies and MPCs come to
//     options.step = FrequencyStep{.modes = 20};
//     const FlatReport report = write_flat_deck(deck, "flat.inp", options);
//
// Labels stay as they are unless two instances share some; then all of the later instance's are shifted by a round
// number. Names lose only what CalculiX cannot take. Rotations of nodes that carry none in CalculiX (reference nodes)
// become the translations of an extra node at the same place.

#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "faying/fe/deck.hpp"

namespace faying::fe {

struct FrequencyStep {
    int modes = 10;
    bool store_matrices = false;  ///< SOLVER=MATRIXSTORAGE: .sti, .mas, .dof files instead of modes
};

struct StaticStep {};

struct FlatOptions {
    /// Equations for the deck's ties, couplings, rigid bodies and MPCs. Must be given when there are any.
    std::optional<std::vector<LinearEquation>> constraints;
    /// Write the deck's own *EQUATION lines too; off when `constraints` already holds them.
    bool own_equations = true;
    /// What to run at the end; nothing writes the model alone.
    std::variant<std::monostate, FrequencyStep, StaticStep> step;
    /// Boundary conditions and point loads in force in this step of the deck; `none`: those of the model only.
    Index state_of_step = none;
    std::string requests = "*NODE FILE\nU\n";  ///< output requests of the step, word for word
};

struct Renumbered {
    std::string instance;
    Index node_shift = 0, element_shift = 0;
};

struct Renamed {
    std::string what, from, to;  ///< "node set", "Part-1-1.TIP", "Part-1-1_TIP"
};

struct RotationNode {
    Index node = none;  ///< whose rotations 4, 5, 6 ..
    Index label = 0;    ///< .. are the displacements 1, 2, 3 of this one
};

struct FlatReport {
    std::vector<Renumbered> renumbered;
    std::vector<Renamed> renamed;
    std::vector<RotationNode> rotation_nodes;
    std::vector<Index> node_labels, element_labels;  ///< as written, by index; 0: not written
    std::vector<Note> left_out;
};

FlatReport write_flat_deck(const Deck& deck, std::ostream& out, const FlatOptions& options = {});
/// Writes nothing when the deck is refused.
FlatReport write_flat_deck(const Deck& deck, const std::string& path, const FlatOptions& options = {});

/// Boundary conditions in force in a step: the model's, and those of the steps so far (OP=NEW drops earlier steps').
std::vector<Boundary> boundaries_in_step(const Deck& deck, Index step);
std::vector<PointLoad> loads_in_step(const Deck& deck, Index step);

/// As many digits as 20 characters hold: all 17 for most numbers, never fewer than 14.
std::string ccx_number(double x);

}  // namespace faying::fe
