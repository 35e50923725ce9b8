#pragma once
// The generalized Valanis law from a loop without a derivative of anything measured. Along a branch, d the distance from
// its first point,
//
//     f(x) = c e^(-E2 d) + E1 psi_0(x; E2) + Sum_k a_k psi_k(x; E2),   psi_k = s Int e^(-E2 (d - d')) x'^p v^q dx',
//
// exact between any two samples (the step of the law itself), linear but for E2. The force c at the first point is an
// unknown of every branch, so that neither the past of the record nor a noisy first point matters. E2 by Gauss-Newton on
// what the linear part leaves (variable projection), from the best of a scan.

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "faying/fit/loop.hpp"

namespace faying::fit {

/// One way between two turns; samples that do not advance are left out.
struct Stretch {
    double s = 1;
    std::vector<double> x, f;
    std::vector<double> v;  ///< of the step to the next sample; zeros where times are not known
    std::size_t loop = 0;
    std::vector<int> fold = {};  ///< of each sample, for cross-validation
};

/// Of all loops, in both directions. The turn itself lies between samples: the extreme one, which may be of either
/// branch, is left out where the record does not hold still there.
std::vector<Stretch> stretches(const std::vector<Loop>& loops);

struct IntegralFit {
    double E2 = 0;
    Eigen::VectorXd linear;           ///< E1, then the terms
    Eigen::VectorXd standard_errors;  ///< E1, E2, then the terms
    double squares = 0, condition = 0;
    std::size_t points = 0;
    bool converged = false;
};

/// Terms are indices of the law's monomials. Samples of the fold `without` are left out. Throws BadInput with fewer
/// samples than unknowns and for a term that is zero throughout.
IntegralFit fit_integral(const std::vector<Stretch>& all, const std::vector<int>& terms, int without = -1,
                         std::optional<double> start = {});

/// Sum of squares of what the fit leaves of the samples of one fold. The force at the first point of a branch is that of
/// its other samples, or where it has none the best one.
double squares_of_fold(const std::vector<Stretch>& all, const std::vector<int>& terms, const IntegralFit& fit,
                       int fold);

}  // namespace faying::fit
