#pragma once
// How far a model's backbone is from a measured one ([S0] Eqs. 41-42), over the N measured amplitudes:
//
//     f_w = sqrt(mean((w/w_i - 1)^2)),   f_z = sqrt(mean(((ln z - ln z_i)/ln z_i)^2))
//
// and what is minimised, log10(f_w^2) and log10(f_z^2). A damping ratio that is not positive has no logarithm and
// counts as an error of 100 % at that amplitude.
//
//     const auto data = files::read_backbones("beam.csv").front();
//     fit::Evaluation e = fit::objectives(data, {.omega = .., .zeta = .., .omega_slopes = .., .zeta_slopes = ..});

#include <Eigen/Dense>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "faying/fit/problem.hpp"

namespace faying::fit {

/// A measured backbone: omega (rad/s) and zeta against amplitude (ascending), with the bounds of a measurement if
/// known.
struct Backbone {
    int mode = 1;
    std::vector<double> amplitude, omega, zeta;
    std::vector<double> omega_low, omega_high, zeta_low, zeta_high;  ///< all empty, or one per point

    std::size_t size() const { return amplitude.size(); }
    bool has_bounds() const { return !omega_low.empty(); }
};

/// The points of the backbone with these numbers, in this order; bounds come along.
Backbone picked(const Backbone& backbone, const std::vector<std::size_t>& points);

/// The backbone at `count` amplitudes, log spaced from its first to its last: omega linear, zeta log-linear in
/// log amplitude. Bounds come along. Kinks between these amplitudes are cut off, and of many noisy points the noise of
/// a few is taken: only where it is asked for.
Backbone resampled(const Backbone& backbone, int count);

/// What a model says at the measured amplitudes. Slopes: a row per point, a column per parameter; empty if not known.
struct Prediction {
    Eigen::VectorXd omega, zeta;
    Eigen::MatrixXd omega_slopes = {}, zeta_slopes = {};
};

/// (f_w, f_z) of Eq. 41.
struct Errors {
    double frequency = 0, damping = 0;
    std::array<double, 2> point() const { return {frequency, damping}; }
};

Errors errors(const Backbone& data, const Prediction& model);

/// Eq. 42, with its Jacobian where the model gives slopes. Squares below 1e-28 (round-off) end at log10 = -28 smoothly,
/// so that a perfect model has finite objectives.
Evaluation objectives(const Backbone& data, const Prediction& model);

/// (f_w, f_z) back from the objectives.
Errors errors_of(const std::vector<double>& objectives);

/// The errors of the upper and lower measured bounds: what the experiment itself leaves open ([S0] Table 2). The
/// damping error is NaN where a bound of zeta is not positive.
struct Variability {
    Errors upper, lower;
};
std::optional<Variability> variability(const Backbone& data);

}  // namespace faying::fit
