#pragma once
// Zero-phase Butterworth band-pass: the filter of `order` (2 x order poles) as second-order sections, run forward and
// backward, so that the gain is that of the filter squared and the phase is zero.
//
//     const auto sections = butterworth_bandpass(4, 90.0, 110.0, 1 / record.step);      // Hz
//     const Record band = zero_phase(sections, record);
//
// The analog prototype's poles go through the low-pass to band-pass map and the bilinear transform with both edges
// prewarped, so |H|^2 = 1/2 at the edges exactly. Sections, not one polynomial: narrow bands of high order stay stable.

#include <vector>

#include "faying/signal/record.hpp"

namespace faying::signal {

/// (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2)
struct Section {
    double b0, b1, b2, a1, a2;
};

/// Edges and sample rate in Hz. Throws core::BadInput unless 0 < low < high < rate/2 (Nyquist) and 1 <= order <= 20.
std::vector<Section> butterworth_bandpass(int order, double low, double high, double sample_rate);

/// |H| of one pass at a frequency (Hz).
double gain(const std::vector<Section>& sections, double frequency, double sample_rate);

/// How many samples one pass needs to forget (its slowest pole falls to `share`).
std::size_t settling_samples(const std::vector<Section>& sections, double share = 1e-2);

/// Forward and backward. The ends are continued by point reflection for as long as the filter remembers (to 1e-3, at
/// most the record's length) and each pass starts in the steady state of its first sample.
Record zero_phase(const std::vector<Section>& sections, const Record& record);

}  // namespace faying::signal
