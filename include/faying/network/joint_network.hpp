#pragma once
// The friction of a structure's joints as a network: every site with a slider behind a spring kt becomes one (two in the
// plane, t1 and t2), at the pressures of the preload. With K_s the stiffness about the preload (all sliders held),
// B the sites' rows, D = diag(w kt), a load along F of size f, and x the slips,
//
//     K_s u = F f + B^T D x,     r = D (B u - x),
//     r = b f - K x,             K = D - D B K_s^-1 B^T D,    b = D B K_s^-1 F,     |r_i| <= mu_i,
//     F.u = f/k + b.x,           1/k = F.K_s^-1 F:
//
// a Network driven by f, or through the spring k by the displacement F.u. With F = M phi of a mode it is the mode's own
// force against its amplitude q = phi.M u, so that the joint as that mode sees it may be condensed to few states.
// Pressures stay as the preload has them, each direction has its own bound (a square for a circle), and tractions of the
// preload count as none: nearly so in microslip.
//
//     const auto made = network_of_joints(files::read_model("full_model.toml"), {.mode = 1});
//     through_spring(made.network, made.spring);        // driven by q

#include "faying/network/network.hpp"
#include "faying/structure/model.hpp"

namespace faying::network {

enum class Tangents { both, first, second };

/// One of them says where the load acts.
struct NetworkLoad {
    int mode = 0;                     ///< F = M phi, modes about the preload, from 1
    std::string output = {};          ///< F: the row of an output
    int dof = 0;                      ///< from 1
    Tangents along = Tangents::both;  ///< sliders of the other direction are held
};

struct JointNetwork {
    Network network;        ///< driven by force
    double spring = 0;      ///< k
    Eigen::Index open = 0;  ///< contact sites that do not touch: no sliders
};

/// Throws core::BadInput for a joint whose law is not sliders behind springs or elastic.
JointNetwork network_of_joints(const structure::Model& model, const NetworkLoad& load);

}  // namespace faying::network
