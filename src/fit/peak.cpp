#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/fit/nuts.hpp"

namespace faying::fit {

using Eigen::VectorXd;

Peak highest(const Target& target, VectorXd z, int most_iterations) {
    const auto d = z.size();
    VectorXd slope;
    double value = target(z, &slope);
    if (!std::isfinite(value))
        throw core::NotConverged("calibration: the starting values have no likelihood",
                                 std::numeric_limits<double>::quiet_NaN());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
    const auto curve = [&] {
        constexpr double h = 1e-5;
        Eigen::MatrixXd H = Eigen::MatrixXd::Identity(d, d);
        for (Eigen::Index i = 0; i < d; ++i) {
            VectorXd up = z, down = z, a, b;
            up(i) += h;
            down(i) -= h;
            if (std::isfinite(target(up, &a)) && std::isfinite(target(down, &b))) H.col(i) = (b - a) / (2 * h);
        }
        eigen.compute(0.5 * (H + H.transpose()));
    };
    for (int k = 0; k < most_iterations; ++k) {
        curve();
        // Along directions that curve the other way, the same distance downhill.
        const VectorXd size = eigen.eigenvalues().cwiseAbs().cwiseMax(0.1);
        const VectorXd move = eigen.eigenvectors() * (eigen.eigenvectors().transpose() * slope).cwiseQuotient(size);
        const double gain = slope.dot(move);
        if (!(gain > 1e-8)) break;
        bool moved = false;
        for (double share = std::min(1.0, 3 / move.norm()); share > 1e-9; share *= 0.3) {
            VectorXd tried_slope;
            const VectorXd tried = z + share * move;
            const double there = target(tried, &tried_slope);
            if (!(there > value + 1e-4 * share * gain)) continue;
            z = tried;
            value = there;
            slope = tried_slope;
            moved = true;
            break;
        }
        if (!moved) break;
    }
    curve();
    // The prior is a standard normal: what data say can only narrow it, but for a plateau.
    const VectorXd wide = eigen.eigenvalues().cwiseMax(1.0).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd covariance =
        eigen.eigenvectors() * wide.cwiseAbs2().asDiagonal() * eigen.eigenvectors().transpose();
    return {z, value, Eigen::LLT<Eigen::MatrixXd>(covariance).matrixL()};
}

}  // namespace faying::fit
