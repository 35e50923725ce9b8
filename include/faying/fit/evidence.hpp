#pragma once
// How probable the data are under a model: the integral of its density, by two ways that can be held against each other.
//
//     importance  ln mean of p/g over draws of g
//     bridge      (Meng and Wong 1996) draws of p and of g
//
// g is a mixture of normal distributions fitted to half of the samples, and a share of the prior, so that no weight is
// without bound. Never the harmonic mean.
//
//     const Evidence e = evidence(target, samples);
//     e.bridge.value, e.importance.value;           // natural logarithms; should agree within their errors

#include "faying/fit/nuts.hpp"

namespace faying::fit {

struct EvidenceEstimate {
    double value = 0, error = 0;  ///< of the natural logarithm
};

struct EvidenceOptions {
    int draws = 4000;    ///< of g, for each of the two
    int components = 6;  ///< of the mixture
    std::uint64_t seed = 1;
    int threads = 0;
    void check() const;
};

struct Evidence {
    EvidenceEstimate bridge, importance;
    double weight_size = 0;  ///< effective draws of the importance estimate
    double pareto_k = 0;     ///< shape of the tail of its weights; above 0.7 their mean is not to be trusted
    bool agree() const;      ///< within half a nat, and within three of their errors or a tenth
};

/// Shape of a generalised Pareto distribution fitted to the largest of some weights (Vehtari and others 2024, by the
/// estimate of Zhang and Stephens 2009); minus infinity where too few differ to tell.
double pareto_shape(const Eigen::VectorXd& log_weights);

/// The prior's density in z is the standard normal one.
Evidence evidence(const Target& target, const Samples& samples, const EvidenceOptions& options = {});

}  // namespace faying::fit
