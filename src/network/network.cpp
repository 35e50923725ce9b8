#include "faying/network/network.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "faying/core/error.hpp"

namespace faying::network {

namespace {

/// K = L L^T with pivots, its diagonal scaled to 1 so that units do not matter; the smallest. Not positive: K is singular
/// or worse.
double smallest_pivot(const Eigen::MatrixXd& K) {
    if (!(K.diagonal().minCoeff() > 0.0)) return K.diagonal().minCoeff() / K.cwiseAbs().maxCoeff();
    const Eigen::VectorXd scale = K.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd unit = scale.asDiagonal() * K * scale.asDiagonal();
    const Eigen::LDLT<Eigen::MatrixXd> factors(unit);
    if (factors.info() == Eigen::Success) return factors.vectorD().minCoeff();
    // Pivots that are all round-off end a factorisation, also of a matrix that is no worse than singular.
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(unit, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

void check_definite(const Network& net, const std::string& where) {
    const auto& K = net.stiffness;
    const double scale = K.cwiseAbs().maxCoeff();
    if ((K - K.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) throw core::BadInput(where, "K is not symmetric");
    const double least = net.decoupled() ? K.diagonal().minCoeff() / K.diagonal().maxCoeff() : smallest_pivot(K);
    // A singular K leaves a pivot of a few units of round-off per slider.
    const double round_off = 4.0 * double(K.rows()) * std::numeric_limits<double>::epsilon();
    if (least > round_off) return;
    if (net.may_slide && least > -round_off) return;
    throw core::BadInput(
        where, fmt::format("K is not positive definite (smallest pivot {:.3g} of its diagonal); "
                           "a network needs springs that hold every slider{}",
                           least, least > -round_off ? ", or may_slide = true if it may slide as a whole" : ""));
}

}  // namespace

bool Network::decoupled() const {
    for (Eigen::Index j = 0; j < stiffness.cols(); ++j)
        for (Eigen::Index i = 0; i < stiffness.rows(); ++i)
            if (i != j && stiffness(i, j) != 0.0) return false;
    return true;
}

void check_network(const Network& net, const std::string& where) {
    const auto n = net.friction.size();
    if (n == 0) throw core::BadInput(where, "a network needs at least one slider");
    if (net.stiffness.rows() != net.stiffness.cols())
        throw core::BadInput(
            where, fmt::format("K is {} x {}; it must be square", net.stiffness.rows(), net.stiffness.cols()));
    if (net.stiffness.rows() != n)
        throw core::BadInput(where, fmt::format("mu has {} entries and K is {} x {}; one friction force per slider is "
                                                "needed",
                                                n, net.stiffness.rows(), net.stiffness.cols()));
    const char* coupling = net.by_force() ? "b" : "g";
    if (net.coupling.size() != n)
        throw core::BadInput(where, fmt::format("{} has {} entries; expected {}, one per slider, like mu and K",
                                                coupling, net.coupling.size(), n));
    if (!net.stiffness.allFinite()) throw core::BadInput(where, "K has an entry that is not a finite number");
    if (!net.friction.allFinite()) throw core::BadInput(where, "mu has an entry that is not a finite number");
    if (!net.coupling.allFinite())
        throw core::BadInput(where, fmt::format("{} has an entry that is not a finite number", coupling));
    for (Eigen::Index i = 0; i < n; ++i)
        if (net.friction(i) < 0.0)
            throw core::BadInput(where, fmt::format("mu({}) = {:g} is negative; friction forces must be 0 or more",
                                                    i + 1, net.friction(i)));
    if (net.coupling.isZero(0.0))
        throw core::BadInput(where, fmt::format("{} is zero: the load moves nothing", coupling));
    check_definite(net, where);
    if (!net.by_force() && !(net.held >= 0.0 && std::isfinite(net.held)))
        throw core::BadInput(where, fmt::format("k0 = {:g} must be a finite number, 0 or more", net.held));
}

Network through_spring(const Network& network, double k) {
    if (!(k > 0.0) || !std::isfinite(k))
        throw core::BadInput("through", fmt::format("the spring {:g} is not in (0, inf)", k));
    Network made = network;
    made.stiffness += k * network.coupling * network.coupling.transpose();
    made.coupling *= k;
    made.drive = laws::Drive::displacement;
    made.held = k;
    return made;
}

}  // namespace faying::network
