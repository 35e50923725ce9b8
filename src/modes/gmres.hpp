#pragma once
// GMRES without restarts for a system that a preconditioner has brought near the identity.

#include <Eigen/Dense>
#include <vector>

namespace faying::modes {

inline constexpr double gmres_enough = 1e-9;  ///< Newton's own convergence stays what it is

/// Solves A x = b: `x` is b at first and the solution at the end. `apply` multiplies with A and may count. False when
/// the residual is not below `enough` of |b| after `most` products; x is then the best of them.
template <class Apply>
bool gmres(const Apply& apply, Eigen::VectorXd& x, int most, double enough) {
    const Eigen::Index size = x.size();
    const double whole = x.norm();
    if (!(whole > 0)) return true;
    Eigen::MatrixXd basis(size, 1), h = Eigen::MatrixXd::Zero(most + 1, most);
    basis.col(0) = x / whole;
    Eigen::VectorXd g = Eigen::VectorXd::Zero(most + 1);
    std::vector<Eigen::JacobiRotation<double>> turns(static_cast<std::size_t>(most));
    g(0) = whole;
    for (int k = 0; k < most; ++k) {
        Eigen::VectorXd next = apply(basis.col(k));
        for (int pass = 0; pass < 2; ++pass) {  // twice is enough to stay orthogonal
            const Eigen::VectorXd along = basis.leftCols(k + 1).transpose() * next;
            next -= basis.leftCols(k + 1) * along;
            h.col(k).head(k + 1) += along;
        }
        h(k + 1, k) = next.norm();
        for (int i = 0; i < k; ++i) h.col(k).applyOnTheLeft(i, i + 1, turns[std::size_t(i)].adjoint());
        const double length = h(k + 1, k);
        turns[std::size_t(k)].makeGivens(h(k, k), h(k + 1, k));
        h.col(k).applyOnTheLeft(k, k + 1, turns[std::size_t(k)].adjoint());
        g.applyOnTheLeft(k, k + 1, turns[std::size_t(k)].adjoint());
        const bool done = std::abs(g(k + 1)) <= enough * whole;
        if (done || k + 1 == most) {
            const Eigen::VectorXd shares =
                h.topLeftCorner(k + 1, k + 1).triangularView<Eigen::Upper>().solve(g.head(k + 1));
            x = basis.leftCols(k + 1) * shares;
            return done && x.allFinite();
        }
        if (basis.cols() == k + 1) basis.conservativeResize(size, std::min(most, 2 * (k + 1)));
        basis.col(k + 1) = next / length;
    }
    return false;
}

}  // namespace faying::modes
