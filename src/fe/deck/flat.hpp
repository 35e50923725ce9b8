#pragma once
// What the parts of the flat writer share: labels and names as written. Private to the writer.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "faying/fe/deck_writer.hpp"

namespace faying::fe::flat {

/// Names within one kind, made fit for CalculiX and unique.
class Names {
 public:
    std::string add(const std::string& name, const char* what, FlatReport& report);

 private:
    std::unordered_set<std::string> taken_;
};

struct Flat {
    const Deck& deck;
    const FlatOptions& options;
    FlatReport report;
    std::string text;  ///< the deck being written

    std::vector<std::string> node_sets, element_sets, surfaces, materials, orientations;  ///< names as written
    std::vector<bool> has_rotations;                  ///< by node: it belongs to a shell or beam
    std::unordered_map<Index, Index> rotation_label;  ///< by node: label of its rotation node

    /// A degree of freedom as CalculiX knows it; label 0 when it has none there.
    struct Dof {
        Index label = 0;
        int dof = 0;
    };
    Dof dof(Index node, int dof) const;
    void leave_out(Place at, const std::string& what);
};

void assign_labels(Flat& flat);
void assign_names(Flat& flat);
/// Adds a node for the rotations of each node whose rotations are used and which has none in CalculiX.
void assign_rotation_nodes(Flat& flat, const std::vector<LinearEquation>& equations,
                           const std::vector<PointLoad>& loads);

void write_mesh(Flat& flat);
void write_sets(Flat& flat);
void write_properties(Flat& flat);
void write_equations(Flat& flat, const std::vector<LinearEquation>& equations, const std::vector<Boundary>& boundaries);
void write_step(Flat& flat, const std::vector<Boundary>& boundaries, const std::vector<PointLoad>& loads);
/// Zero supports of the model, or every one of them as zero for a frequency step.
void write_supports(Flat& flat, const std::vector<Boundary>& boundaries);

}  // namespace faying::fe::flat
