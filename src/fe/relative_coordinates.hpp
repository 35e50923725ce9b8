#pragma once
// x = T x' with the first sides' nodes of contact pairs replaced by relative motions, u = x_1 - P x_2.

#include <span>

#include "faying/fe/contact_pair.hpp"
#include "faying/fe/model.hpp"

namespace faying::fe {

struct RelativeCoordinates {
    Eigen::SparseMatrix<double> t;
    std::vector<Eigen::Index> boundary;  ///< rows of x' that are relative motions, pair by pair
};

/// Pairs take their places in order, so that a body may be first in one and second in the next. Throws BadInput for
/// nodes that are bound, that two pairs want, and for surfaces that follow each other round.
RelativeCoordinates relative_coordinates(const Deck& deck, const LinearModel& model,
                                         const std::vector<PairedFaces>& pairs);

/// Rows of relative_motion (contact_pair.hpp) of several pairs, one's below the other's.
Eigen::SparseMatrix<double> relative_motion(std::span<const PairedFaces> pairs, const DofTable& dofs);

}  // namespace faying::fe
