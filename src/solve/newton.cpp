#include "faying/solve/newton.hpp"

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/solve/dense.hpp"

namespace faying::solve {

void NewtonOptions::check() const {
    core::require(tolerance > 0 && tolerance <= 1e-2, "newton options", "0 < tolerance <= 1e-2");
    core::require(most_iterations >= 1, "newton options", "most_iterations >= 1");
}

NewtonResult newton(Equations& equations, Eigen::VectorXd& x, const NewtonOptions& options) {
    options.check();
    constexpr double rounding = 1e-15, slow = 0.3;
    Eigen::VectorXd r(x.size()), change(x.size()), trial(x.size());
    Eigen::MatrixXd jacobian(x.size(), x.size());
    DenseLu lu;
    NewtonResult result;
    result.residual = equations.evaluate(x, r);
    while (result.residual > rounding && std::isfinite(result.residual) &&
           result.iterations < options.most_iterations) {
        equations.jacobian(x, jacobian);
        lu.compute(jacobian);
        lu.solve(r, change);
        if (!change.allFinite()) break;
        ++result.iterations;
        const bool near = result.residual < options.tolerance;
        double step = 1.0, next = 0;
        for (;; step *= 0.5) {
            trial = x - step * change;
            next = equations.evaluate(trial, r);
            if (next < result.residual || !options.damped || near || step < 1e-3) break;
        }
        if (near && !(next < result.residual)) {  // rounding: keep the better one
            equations.evaluate(x, r);
            break;
        }
        const double contraction = next / result.residual;
        x = trial;
        result.residual = next;
        if (next < 0.1 * options.tolerance && contraction > slow) break;
    }
    result.converged = result.residual <= options.tolerance;
    return result;
}

}  // namespace faying::solve
