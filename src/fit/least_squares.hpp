#pragma once
// Nonlinear least squares within bounds: Levenberg-Marquardt by Ceres, whose headers stay in one file.

#include <Eigen/Dense>
#include <functional>
#include <vector>

namespace faying::fit {

struct LeastSquares {
    std::size_t residuals = 0;
    std::vector<double> lower, upper;  ///< of the coordinates; infinite: none
    int iterations = 300;
    /// Fills r, and J (a row a residual) unless it is null. False: x is not allowed, the step is taken back.
    std::function<bool(const double* x, Eigen::VectorXd& r, Eigen::MatrixXd* J)> evaluate;
};

struct LeastSquaresRun {
    std::vector<double> x;
    double cost = 0;  ///< half the sum of squares; infinite when the start was not allowed
    bool converged = false;
    int iterations = 0;
};

LeastSquaresRun minimise(const LeastSquares& problem, std::vector<double> start);

}  // namespace faying::fit
