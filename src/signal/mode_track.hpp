#pragma once
// Private to signal/: one mode followed through one ring-down.

#include "faying/signal/damped_sines.hpp"
#include "faying/signal/found_modes.hpp"

namespace faying::signal::detail {

/// Why following ended.
enum class TrackEnd { record, noise, beating, lost, none };

struct ModeTrack {
    std::vector<ModePoint> points;
    std::vector<double> noise;  ///< by channel, of white noise as strong, at the end
    TrackEnd end = TrackEnd::none;
};

/// `others`: lines beside it. Damped sines over windows, one after another.
ModeTrack follow_mode(const std::vector<Record>& channels, const RingDownPart& part, const Line& line,
                      const std::vector<Line>& others, const FindOptions& options);

/// Fills in what band-pass and Hilbert transform say in the windows of the points, and gives ln A for pictures; `from`
/// and `to` are the part of the band-passed signal that is valid.
struct BandTrack {
    Record log_amplitude;
    double from = 0, to = 0;
};
BandTrack follow_in_band(const std::vector<Record>& channels, const RingDownPart& part, const BandPass& band,
                         const std::vector<double>& weights, std::vector<ModePoint>& points);

/// Half as wide as the neighbours' leakage into it, by their strengths, stays below 0.3 %.
BandPass band_of(const Line& line, const std::vector<Line>& others, double nyquist);

}  // namespace faying::signal::detail
