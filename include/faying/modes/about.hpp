#pragma once
// Linear modes of a structure with its joints, about the state that the joints are in:
//
//     preload    small steady vibration about static equilibrium: contact open or closed as the preload left it,
//                springs at their tangent there, friction sticking (a loop too small to slip); where backbones
//                start, q -> 0
//     stuck      every joint at its virgin tangent, contact closed everywhere
//     slipping   every joint in full slip
//
//     const auto m = modes_about(model, About::preload, 3);       // m.modes.omega, rad/s
//     if (m.about == About::stuck) ..                             // no preload, or one
//                                                                 // that changes nothing

#include "faying/modes/linear.hpp"
#include "faying/modes/prestress.hpp"

namespace faying::modes {

enum class About { preload, stuck, slipping };
const char* name(About about);

struct JointModes {
    LinearModes modes;
    About about = About::stuck;               ///< what they are about
    Eigen::Index contacts = 0, touching = 0;  ///< contact sites, and those that touch, about the preload
};

/// K and the joints' tangents about the preloaded state, on all DOF.
Eigen::MatrixXd preloaded_stiffness(const structure::Model& model, const Interface& interface,
                                    const Prestress& at_rest);

/// The first `count` (all when 0). About the preload of a model without static force, or where every joint is a linear
/// spring or sticks whatever the load, is about stuck joints, and says so. Throws as `prestress` and `linear_modes` do.
JointModes modes_about(const structure::Model& model, About about, Eigen::Index count = 0,
                       const PrestressOptions& options = {});

}  // namespace faying::modes
