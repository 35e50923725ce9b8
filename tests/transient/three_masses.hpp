#pragma once
// The three masses of [S2] 3.1.

#include <nlohmann/json.hpp>

#include "faying/modes/linear.hpp"
#include "faying/structure/model.hpp"
#include "reference.hpp"

namespace faying::tests {

inline Eigen::VectorXd vector(const nlohmann::json& list) {
    const auto v = list.get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(v.data(), Eigen::Index(v.size()));
}

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

/// Diagonal of signs between our stuck shapes and the reference's.
inline Eigen::MatrixXd reference_signs(const structure::Model& model) {
    const auto shapes = modes::linear_modes(model.mass, structure::stuck_stiffness(model)).shapes;
    Eigen::VectorXd signs(3);
    for (Eigen::Index r = 0; r < 3; ++r) {
        const double theirs = reference("three_mass")["Phi0_columns_by_row"][0][std::size_t(r)];
        signs(r) = shapes(0, r) * theirs > 0 ? 1 : -1;
    }
    return signs.asDiagonal();
}

}  // namespace faying::tests
