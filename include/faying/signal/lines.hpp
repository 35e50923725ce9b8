#pragma once
// Lines of the spectrum of a ring-down over all channels.
//
//     for (const Line& line : spectral_lines(channels, from, to, {})) line.frequency, line.amplitude;
//
// Windows (Hann) begin where the ring-down does and hold a number of periods, so that high modes that die soon and low
// ones that last are seen alike, and a frequency that drifts by a few per cent stays one line. A line stands out of the
// median of its neighbourhood and of its surroundings (prominence), and is no side lobe of a stronger one.

#include <vector>

#include "faying/signal/record.hpp"

namespace faying::signal {

struct Line {
    double frequency = 0;  ///< Hz
    double amplitude = 0;  ///< mean over its window, of the channel where it is greatest
    double height = 0;     ///< dB above the median of the neighbourhood
    double window = 0;     ///< s
};

struct LineOptions {
    double periods = 100;   ///< in a window, up to twice as many
    double height = 20;     ///< dB
    double prominence = 8;  ///< dB
    double delay = 0;       ///< periods left out at the beginning
    void check() const;
};

/// By frequency. Channels recorded together; `from` and `to` in s.
std::vector<Line> spectral_lines(const std::vector<Record>& channels, double from, double to,
                                 const LineOptions& options);

/// Amplitude spectrum with a Hann window: frequencies in Hz, and by channel.
struct Spectrum {
    std::vector<double> frequency;
    std::vector<std::vector<double>> amplitude;
};
Spectrum amplitude_spectrum(const std::vector<Record>& channels, double from, double to, int padding = 1);

}  // namespace faying::signal
