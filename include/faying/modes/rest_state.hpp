#pragma once
// What the sites of a joint do at rest, under the preload: who touches, how hard, and who slid on the way there.
//
//     const auto at_rest = prestress(model);
//     for (const SiteState& s : rest_states(model, at_rest, 0)) ..       // s.pressure, s.gap, s.slip, s.status

#include "faying/modes/site_loop.hpp"

namespace faying::modes {

/// Every site of a joint. Slip: how far the faces have moved along each other. Pressure and gap: of contact laws and of
/// laws along the normal; 0 of others. Status: open without pressure; slipping where friction has dissipated.
std::vector<SiteState> rest_states(const structure::Model& model, const Prestress& at_rest, std::size_t joint);

/// Displacements and forces (times weights) of a joint's rows.
struct RestRows {
    Eigen::VectorXd displacement, force;
};
RestRows rest_rows(const structure::Model& model, const Prestress& at_rest, std::size_t joint);

}  // namespace faying::modes
