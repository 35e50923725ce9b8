#pragma once
// What parameters of laws do to the state at rest, and which are varied at all.

#include "faying/modes/prestress.hpp"
#include "site_slopes.hpp"

namespace faying::modes {

/// Law parameters by joint, in table order, but for coefficients of a polynomial that nobody gave and for what is
/// unlimited.
std::vector<SlopeMoves::Parameter> varied_parameters(const structure::Model& model);

/// Up to four of them at a time: by joint and parameter its direction, or -1.
std::vector<std::vector<int>> seeds_of(const structure::Model& model,
                                       const std::vector<SlopeMoves::Parameter>& parameters, std::size_t first,
                                       std::size_t count);

/// Of the displacements of all sites at rest, rows x directions, to the parameters that `dual` (virgin) is seeded in:
/// (K_y + S^T k S) dy = -S^T dF/dp, with the forces F that the state was found with: of the laws, of their springs and
/// normal contact alone, or of linear springs at the stuck stiffness.
Eigen::MatrixXd rest_slope(const structure::Model& model, const Interface& interface, const Prestress& at_rest,
                           Friction friction, DualSites& dual);

}  // namespace faying::modes
