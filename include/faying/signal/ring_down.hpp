#pragma once
// From a record to an envelope, the one way that measured and simulated ring-downs go: the part wanted, scaled,
// band-passed without phase, and what the filter needs to settle at the ends dropped.
//
//     RingDownOptions options;
//     options.band = {140, 180};                                            // Hz
//     const Envelope e = ring_down(record, options, "hammer3.csv");

#include <limits>
#include <optional>

#include "faying/core/names.hpp"
#include "faying/signal/butterworth.hpp"
#include "faying/signal/envelope.hpp"

namespace faying::signal {

inline constexpr core::Names<Method, 2> envelope_methods{{{"hilbert", Method::hilbert}, {"peaks", Method::peaks}}};
inline constexpr core::Names<Quantity, 3> recorded_quantities{{{"displacement", Quantity::displacement},
                                                               {"velocity", Quantity::velocity},
                                                               {"acceleration", Quantity::acceleration}}};

struct BandPass {
    double low = 0, high = 0;  ///< Hz
    int order = 4;             ///< 2 x order poles, run forward and backward
};

struct RingDownOptions {
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< s
    double scale = 1;
    std::optional<BandPass> band = {};
    double settled = 0.1;  ///< of the filter's memory: the ends are dropped until it has fallen to this share
    /// Most of the record that is dropped at either end for that.
    double most_dropped = std::numeric_limits<double>::infinity();
    EnvelopeOptions envelope = {};
    std::optional<Quantity> quantity = {}, as = {};  ///< what was recorded, and what the amplitude is given as
};

/// Throws BadInput, opened by `where`, for a band the record cannot have or is too short for, and as `envelope` does.
Envelope ring_down(const Record& record, const RingDownOptions& options, const std::string& where);

}  // namespace faying::signal
