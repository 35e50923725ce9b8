#include "faying/signal/envelope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "track.hpp"

namespace faying::signal {

const char* name(Method method) { return method == Method::hilbert ? "hilbert" : "peaks"; }
const char* name(Follows follows) { return follows == Follows::peak ? "peak" : "fundamental"; }

void EnvelopeOptions::check() const {
    core::require(segments == 0 || (segments >= 2 && segments <= 10000), "envelope",
                  "segments = 0 (automatic) or 2 to 10000");
    core::require(dropped_start >= 0 && dropped_end >= 0 && dropped_start + dropped_end < 0.9, "envelope",
                  "dropped ends >= 0 and together < 0.9 of the record");
    core::require(noise_limit > 0, "envelope", "noise limit > 0");
}

namespace {

/// A segment needs enough instants for a slope: two periods for peaks, one for Hilbert.
int segment_count(const EnvelopeOptions& options, double periods, const std::string& where) {
    const int most = int(periods / 2);
    if (most < 2)
        throw core::BadInput(where, fmt::format("only {:.2g} periods are left between the dropped ends; at least 4 are "
                                                "needed",
                                                periods));
    if (options.segments > most)
        throw core::BadInput(where, fmt::format("{} segments are too many for {:.3g} periods; allowed are 2 to {}",
                                                options.segments, periods, most));
    return options.segments > 0 ? options.segments : std::min({most, 40, std::max(3, int(periods / 10))});
}

/// Even noise scatters ln A and phase by noise/A: the median over the segments, so that one bad segment does not count.
double noise_level(const std::vector<detail::SegmentFit>& fits, const std::vector<detail::SegmentFit>& decay) {
    std::vector<double> levels;
    for (std::size_t j = 0; j < fits.size(); ++j) levels.push_back(fits[j].rms * std::exp(decay[j].middle));
    std::nth_element(levels.begin(), levels.begin() + std::ptrdiff_t(levels.size() / 2), levels.end());
    return levels[levels.size() / 2];
}

}  // namespace

Envelope envelope(const Record& record, const EnvelopeOptions& options, const std::string& where) {
    options.check();
    const double omega = dominant_frequency(record, where);
    check_length(record, omega, where);
    const auto track = options.method == Method::hilbert ? detail::hilbert_track(record, omega)
                                                         : detail::peak_track(record, omega, where);
    const double from = std::max(track.time.front(), record.start + options.dropped_start * record.duration());
    const double to = std::min(track.time.back(), record.start + (1 - options.dropped_end) * record.duration());
    const int segments = segment_count(options, (to - from) * omega / (2 * std::numbers::pi), where);

    const auto decay = detail::fit_segments(track.time, track.log_amplitude, from, to, segments);
    const auto turn = detail::fit_segments(track.time, track.phase, from, to, segments);
    const double decay_noise = noise_level(decay, decay), turn_noise = noise_level(turn, decay);

    Envelope result;
    result.follows =
        options.method == Method::peaks && !options.harmonics_removed ? Follows::peak : Follows::fundamental;
    double squares = 0, count = 0;
    for (std::size_t j = 0; j < decay.size(); ++j) {
        if (decay[j].rms > options.noise_limit || decay[j].samples <= 3) {
            result.dropped_segments = int(decay.size() - j);
            break;
        }
        EnvelopePoint p;
        p.time = decay[j].time;
        p.amplitude = std::exp(decay[j].middle);
        p.omega_damped = std::abs(turn[j].slope);
        p.omega = std::hypot(p.omega_damped, decay[j].slope);
        p.zeta = -decay[j].slope / p.omega;
        p.omega_error = turn_noise / p.amplitude * turn[j].slope_spread;
        p.zeta_error = decay_noise / p.amplitude * decay[j].slope_spread / p.omega;
        result.points.push_back(p);
        squares += decay[j].rms * decay[j].rms * double(decay[j].samples);
        count += double(decay[j].samples);
    }
    if (result.points.empty())
        throw core::BadInput(where,
                             fmt::format("ln(amplitude) scatters by {:.2g} from the start: noise, several modes at "
                                         "once (use a band-pass or a modal filter), or segments that are too long",
                                         decay[0].rms));
    result.scatter = std::sqrt(squares / count);
    return result;
}

Envelope converted(Envelope envelope, Quantity from, Quantity to) {
    const int power = int(to) - int(from);
    for (auto& p : envelope.points) p.amplitude *= std::pow(p.omega, power);
    return envelope;
}

}  // namespace faying::signal
