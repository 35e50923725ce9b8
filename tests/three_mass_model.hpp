#pragma once
// The three masses of [S2] 3.1: examples/three_masses/model.toml, which tests/files compares.

#include "faying/structure/model.hpp"

namespace faying::tests {

inline structure::Model three_masses(const std::string& law = "iwan4") {
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness.resize(3, 3);
    model.stiffness << 18, -9, 0, -9, 18, -9, 0, -9, 9;
    model.damping_ratio = 1e-4;
    model.joints.push_back(structure::single_site(
        "joint", laws::Law(law, {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}}), Eigen::Vector3d(0, -1, 1)));
    return model;
}

}  // namespace faying::tests
