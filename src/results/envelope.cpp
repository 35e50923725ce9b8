#include "faying/results/envelope.hpp"

#include <nlohmann/json.hpp>

#include "envelope_parts.hpp"
#include "faying/core/error.hpp"
#include "faying/signal/modal_filter.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

Eigen::MatrixXd read_shapes(const std::string& file) {
    const io::Table table = io::read_csv(file);
    Eigen::MatrixXd shapes(Eigen::Index(table.columns[0].size()), Eigen::Index(table.columns.size()));
    for (Eigen::Index c = 0; c < shapes.cols(); ++c)
        for (Eigen::Index r = 0; r < shapes.rows(); ++r) shapes(r, c) = table.columns[std::size_t(c)][std::size_t(r)];
    return shapes;
}

signal::Record chosen_record(const EnvelopeRequest& o, const std::string& file) {
    const Channels channels = read_channels(file, o.time);
    if (o.shapes.empty()) return channel(channels, o.channel, file);
    const Eigen::MatrixXd shapes = read_shapes(o.shapes);
    if (o.mode < 1 || o.mode > shapes.cols())
        throw core::BadInput("--mode", fmt::format("{} is not among the shapes of {}; allowed are 1 to {}", o.mode,
                                                   o.shapes, shapes.cols()));
    return signal::modal_filter(channels.records, shapes, file).modes[std::size_t(o.mode) - 1];
}

nlohmann::json envelope_json(const signal::Envelope& e) {
    nlohmann::json t, amplitude, omega, damped, zeta;
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

std::string method_text(const EnvelopeRun& run) {
    return fmt::format("{}, amplitude follows the {}", signal::name(run.request.ring_down.envelope.method),
                       name(run.envelopes[0].follows));
}

}  // namespace

io::Table merged_table(const signal::MergedBackbone& b) {
    auto made = io::named_table({"amplitude", "omega", "zeta", "omega_mean_low", "omega_mean_high", "zeta_mean_low",
                                 "zeta_mean_high", "omega_observation_low", "omega_observation_high",
                                 "zeta_observation_low", "zeta_observation_high"});
    for (const auto& name : made.names) made.units.emplace_back(name.starts_with("omega") ? "rad/s" : "");
    for (const auto& p : b.points)
        io::add_row(
            made, {p.amplitude, p.omega, p.zeta, p.omega_mean.low, p.omega_mean.high, p.zeta_mean.low, p.zeta_mean.high,
                   p.omega_observation.low, p.omega_observation.high, p.zeta_observation.low, p.zeta_observation.high});
    return made;
}

nlohmann::json merged_json(const signal::MergedBackbone& b) {
    const auto columns = merged_table(b);
    nlohmann::json curve;
    for (std::size_t i = 0; i < columns.names.size(); ++i) curve[columns.names[i]] = columns.columns[i];
    curve["length_scale"] = {{"omega", b.omega_length}, {"zeta", b.zeta_length}};
    curve["noise"] = {{"omega", b.omega_noise}, {"zeta", b.zeta_noise}};
    return curve;
}

EnvelopeRun envelopes(EnvelopeRequest request, const std::function<void(std::size_t)>& done) {
    if (request.shapes.empty() != (request.mode == 0))
        throw core::BadInput("envelope", "--shapes and --mode go together");
    EnvelopeRun run{std::move(request), {}, {}};
    for (const auto& file : run.request.files) {
        run.envelopes.push_back(signal::ring_down(chosen_record(run.request, file), run.request.ring_down, file));
        if (done) done(run.envelopes.size());
    }
    if (run.request.backbone || run.request.files.size() > 1)
        run.merged = signal::merged_backbone(run.envelopes, run.request.points);
    return run;
}

nlohmann::json json(const EnvelopeRun& run) {
    nlohmann::json result = {{"method", signal::name(run.request.ring_down.envelope.method)}};
    if (run.merged) {
        result["backbone"] = merged_json(*run.merged);
        for (std::size_t r = 0; r < run.envelopes.size(); ++r) {
            result["records"].push_back(envelope_json(run.envelopes[r]));
            result["records"].back()["file"] = run.request.files[r];
        }
    }
    if (run.envelopes.size() == 1) result.update(envelope_json(run.envelopes[0]));
    return result;
}

io::Table table(const EnvelopeRun& run) {
    if (run.merged) return merged_table(*run.merged);
    auto made = io::named_table({"record", "t", "amplitude", "omega", "zeta"}, {"", "s", "", "rad/s", ""});
    for (std::size_t r = 0; r < run.envelopes.size(); ++r)
        for (const auto& p : run.envelopes[r].points)
            io::add_row(made, {double(r + 1), p.time, p.amplitude, p.omega, p.zeta});
    return made;
}

io::Figure figure(const EnvelopeRun& run) {
    const auto& [files, time, channel, shapes, mode, ring_down, backbone, points, unit] = run.request;
    const auto what = !ring_down.quantity
                          ? std::string("amplitude, as recorded")
                          : fmt::format("{} amplitude, SI", core::name_of(signal::recorded_quantities,
                                                                          ring_down.as.value_or(*ring_down.quantity)));
    const io::Axis amplitude{fmt::format("{} ({})", what, name(run.envelopes[0].follows)), true};
    io::Panel frequency{"frequency", amplitude, {unit.label(), false}, {}};
    io::Panel damping{"damping", amplitude, {"damping ratio zeta", true}, {}};
    for (std::size_t r = 0; r < run.envelopes.size(); ++r) {
        io::Curve w{files[r], {}, {}, {}}, z{files[r], {}, {}, {}};
        for (const auto& p : run.envelopes[r].points) {
            w.x.push_back(p.amplitude);
            w.y.push_back(unit.of(p.omega));
            z.y.push_back(p.zeta);
        }
        z.x = w.x;
        frequency.curves.push_back(std::move(w));
        damping.curves.push_back(std::move(z));
    }
    const auto merged = run.merged ? table(run) : io::Table();
    for (std::size_t c = 1; c < merged.names.size(); ++c) {
        io::Curve curve{merged.names[c], merged.columns[0], merged.columns[c], {}};
        const bool of_frequency = curve.label.starts_with("omega");
        if (of_frequency && unit.in_hertz()) {
            curve.label.replace(0, 5, "frequency");
            curve.y = unit.of(curve.y);
        }
        (of_frequency ? frequency : damping).curves.push_back(std::move(curve));
    }
    return {"Ring-down: frequency and damping", method_text(run), {frequency, damping}, {}};
}

std::string text(const EnvelopeRun& run) {
    const auto& unit = run.request.unit;
    Text out;
    out.print("{}\n", method_text(run));
    if (run.merged) {
        out.print("{} records; 95 % bounds of the curve (mean) and of one measurement (observation)\n",
                  run.envelopes.size());
        out.print("{:>14} {:>16} {:>12} {:>12} {:>14} {:>12} {:>12}\n", "amplitude", unit.label(), "+- mean", "+- obs.",
                  "zeta", "+- mean", "+- obs.");
        for (const auto& p : run.merged->points)
            out.print("{:14.6g} {:16.10g} {:12.3g} {:12.3g} {:14.7g} {:12.3g} {:12.3g}\n", p.amplitude,
                      unit.of(p.omega), unit.of(p.omega_mean.high - p.omega),
                      unit.of(p.omega_observation.high - p.omega), p.zeta, p.zeta_mean.high - p.zeta,
                      p.zeta_observation.high - p.zeta);
        return out;
    }
    const auto& only = run.envelopes[0];
    out.print("{:>14} {:>14} {:>16} {:>14}\n", "t / s", "amplitude", unit.label(), "zeta");
    for (const auto& p : only.points)
        out.print("{:14.6g} {:14.6g} {:16.10g} {:14.7g}\n", p.time, p.amplitude, unit.of(p.omega), p.zeta);
    if (only.dropped_segments > 0)
        out.print("{} segments at the end are noise and were dropped\n", only.dropped_segments);
    return out;
}

}  // namespace faying::results
