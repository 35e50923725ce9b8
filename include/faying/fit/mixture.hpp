#pragma once
// A mixture of normal distributions in coordinates in which a bent ridge is straight, and a share of the standard normal
// one (what z was beforehand), so that no density over it is without bound. Fitted to draws, or to places that weigh
// differently.
//
//     const Mixture g = Mixture::fitted(draws, weights, 6, seed);     // a row a place
//     g.log_density(z);

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace faying::fit {

class Random;

struct NormalPart {
    double weight = 1;
    Eigen::VectorXd mean;
    Eigen::MatrixXd scale;  ///< Cholesky factor of the covariance

    double log_density(const Eigen::VectorXd& y) const;  ///< without the weight
};

/// z = mean + axes diag(deviations) x with x_k = spread_k y_k + p_k(x_0 .. x_{k-1}): Cholesky with pivots, the widest
/// parameter first, each of which follows the wider ones by a polynomial. What data determine well (a frequency, say)
/// they determine of several parameters at once, in a narrow and bent ridge; this takes the bend out. Its volume is
/// constant.
struct Straightening {
    Eigen::VectorXd mean, deviations, spread;
    Eigen::MatrixXd axes;
    std::vector<Eigen::VectorXd> bends;  ///< coefficients of p_k; empty: zero

    static Straightening fitted(const Eigen::MatrixXd& places, const Eigen::VectorXd& weights);
    Eigen::VectorXd straight(const Eigen::VectorXd& z) const;                                ///< y
    Eigen::VectorXd bent(const Eigen::VectorXd& y) const;                                    ///< z
    double log_volume() const { return (deviations.array() * spread.array()).log().sum(); }  ///< ln |dz/dy|
};

class Mixture {
 public:
    Mixture() = default;
    Mixture(Straightening straightening, std::vector<NormalPart> parts)
        : straightening_(std::move(straightening)), parts_(std::move(parts)) {}

    /// By expectation and maximisation; `weights` sum to how many independent places they are worth.
    static Mixture fitted(const Eigen::MatrixXd& places, const Eigen::VectorXd& weights, int components,
                          std::uint64_t seed);

    bool empty() const { return parts_.empty(); }
    Eigen::Index dimension() const { return straightening_.mean.size(); }
    const Straightening& straightening() const { return straightening_; }
    const std::vector<NormalPart>& parts() const { return parts_; }
    double log_density(const Eigen::VectorXd& z) const;
    Eigen::VectorXd draw(Random& random) const;

 private:
    Straightening straightening_;
    std::vector<NormalPart> parts_;  ///< in y
};

/// ln of the sum of exponentials.
double log_sum(const Eigen::VectorXd& x);

}  // namespace faying::fit
