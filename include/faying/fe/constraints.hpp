#pragma once
// What a deck's ties, couplings, rigid bodies, MPCs, equations and supports say, as homogeneous linear equations.
//
//     const ConstraintEquations c = constraint_equations(deck);
//     for (const auto& u : c.untied) .. node_name(deck, u.node), u.distance ..
//     const Elimination e = eliminate(dofs, all_of(c));                      // elimination.hpp
//
//     tie            u_s = sum_a N_a u_a + theta x g       closest point of the master, g from there to the slave
//     kinematic      u_i = u_ref + theta_ref x (x_i - x_ref), on the named DOF
//     distributing   u_ref = mean u + theta x (x_ref - c), theta_ref = theta = J^-1 sum_i w_i rho_i x u_i
//
// with rho_i = x_i - c from the weighted centroid and J = sum_i w_i (rho_i^2 1 - rho_i rho_i^T). Every equation but
// those of the deck's own *EQUATION and *BOUNDARY holds for rigid motions: a gap g under a tied node turns with the
// master face, theta being the least-squares rotation of the face. docs/theory/constraints.md has the reasons.

#include <optional>
#include <vector>

#include "faying/fe/deck.hpp"

namespace faying::fe {

struct ConstraintOptions {
    Index step = none;     ///< supports in force in this step; `none`: those of the model
    bool supports = true;  ///< false: make none, so that prescribed displacements are no reason to refuse
    /// Of the mean diagonal of the master's faces: how far a slave may be from its master where a tie gives no
    /// tolerance.
    double tie_tolerance = 0.05;
    /// Of every distributing coupling on element faces, instead of what the deck says.
    std::optional<Coupling::Weighting> weighting = {};
};

/// A slave of a tie that no master face is close enough to: it stays free.
struct UntiedSlave {
    Index tie = none;  ///< in Deck::ties
    Index node = none;
    double distance = 0;  ///< from the closest master face
    double tolerance = 0;
};

struct ConstraintEquations {
    std::vector<LinearEquation> equations;  ///< first those of *MPC, rigid bodies, couplings, ties; then *EQUATION
    std::vector<LinearEquation> supports;   ///< one term each, three where *TRANSFORM turns the axes
    std::vector<UntiedSlave> untied;
    std::vector<Note> notes;
    double largest_gap = 0;  ///< under a tied slave
};

/// Throws BadInput, with file and line, for a prescribed value that is not zero, a tie without any slave in reach, a
/// coupling without nodes, and an orientation that is not there.
ConstraintEquations constraint_equations(const Deck& deck, const ConstraintOptions& options = {});

/// "uniform", "linear", "quadratic", "cubic", "area".
const char* word(Coupling::Weighting weighting);
/// The weighting of that name; nothing for "deck", which leaves it to the deck. Throws BadInput at `where` for others.
std::optional<Coupling::Weighting> weighting_named(const std::string& name, const std::string& where);

/// Supports first, then equations: the order to eliminate in.
std::vector<LinearEquation> all_of(const ConstraintEquations& constraints);

/// No solids: all elements that Faying assembles are plane ones, and directions 3, 4, 5 do not exist.
bool is_planar(const Deck& deck);

/// Largest |sum c r| / sum |c| over the rigid motions r: unit translations, and rotations about the first node that
/// move the farthest by one. (In a plane deck the motions out of the plane say nothing.)
double rigid_residual(const Deck& deck, const LinearEquation& equation);

}  // namespace faying::fe
