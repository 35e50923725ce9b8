#pragma once
// Several ring-downs, one backbone: frequency and damping against log amplitude with 95 % bounds ([S0] 3.1).
//
//     const MergedBackbone b = merged_backbone(envelopes, 40);
//     // b.points[k].amplitude, .omega, .zeta, .zeta_mean (bounds of the curve), .zeta_observation (of one measurement)

#include <vector>

#include "faying/signal/envelope.hpp"
#include "faying/signal/gaussian_process.hpp"

namespace faying::signal {

struct Bounds95 {
    double low = 0, high = 0;
};

struct MergedPoint {
    double amplitude = 0, omega = 0, zeta = 0;
    Bounds95 omega_mean, zeta_mean;                ///< hold the true curve with 95 %
    Bounds95 omega_observation, zeta_observation;  ///< hold one more measured point with 95 %
};

struct MergedBackbone {
    std::vector<MergedPoint> points;
    double omega_length = 0, zeta_length = 0;  ///< length scales, in ln(amplitude)
    double omega_noise = 0, zeta_noise = 0;    ///< root mean square
};

/// `points` amplitudes, log spaced over all measured ones. Throws core::BadInput for fewer than four measured points.
MergedBackbone merged_backbone(const std::vector<Envelope>& envelopes, int points, Errors known = Errors::ratios);

}  // namespace faying::signal
