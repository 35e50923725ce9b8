#pragma once
// Implicit condensation of a structure onto one mode: alpha(q), what it takes to hold the mode at amplitude q while all
// else settles, as a polynomial
//
//     alpha(q) = omega^2 q + k_2 q^2 + k_3 q^3 + ..
//
// exactly, from the structure's own Taylor coefficients: u = Sum u_j q^j, K u_j + (lower orders) = k_j M phi,
// phi^T M u_j = [j = 1], one factorisation for all orders; or fitted to static points, [S1] Eq. 7 (SICE):
//
//     min (1/S) Sum_l ((omega^2 q_l + Sum_j k_j q_l^j - alpha_l) / alpha_l)^2
//
//     const VectorXd k = taylor(system, rest, mode, 9).k;        // k(1) = omega^2, k(2), ..
//     const Fit fit = fit_polynomial(omega, q, alpha, 5);

#include <vector>

#include "faying/geometric/modal_path.hpp"

namespace faying::geometric {

struct Taylor {
    VectorXd k;       ///< k(j) of q^j, j = 0 .. order; k(0) = 0
    MatrixXd u;       ///< a column per power: u_0 (rest), u_1 = phi, ..
    double residual;  ///< largest of the orders, |r_j| / |largest term|
};

Taylor taylor(const System& system, const Rest& rest, const Mode& mode, int order);

/// The same held in several modes, q = s c: alpha_r(s c) as series of s.
class DirectedTaylor {
 public:
    DirectedTaylor(const System& system, const Rest& rest, const std::vector<Mode>& modes);

    struct Series {
        MatrixXd k;  ///< a row per mode, a column per power of s
        MatrixXd u;  ///< a column per power
        double residual = 0;
    };
    Series along(const VectorXd& c, int order) const;

 private:
    const System& system_;
    const Rest& rest_;
    VectorXd stiffness_;  ///< omega_r^2
    MatrixXd shapes_, inertia_;
    double scale_ = 0, stiffest_ = 0;
    sparse::DirectSolver solver_{sparse::DirectSolver::Kind::symmetric};
};

struct Fit {
    int order = 0;
    VectorXd k;           ///< k(j) of q^j, j = 0 .. order; k(1) = omega^2, not fitted
    double rms = 0;       ///< square root of the cost: relative error of alpha
    MatrixXd covariance;  ///< of k(2) .. k(order), from the scatter about the fit; NaN with as many points as terms
    double condition = 0;
};

/// Throws BadInput for an order above the number of points, and for a point without load.
Fit fit_polynomial(double omega, const std::vector<double>& q, const std::vector<double>& alpha, int order);

/// Amplitude at which what is not linear is as large as what is: where a fit may end when nobody says.
double telling_amplitude(const VectorXd& k);

}  // namespace faying::geometric
