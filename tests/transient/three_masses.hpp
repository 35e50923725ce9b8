#pragma once
// What the reference says of the three masses.

#include <nlohmann/json.hpp>

#include "faying/modes/linear.hpp"
#include "reference.hpp"
#include "three_mass_model.hpp"

namespace faying::tests {

inline Eigen::VectorXd vector(const nlohmann::json& list) {
    const auto v = list.get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(v.data(), Eigen::Index(v.size()));
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
