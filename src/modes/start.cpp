// Where a branch starts: the r-th linear mode with the joints' tangents at the prestressed state.

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <memory>

#include "equations.hpp"
#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

constexpr Eigen::Index dense_up_to = 120;

[[noreturn]] void no_such_mode(int mode, Eigen::Index count) {
    throw core::BadInput("backbone", fmt::format("there is no mode {}; allowed are 1 to {}", mode, count));
}

StartMode from_columns(const Interface& interface, const Eigen::VectorXd& x, double lambda) {
    StartMode s{x.head(interface.width()), x.tail(interface.modes()), lambda};
    Eigen::VectorXd on_y(interface.width()), on_modes(interface.modes());
    interface.apply_mass(s.y, s.xi, on_y, on_modes);
    const double size = std::sqrt(s.y.dot(on_y) + s.xi.dot(on_modes));
    const Eigen::VectorXd full = interface.full(s.y, s.xi);
    Eigen::Index largest = 0;
    full.cwiseAbs().maxCoeff(&largest);
    const double sign = full(largest) < 0 ? -1.0 : 1.0;  // as linear_modes has it: the largest component is positive
    s.y *= sign / size;
    s.xi *= sign / size;
    return s;
}

/// (K_y + k)^-1 of columns; none where it is not positive definite.
using Flexibility = std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>;

Flexibility flexibility_of(const Eigen::MatrixXd& stiffness) {
    const auto llt = std::make_shared<const Eigen::LLT<Eigen::MatrixXd>>(stiffness);
    if (llt->info() != Eigen::Success) return {};
    return [llt](const Eigen::MatrixXd& f) -> Eigen::MatrixXd { return llt->solve(f); };
}

Flexibility flexibility_of(const KnownInverse& known) {
    if (!known.positive() || !known.finite()) return {};
    return [&known](const Eigen::MatrixXd& f) { return solve::times_transposed(known.matrix(), f.transpose()); };
}

/// Few vectors of (K + k)^-1 M, Rayleigh-Ritz on them until |K x - lambda M x| <= tolerance |lambda M x|; the interface
/// block is factorised once.
StartMode by_subspace(const Interface& interface, const Flexibility& flexibility, int mode, double tolerance,
                      bool& found) {
    const Eigen::Index m = interface.width(), k = interface.modes(), n = m + k;
    const Eigen::Index count = std::min<Eigen::Index>(n, mode + 8);
    found = flexibility && interface.omega2().minCoeff() > 0;
    for (Eigen::Index j = 0; found && j < k; ++j) found = !interface.couples_by_stiffness(j);
    if (!found) return {};
    Eigen::MatrixXd x(n, count), mx(n, count);
    for (Eigen::Index j = 0; j < count; ++j)  // scattered starts, the same every time
        for (Eigen::Index i = 0; i < n; ++i) x(i, j) = std::sin(1.0 + 12.9898 * double(i) + 78.233 * double(j * j + j));
    const auto apply_mass = [&](const Eigen::MatrixXd& v, Eigen::MatrixXd& out) {
        out.topRows(m) = solve::times_transposed(interface.mass(), v.topRows(m).transpose());
        out.topRows(m).noalias() += interface.mass_coupling() * v.bottomRows(k);
        out.bottomRows(k).noalias() = interface.mass_coupling().transpose() * v.topRows(m);
        out.bottomRows(k) += v.bottomRows(k);
    };
    apply_mass(x, mx);
    double last = std::numeric_limits<double>::infinity();
    Eigen::MatrixXd next(n, count), heavy(n, count);
    for (int iteration = 0; iteration < 200; ++iteration) {
        next.topRows(m) = flexibility(mx.topRows(m));
        next.bottomRows(k) = interface.omega2().cwiseInverse().asDiagonal() * mx.bottomRows(k);
        // Ritz: next^T K next = next^T M x exactly
        const Eigen::MatrixXd stiff = next.transpose() * mx;
        apply_mass(next, heavy);
        const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> ritz(0.5 * (stiff + stiff.transpose()),
                                                                             next.transpose() * heavy);
        if (ritz.info() != Eigen::Success) break;
        const double lambda = ritz.eigenvalues()(mode - 1);
        const Eigen::VectorXd pull = mx * ritz.eigenvectors().col(mode - 1);  // (K + k) x
        x.noalias() = next * ritz.eigenvectors();
        mx.noalias() = heavy * ritz.eigenvectors();
        if (!(lambda > 0)) continue;  // scattered starts are nearly dependent at first
        const double error = (pull - lambda * mx.col(mode - 1)).norm() / (lambda * mx.col(mode - 1).norm());
        if (error <= tolerance) return from_columns(interface, x.col(mode - 1), lambda);
        if (error < 1e-9 && error > 0.5 * last) return from_columns(interface, x.col(mode - 1), lambda);  // rounding
        last = error;
    }
    found = false;
    return {};
}

StartMode densely(const Interface& interface, const Eigen::MatrixXd& stiffness, int mode) {
    const Eigen::Index m = interface.width(), k = interface.modes(), n = m + k;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), M = Eigen::MatrixXd::Identity(n, n);
    K.topLeftCorner(m, m) = stiffness;
    K.topRightCorner(m, k) = interface.stiffness_coupling();
    K.bottomLeftCorner(k, m) = interface.stiffness_coupling().transpose();
    K.bottomRightCorner(k, k).diagonal() = interface.omega2();
    M.topLeftCorner(m, m) = interface.mass();
    M.topRightCorner(m, k) = interface.mass_coupling();
    M.bottomLeftCorner(k, m) = interface.mass_coupling().transpose();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (K + K.transpose()), M);
    if (eigen.info() != Eigen::Success)
        throw core::NotConverged("backbone: the linear modes did not converge",
                                 std::numeric_limits<double>::quiet_NaN());
    const double lambda = eigen.eigenvalues()(mode - 1), top = std::abs(eigen.eigenvalues()(n - 1));
    if (!(lambda > 1e-10 * top) && n > 1 && lambda < 1e-10 * top) {
        if (lambda < -1e-10 * top)
            throw core::BadInput("backbone", fmt::format("the stiffness is negative along mode {}", mode));
        throw core::BadInput("backbone", fmt::format("mode {} is a rigid-body mode", mode));
    }
    return from_columns(interface, eigen.eigenvectors().col(mode - 1), lambda);
}

}  // namespace

StartMode start_mode(const structure::Model& model, const Interface& interface, const Sites& sites, int mode,
                     double tolerance, const KnownInverse* known) {
    if (mode < 1 || mode > model.size()) no_such_mode(mode, model.size());
    Eigen::MatrixXd stiffness = interface.stiffness();
    add_stiffness(sites, interface, stiffness);
    bool found = false;
    StartMode s;
    if (interface.size() > dense_up_to || (interface.width() > 0 && interface.modes() > 0 && mode < 6))
        s = by_subspace(interface,
                        known ? flexibility_of(*known) : flexibility_of(0.5 * (stiffness + stiffness.transpose())),
                        mode, tolerance, found);
    return found ? s : densely(interface, stiffness, mode);
}

}  // namespace faying::modes
