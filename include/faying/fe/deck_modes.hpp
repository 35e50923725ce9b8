#pragma once
// Linear modes of a deck, ties and couplings as it has them; over all ranks under mpirun.
//
//     core::Stages stages("modes");
//     const DeckModes m = deck_modes("beam.inp", {.count = 16}, stages);
//     m.omega, m.residual, m.shapes;                     // on rank 0
//     write_shapes("modes.vtu", m);

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/core/stages.hpp"
#include "faying/fe/deck_notes.hpp"

namespace faying::fe {

struct DeckModesRequest {
    int count = 0;  ///< rigid motions included; 0: 16, or all where there are fewer
    ModelOptions model = {};
};

struct DeckModes {
    Deck deck;
    LinearModel model;
    Eigen::VectorXd omega, residual;
    Eigen::MatrixXd shapes;         ///< in the model's DOF, as columns
    Eigen::Index rigid = 0;         ///< motions there are
    Eigen::Index listed_rigid = 0;  ///< and how many of them are the first of the modes
    DeckNotes notes;
};

/// Throws BadInput for more modes than DOF and a deck without mass, NotConverged for a mode that is not a number. Ranks
/// other than 0 get no shapes and no notes.
DeckModes deck_modes(const std::string& file, const DeckModesRequest& request, core::Stages& stages);

/// Shapes in the JSON are long: only where asked for.
nlohmann::json json(const DeckModes& modes, bool shapes);
/// For ParaView (.vtu).
void write_shapes(const std::string& path, const DeckModes& modes);

/// Element formulations ("C3D8R=C3D8I", ..) and weighting ("" leaves the deck's) as words; those given win over what is
/// there.
void apply_choices(const std::vector<std::string>& elements, const std::string& weighting, ModelOptions& to);

}  // namespace faying::fe
