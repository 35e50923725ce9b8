#pragma once
// The three masses of [S2], and one mass on a joint.

#include "three_mass_model.hpp"

namespace faying::tests {

inline structure::Model one_mass(const std::string& law, const core::ParameterValues& values, double k = 0) {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Identity(1, 1) * 2.0;
    m.stiffness = Eigen::MatrixXd::Constant(1, 1, k);
    m.joints.push_back(structure::single_site("joint", laws::Law(law, values), Eigen::VectorXd::Ones(1)));
    return m;
}

/// On a spring, with a joint to the ground.
inline structure::Model oscillator(const laws::Law& law, double damping_ratio = 0, double mass = 1,
                                   double stiffness = 1) {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Constant(1, 1, mass);
    m.stiffness = Eigen::MatrixXd::Constant(1, 1, stiffness);
    m.damping_ratio = damping_ratio;
    m.joints = {structure::single_site("joint", law, Eigen::VectorXd::Ones(1))};
    return m;
}

}  // namespace faying::tests
