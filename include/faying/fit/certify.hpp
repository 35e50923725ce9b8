#pragma once
// Fronts that can be trusted: every candidate is solved again at tight tolerance by a second callable. Only what
// converges there stays, with the objectives found there: what a cheap evaluation claimed does not count.
//
//     const auto front = fit::certified_front(candidates, tight, {.threads = 2});

#include <vector>

#include "faying/fit/problem.hpp"

namespace faying::fit {

struct CertifyOptions {
    double agreement = 0.01;  ///< change of an objective (log10 units of a square) from which a point is `corrected`
    int threads = 0;          ///< 0: all cores
    void check() const;
};

struct CertifiedFront {
    std::vector<Candidate> points;  ///< certified and non-dominated, by the first objective, with the tight evaluations
    int candidates = 0;             ///< non-dominated before certification
    int not_converged = 0;          ///< did not converge at tight tolerance
    int corrected = 0;              ///< converged to objectives that differ by more than the agreement
};

CertifiedFront certified_front(const std::vector<Candidate>& candidates, const Objective& tight,
                               const CertifyOptions& options = {});

/// Evaluations in the order of the values, made by `threads` threads (0: all cores).
std::vector<Evaluation> evaluate_all(const Objective& objective, const std::vector<std::vector<double>>& values,
                                     int threads);

}  // namespace faying::fit
