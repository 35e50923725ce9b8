#pragma once
// What a sparse structure is to its sites of contact and to whoever drives it, and nothing else: displacements of
// coordinates under forces on them,
//
//     y = F g,     F = R (K + S^T k S)^-1 R^T,     R = [S; rows of drives, outputs and static force]
//
// with every joint stuck and closed (tangents k), so that F exists where contact is all that holds a body. One sparse
// factorisation, a solution per coordinate; F is dense.

#include "faying/modes/quasistatic.hpp"
#include "sites.hpp"

namespace faying::modes {

struct FlexibleStructure {
    structure::Model model;       ///< joints as they were; outputs and static force on the coordinates
    std::vector<Drive> drives;    ///< likewise
    Interface::SiteMap sites;     ///< picks the first coordinates, row for row
    Eigen::MatrixXd flexibility;  ///< F
    std::vector<double> stuck;    ///< k, site by site
};

/// Whether F is small enough to be kept.
bool may_be_flexible(const SparseStructure& structure);
/// Throws BadInput for a mechanism.
FlexibleStructure flexible(const SparseStructure& structure, const std::vector<Drive>& drives);

}  // namespace faying::modes
