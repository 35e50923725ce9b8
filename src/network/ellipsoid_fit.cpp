#include "ellipsoid_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>

#include "draws.hpp"
#include "faying/core/error.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Motions {
    MatrixXd positions;   ///< a column per point
    MatrixXd after_turn;  ///< motion over the first piece of every branch
};

Motions motions(const Network& network, const std::vector<KnownHistory>& training) {
    std::vector<VectorXd> positions, after;
    for (const auto& h : training) {
        Follower walk(network);
        VectorXd before = VectorXd::Zero(network.size());
        double last = 0, run = 0;
        for (const double load : h.load) {
            walk.advance(load);
            positions.push_back(walk.state().x);
            if ((load - last) * run < 0.0) after.push_back(walk.state().x - before);
            run = load - last;
            last = load;
            before = walk.state().x;
        }
    }
    const auto gathered = [&](const std::vector<VectorXd>& all) {
        MatrixXd m(network.size(), Index(all.size()));
        for (std::size_t i = 0; i < all.size(); ++i) m.col(Index(i)) = all[i];
        return m;
    };
    return {gathered(positions), gathered(after)};
}

/// Left singular vectors by way of the smaller Gram matrix' eigenvectors: the largest are all that is asked for.
MatrixXd leading(const MatrixXd& m, int count) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(m.rows() <= m.cols() ? MatrixXd(m * m.transpose())
                                                                             : MatrixXd(m.transpose() * m));
    const MatrixXd last = eigen.eigenvectors().rightCols(count).rowwise().reverse();
    if (m.rows() <= m.cols()) return last;
    MatrixXd left = m * last;
    left.colwise().normalize();
    return left;
}

MatrixXd orthonormal(const MatrixXd& m) {
    const Eigen::HouseholderQR<MatrixXd> qr(m);
    return qr.householderQ() * MatrixXd::Identity(m.rows(), m.cols());
}

MatrixXd greedy(const Motions& seen, int states) {
    MatrixXd rest(seen.positions.rows(), seen.positions.cols() + seen.after_turn.cols());
    rest << seen.positions, seen.after_turn;
    MatrixXd basis(rest.rows(), states);
    // Positions count by their size, motions after a turn by their own: each kind in units of its mean.
    const double a = seen.positions.colwise().norm().mean(), b = seen.after_turn.colwise().norm().mean();
    rest.leftCols(seen.positions.cols()) /= std::max(a, 1e-300);
    rest.rightCols(seen.after_turn.cols()) /= std::max(b, 1e-300);
    for (int k = 0; k < states; ++k) {
        Index worst = 0;
        rest.colwise().squaredNorm().maxCoeff(&worst);
        basis.col(k) = rest.col(worst).normalized();
        rest -= basis.col(k) * (basis.col(k).transpose() * rest).eval();
    }
    return orthonormal(basis);
}

}  // namespace

MatrixXd motion_basis(const Network& network, const std::vector<KnownHistory>& training, int states, Basis basis) {
    const Motions seen = motions(network, training);
    const Index most = std::min(network.size(), seen.positions.cols());
    if (states > most) throw core::BadInput("condense", "the training histories are too short for so many states");
    if (basis == Basis::svd) return leading(seen.positions, states);
    if (basis == Basis::greedy) return greedy(seen, states);
    const int first = (states + 1) / 2;
    MatrixXd both(network.size(), states);
    both.leftCols(first) = leading(seen.positions, first);
    if (states > first) both.rightCols(states - first) = leading(seen.after_turn, states - first);
    return orthonormal(both);
}

MatrixXd friction_ellipsoid(const MatrixXd& basis, const VectorXd& friction, FitOf fit, std::uint64_t seed,
                            double& error) {
    const Index m = basis.cols(), unknowns = m * (m + 1) / 2, count = 200 * unknowns + 2000;
    Draws draws(seed);
    MatrixXd left = MatrixXd::Zero(unknowns, unknowns);
    VectorXd right = VectorXd::Zero(unknowns), row(unknowns);
    MatrixXd directions(m, count);
    VectorXd G(count);
    for (Index k = 0; k < count; ++k) {
        for (Index i = 0; i < m; ++i) directions(i, k) = draws.normal();
        const VectorXd eta = directions.col(k);
        G(k) = friction.dot((basis * eta).cwiseAbs());
        const double weight = fit == FitOf::relative ? 1.0 / (G(k) * G(k)) : 1.0;
        Index at = 0;
        for (Index i = 0; i < m; ++i)
            for (Index j = i; j < m; ++j) row(at++) = weight * (i == j ? 1.0 : 2.0) * eta(i) * eta(j);
        left.selfadjointView<Eigen::Lower>().rankUpdate(row);
        right += weight * G(k) * G(k) * row;
    }
    const VectorXd a = left.selfadjointView<Eigen::Lower>().ldlt().solve(right);
    MatrixXd A(m, m);
    Index at = 0;
    for (Index i = 0; i < m; ++i)
        for (Index j = i; j < m; ++j) A(i, j) = A(j, i) = a(at++);
    double sum = 0;
    for (Index k = 0; k < count; ++k) {
        const VectorXd eta = directions.col(k);
        sum += std::pow(std::sqrt(std::max(0.0, eta.dot(A * eta))) / G(k) - 1.0, 2);
    }
    error = std::sqrt(sum / double(count));
    return A;
}

Condensed condense_ellipsoid(const Network& network, const std::vector<KnownHistory>& training,
                             const CondenseOptions& options) {
    const MatrixXd basis = motion_basis(network, training, options.states, options.basis);
    Ellipsoid e;
    e.stiffness = basis.transpose() * network.stiffness * basis;
    e.stiffness = 0.5 * (e.stiffness + e.stiffness.transpose()).eval();
    e.coupling = basis.transpose() * network.coupling;
    e.drive = network.drive;
    e.held = network.held;
    double error = 0;
    e.friction = friction_ellipsoid(basis, network.friction, options.fit, options.seed, error);
    if (Eigen::LLT<MatrixXd>(e.friction).info() != Eigen::Success)
        throw core::NotConverged("condense: no ellipsoid fits this friction; take --set box", error);
    return {MState(e, "condense"), largest_load(network, options), error, 0, true};
}

}  // namespace faying::network
