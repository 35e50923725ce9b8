#pragma once
// Damped sines by least squares on the raw samples of all channels at once, without a filter:
//
//     x_c(t) = a_c + sum_m Re( C_mc exp((-alpha_m + i omega_m) t + (b + i s) t^2/2) )     (b, s of the first sine only)
//
// over one window, weighted by Hann's function so that what is not modelled leaks little. Frequencies and decays are
// the channels' own in common; amplitudes are eliminated (variable projection). The quadratic term lets the first sine
// drift within the window, as a mode whose frequency and damping depend on amplitude does.
//
//     const SineFit fit = fit_damped_sines(channels, {i, 4000, {{505, 1}, {1870, 2}}, weights});
//     fit.omega_damped, fit.alpha, fit.amplitude(0);         // at the middle of the window, with standard errors

#include <Eigen/Dense>
#include <vector>

#include "faying/signal/record.hpp"

namespace faying::signal {

struct DampedSine {
    double omega_damped = 0, alpha = 0;  ///< rad/s, 1/s
};

struct SineWindow {
    std::size_t first = 0, samples = 0;
    std::vector<DampedSine> sines;  ///< where to start; the first is asked for, the others are neighbours
    std::vector<double> weights;    ///< of the channels, about 1/(variance of their noise)
    int iterations = 25;
};

struct SineFit {
    double omega_damped = 0, alpha = 0;       ///< at the middle of the window
    double omega_error = 0, alpha_error = 0;  ///< standard errors, for noise as it is near the frequency
    Eigen::VectorXcd amplitude;               ///< by channel, at the middle of the window
    Eigen::VectorXd noise;  ///< by channel: variance of white noise as strong as what is left near the frequency
    std::vector<DampedSine> sines;  ///< all of them
    bool converged = false;
};

/// Throws std::invalid_argument for a window beyond the record or shorter than eight samples a sine.
SineFit fit_damped_sines(const std::vector<Record>& channels, const SineWindow& window);

}  // namespace faying::signal
