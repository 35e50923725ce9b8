#pragma once
// Frequency and damping against amplitude from recorded ring-downs: one record, or several merged with 95 % bounds.
//
//     EnvelopeRequest request{.files = {"hit1.csv", "hit2.csv"}};
//     request.ring_down.band = {140, 180};
//     const EnvelopeRun run = envelopes(request);
//     run.envelopes[0].points[3].zeta;   run.merged->points[3].zeta_mean.high;

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "faying/core/frequency.hpp"
#include "faying/core/names.hpp"
#include "faying/io/output.hpp"
#include "faying/results/channels.hpp"
#include "faying/signal/backbone.hpp"
#include "faying/signal/ring_down.hpp"

namespace faying::results {

struct EnvelopeRequest {
    std::vector<std::string> files;  ///< a record each
    TimeAxis time = {};
    std::string channel = {};  ///< name or number; may be empty where there is one
    std::string shapes = {};   ///< modal filter: CSV with a column per mode and a row per channel; empty: none
    int mode = 0;              ///< which of the shapes, from 1
    signal::RingDownOptions ring_down = {};
    bool backbone = false;  ///< regression with bounds also for one record
    int points = 50;        ///< of the merged backbone
    core::FrequencyUnit unit = {};
};

struct EnvelopeRun {
    EnvelopeRequest request;
    std::vector<signal::Envelope> envelopes;       ///< by file
    std::optional<signal::MergedBackbone> merged;  ///< of several, or where it was asked for
};

/// `done` is told how many records there are. Throws BadInput naming the file.
EnvelopeRun envelopes(EnvelopeRequest request, const std::function<void(std::size_t done)>& done = {});

nlohmann::json json(const EnvelopeRun& run);
/// The merged backbone, or the points of every record.
io::Table table(const EnvelopeRun& run);
io::Figure figure(const EnvelopeRun& run);
std::string text(const EnvelopeRun& run);

}  // namespace faying::results
