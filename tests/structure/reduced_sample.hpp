#pragma once
// A small reduced model, built by hand.

#include "faying/structure/reduced.hpp"

namespace faying::tests {

inline Eigen::MatrixXd random_rows(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
    std::srand(seed);
    return Eigen::MatrixXd::Random(rows, columns);
}

/// Ten DOF, two patches with tilted axes, three quadrature points; nothing about it is symmetric.
inline structure::Reduced sample() {
    structure::Reduced r;
    const Eigen::MatrixXd a = random_rows(10, 10, 1);
    r.mass = Eigen::MatrixXd::Identity(10, 10);
    r.stiffness = a * a.transpose();
    r.loads = {{"preload", random_rows(10, 1, 2)}, {"gravity", random_rows(10, 1, 3)}};
    for (int i = 0; i < 2; ++i) {
        const Eigen::Matrix3d axes =
            (Eigen::AngleAxisd(0.3 + i, Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()))
                .toRotationMatrix();
        r.patches.push_back(
            {i == 0 ? "left" : "right", 2.0 + i, Eigen::Vector3d::Zero(), axes, random_rows(6, 10, unsigned(4 + i))});
    }
    r.quadrature.nodes = random_rows(6, 10, 9);
    Eigen::MatrixXd between = Eigen::MatrixXd::Zero(9, 6);
    for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 3; ++c) {
            between(3 * i + c, c) = 0.25 * (i + 0.5);
            between(3 * i + c, 3 + c) = 1 - 0.25 * (i + 0.5);
        }
    r.quadrature.interpolation = between.sparseView();
    r.quadrature.map = r.quadrature.interpolation * r.quadrature.nodes;
    r.quadrature.weight = Eigen::Vector3d(0.5, 0.25, 0.125);
    r.outputs = {{"tip", Eigen::VectorXd::Unit(10, 9)}};
    return r;
}

}  // namespace faying::tests
