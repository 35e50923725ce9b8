#include "stuck_modes.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "faying/core/error.hpp"
#include "faying/modes/linear.hpp"

namespace faying::modes {

namespace {

constexpr double stiff = 10;  ///< times the structure's own stiffness and inertia: what K takes

/// The joints' springs against what the structure has at the same place.
double stiffest(const Interface& interface, const Eigen::MatrixXd& tangent) {
    const double fastest = interface.modes() > 0 ? interface.omega2().maxCoeff() : 0.0;
    double worst = 0;
    for (Eigen::Index i = 0; i < tangent.rows(); ++i) {
        const double own = std::max(interface.stiffness()(i, i), fastest * interface.mass()(i, i));
        if (own > 0) worst = std::max(worst, tangent(i, i) / own);
    }
    return worst;
}

StuckModes inverse_modes(const Interface& interface, const Eigen::MatrixXd& tangent) {
    const Eigen::Index width = interface.width(), count = interface.modes(), n = width + count;
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n), m = k;
    k.topLeftCorner(width, width) = interface.stiffness() + tangent;
    k.topRightCorner(width, count) = interface.stiffness_coupling();
    k.bottomLeftCorner(count, width) = interface.stiffness_coupling().transpose();
    k.bottomRightCorner(count, count) = interface.omega2().asDiagonal();
    m.topLeftCorner(width, width) = interface.mass();
    m.topRightCorner(width, count) = interface.mass_coupling();
    m.bottomLeftCorner(count, width) = interface.mass_coupling().transpose();
    m.bottomRightCorner(count, count).setIdentity();
    const auto scaled = [](const Eigen::MatrixXd& a, const Eigen::VectorXd& d) -> Eigen::MatrixXd {
        return d.asDiagonal() * a * d.asDiagonal();
    };
    // Rigid motions: all frequencies are moved up by as much as the slowest of the others.
    double shift = 0;
    Eigen::VectorXd d = k.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
    const Eigen::LLT<Eigen::MatrixXd> trial(scaled(k, d));
    const Eigen::MatrixXd factor = trial.matrixL();
    if (trial.info() != Eigen::Success || factor.diagonal().minCoeff() < 1e-6) {
        for (Eigen::Index i = 0; i < n; ++i) {
            const double own = k(i, i) / m(i, i);
            if (own > 1e-3 && (shift == 0 || own < shift)) shift = own;
        }
        if (shift == 0) shift = 1;
        k += shift * m;
        d = k.diagonal().cwiseSqrt().cwiseInverse();
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled(m, d), scaled(k, d));
    if (eigen.info() != Eigen::Success)
        throw core::NotConverged("modes: the eigensolver did not converge", std::numeric_limits<double>::quiet_NaN());
    const double least = 1e-16 * eigen.eigenvalues()(n - 1);
    StuckModes modes{Eigen::VectorXd(n), {}, {}};
    Eigen::MatrixXd shapes(n, n);
    for (Eigen::Index r = 0; r < n; ++r) {
        const Eigen::Index from = n - 1 - r;
        const double nu = std::max(eigen.eigenvalues()(from), least), squared = 1 / nu - shift;
        modes.omega(r) = squared > 1e-8 * shift ? std::sqrt(squared) : 0.0;
        shapes.col(r) = d.cwiseProduct(eigen.eigenvectors().col(from)) / std::sqrt(nu);
    }
    modes.shapes = interface.full(shapes.topRows(width), shapes.bottomRows(count));
    for (Eigen::Index r = 0; r < n; ++r) {
        Eigen::Index largest = 0;
        modes.shapes.col(r).cwiseAbs().maxCoeff(&largest);
        if (modes.shapes(largest, r) > 0) continue;
        modes.shapes.col(r) *= -1.0;
        shapes.col(r) *= -1.0;
    }
    modes.on_y = shapes.topRows(width);
    return modes;
}

}  // namespace

StuckModes stuck_modes(const structure::Model& model, const Interface& interface, const Eigen::MatrixXd& tangent) {
    if (stiffest(interface, tangent) > stiff) return inverse_modes(interface, tangent);
    const Eigen::MatrixXd& t = interface.rows();
    auto modes = linear_modes(model.mass, model.stiffness + t.transpose() * tangent * t);
    Eigen::MatrixXd on_y = t * modes.shapes;
    return {std::move(modes.omega), std::move(modes.shapes), std::move(on_y)};
}

}  // namespace faying::modes
