#include "faying/modes/linear.hpp"

#include <fmt/format.h>

#include <limits>

#include "faying/core/error.hpp"

namespace faying::modes {

LinearModes linear_modes(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness, Eigen::Index count) {
    const Eigen::Index n = mass.rows();
    if (count > n || count < 0)
        throw core::BadInput("modes", fmt::format("{} modes asked for; allowed are 1 to {}", count, n));
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(stiffness, mass);
    if (eigen.info() != Eigen::Success)
        throw core::NotConverged("modes: the eigensolver did not converge", std::numeric_limits<double>::quiet_NaN());
    const Eigen::Index keep = count == 0 ? n : count;
    LinearModes m{Eigen::VectorXd(keep), eigen.eigenvectors().leftCols(keep), Eigen::VectorXd(keep)};
    const double scale = stiffness.norm();
    const double coarse = 1e-10 * std::abs(eigen.eigenvalues()(n - 1));
    for (Eigen::Index r = 0; r < keep; ++r) {
        double lambda = eigen.eigenvalues()(r), zero = coarse;
        if (lambda < coarse) {
            // Lost beside the largest (stiff contact), perhaps: Rayleigh's quotient knows it to what cancels in its own sum.
            const Eigen::VectorXd phi = eigen.eigenvectors().col(r);
            lambda = phi.dot(stiffness * phi);
            zero = std::min(coarse, 1e-10 * phi.cwiseAbs().dot(stiffness.cwiseAbs() * phi.cwiseAbs()));
        }
        if (lambda < -zero)
            throw core::BadInput(
                "modes", fmt::format("the stiffness is negative along mode {} (omega^2 = {:g})", r + 1, lambda));
        m.omega(r) = lambda > zero ? std::sqrt(lambda) : 0.0;
        Eigen::Index largest = 0;
        m.shapes.col(r).cwiseAbs().maxCoeff(&largest);
        if (m.shapes(largest, r) < 0) m.shapes.col(r) *= -1.0;
        const Eigen::VectorXd phi = m.shapes.col(r);
        m.residual(r) = (stiffness * phi - lambda * mass * phi).norm() / (scale * phi.norm());
    }
    return m;
}

}  // namespace faying::modes
