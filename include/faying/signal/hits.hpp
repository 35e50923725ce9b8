#pragma once
// Where a record was hit, and whether an amplifier was overdriven.
//
//     for (const RingDownPart& part : ring_down_parts(channels)) part.from, part.to;      // s, free decay
//     const auto flat = clipped_at(channels[0]);                                          // level, or none
//
// A ring-down is predictable: what an autoregressive model of the record cannot predict (its innovations) only falls. A
// hit is where the energy of the innovations just after an instant is many times that just before it.

#include <optional>
#include <vector>

#include "faying/signal/record.hpp"

namespace faying::signal {

/// Free decay between two hits.
struct RingDownPart {
    double hit = 0;        ///< s, when it was hit; the beginning of the record where it was hit before
    double from = 0;       ///< s, the hammer has left
    double to = 0;         ///< s
    double rebound = -1;   ///< s, of a second hit so soon that it belongs to this one; -1: none
    bool recorded = true;  ///< whether the hit itself is in the record
};

struct HitOptions {
    double jump = 12;           ///< energy of innovations after over before, at a hit
    double longest_hit = 0.02;  ///< s, of contact
    double rebound = 0.15;      ///< s: hits closer than this are one with a rebound
    void check() const;
};

/// Channels recorded together; `force` (may be null) is the hammer's, which says when it has left. At least one part: the
/// whole record where no hit is in it.
std::vector<RingDownPart> ring_down_parts(const std::vector<Record>& channels, const Record* force = nullptr,
                                          const HitOptions& options = {});

/// The level at which tops or troughs of the record are cut off flat: four equal samples, or twice three.
std::optional<double> clipped_at(const Record& record);

}  // namespace faying::signal
