#pragma once
// What both envelope methods produce, and the fit both go through.

#include <vector>

#include "faying/signal/envelope.hpp"

namespace faying::signal::detail {

/// ln A and phase at many instants.
struct Track {
    std::vector<double> time, log_amplitude, phase;
};

Track hilbert_track(const Record& record, double omega);
Track peak_track(const Record& record, double omega, const std::string& where);

/// A parabola over each of equal segments, by least squares. Its slope at mid-segment is that of the straight line of
/// [S2] 2.2; a line's value there would be wrong by y'' h^2/24. Slopes are corrected by their second difference, which
/// makes them exact for cubics and adds next to no noise.
struct SegmentFit {
    double time = 0, middle = 0, slope = 0;
    double slope_spread = 0;  ///< standard error of the slope for independent unit noise
    double rms = 0;           ///< residual
    std::size_t samples = 0;
};
std::vector<SegmentFit> fit_segments(const std::vector<double>& t, const std::vector<double>& y, double from, double to,
                                     int segments);

}  // namespace faying::signal::detail
