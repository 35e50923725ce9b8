#include "uncondensed_statics.hpp"

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

constexpr double largest_answer = 1e14;  ///< to a load of one, stiffness counted: more is a mechanism
constexpr double wrong_answer = 1e-3;    ///< residual of such an answer

}  // namespace

UncondensedStatics::UncondensedStatics(const SparseStructure& structure, Sites& sites)
    : StiffnessStatics(structure.sites, sites), structure_(structure) {}

void UncondensedStatics::jacobian(const Eigen::VectorXd&, Eigen::MatrixXd&) {
    throw core::NotConverged("quasistatic: the Jacobian is singular", std::numeric_limits<double>::quiet_NaN());
}

std::pair<Eigen::VectorXd, Eigen::VectorXd> UncondensedStatics::inside(const structure::Model&,
                                                                       const Eigen::VectorXd& x,
                                                                       const Eigen::VectorXd& joints) const {
    return {structure_.stiffness * x, map_.transpose() * joints};
}

void UncondensedStatics::begin(const Sites& closed) {
    stuck_ = closed;
    stiffness_scale_ = 1;
    for (Eigen::Index i = 0; i < width(); ++i)
        stiffness_scale_ = std::max(stiffness_scale_, std::abs(structure_.stiffness.coeff(i, i)));
}

bool UncondensedStatics::holds() {
    Eigen::VectorXd load = Eigen::VectorXd::Zero(size());
    for (Eigen::Index i = 0; i < width(); ++i) load(i) = 1 + double(i % 7);
    load /= load.norm();
    const Eigen::VectorXd answer = solve_stuck(load), y = answer.head(width());
    if (!answer.allFinite() || y.norm() * stiffness_scale_ >= largest_answer) return false;
    Eigen::VectorXd joints(map_.rows());
    stuck_.multiply_tangent(map_ * y, joints);
    const Eigen::VectorXd left =
        structure_.stiffness * y + map_.transpose() * joints - held_y_ * answer.tail(held_) - load.head(width());
    return left.norm() < wrong_answer;
}

}  // namespace faying::modes
