#pragma once
// A reduction file run from deck to reduced model, with what there is to say of it; over all ranks under mpirun.
//
//     core::Stages stages("reduce");
//     const ReduceRun run = run_reduction({.file = "whole_joint.toml", .out = "rom.h5"}, stages);
//     run.made.reduced.mass, text(run);                              // on rank 0

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/core/stages.hpp"
#include "faying/fe/deck_notes.hpp"
#include "faying/fe/reduce_file.hpp"
#include "faying/fe/sparse_contact.hpp"

namespace faying::results {

struct ReduceRequest {
    std::string file;                        ///< reduction file (TOML)
    std::string out;                         ///< the reduced model: .h5 or .mat
    std::string vtk = {};                    ///< shapes and interface for ParaView (.vtu); empty: none
    std::string shapes = {};                 ///< the mesh and how it moves with every coordinate (.h5); empty: none
    std::vector<std::string> elements = {};  ///< formulations instead of the deck's
    std::string weighting = {};              ///< of distributing couplings; empty: the deck's
    std::string solver = "auto";             ///< condensed | sparse | auto: contact pairs that are too many to condense
    std::string tool = "faying";             ///< kept in the model's provenance
};

struct ReduceRun {
    std::string out;
    fe::Reduction made;
    fe::DeckNotes notes;
    bool sparse = false;   ///< the structure was left as it is
    Eigen::Index dof = 0;  ///< of what was written
    double seconds = 0, peak_megabytes = 0;
};

/// Writes `out` (and `vtk`) on rank 0. Throws as fe::read_reduce_file and fe::reduce do, and before any work where `out` cannot
/// be written.
/// With `solver` auto, contact pairs of more than `most_condensed` relative motions are not condensed.
inline constexpr fe::Index most_condensed = 8000;
ReduceRun run_reduction(const ReduceRequest& request, core::Stages& stages);

nlohmann::json json(const ReduceRun& run);
std::string text(const ReduceRun& run);

}  // namespace faying::results
