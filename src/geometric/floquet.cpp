// Stability of a periodic free motion: what a small disturbance becomes after a period.

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "bordered.hpp"
#include "faying/core/error.hpp"
#include "faying/geometric/nnm.hpp"

namespace faying::geometric {

double largest_multiplier(const System& system, const Rest& rest, const NnmPoint& point, int modes, int steps) {
    core::require(modes >= 1 && steps >= 8, "nnm", "modes >= 1, steps >= 8");
    core::require(point.motion.cols() > 0, "nnm", "a motion found by harmonic balance");
    const Index count = std::min<Index>(modes, rest.u.size());
    const MatrixXd shapes =
        low_modes(system.tangent(rest.u), system.mass(), static_cast<int>(count), static_cast<int>(count))
            .shapes.leftCols(count);
    // Unit disturbances: of place, then of speed per omega.
    MatrixXd v = MatrixXd::Zero(rest.u.size(), 2 * count), rate = v;
    v.leftCols(count) = shapes;
    rate.rightCols(count) = point.omega * shapes;
    // The midpoint rule keeps areas in phase space: what is stable does not seem damped.
    const double h = 2 * std::numbers::pi / point.omega / steps;
    const Sparse inertia = 4 / (h * h) * system.mass();
    sparse::DirectSolver solver(sparse::DirectSolver::Kind::symmetric);
    for (int s = 0; s < steps; ++s) {
        VectorXd u = rest.u;
        for (Index k = 0; k < point.motion.cols(); ++k)
            u += point.motion.col(k) * std::cos(2 * std::numbers::pi * double(k) * (s + 0.5) / steps);
        if (!solver.factor(system.tangent(u) + inertia))
            throw core::NotConverged("nnm: a step of the disturbance is singular",
                                     std::numeric_limits<double>::quiet_NaN());
        const MatrixXd middle = solver.solve(inertia * (v + 0.5 * h * rate));
        rate = 4 / h * (middle - v) - rate;
        v = 2 * middle - v;
    }
    const MatrixXd to = shapes.transpose() * system.mass();
    MatrixXd map(2 * count, 2 * count);
    map << to * v, to * rate / point.omega;
    return Eigen::EigenSolver<MatrixXd>(map, false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace faying::geometric
