#pragma once
// K and M before constraints, from wherever they come. Private to model_of.

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

}  // namespace faying::fe
