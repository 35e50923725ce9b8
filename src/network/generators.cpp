#include "faying/network/generators.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "draws.hpp"

namespace faying::network {

namespace {

/// The orthogonal factor whose R has a positive diagonal: what Gram-Schmidt on the columns gives.
Eigen::MatrixXd orthogonal_factor(const Eigen::MatrixXd& m) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(m);
    Eigen::MatrixXd Q = qr.householderQ();
    for (Eigen::Index j = 0; j < m.cols(); ++j)
        if (qr.matrixQR()(j, j) < 0.0) Q.col(j) = -Q.col(j);
    return Q;
}

void join(Eigen::MatrixXd& K, Eigen::Index i, Eigen::Index j, double k) {
    K(i, i) += k;
    K(j, j) += k;
    K(i, j) -= k;
    K(j, i) -= k;
}

}  // namespace

Network random_network(int n, std::uint64_t seed) {
    Draws draws(seed);
    Eigen::MatrixXd normal(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) normal(i, j) = draws.normal();
    const Eigen::MatrixXd P = orthogonal_factor(normal);
    Network net;
    Eigen::VectorXd D(n);
    for (double& d : D) d = 3.0 * draws.uniform();
    net.coupling.resize(n);
    for (double& b : net.coupling) b = draws.normal();
    net.friction.resize(n);
    for (double& mu : net.friction) mu = draws.uniform();
    net.stiffness = P.transpose() * D.asDiagonal() * P;
    net.stiffness = 0.5 * (net.stiffness + net.stiffness.transpose()).eval();
    return net;
}

Network parallel_network(int n, double mu0) {
    Network net;
    net.stiffness = Eigen::MatrixXd::Identity(n, n) / double(n);
    net.coupling = Eigen::VectorXd::Constant(n, 1.0 / n);
    net.friction = Eigen::VectorXd::LinSpaced(n, 1.0, double(n)) * (mu0 / n);
    net.drive = laws::Drive::displacement;
    net.held = 1.0;
    return net;
}

Network chain_network(int n) {
    Network net;
    net.stiffness = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i + 1 < n; ++i) join(net.stiffness, i, i + 1, 1.0);
    net.stiffness(n - 1, n - 1) += 1.0 / n;
    net.friction = Eigen::VectorXd::Constant(n, 1.0 / n);
    net.coupling = Eigen::VectorXd::Unit(n, 0);
    return net;
}

Network mesh_network(int n, std::uint64_t seed) {
    Draws draws(seed);
    Eigen::MatrixXd at(n, 2);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 2; ++k) at(i, k) = draws.uniform();
    Network net;
    net.stiffness = Eigen::MatrixXd::Identity(n, n) * 0.1;
    const double spacing = 1.0 / std::sqrt(double(n));
    for (int i = 0; i < n; ++i) {
        std::vector<std::pair<double, int>> others;
        for (int j = 0; j < n; ++j)
            if (j != i) others.emplace_back((at.row(i) - at.row(j)).norm(), j);
        const auto nearest = std::min<std::size_t>(6, others.size());
        std::partial_sort(others.begin(), others.begin() + long(nearest), others.end());
        for (std::size_t k = 0; k < nearest; ++k)
            join(net.stiffness, i, others[k].second, spacing / std::max(others[k].first, 1e-3 * spacing));
    }
    net.coupling = (at.col(0).array() < 0.2).select(Eigen::VectorXd::Ones(n), 0.0);
    if (net.coupling.isZero(0.0)) net.coupling(0) = 1.0;
    net.coupling /= net.coupling.sum();
    net.friction.resize(n);
    for (double& mu : net.friction) mu = draws.uniform() * 2.0 / n;
    return net;
}

std::vector<Checksum> checksums(const Network& net) {
    const bool force = net.by_force();
    return {{"sum_mu", net.friction.sum()}, {force ? "b'b" : "g'g", net.coupling.squaredNorm()},
            {"trK", net.stiffness.trace()}, {"frob2K", net.stiffness.squaredNorm()},
            {"K00", net.stiffness(0, 0)},   {force ? "b0" : "g0", net.coupling(0)},
            {"mu0", net.friction(0)}};
}

}  // namespace faying::network
