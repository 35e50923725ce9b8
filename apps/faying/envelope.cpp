// faying envelope: frequency and damping against amplitude from recorded ring-downs.

#include "faying/results/envelope.hpp"

#include <fmt/format.h>

#include <cmath>

#include "faying/archive/table.hpp"
#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/results/ring_modes.hpp"
#include "faying/results/sweeps.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct EnvelopeOptions {
    Common common;
    io::OutputFiles files;
    std::string method = "hilbert", band, quantity, as, out, modes, units;
    int order = 4;
    std::optional<double> rate;
    bool sweeps = false;
    double mass = 0;
    results::EnvelopeRequest request;
};

/// Every mode of one record, or of several of one structure.
void run_modes(const EnvelopeOptions& o) {
    auto request = results::all_modes(o.request);
    if (o.modes != "auto") request.frequencies = core::parse_numbers(o.modes, "--modes");
    request.units = o.units;
    const auto made = results::ring_modes(request);
    if (!o.out.empty()) archive::write_table(o.out, table(made));
    show(o.common, o.files, "envelope", made);
}

/// Forced responses.
void run_sweeps(const EnvelopeOptions& o) {
    const auto& ring = o.request.ring_down;
    const auto made = results::sweeps({.files = o.request.files,
                                       .units = o.units,
                                       .quantity = ring.quantity,
                                       .as = ring.as,
                                       .scale = ring.scale,
                                       .mass = o.mass,
                                       .unit = o.request.unit});
    if (!o.out.empty()) archive::write_table(o.out, table(made));
    show(o.common, o.files, "envelope", made);
}

void run_envelope(EnvelopeOptions& o) {
    auto& ring = o.request.ring_down;
    ring.envelope.method = core::named(signal::envelope_methods, o.method, "--method");
    if (!o.as.empty() && o.quantity.empty() && o.modes.empty() && !o.sweeps)
        throw core::BadInput("--as", "needs --quantity, what was recorded");
    if (o.rate && !(*o.rate > 0 && std::isfinite(*o.rate)))
        throw core::BadInput("--rate",
                             fmt::format("{:g} must be a number of samples per second greater than 0", *o.rate));
    o.request.time.rate = o.rate.value_or(0);
    io::OutputFiles{o.out, o.files.plot}.check();
    if (!o.band.empty()) {
        const auto [low, high] = core::parse_pair(o.band, "--band", "LOW:HIGH in Hz");
        ring.band = {low, high, o.order};
    }
    if (!o.quantity.empty()) ring.quantity = core::named(signal::recorded_quantities, o.quantity, "--quantity");
    if (!o.as.empty()) ring.as = core::named(signal::recorded_quantities, o.as, "--as");
    if (o.sweeps && !o.modes.empty())
        throw core::BadInput("--sweeps", "is of forced responses, --modes of ring-downs: not both");
    if (o.mass != 0 && !(o.sweeps && o.mass > 0 && std::isfinite(o.mass)))
        throw core::BadInput("--mass", "goes with --sweeps, and is a mass in kg greater than 0");
    if (o.sweeps) return run_sweeps(o);
    if (!o.modes.empty()) return run_modes(o);
    if (!o.units.empty()) throw core::BadInput("--units", "goes with --modes and --sweeps; use --quantity and --scale");
    const auto made = with_progress("records", o.request.files.size(),
                                    [&](const auto& done) { return results::envelopes(o.request, done); });
    if (!o.out.empty()) archive::write_table(o.out, table(made));
    show(o.common, o.files, "envelope", made);
}

}  // namespace

void add_envelope(CLI::App& app) {
    const auto [command, o] = add_command<EnvelopeOptions>(
        app, "envelope", "Frequency and damping against amplitude from ring-downs",
        "Examples:\n"
        "  faying envelope hammer.mat --modes auto --plot hammer.html --out backbones.csv\n"
        "  faying envelope hit1.mat hit2.mat hit3.mat --modes auto --out backbones.csv\n"
        "  faying envelope shaker.mat --sweeps --out forced.csv\n"
        "  faying envelope hammer.csv --band 140:180 --quantity acceleration --as displacement --plot mode1.html\n"
        "  faying envelope hit1.csv hit2.csv hit3.csv --band 140:180 --out backbone.h5      # merged, with 95 % "
        "bounds\n"
        "  faying envelope velocities.csv --shapes shapes.csv --mode 2");
    command
        ->add_option(
            "files", o->request.files,
            "records: CSV with a column of time, .mat or .h5 with a variable of time, universal (.uff, .unv) or "
            ".wav; several are merged")
        ->required();
    command->add_option("--method", o->method, "hilbert (follows the fundamental) or peaks (follows the peak)");
    command->add_option("--time", o->request.time.name,
                        "name of the column or variable of time (default: t or time; CSV: or the first)");
    command->add_option("--rate", o->rate,
                        "samples per second, Hz: for records without time, or with time that is rounded");
    command->add_option("--channel", o->request.channel, "name or number (from 1) of the channel");
    command->add_option("--from", o->request.ring_down.from, "leave out what comes before this time, s");
    command->add_option("--to", o->request.ring_down.to, "leave out what comes after this time, s");
    command->add_option("--scale", o->request.ring_down.scale,
                        "multiply the record, for instance by 1/(mode shape at the sensor)");
    command->add_option("--band", o->band, "zero-phase Butterworth band-pass LOW:HIGH, Hz");
    command->add_option("--order", o->order, "its order (2 x order poles), run forward and backward");
    command->add_option(
        "--modes", o->modes,
        "all modes of a record of several sensors: auto, or frequencies near them in Hz (80,297). Finds "
        "hits, modes, bands and the valid part of each, follows them by damped sines and by band-pass, "
        "and says what it does not trust");
    command->add_flag(
        "--sweeps", o->sweeps,
        "forced responses instead: tables or structs with frequency (Hz), force (N), amplitude and phase; the "
        "response, the force or the phase (a quarter turn) held");
    command->add_option("--mass", o->mass,
                        "with --sweeps: effective mass, kg, of tests at phase resonance (default: as sweeps beside "
                        "them say)");
    command->add_option(
        "--units", o->units,
        "with --modes and --sweeps: of the channels, where the file does not say them (m/s^2, g, mm/s)");
    command->add_option("--shapes", o->request.shapes,
                        "modal filter: CSV with a column per mode and a row per channel");
    command->add_option("--mode", o->request.mode, "which of the shapes, or of the modes of --modes, from 1")
        ->check(above_zero);
    command->add_option("--segments", o->request.ring_down.envelope.segments,
                        "segments of the fit (default: one for every ten periods)");
    command->add_option("--drop-start", o->request.ring_down.envelope.dropped_start,
                        "share of the record dropped at its start");
    command->add_option("--drop-end", o->request.ring_down.envelope.dropped_end, "share dropped at its end");
    command->add_option("--quantity", o->quantity, "what was recorded: displacement, velocity or acceleration");
    command->add_option("--as", o->as, "give the amplitude as this instead");
    command->add_flag("--backbone", o->request.backbone, "regression with bounds also for one record");
    command->add_option("--points", o->request.points, "points of the merged backbone");
    command->add_option("--out,--csv", o->out, "write the points to this file: text, or .h5 or .mat");
    add_unit(*command, o->request.unit);
    add_outputs(*command, o->files, nullptr);
    runs(*command, o, run_envelope);
}

}  // namespace faying::app
