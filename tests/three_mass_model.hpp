#pragma once
// The three masses of [S2] 3.1: examples/three_masses/model.toml, which tests/files compares.

#include "faying/structure/model.hpp"

namespace faying::tests {

inline structure::Model three_masses_with(const laws::Law& law, double damping_ratio) {
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness.resize(3, 3);
    model.stiffness << 18, -9, 0, -9, 18, -9, 0, -9, 9;
    model.damping_ratio = damping_ratio;
    model.joints.push_back(structure::single_site("joint", law, Eigen::Vector3d(0, -1, 1)));
    return model;
}

inline structure::Model three_masses(const std::string& law = "iwan4") {
    return three_masses_with(laws::Law(law, {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}}), 1e-4);
}

}  // namespace faying::tests
