// What models may not be.

#include "faying/structure/model.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"

namespace faying::structure {

namespace {

Model chain() {
    Model model;
    model.mass = Eigen::Vector3d(10, 1e-6, 10).asDiagonal();
    model.stiffness = Eigen::Matrix3d{{18, -9, 0}, {-9, 18, -9}, {0, -9, 9}};
    return model;
}

std::string note(const Model& model) {
    try {
        check_model(model, "model");
    } catch (const core::BadInput& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(Damping, TakesEnergyAway) {
    Model model = chain();
    for (const Eigen::Matrix3d& c :
         {Eigen::Matrix3d(Eigen::Matrix3d::Zero()), Eigen::Matrix3d{{1, -1, 0}, {-1, 1, 0}, {0, 0, 0}},  // a dashpot
          Eigen::Matrix3d{{2, -1, 0}, {-1, 2, -1}, {0, -1, 1}}}) {
        model.damping = c;
        EXPECT_EQ(note(model), "");
    }
    // Rank one from rounded numbers: eigenvalues of either sign at rounding.
    const Eigen::Vector3d row(0.1, -0.3, 1.0 / 3);
    model.damping = 1e6 * row * row.transpose();
    EXPECT_EQ(note(model), "");

    model.damping = Eigen::Vector3d(-5, 1, 1).asDiagonal();
    EXPECT_NE(note(model).find("damping must be positive semidefinite"), std::string::npos);
    EXPECT_NE(note(model).find("-0.5 1/s"), std::string::npos) << "2 zeta omega = c/m: " << note(model);
    // Of a light DOF, whose entries are small: the same ratio to its mass.
    model.damping = Eigen::Vector3d(1, -1e-7, 1).asDiagonal();
    EXPECT_NE(note(model).find("-0.1 1/s"), std::string::npos) << note(model);
    model.damping = Eigen::Matrix3d{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}};  // positive on its diagonal
    EXPECT_NE(note(model).find("positive semidefinite"), std::string::npos);
    model.damping = Eigen::Matrix3d{{0, 1, 0}, {-1, 0, 0}, {0, 0, 0}};  // gyroscopic
    EXPECT_NE(note(model).find("damping is not symmetric"), std::string::npos);
}

TEST(Names, OfDofAndSites) {
    Model model = chain();
    EXPECT_EQ(dof_name(model, 2), "DOF 3");
    model.dofs = {"a", "b", "c"};
    EXPECT_EQ(dof_name(model, 2), "c");
}

}  // namespace faying::structure
