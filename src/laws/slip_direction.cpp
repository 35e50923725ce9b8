#include <Eigen/Eigenvalues>

#include "faying/core/parameter.hpp"
#include "faying/laws/two_state_increment.hpp"

namespace faying::laws {

Eigen::Vector2d slip_direction(const Eigen::Vector2d& A, const Eigen::Vector2d& c) {
    Eigen::Matrix4d B = Eigen::Matrix4d::Zero();
    B.topLeftCorner<2, 2>() = A.asDiagonal();
    B.bottomLeftCorner<2, 2>() = A.asDiagonal();
    B.bottomRightCorner<2, 2>() = A.asDiagonal();
    B.topRightCorner<2, 2>() = c * c.transpose();
    const Eigen::EigenSolver<Eigen::Matrix4d> eigen(B);
    const Eigen::Matrix4d& vectors = eigen.pseudoEigenvectors();  // the eigenvectors where the eigenvalue is real
    Eigen::Vector2d best = Eigen::Vector2d::Zero();
    double least = core::infinity;
    for (int k = 0; k < 4; ++k) {
        if (eigen.eigenvalues()(k).imag() != 0.0) continue;
        Eigen::Vector2d eta = vectors.col(k).head<2>();
        eta *= (eta.dot(c) > 0 ? -1.0 : 1.0) / eta.norm();
        const double y = std::sqrt(eta.dot(A.cwiseProduct(eta))) + eta.dot(c);
        if (y < least) {
            least = y;
            best = eta;
        }
    }
    return best;
}

}  // namespace faying::laws
