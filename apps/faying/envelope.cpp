// faying envelope: frequency and damping against amplitude from recorded ring-downs.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/io/plot.hpp"
#include "faying/archive/table.hpp"
#include "faying/signal/backbone.hpp"
#include "faying/signal/butterworth.hpp"
#include "faying/signal/modal_filter.hpp"
#include "loop_output.hpp"
#include "mode_options.hpp"
#include "signal_input.hpp"

namespace faying::app {

namespace {

using nlohmann::json;
using std::numbers::pi;

struct Options {
    Common common;
    std::vector<std::string> files;
    std::string method = "hilbert", time, channel, band, shapes, quantity, as, out, plot, title;
    int order = 4, mode = 0, points = 50;
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity(), scale = 1;
    std::optional<double> rate;
    bool backbone = false;
    FrequencyUnit unit;
    signal::EnvelopeOptions envelope;
};

struct Band {
    double low = 0, high = 0;
};

Band parse_band(const std::string& text) {
    Band band;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf%c", &band.low, &band.high, &rest) != 2)
        throw core::BadInput("--band", fmt::format("'{}' must be LOW:HIGH in Hz", text));
    return band;
}

signal::Quantity parse_quantity(const std::string& text, const char* option) {
    if (text == "displacement") return signal::Quantity::displacement;
    if (text == "velocity") return signal::Quantity::velocity;
    if (text == "acceleration") return signal::Quantity::acceleration;
    throw core::BadInput(option,
                         fmt::format("'{}' is not known; allowed are displacement, velocity, acceleration", text));
}

/// Shapes in a CSV file: a column a mode, a row a channel.
Eigen::MatrixXd read_shapes(const std::string& file) {
    const io::Table table = io::read_csv(file);
    Eigen::MatrixXd shapes(Eigen::Index(table.columns[0].size()), Eigen::Index(table.columns.size()));
    for (Eigen::Index c = 0; c < shapes.cols(); ++c)
        for (Eigen::Index r = 0; r < shapes.rows(); ++r) shapes(r, c) = table.columns[std::size_t(c)][std::size_t(r)];
    return shapes;
}

signal::Record chosen_record(const Options& o, const std::string& file) {
    const Channels channels = read_channels(file, {o.time, o.rate.value_or(0)});
    if (o.shapes.empty()) return channel(channels, o.channel, file);
    const Eigen::MatrixXd shapes = read_shapes(o.shapes);
    if (o.mode < 1 || o.mode > shapes.cols())
        throw core::BadInput("--mode", fmt::format("{} is not among the shapes of {}; allowed are 1 to {}", o.mode,
                                                   o.shapes, shapes.cols()));
    return signal::modal_filter(channels.records, shapes, file).modes[std::size_t(o.mode) - 1];
}

signal::Envelope envelope_of(const Options& o, const std::string& file) {
    signal::Record record = signal::cropped(chosen_record(o, file), o.from, o.to, file);
    for (double& x : record.values) x *= o.scale;
    signal::EnvelopeOptions options = o.envelope;
    if (!o.band.empty()) {
        const Band band = parse_band(o.band);
        try {
            const auto sections = signal::butterworth_bandpass(o.order, band.low, band.high, 1 / record.step);
            // What the filter needs to settle at the ends is dropped too.
            const double settling = double(signal::settling_samples(sections, 0.1)) * record.step / record.duration();
            options.dropped_start = std::max(options.dropped_start, settling);
            options.dropped_end = std::max(options.dropped_end, settling);
            if (options.dropped_start + options.dropped_end >= 0.9)
                throw core::BadInput(
                    fmt::format("is too short for this band: the filter needs {:.3g} s at either end "
                                "of {:.3g} s",
                                settling * record.duration(), record.duration()));
            record = signal::zero_phase(sections, record);
        } catch (const core::BadInput& error) {
            throw core::BadInput(file, error.what());
        }
        options.harmonics_removed = band.high < 2 * signal::dominant_frequency(record, file) / (2 * pi);
    }
    auto envelope = signal::envelope(record, options, file);
    if (!o.quantity.empty())
        envelope = signal::converted(std::move(envelope), parse_quantity(o.quantity, "--quantity"),
                                     parse_quantity(o.as.empty() ? o.quantity : o.as, "--as"));
    return envelope;
}

json envelope_json(const signal::Envelope& e) {
    json t, amplitude, omega, damped, zeta;
    for (const auto& p : e.points) {
        t.push_back(p.time);
        amplitude.push_back(p.amplitude);
        omega.push_back(p.omega);
        damped.push_back(p.omega_damped);
        zeta.push_back(p.zeta);
    }
    return {
        {"t", t},       {"amplitude", amplitude},     {"omega", omega},       {"omega_damped", damped},
        {"zeta", zeta}, {"follows", name(e.follows)}, {"scatter", e.scatter}, {"dropped_segments", e.dropped_segments}};
}

const std::vector<std::string> bound_names{"amplitude",
                                           "omega",
                                           "zeta",
                                           "omega_mean_low",
                                           "omega_mean_high",
                                           "zeta_mean_low",
                                           "zeta_mean_high",
                                           "omega_observation_low",
                                           "omega_observation_high",
                                           "zeta_observation_low",
                                           "zeta_observation_high"};

io::Table backbone_table(const signal::MergedBackbone& b) {
    io::Table table{bound_names, std::vector<std::vector<double>>(bound_names.size())};
    for (const auto& name : bound_names) table.units.emplace_back(name.starts_with("omega") ? "rad/s" : "");
    for (const auto& p : b.points) {
        const double row[] = {p.amplitude,
                              p.omega,
                              p.zeta,
                              p.omega_mean.low,
                              p.omega_mean.high,
                              p.zeta_mean.low,
                              p.zeta_mean.high,
                              p.omega_observation.low,
                              p.omega_observation.high,
                              p.zeta_observation.low,
                              p.zeta_observation.high};
        for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].push_back(row[i]);
    }
    return table;
}

io::Table envelope_table(const std::vector<signal::Envelope>& envelopes) {
    io::Table table{
        {"record", "t", "amplitude", "omega", "zeta"}, std::vector<std::vector<double>>(5), {"", "s", "", "rad/s", ""}};
    for (std::size_t r = 0; r < envelopes.size(); ++r)
        for (const auto& p : envelopes[r].points) {
            const double row[] = {double(r + 1), p.time, p.amplitude, p.omega, p.zeta};
            for (std::size_t i = 0; i < 5; ++i) table.columns[i].push_back(row[i]);
        }
    return table;
}

std::string amplitude_label(const Options& o, const signal::Envelope& e) {
    const std::string what =
        o.quantity.empty() ? "amplitude, as recorded" : (o.as.empty() ? o.quantity : o.as) + " amplitude, SI";
    return fmt::format("{} ({})", what, name(e.follows));
}

void plot(const Options& o, const std::vector<signal::Envelope>& envelopes, const io::Table* merged) {
    io::Panel frequency{"frequency", {amplitude_label(o, envelopes[0]), true}, {o.unit.label(), false}, {}};
    io::Panel damping{"damping", frequency.x, {"damping ratio zeta", true}, {}};
    for (std::size_t r = 0; r < envelopes.size(); ++r) {
        io::Curve w{o.files[r], {}, {}, {}}, z{o.files[r], {}, {}, {}};
        for (const auto& p : envelopes[r].points) {
            w.x.push_back(p.amplitude);
            w.y.push_back(o.unit.of(p.omega));
            z.y.push_back(p.zeta);
        }
        z.x = w.x;
        frequency.curves.push_back(std::move(w));
        damping.curves.push_back(std::move(z));
    }
    for (std::size_t c = 1; merged != nullptr && c < merged->names.size(); ++c) {
        io::Curve curve{merged->names[c], merged->columns[0], merged->columns[c], {}};
        const bool of_frequency = curve.label.starts_with("omega");
        if (of_frequency && o.unit.in_hertz()) {
            curve.label.replace(0, 5, "frequency");
            for (double& y : curve.y) y = hertz(y);
        }
        (of_frequency ? frequency : damping).curves.push_back(std::move(curve));
    }
    const io::Figure figure{o.title.empty() ? "Ring-down: frequency and damping" : o.title,
                            fmt::format("{}, amplitude follows the {}", o.method, name(envelopes[0].follows)),
                            {frequency, damping},
                            {}};
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void print(const Options& o, const std::vector<signal::Envelope>& envelopes, const signal::MergedBackbone* merged) {
    fmt::print("{}, amplitude follows the {}\n", o.method, name(envelopes[0].follows));
    if (merged != nullptr) {
        fmt::print("{} records; 95 % bounds of the curve (mean) and of one measurement (observation)\n",
                   envelopes.size());
        fmt::print("{:>14} {:>16} {:>12} {:>12} {:>14} {:>12} {:>12}\n", "amplitude", o.unit.label(), "+- mean",
                   "+- obs.", "zeta", "+- mean", "+- obs.");
        for (const auto& p : merged->points)
            fmt::print("{:14.6g} {:16.10g} {:12.3g} {:12.3g} {:14.7g} {:12.3g} {:12.3g}\n", p.amplitude,
                       o.unit.of(p.omega), o.unit.of(p.omega_mean.high - p.omega),
                       o.unit.of(p.omega_observation.high - p.omega), p.zeta, p.zeta_mean.high - p.zeta,
                       p.zeta_observation.high - p.zeta);
        return;
    }
    fmt::print("{:>14} {:>14} {:>16} {:>14}\n", "t / s", "amplitude", o.unit.label(), "zeta");
    for (const auto& p : envelopes[0].points)
        fmt::print("{:14.6g} {:14.6g} {:16.10g} {:14.7g}\n", p.time, p.amplitude, o.unit.of(p.omega), p.zeta);
    if (envelopes[0].dropped_segments > 0)
        fmt::print("{} segments at the end are noise and were dropped\n", envelopes[0].dropped_segments);
}

void run(Options& o) {
    if (o.method != "hilbert" && o.method != "peaks")
        throw core::BadInput("--method", fmt::format("'{}' is not known; allowed are hilbert, peaks", o.method));
    o.envelope.method = o.method == "hilbert" ? signal::Method::hilbert : signal::Method::peaks;
    if (o.shapes.empty() != (o.mode == 0)) throw core::BadInput("envelope", "--shapes and --mode go together");
    if (!o.as.empty() && o.quantity.empty()) throw core::BadInput("--as", "needs --quantity, what was recorded");
    if (o.rate && !(*o.rate > 0 && std::isfinite(*o.rate)))
        throw core::BadInput("--rate",
                             fmt::format("{:g} must be a number of samples a second greater than 0", *o.rate));
    check_outputs(o.out, o.plot);
    std::vector<signal::Envelope> envelopes;
    core::Progress progress("records", o.files.size());
    for (const auto& file : o.files) {
        envelopes.push_back(envelope_of(o, file));
        progress.at(envelopes.size());
    }
    json result = {{"method", o.method}};
    const bool merge = o.backbone || o.files.size() > 1;
    signal::MergedBackbone merged;
    io::Table table;
    if (merge) {
        merged = signal::merged_backbone(envelopes, o.points);
        table = backbone_table(merged);
        json curve;
        for (std::size_t i = 0; i < table.names.size(); ++i) curve[table.names[i]] = table.columns[i];
        curve["length_scale"] = {{"omega", merged.omega_length}, {"zeta", merged.zeta_length}};
        curve["noise"] = {{"omega", merged.omega_noise}, {"zeta", merged.zeta_noise}};
        result["backbone"] = curve;
        for (std::size_t r = 0; r < envelopes.size(); ++r) {
            json one = envelope_json(envelopes[r]);
            one["file"] = o.files[r];
            result["records"].push_back(one);
        }
    }
    if (envelopes.size() == 1) result.update(envelope_json(envelopes[0]));
    if (!o.out.empty()) archive::write_table(o.out, merge ? table : envelope_table(envelopes));
    if (!o.plot.empty()) plot(o, envelopes, merge ? &table : nullptr);
    o.common.report("envelope", result, [&] { print(o, envelopes, merge ? &merged : nullptr); });
}

}  // namespace

void add_envelope(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("envelope", "Frequency and damping against amplitude from ring-downs");
    command->footer(
        "Examples:\n"
        "  faying envelope hammer.csv --band 140:180 --quantity acceleration --as displacement --plot mode1.html\n"
        "  faying envelope hit1.csv hit2.csv hit3.csv --band 140:180 --out backbone.h5      # merged, with 95 % "
        "bounds\n"
        "  faying envelope velocities.csv --shapes shapes.csv --mode 2");
    command
        ->add_option(
            "files", o->files,
            "records: CSV with a column of time, .mat or .h5 with a variable of time, universal (.uff, .unv) or "
            ".wav; several are merged")
        ->required();
    command->add_option("--method", o->method, "hilbert (follows the fundamental) or peaks (follows the peak)");
    command->add_option("--time", o->time,
                        "name of the column or variable of time (default: t or time; CSV: or the first)");
    command->add_option("--rate", o->rate,
                        "samples a second, Hz: for records without time, or with time that is rounded");
    command->add_option("--channel", o->channel, "name or number (from 1) of the channel");
    command->add_option("--from", o->from, "leave out what comes before this time, s");
    command->add_option("--to", o->to, "leave out what comes after this time, s");
    command->add_option("--scale", o->scale, "multiply the record, for instance by 1/(mode shape at the sensor)");
    command->add_option("--band", o->band, "zero-phase Butterworth band-pass LOW:HIGH, Hz");
    command->add_option("--order", o->order, "its order (2 x order poles), run forward and backward");
    command->add_option("--shapes", o->shapes, "modal filter: CSV with a column a mode and a row a channel");
    command->add_option("--mode", o->mode, "which of the shapes, from 1")->check(CLI::PositiveNumber);
    command->add_option("--segments", o->envelope.segments, "segments of the fit (default: one for every ten periods)");
    command->add_option("--drop-start", o->envelope.dropped_start, "share of the record dropped at its start");
    command->add_option("--drop-end", o->envelope.dropped_end, "share dropped at its end");
    command->add_option("--quantity", o->quantity, "what was recorded: displacement, velocity or acceleration");
    command->add_option("--as", o->as, "give the amplitude as this instead");
    command->add_flag("--backbone", o->backbone, "regression with bounds also for one record");
    command->add_option("--points", o->points, "points of the merged backbone");
    command->add_option("--out,--csv", o->out, "write the points to this file: text, or .h5 or .mat");
    add_unit(*command, o->unit);
    command->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
