#pragma once
// Damped Newton (core/newton.hpp) on a dense system r(x) = 0 of any origin.
//
//     struct Root : solve::Equations {                         // x^2 = 2
//         double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& r) override {
//             r(0) = x(0) * x(0) - 2;
//             return std::abs(r(0));
//         }
//         void jacobian(const Eigen::VectorXd& x, Eigen::MatrixXd& j) override { j(0, 0) = 2 * x(0); }
//     } equations;
//     Eigen::VectorXd x = Eigen::VectorXd::Ones(1);
//     const auto end = newton(equations, x);                   // end.converged, end.residual, end.iterations

#include <Eigen/Dense>

#include "faying/core/newton.hpp"

namespace faying::solve {

/// r(x) = 0, as many equations as unknowns. What `evaluate` returns is the size of r that counts, made relative by
/// whoever knows what is large.
class Equations {
 public:
    virtual ~Equations() = default;
    virtual double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& r) = 0;
    /// dr/dx at the x of the last evaluation.
    virtual void jacobian(const Eigen::VectorXd& x, Eigen::MatrixXd& j) = 0;
    /// J^-1 r there, for equations that know a cheaper way than a factorisation; false: they do not, for now.
    virtual bool step(const Eigen::VectorXd& /*x*/, const Eigen::VectorXd& /*r*/, Eigen::VectorXd& /*change*/) {
        return false;
    }
};

struct NewtonOptions {
    double tolerance = 1e-10;  ///< size of r that counts as converged; it goes on to rounding
    double enough = 1e-15;     ///< no further than this
    int most_iterations = 25;
    bool damped = true;  ///< steps are shortened until r falls

    void check() const;
};

struct NewtonResult {
    bool converged = false;
    double residual = 0;
    int iterations = 0;
    core::NewtonEnd end = core::NewtonEnd::spent;
};

NewtonResult newton(Equations& equations, Eigen::VectorXd& x, const NewtonOptions& options = {});

}  // namespace faying::solve
