#pragma once
// Gaussian-process regression of scattered points (x, y) by a smooth curve with bounds:
//
//     y_i = m + f(x_i) + e_i,   cov f = s^2 (1 + r + r^2/3) exp(-r), r = sqrt(5)|x - x'|/l,   cov e = c^2 V + b^2 I
//
// (Matern 5/2: twice differentiable curves. The squared exponential believes in infinitely smooth ones, and its bounds
// then miss the true curve too often.) V is the points' own covariance where known, right up to a factor c^2 near one or
// of any size (`Errors`); b is common noise; m is eliminated. Few points do not say l, s, c and b: up to `most_integrated`
// the prediction is the mean over a grid of them by their likelihood, and its error holds what they differ by. The values
// of greatest likelihood alone believe in curves that are too smooth, and their bounds hold the truth too rarely. Of more
// points those are taken (SLSQP, analytic gradient, several starts).
//
//     const GaussianProcess curve(x, y, {});                 // or with the points' standard errors
//     const auto p = curve.at(0.3);            // p.mean +- 1.96 p.mean_error, +- 1.96 p.observation_error

#include <Eigen/Dense>
#include <vector>

namespace faying::signal {

/// What the points' standard errors are known to be: right to a quarter, or right only as to their ratios.
enum class Errors { ratios, sizes };

struct Prediction {
    double mean = 0;
    double mean_error = 0;         ///< standard deviation of the curve itself
    double observation_error = 0;  ///< of one more point measured there: curve and noise
};

class GaussianProcess {
 public:
    static constexpr Eigen::Index most_integrated = 60;

    /// Throws core::BadInput for fewer than four points, sizes that differ, values that are not finite, no spread in x.
    GaussianProcess(const std::vector<double>& x, const std::vector<double>& y,
                    const std::vector<double>& standard_errors, Errors known = Errors::ratios,
                    const Eigen::MatrixXd& correlation = {});  ///< of the errors; empty: none

    Prediction at(double x) const;
    /// Geometric mean over what is integrated over.
    double length_scale() const;
    /// Root mean square over the points.
    double noise_deviation() const;

 private:
    /// One set of l, s^2, c^2, b^2 (of y over its deviation, v over its mean) and the curve with it.
    struct Node {
        double length = 1, signal = 1, factor = 0, common = 0;
        double share = 1;           ///< of all nodes
        double log_likelihood = 0;  ///< with the mean integrated out
        double mean = 0;
        Eigen::LLT<Eigen::MatrixXd> covariance = {};
        Eigen::VectorXd weights = {}, ones = {};  ///< C^-1 (y - m), C^-1 1
    };
    Eigen::VectorXd x_, y_;      ///< y centred and scaled
    Eigen::MatrixXd errors_;     ///< covariance of the points' own errors, with variances of mean 1; empty: unknown
    Eigen::MatrixXd distances_;  ///< sqrt(5) |x_i - x_j|
    double offset_ = 0, scale_ = 1;
    double range_ = 1, gap_ = 1;  ///< of x; between points
    std::vector<Node> nodes_;

    Eigen::MatrixXd kernel(double length) const;
    bool solve(Node& node, const Eigen::MatrixXd& kernel) const;
    double profile(Node& node, const double* logs, double* gradient) const;
    void integrate(double mean_variance, Errors known);
    void maximise();
    double noise_at(const Node& node, double x) const;
};

}  // namespace faying::signal
