#pragma once
// Backbones from measured forced responses (faying envelope --sweeps).
//
//     const SweepsRun run = sweeps({.files = {"FRdata.mat"}});
//     run.points[0].zeta, run.points[0].zeta_bounds.high, run.points[0].phase_offset;

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "faying/core/frequency.hpp"
#include "faying/io/output.hpp"
#include "faying/signal/envelope.hpp"
#include "faying/signal/sweeps.hpp"

namespace faying::results {

struct SweepsRequest {
    std::vector<std::string>
        files;               ///< tables with frequency, force, amplitude, phase; or archives with groups of these
    std::string units = {};  ///< of the amplitude, where the file does not say it
    std::optional<signal::Quantity> quantity = {}, as = {};
    double scale = 1;  ///< of the amplitude
    double mass = 0;   ///< kg, effective, of tests at phase resonance; 0: the median of the sweeps beside them
    int levels = 20;   ///< amplitudes of sweeps with the force held
    core::FrequencyUnit unit = {};
};

struct SweepsRun {
    SweepsRequest request;
    signal::Quantity quantity = signal::Quantity::acceleration;  ///< of the amplitudes of `points`
    std::vector<signal::Sweep> sweeps;
    std::vector<signal::SweepPoint> points;  ///< by amplitude, all kinds of control
};

/// Throws core::BadInput naming file, sweep and line.
SweepsRun sweeps(SweepsRequest request);

nlohmann::json json(const SweepsRun& run);
/// A backbone file: mode, amplitude, omega, zeta with bounds.
io::Table table(const SweepsRun& run);
io::Figure figure(const SweepsRun& run);
std::string text(const SweepsRun& run);

}  // namespace faying::results
