#pragma once
// All modes of a hammer record, found and followed without hand tuning (faying envelope --modes auto).
//
//     const RingModesRun run = ring_modes({.files = {"hammer.mat"}});
//     run.found.modes[0].points[3].zeta;   run.found.modes[0].backbone->points;   run.found.modes[0].remarks;

#include <nlohmann/json_fwd.hpp>

#include "faying/core/frequency.hpp"
#include "faying/io/output.hpp"
#include "faying/results/envelope.hpp"
#include "faying/signal/found_modes.hpp"

namespace faying::results {

struct RingModesRequest {
    std::vector<std::string> files;  ///< hits of one structure, by the same sensors
    TimeAxis time = {};
    std::string channel = {};              ///< that amplitudes are given at; empty: the first
    std::vector<double> frequencies = {};  ///< Hz; empty: all modes that are found
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< s
    double scale = 1;
    std::string units = {};  ///< of the channels, where the file does not say them
    std::optional<signal::Quantity> quantity = {}, as = {};
    int mode = 0;     ///< only this one goes to the table; 0: all
    int points = 40;  ///< of each backbone
    core::FrequencyUnit unit = {};
};

/// All modes of the records, with the times, channel and quantities that one mode was asked for with. Throws BadInput
/// where bands or shapes were chosen.
RingModesRequest all_modes(const EnvelopeRequest& one);

struct RingModesRun {
    RingModesRequest request;
    std::vector<std::string> names;  ///< of the channels of motion
    std::vector<signal::Record>
        channels;  ///< of motion, in SI where units are known; several records one after the other
    struct Piece {
        std::string name;
        std::size_t begin = 0;  ///< sample of `channels`
        double start = 0;       ///< s, by its own clock
    };
    std::vector<Piece> pieces;                 ///< records that `channels` are made of
    std::vector<std::string> notes = {};       ///< what was left out
    std::optional<signal::Quantity> quantity;  ///< of amplitudes; none where nobody says
    std::string force;                         ///< name of the hammer's channel; "": none
    signal::FoundModes found;
};

RingModesRun ring_modes(RingModesRequest request);

/// The record a time of `channels` belongs to, and what its own clock said.
struct OwnTime {
    std::string record;
    double time = 0;
};
OwnTime own_time(const RingModesRun& run, double time);

nlohmann::json json(const RingModesRun& run);
/// Backbones with bounds, a row per mode and amplitude: what `fit`, `study` and `modal-iwan` read.
io::Table table(const RingModesRun& run);
/// Spectrum with the bands, spectra of later and later parts, decays, backbones with bounds.
io::Figure figure(const RingModesRun& run);
std::string text(const RingModesRun& run);

}  // namespace faying::results
