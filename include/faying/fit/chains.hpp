#pragma once
// Whether chains can be trusted: R-hat and effective sample sizes by ranks (Vehtari and others 2021).
//
//     const Diagnosis d = diagnose({chain1, chain2, chain3, chain4});        // draws of one quantity
//     d.rhat <= 1.01 && d.bulk >= 400;

#include <Eigen/Dense>
#include <vector>

namespace faying::fit {

struct Diagnosis {
    double rhat = 0;            ///< of ranks and of folded ranks, the greater
    double bulk = 0, tail = 0;  ///< effective sample sizes: of the middle; of the 5 and 95 % quantiles
};

/// Draws of one quantity by chain, all of the same length (four at least).
Diagnosis diagnose(const std::vector<Eigen::VectorXd>& chains);

/// Effective sample size of the values as they are.
double effective_size(const std::vector<Eigen::VectorXd>& chains);

/// Share of the draws below which `share` of them are: linear between order statistics.
double quantile(std::vector<double> values, double share);

}  // namespace faying::fit
