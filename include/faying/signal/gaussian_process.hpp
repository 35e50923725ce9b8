#pragma once
// Gaussian-process regression of scattered points (x, y) by a smooth curve with bounds:
//
//     y_i = m + f(x_i) + e_i,   cov f = s^2 (1 + r + r^2/3) exp(-r), r = sqrt(5)|x - x'|/l,   var e_i = s^2 (a v_i + b)
//
// (Matern 5/2: twice differentiable curves. The squared exponential believes in infinitely smooth ones, and its bounds
// then miss the true curve too often.) v_i are the points' own variances where known (only their ratios matter; a
// rescales them), b is common noise. Length l, a and b maximise the likelihood (SLSQP, analytic gradient, several
// starts); m and s^2 are eliminated in closed form.
//
//     const GaussianProcess curve(x, y, {});                 // or with the points' standard errors
//     const auto p = curve.at(0.3);            // p.mean +- 1.96 p.mean_error, +- 1.96 p.observation_error

#include <Eigen/Dense>
#include <vector>

namespace faying::signal {

struct Prediction {
    double mean = 0;
    double mean_error = 0;         ///< standard deviation of the curve itself
    double observation_error = 0;  ///< of one more point measured there: curve and noise
};

class GaussianProcess {
 public:
    /// Throws core::BadInput for fewer than four points, sizes that differ, values that are not finite, no spread in x.
    GaussianProcess(const std::vector<double>& x, const std::vector<double>& y,
                    const std::vector<double>& standard_errors);

    Prediction at(double x) const;
    double length_scale() const { return length_; }
    double signal_deviation() const;
    /// Root mean square over the points.
    double noise_deviation() const;
    double log_likelihood() const { return log_likelihood_; }

 private:
    Eigen::VectorXd x_, y_, variance_;  ///< y centred and scaled; variances of mean 1
    Eigen::MatrixXd distances_;         ///< sqrt(5) |x_i - x_j|
    double offset_ = 0, scale_ = 1;
    double length_ = 1, known_share_ = 0, common_share_ = 0;  ///< l, a, b
    double mean_ = 0, signal_variance_ = 1, log_likelihood_ = 0;
    Eigen::LLT<Eigen::MatrixXd> covariance_;
    Eigen::VectorXd weights_, ones_;  ///< C^-1 (y - m), C^-1 1

    double solve(double length, double known, double common);
    double evaluate(const double* logs, double* gradient);
    void maximise(bool known_variances);
    double noise_at(double x) const;
};

}  // namespace faying::signal
