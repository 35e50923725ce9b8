#pragma once
// What a posterior predicts, and whether it could have predicted the data it was made from.
//
//     const Band band = predict(posterior, samples, curve, amplitudes, {});     // curve(theta): omega, zeta there
//     band.omega.low[3], band.omega.high[3];                                      // 95 % of the curve
//     band.omega.test_low[3], band.omega.test_high[3];                            // 95 % of what another test would measure
//     check_fit(posterior, samples, {}).misfit;                                   // no parameters explain the data

#include "faying/fit/nuts.hpp"
#include "faying/fit/posterior.hpp"

namespace faying::fit {

struct PredictOptions {
    int draws = 400;  ///< of the posterior, evenly spaced
    std::uint64_t seed = 1;
    int threads = 0;
    void check() const;
};

struct BandOf {
    std::vector<double> middle, low, high, test_low, test_high;
};
struct Band {
    std::vector<double> amplitude;
    BandOf omega, zeta;
    int failed = 0;  ///< draws at which the model had no answer
};

using CurveAt = std::function<std::optional<Prediction>(const std::vector<double>& theta)>;

/// 95 % bounds, point by point.
Band predict(const Posterior& posterior, const Samples& samples, const CurveAt& curve, std::vector<double> amplitudes,
             const PredictOptions& options = {});

/// Whether copies of the data that the model made would leave as much unexplained. Errors of the copies are as they were
/// believed beforehand (found ones would excuse any law), and parameters follow them as those of a fit do, to the first
/// order. Where errors are stated: the sum of squares of residuals over them. Where not: how residuals follow one
/// another along the amplitude, which independent ones do not.
struct FitCheck {
    double omega_p = 1, zeta_p = 1;          ///< probability of a misfit as large as this one
    double omega_ratio = 0, zeta_ratio = 0;  ///< residuals over stated errors, root mean square
    bool misfit = false;                     ///< either p below a hundredth
};
inline constexpr double misfit_level = 0.01;
FitCheck check_fit(const Posterior& posterior, const Samples& samples, const PredictOptions& options = {});

}  // namespace faying::fit
