#pragma once
// From a deck to the stiffness and mass of a linear model in free degrees of freedom.
//
//     const LinearModel model = model_of(read_deck("beam.inp"));
//     model.stiffness, model.mass;                       // K, M with every constraint and support eliminated
//     model.dofs[i];                                     // node and direction of row i
//     u_all = model.elimination.transformation * u;      // rows: model.all
//
// Nothing of a deck is dropped without a word: elements that Faying does not assemble are refused, or listed when
// `leave_out` allows that.

#include <optional>

#include "faying/archive/matrix.hpp"
#include "faying/fe/assembly.hpp"
#include "faying/fe/constraints.hpp"
#include "faying/fe/element_choice.hpp"
#include "faying/fe/elimination.hpp"

namespace faying::fe {

/// The elements that Faying assembles. A node's row in the mesh and its index in the deck differ: nodes without
/// elements are not in it.
struct DeckMesh {
    Mesh mesh;
    std::vector<Index> nodes;     ///< of each row of the mesh: the deck's node
    std::vector<Index> row_of;    ///< of each node of the deck: its row, or `none`
    std::vector<Index> masses;    ///< *MASS elements
    std::vector<Index> left_out;  ///< elements of no use here
    std::vector<Note> notes;
};

/// Blocks by kind, material, thickness and hourglass control, elements in the deck's order. Throws BadInput, with file
/// and line, for elements without section or elasticity, for materials with axes of their own, and for a choice about
/// elements that the deck does not have.
DeckMesh mesh_of(const Deck& deck, std::span<const ElementChoice> choices = {});

/// K and M of all elements made elsewhere, before constraints and supports (Abaqus' *MATRIX GENERATE, say); the deck
/// then gives nodes, surfaces, sets, constraints and supports, and may hold elements that Faying does not assemble.
/// Rows are those of the labels; without labels, every node's DOF in the deck's order: 1-3, or 1-2, or 1-6.
struct GivenMatrices {
    archive::LabelledMatrix stiffness, mass;
};

struct ModelOptions {
    std::optional<GivenMatrices> matrices = {};  ///< instead of assembling the elements
    AssemblyOptions assembly = {};
    std::vector<ElementChoice> elements = {};  ///< formulations instead of the deck's
    ConstraintOptions constraints = {};
    bool leave_out = false;  ///< list elements that cannot be assembled instead of refusing the deck
};

struct ModelChecks {
    double mass = 0;                  ///< of elements and point masses
    double mass_error = 0;            ///< in free DOF, worst direction; rigid motions must be free
    double rigid_residual = 0;        ///< |T r_free - r| / |r|, worst rigid motion
    bool rigid_motions_free = false;  ///< no support, and no equation that holds them
};

struct LinearModel {
    Eigen::SparseMatrix<double> stiffness, mass;
    std::vector<NodalDof> dofs;  ///< of each row

    DofTable all;  ///< before elimination: translations of nodes with elements, then what the constraints use besides
    Elimination elimination;
    std::vector<LinearEquation> equations;  ///< as eliminated: supports, then constraints
    std::size_t supports = 0;               ///< how many of them are supports
    std::vector<NodalDof> without_effect;   ///< free, but without stiffness and mass: left out of the model

    AssemblyChecks assembly;
    ModelChecks checks;
    std::vector<UntiedSlave> untied;
    double largest_gap = 0;
    std::vector<Note> notes;
    Eigen::MatrixX3d body;  ///< forces when a unit acceleration acts on all mass along each axis, held nodes' too
};

/// The six rigid motions (three of a plane deck) in free DOF, as columns: translations, then turns about the middle.
Eigen::MatrixXd rigid_motions(const Deck& deck, const LinearModel& model);

/// Throws BadInput for a model without mass: it has no modes.
void require_mass(const Deck& deck, const LinearModel& model);

/// Throws BadInput where mesh_of and constraint_equations do, and when the mass or a rigid motion is lost to 1e-10.
LinearModel model_of(const Deck& deck, const ModelOptions& options = {});

}  // namespace faying::fe
