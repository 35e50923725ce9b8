#pragma once
// A hammer record of several sensors to the backbones of its modes, without hand tuning: hits, lines, bands, the valid
// part of each mode, each mode followed by two methods, and what is not to be trusted.
//
//     const FoundModes found = find_modes(channels, names, {}, "hammer.mat");
//     found.modes[0].points[3].amplitude, found.modes[0].points[3].zeta, found.modes[0].backbone->points;

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "faying/signal/backbone.hpp"
#include "faying/signal/hits.hpp"
#include "faying/signal/lines.hpp"
#include "faying/signal/ring_down.hpp"

namespace faying::signal {

struct FindOptions {
    std::size_t reference = 0;        ///< channel that amplitudes are given at
    const Record* force = nullptr;    ///< of the hammer, where recorded
    std::vector<double> wanted = {};  ///< Hz: only the lines nearest to these; empty: all
    LineOptions lines = {};
    HitOptions hits = {};
    double weakest = 1e-3;                 ///< lines below this share of the strongest are no modes
    int most = 24;                         ///< modes
    double fall = 0.3;                     ///< of ln A over a window
    double precise = 0.015;                ///< windows grow until the standard error of damping is this share of it,
    double widest = 1.6;                   ///< or ln A falls by so much
    double least = 0.1;                    ///< a mode ends where the standard error is still more
    int points = 40;                       ///< of the backbone with bounds
    std::vector<std::size_t> begins = {};  ///< samples at which another record begins: several are one after the other
    void check() const;
};

/// One window.
struct ModePoint {
    int part = 0;                            ///< which ring-down of the record
    double time = 0, width = 0;              ///< s, middle and length
    double amplitude = 0;                    ///< at the reference channel
    double omega = 0, zeta = 0;              ///< undamped, rad/s: damped sines on the raw channels
    double omega_error = 0, zeta_error = 0;  ///< standard errors of these
    /// The same window by band-pass and Hilbert transform; nan where the filter has not settled.
    double omega_hilbert = std::numeric_limits<double>::quiet_NaN(), zeta_hilbert = omega_hilbert;
    std::vector<double> shape;  ///< of the channels, over the reference
};

enum class Doubt { beating, combination, noise, clipping, rebound, node, methods, short_record };
const char* name(Doubt doubt);
struct Remark {
    Doubt doubt;
    std::string text;
};

struct FoundMode {
    Line line;
    double frequency = 0;  ///< Hz, at the least amplitudes
    BandPass band;
    std::vector<double> from, from_hilbert;  ///< s, by ring-down: begin of what is valid
    double floor = 0;                        ///< amplitude at the reference that noise of a window makes
    std::vector<ModePoint> points;
    std::optional<MergedBackbone> backbone;  ///< of four points or more
    std::vector<Record> decays;              ///< by ring-down: ln A of the band-passed signal, thinned
    std::vector<Remark> remarks;
    bool trusted = true;  ///< no other mode beats in it, and the methods agree
};

/// A line that is no mode.
struct OtherLine {
    Line line;
    std::string why;
    bool combination = false;
};

struct FoundModes {
    std::vector<RingDownPart> parts;
    std::vector<FoundMode> modes;  ///< by frequency
    std::vector<OtherLine> others;
    std::vector<Remark> remarks;  ///< of the whole record
};

/// Channels recorded together. Throws core::BadInput, opened by `where`, for a record without a mode, a wanted frequency
/// without a line, and one that is clipped throughout.
FoundModes find_modes(std::vector<Record> channels, const std::vector<std::string>& names, const FindOptions& options,
                      const std::string& where);

}  // namespace faying::signal
