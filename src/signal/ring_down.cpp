#include "faying/signal/ring_down.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::signal {

namespace {

/// The record within the band; `options` learn what to drop of it.
Record band_passed(const Record& record, const RingDownOptions& o, EnvelopeOptions& options) {
    const auto sections = butterworth_bandpass(o.band->order, o.band->low, o.band->high, 1 / record.step);
    const double settling = double(settling_samples(sections, o.settled)) * record.step / record.duration();
    for (double* dropped : {&options.dropped_start, &options.dropped_end})
        *dropped = std::min(std::max(*dropped, settling), o.most_dropped);
    if (options.dropped_start + options.dropped_end >= 0.9)
        throw core::BadInput(
            fmt::format("is too short for this band: the filter needs {:.3g} s at either end of {:.3g} s",
                        settling * record.duration(), record.duration()));
    return zero_phase(sections, record);
}

}  // namespace

Envelope ring_down(const Record& whole, const RingDownOptions& o, const std::string& where) {
    Record record = cropped(whole, o.from, o.to, where);
    for (double& x : record.values) x *= o.scale;
    EnvelopeOptions options = o.envelope;
    if (o.band) {
        try {
            record = band_passed(record, o, options);
        } catch (const core::BadInput& error) {
            throw core::BadInput(where, error.what());
        }
        options.harmonics_removed = o.band->high < 2 * dominant_frequency(record, where) / (2 * std::numbers::pi);
    }
    auto found = envelope(record, options, where);
    return o.quantity ? converted(std::move(found), *o.quantity, o.as.value_or(*o.quantity)) : found;
}

}  // namespace faying::signal
