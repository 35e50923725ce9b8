#include "propagator.hpp"

#include <unsupported/Eigen/MatrixFunctions>

namespace faying::transient::detail {

/// By the exponential of the first-order system in (q, h v, h^2 p, h^2 (p1 - p0)) over a unit of time: rigid and
/// overdamped modes need no formulas of their own.
Propagator::Propagator(const Eigen::VectorXd& omega, const Eigen::VectorXd& damping, double h) {
    const Eigen::Index n = omega.size();
    for (auto* x : {&qq, &qv, &qa, &qf, &vq, &vv, &va, &vf}) x->resize(n);
    for (Eigen::Index r = 0; r < n; ++r) {
        const double k = omega(r) * omega(r), c = damping(r);
        Eigen::Matrix4d rate = Eigen::Matrix4d::Zero();
        rate(0, 1) = rate(1, 2) = rate(2, 3) = 1;
        rate(1, 0) = -k * h * h;
        rate(1, 1) = -c * h;
        const Eigen::Matrix4d e = rate.exp();
        const double q0 = (e(0, 2) - e(0, 3)) * h * h, v0 = (e(1, 2) - e(1, 3)) * h;  // of p0
        qq(r) = e(0, 0) + q0 * k;
        qv(r) = e(0, 1) * h + q0 * c;
        qa(r) = q0;
        qf(r) = e(0, 3) * h * h;
        vq(r) = e(1, 0) / h + v0 * k;
        vv(r) = e(1, 1) + v0 * c;
        va(r) = v0;
        vf(r) = e(1, 3) * h;
    }
}

}  // namespace faying::transient::detail
