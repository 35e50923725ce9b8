#pragma once
// One step of uncoupled modes, exact for a force that is linear over the step:
//
//     q'' + c q' + omega^2 q = p(t),   p = p0 + (p1 - p0) t/h,   p0 = a0 + c v0 + omega^2 q0
//     q1 = qq q0 + qv v0 + qa a0 + qf p1,   v1 = vq q0 + vv v0 + va a0 + vf p1     (mode by mode)

#include <Eigen/Dense>

namespace faying::transient::detail {

struct Propagator {
    Eigen::VectorXd qq, qv, qa, qf, vq, vv, va, vf;

    Propagator() = default;
    Propagator(const Eigen::VectorXd& omega, const Eigen::VectorXd& damping, double h);
};

}  // namespace faying::transient::detail
