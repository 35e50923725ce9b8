#pragma once
// The two halves of model_of: K and M before constraints, and the constraints. Private to what makes models.

#include "faying/fe/model.hpp"

namespace faying::fe {

struct WholeMatrices {
    Eigen::SparseMatrix<double> stiffness, mass;  ///< rows of a DofTable
    double total_mass = 0;
    bool planar = false;
};

/// Checks the matrices and puts their DOF into `dofs`. Throws BadInput for sizes that do not fit the deck, labels it
/// does not have, and matrices that are not symmetric.
WholeMatrices given(const Deck& deck, const GivenMatrices& matrices, DofTable& dofs);

/// Assembled, or those given; puts their DOF into model.all, and what there is to say into model.notes.
WholeMatrices whole_matrices(const Deck& deck, const ModelOptions& options, LinearModel& model);

/// The deck's constraints and supports, eliminated: model.equations, model.elimination and what goes with them. What
/// they use besides is added to model.all.
void constrain(const Deck& deck, const ConstraintOptions& options, LinearModel& model);

}  // namespace faying::fe
