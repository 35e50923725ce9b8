#pragma once
// Linear equations between degrees of freedom, eliminated: u_all = T u_free.
//
//     DofTable dofs;                                    // number them: dofs.add(node, 1) ..
//     const Elimination e = eliminate(dofs, equations);
//     K_free = e.transformation.transpose() * K * e.transformation;
//
// Equations are taken in order. In each, what earlier ones eliminated is substituted; then its first term is eliminated
// or, where that one is gone, the one with the largest coefficient. So no order of the deck's constraints, and no ring
// of them, is an error: an equation that says nothing new is listed as redundant, one whose first term was gone as
// moved.

#include <Eigen/Sparse>
#include <array>
#include <span>
#include <vector>

#include "faying/fe/deck.hpp"

namespace faying::fe {

struct NodalDof {
    Index node = none;
    int dof = 0;  ///< 1-3 translations, 4-6 rotations
    friend bool operator==(const NodalDof&, const NodalDof&) = default;
};

/// Numbers degrees of freedom in the order they are added.
class DofTable {
 public:
    Index add(Index node, int dof);
    /// `none` when it was not added.
    Index find(Index node, int dof) const;
    Index size() const { return static_cast<Index>(dofs_.size()); }
    const NodalDof& operator[](Index i) const { return dofs_[static_cast<std::size_t>(i)]; }

 private:
    std::vector<NodalDof> dofs_;
    std::vector<std::array<Index, 6>> of_node_;
};

struct Elimination {
    Eigen::SparseMatrix<double> transformation;  ///< T: all x free
    std::vector<Index> free;                     ///< of each column: which of all; its row of T is a unit one
    std::vector<std::size_t> redundant;          ///< equations that followed from earlier ones

    struct Moved {
        std::size_t equation;
        Index eliminated;  ///< instead of the first term
    };
    std::vector<Moved> moved;
};

struct EliminationOptions {
    /// Coefficients below this share of the sums they came from are round-off.
    double round_off = 1e-12;
    /// A rotation's coefficient is a length: it is divided by this when the largest is looked for.
    double length = 1;
};

/// Terms on DOF that the table does not have are left out (directions that a plane model lacks).
Elimination eliminate(const DofTable& dofs, std::span<const LinearEquation> equations,
                      const EliminationOptions& options = {});

}  // namespace faying::fe
