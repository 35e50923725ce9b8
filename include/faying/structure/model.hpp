#pragma once
// A structure held together by joints:  M x'' + C x' + K x + Sum_j b_j f_j(b_j.x) = f_static + f(t).
//
// Each joint site reads one displacement through a column b_j (u3 - u2, or u4 against ground) and returns its force
// along the same column.

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "faying/laws/catalogue.hpp"

namespace faying::structure {

struct JointSite {
    std::string name;
    laws::Law law;
    Eigen::VectorXd direction;  ///< b_j
};

struct Model {
    Eigen::MatrixXd mass, stiffness;
    double damping_ratio = 0;  ///< viscous, on the stuck modes
    Eigen::MatrixXd damping;   ///< or a matrix; empty when the ratio holds
    Eigen::VectorXd static_force;
    std::vector<JointSite> joints;

    Eigen::Index size() const { return mass.rows(); }
};

/// Stiffness with every joint at its virgin tangent (stuck).
Eigen::MatrixXd stuck_stiffness(const Model& model);
/// Stiffness with every joint in full slip; throws BadInput for a law whose tangent does not settle.
Eigen::MatrixXd slipping_stiffness(const Model& model);

/// Throws BadInput unless the matrices are square, of one size, finite, symmetric, the mass positive definite and the
/// stiffness (with stuck joints) not negative, and the joints of the right length. `where` opens the message.
void check_model(const Model& model, const std::string& where);

}  // namespace faying::structure
