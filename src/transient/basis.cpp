#include "basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/modes/linear.hpp"

namespace faying::transient::detail {

namespace {

/// Of the modes left out, with stiffness Lambda = omega^2: static shapes Lambda^-1/2 U with U^T U = 1, for which the
/// stiffness is one, and U^T Lambda^-1 U the mass.
Eigen::MatrixXd static_shapes(const Eigen::VectorXd& omega, const Eigen::MatrixXd& forces,
                              const Eigen::VectorXd& flexibility) {
    // Columns as long as the share of a force's flexibility that the modes left out have: below 1e-12 there is nothing.
    constexpr double negligible = 1e-6;
    if (forces.cols() == 0) return Eigen::MatrixXd(omega.size(), 0);
    Eigen::MatrixXd shares = omega.cwiseInverse().asDiagonal() * forces;
    for (Eigen::Index i = 0; i < shares.cols(); ++i)
        shares.col(i) *= flexibility(i) > 0 ? 1 / std::sqrt(flexibility(i)) : 0.0;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(shares);
    Eigen::Index rank = 0;
    while (rank < std::min(shares.rows(), shares.cols()) && std::abs(qr.matrixQR()(rank, rank)) > negligible) ++rank;
    return qr.householderQ() * Eigen::MatrixXd::Identity(shares.rows(), rank);
}

}  // namespace

Basis basis(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& forces,
            Eigen::Index modes) {
    const Eigen::Index n = mass.rows();
    if (modes < 0 || modes > n)
        throw core::BadInput("modes", fmt::format("{} modes asked for; allowed are 1 to {}", modes, n));
    const auto all = modes::linear_modes(mass, stiffness);
    const Eigen::Index kept = modes == 0 ? n : modes, rest = n - kept;
    if (rest > 0 && all.omega(kept) == 0)
        throw core::BadInput("modes", fmt::format("{} modes leave out rigid motions, which nothing else can replace; "
                                                  "keep at least the {} modes of frequency zero",
                                                  modes, (all.omega.array() == 0).count()));
    Basis whole{all.omega, all.shapes, n, {}};
    if (rest == 0) return whole;
    const Eigen::VectorXd omega = all.omega.tail(rest);
    const Eigen::MatrixXd modal = all.shapes.transpose() * forces;
    Eigen::VectorXd flexibility = Eigen::VectorXd::Zero(forces.cols());
    for (Eigen::Index r = 0; r < n; ++r)
        if (all.omega(r) > 0) flexibility += (modal.row(r).transpose() / all.omega(r)).cwiseAbs2();
    const Eigen::MatrixXd held = static_shapes(omega, modal.bottomRows(rest), flexibility);
    const Eigen::Index rank = held.cols();
    if (rank == rest) return whole;
    const auto others = all.shapes.rightCols(rest);
    if (rank == 0) return {all.omega.head(kept), all.shapes.leftCols(kept), kept, {omega, others, {}, {}, {}, {}, {}}};

    // Rayleigh-Ritz among the static shapes: no frequency is above the highest of all modes.
    const Eigen::VectorXd soft = omega.cwiseInverse();
    using Eigen::SelfAdjointEigenSolver;
    const SelfAdjointEigenSolver<Eigen::MatrixXd> inertia(held.transpose() * soft.cwiseAbs2().asDiagonal() * held);
    const Eigen::VectorXd root = inertia.eigenvalues().cwiseSqrt().reverse();  // 1 / omega
    const Eigen::MatrixXd ritz =
        soft.asDiagonal() * (held * inertia.eigenvectors().rowwise().reverse()) * root.cwiseInverse().asDiagonal();
    // What is orthogonal to them in the mass is left out.
    const Eigen::MatrixXd turn = Eigen::HouseholderQR<Eigen::MatrixXd>(ritz).householderQ();
    const Eigen::MatrixXd other = turn.rightCols(rest - rank);
    const SelfAdjointEigenSolver<Eigen::MatrixXd> stiff(other.transpose() * omega.cwiseAbs2().asDiagonal() * other);
    const Eigen::MatrixXd left = other * stiff.eigenvectors();

    Basis basis{Eigen::VectorXd(kept + rank), Eigen::MatrixXd(n, kept + rank), kept, {}};
    basis.omega << all.omega.head(kept), root.cwiseInverse();
    basis.shapes << all.shapes.leftCols(kept), others * ritz;
    basis.left_out.omega = stiff.eigenvalues().cwiseSqrt();
    basis.left_out.shapes = others * left;
    basis.left_out.coupling = left.transpose() * omega.cwiseAbs2().asDiagonal() * ritz;
    return basis;
}

}  // namespace faying::transient::detail
