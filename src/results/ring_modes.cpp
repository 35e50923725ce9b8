#include "faying/results/ring_modes.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "envelope_parts.hpp"
#include "faying/core/error.hpp"
#include "text.hpp"
#include "units.hpp"

namespace faying::results {

namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

bool called_force(const std::string& name) {
    const auto word = lower(name.substr(name.rfind('.') + 1));
    return word == "f" || word.find("force") != std::string::npos || word.find("hammer") != std::string::npos;
}

/// Nearly all of its energy in a moment, as only a hammer's has: what it hits rings on.
bool is_pulse(const signal::Record& record) {
    constexpr double moment = 0.02, share = 0.98;  // s
    const auto& x = record.values;
    const auto width = std::size_t(moment / record.step) + 1;
    if (x.size() < 10 * width) return false;
    std::vector<double> sorted = x;
    const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    double all = 0, within = 0, most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto square = [&](std::size_t k) { return (x[k] - *middle) * (x[k] - *middle); };
        all += square(i);
        within += square(i);
        if (i >= width) within -= square(i - width);
        most = std::max(most, within);
    }
    return most > share * all;
}

bool is_constant(const signal::Record& record) {
    const auto [low, high] = std::minmax_element(record.values.begin(), record.values.end());
    return !(*high - *low > 1e-12 * std::max(std::abs(*high), std::abs(*low)));
}

struct Sorted {
    RingModesRun run;
    std::optional<signal::Record> force;
};

/// One record with its channels in SI.
struct OneRecord {
    std::vector<std::string> names;
    std::vector<signal::Record> channels;
    std::optional<signal::Record> force;
    std::string force_name;
};

class Sorter {
 public:
    explicit Sorter(RingModesRequest request) {
        run_.request = std::move(request);
        const auto& o = run_.request;
        said_ = o.units.empty() ? std::optional<MeasuredUnit>() : measured_unit(o.units);
        if (!o.units.empty() && (!said_ || said_->force))
            throw core::BadInput("--units",
                                 fmt::format("'{}' is no unit of motion; allowed are for example m/s^2, g, m/s, mm/s, "
                                             "m, mm, um, in/s^2",
                                             o.units));
        run_.quantity = o.quantity;
    }

    Sorted sorted() && {
        const auto& o = run_.request;
        std::optional<signal::Record> force;
        for (const auto& file : o.files) {
            auto read = read_records(file, o.time);
            for (const auto& other : read.left_out)
                run_.notes.push_back(fmt::format("{} has other records too: --time {}", file, other));
            for (std::size_t k = 0; k < read.records.size(); ++k) {
                auto one = in_si(read.records[k], file);
                const auto name = read.records.size() == 1 ? file : fmt::format("{}: record {}", file, k + 1);
                add(std::move(one), name, force);
            }
        }
        if (o.as && !run_.quantity)
            throw core::BadInput("--as", "needs to know what was recorded: --quantity, or --units");
        return {std::move(run_), std::move(force)};
    }

 private:
    RingModesRun run_;
    std::optional<MeasuredUnit> said_;
    std::string first_;  ///< whose quantity counts

    /// Channels of motion in SI, the hammer's apart. One quantity for all.
    OneRecord in_si(const Channels& all, const std::string& file) {
        const auto& o = run_.request;
        OneRecord one;
        const bool alone = all.names.size() == 1;
        for (std::size_t c = 0; c < all.names.size(); ++c) {
            const std::string in_file = c < all.units.size() ? all.units[c] : "";
            auto unit = measured_unit(in_file);
            if (!alone && (unit ? unit->force : called_force(all.names[c]) || is_pulse(all.records[c]))) {
                one.force_name = all.names[c];
                one.force = signal::cropped(all.records[c], o.from, o.to, file);
                continue;
            }
            const std::string where = fmt::format("{}: {}", file, all.names[c]);
            if (!alone && is_constant(all.records[c])) {
                run_.notes.push_back(fmt::format("{} is constant, and left out", where));
                continue;
            }
            if (unit && said_ && (unit->quantity != said_->quantity || unit->si != said_->si))
                throw core::BadInput(
                    where, fmt::format("is in {} as the file says, not in {} as --units says", in_file, o.units));
            if (!unit) unit = said_;
            if (unit && unit->quantity) check_quantity(*unit, in_file.empty() ? o.units : in_file, where, all.names[c]);
            auto record = signal::cropped(all.records[c], o.from, o.to, where);
            for (double& x : record.values) x *= o.scale * (unit ? unit->si : 1);
            one.names.push_back(all.names[c]);
            one.channels.push_back(std::move(record));
        }
        if (one.channels.empty()) throw core::BadInput(file, "has no channel of motion, only forces");
        return one;
    }

    void check_quantity(const MeasuredUnit& unit, const std::string& said, const std::string& where,
                        const std::string& name) {
        if (run_.quantity && *run_.quantity != *unit.quantity)
            throw core::BadInput(where, fmt::format("is {} ({}), not {} as {}",
                                                    core::name_of(signal::recorded_quantities, *unit.quantity), said,
                                                    core::name_of(signal::recorded_quantities, *run_.quantity),
                                                    first_.empty() ? "--quantity says" : first_ + " is"));
        run_.quantity = unit.quantity;
        if (first_.empty()) first_ = name;
    }

    /// Behind those before it.
    void add(OneRecord one, const std::string& name, std::optional<signal::Record>& force) {
        const auto last = [](const std::string& text) { return text.substr(text.rfind('.') + 1); };
        if (run_.pieces.empty()) {
            run_.names = one.names;
            run_.channels = one.channels;
            run_.force = one.force_name;
            force = std::move(one.force);
            run_.pieces.push_back({name, 0, run_.channels[0].start});
            return;
        }
        const auto& first = run_.channels[0];
        if (std::abs(one.channels[0].step / first.step - 1) > 1e-6)
            throw core::BadInput(name, fmt::format("has {:g} samples per second, the record before it {:g}; hits of "
                                                   "one structure must be sampled alike",
                                                   1 / one.channels[0].step, 1 / first.step));
        bool same = one.names.size() == run_.names.size();
        for (std::size_t c = 0; same && c < one.names.size(); ++c) same = last(one.names[c]) == last(run_.names[c]);
        if (!same)
            throw core::BadInput(name, fmt::format("has channels {}, the record before it {}; hits of one structure "
                                                   "must have the same",
                                                   fmt::join(one.names, ", "), fmt::join(run_.names, ", ")));
        const std::size_t begin = first.values.size(), count = one.channels[0].values.size();
        run_.pieces.push_back({name, begin, one.channels[0].start});
        const auto append = [](signal::Record& to, const std::vector<double>& more) {
            to.values.insert(to.values.end(), more.begin(), more.end());
        };
        for (std::size_t c = 0; c < one.channels.size(); ++c) append(run_.channels[c], one.channels[c].values);
        if (force) append(*force, one.force ? one.force->values : std::vector<double>(count, 0.0));
    }
};

std::size_t reference_of(const RingModesRun& run) {
    const auto& wanted = run.request.channel;
    if (wanted.empty()) return 0;
    const auto found = std::find(run.names.begin(), run.names.end(), wanted);
    if (found != run.names.end()) return std::size_t(found - run.names.begin());
    for (std::size_t c = 0; c < run.names.size(); ++c)
        if (wanted == fmt::format("{}", c + 1)) return c;
    throw core::BadInput(run.request.files[0],
                         fmt::format("has no channel '{}'; there are: {}", wanted, fmt::join(run.names, ", ")));
}

std::string unit_text(const RingModesRun& run) {
    return run.quantity ? si_name(run.request.as.value_or(*run.quantity)) : "as recorded";
}

nlohmann::json remarks_json(const std::vector<signal::Remark>& remarks) {
    nlohmann::json all = nlohmann::json::array();
    for (const auto& r : remarks) all.push_back({{"doubt", name(r.doubt)}, {"text", r.text}});
    return all;
}

nlohmann::json number_or_null(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); }

nlohmann::json mode_json(const RingModesRun& run, const signal::FoundMode& m, std::size_t number) {
    const auto& names = run.names;
    nlohmann::json mode{
        {"mode", number},       {"frequency", m.frequency},           {"band", {m.band.low, m.band.high}},
        {"trusted", m.trusted}, {"remarks", remarks_json(m.remarks)}, {"noise_floor", m.floor}};
    for (const char* key : {"hit", "t", "width", "amplitude", "omega", "zeta", "omega_error", "zeta_error",
                            "omega_hilbert", "zeta_hilbert"})
        mode[key] = nlohmann::json::array();
    for (const auto& p : m.points) {
        mode["hit"].push_back(p.part + 1);
        mode["t"].push_back(own_time(run, p.time).time);
        mode["width"].push_back(p.width);
        mode["amplitude"].push_back(p.amplitude);
        mode["omega"].push_back(p.omega);
        mode["zeta"].push_back(p.zeta);
        mode["omega_error"].push_back(p.omega_error);
        mode["zeta_error"].push_back(p.zeta_error);
        mode["omega_hilbert"].push_back(number_or_null(p.omega_hilbert));
        mode["zeta_hilbert"].push_back(number_or_null(p.zeta_hilbert));
        for (std::size_t c = 0; c < names.size(); ++c) mode["shape"][names[c]].push_back(p.shape[c]);
    }
    for (const double from : m.from_hilbert) mode["valid_from"].push_back(number_or_null(own_time(run, from).time));
    if (m.backbone) mode["backbone"] = merged_json(*m.backbone);
    return mode;
}

}  // namespace

RingModesRequest all_modes(const EnvelopeRequest& one) {
    const auto& ring = one.ring_down;
    if (ring.band || !one.shapes.empty())
        throw core::BadInput("--modes", "chooses its own bands and shapes: leave out --band and --shapes");
    return {.files = one.files,
            .time = one.time,
            .channel = one.channel,
            .from = ring.from,
            .to = ring.to,
            .scale = ring.scale,
            .quantity = ring.quantity,
            .as = ring.as,
            .mode = one.mode,
            .points = one.points,
            .unit = one.unit};
}

RingModesRun ring_modes(RingModesRequest request) {
    auto [run, force] = Sorter(std::move(request)).sorted();
    signal::FindOptions options;
    options.reference = reference_of(run);
    options.wanted = run.request.frequencies;
    options.points = run.request.points;
    options.force = force ? &*force : nullptr;
    for (std::size_t k = 1; k < run.pieces.size(); ++k) options.begins.push_back(run.pieces[k].begin);
    run.found = signal::find_modes(run.channels, run.names, options, run.request.files[0]);
    if (run.request.mode < 0 || run.request.mode > int(run.found.modes.size()))
        throw core::BadInput("--mode", fmt::format("{} is not among the modes found; allowed are 1 to {}",
                                                   run.request.mode, run.found.modes.size()));
    if (run.quantity && run.request.as)
        for (auto& mode : run.found.modes) {
            const int power = int(*run.request.as) - int(*run.quantity);
            for (auto& p : mode.points) p.amplitude *= std::pow(p.omega, power);
            if (mode.backbone)
                for (auto& p : mode.backbone->points) p.amplitude *= std::pow(p.omega, power);
            mode.floor *= std::pow(2 * std::numbers::pi * mode.frequency, power);
        }
    return run;
}

OwnTime own_time(const RingModesRun& run, double time) {
    const auto& joined = run.channels[0];
    std::size_t k = run.pieces.size() - 1;
    while (k > 0 && time < joined.time(run.pieces[k].begin) - 0.5 * joined.step) --k;
    return {run.pieces[k].name, run.pieces[k].start + time - joined.time(run.pieces[k].begin)};
}

nlohmann::json json(const RingModesRun& run) {
    nlohmann::json parts, modes, others = nlohmann::json::array();
    for (const auto& p : run.found.parts)
        parts.push_back(
            {{"record", own_time(run, p.hit).record},
             {"hit", own_time(run, p.hit).time},
             {"from", own_time(run, p.from).time},
             {"to", own_time(run, p.to).time},
             {"rebound", p.rebound >= p.hit ? nlohmann::json(own_time(run, p.rebound).time) : nlohmann::json()}});
    for (std::size_t k = 0; k < run.found.modes.size(); ++k) modes.push_back(mode_json(run, run.found.modes[k], k + 1));
    for (const auto& o : run.found.others)
        others.push_back({{"frequency", o.line.frequency},
                          {"amplitude", o.line.amplitude},
                          {"combination", o.combination},
                          {"why", o.why}});
    return {{"method", "modes"},
            {"file", run.request.files[0]},
            {"files", run.request.files},
            {"channels", run.names},
            {"reference", run.names[reference_of(run)]},
            {"unit", unit_text(run)},
            {"ring_downs", parts},
            {"modes", modes},
            {"other_lines", others},
            {"notes", run.notes},
            {"remarks", remarks_json(run.found.remarks)}};
}

io::Table table(const RingModesRun& run) {
    auto made = io::named_table({"mode"}, {""});
    for (std::size_t k = 0; k < run.found.modes.size(); ++k) {
        const auto& mode = run.found.modes[k];
        if (!mode.backbone || (run.request.mode > 0 && run.request.mode != int(k) + 1)) continue;
        const auto part = merged_table(*mode.backbone);
        if (made.names.size() == 1) {
            made.names.insert(made.names.end(), part.names.begin(), part.names.end());
            made.units.insert(made.units.end(), part.units.begin(), part.units.end());
            if (run.quantity) made.units[1] = unit_text(run);
            made.names.emplace_back("trusted");
            made.units.emplace_back("");
            made.columns.resize(made.names.size());
        }
        for (std::size_t r = 0; r < part.columns[0].size(); ++r) {
            std::vector<double> row{double(k + 1)};
            for (const auto& column : part.columns) row.push_back(column[r]);
            row.push_back(mode.trusted ? 1 : 0);
            io::add_row(made, row);
        }
    }
    if (made.names.size() == 1)
        throw core::BadInput(run.request.files[0], "has no mode with four points or more to write");
    return made;
}

std::string text(const RingModesRun& run) {
    const auto& unit = run.request.unit;
    Text out;
    out.print("{} ring-down{} of {} channels; amplitude at {}, {}\n", run.found.parts.size(),
              run.found.parts.size() == 1 ? "" : "s", run.channels.size(), run.names[reference_of(run)],
              unit_text(run));
    if (!run.quantity) out.print("the file says no units: give them with --units, for example --units m/s^2\n");
    for (const auto& note : run.notes) out.print("{}\n", note);
    for (const auto& r : run.found.remarks) out.print("not trusted: {}\n", r.text);
    for (std::size_t k = 0; k < run.found.modes.size(); ++k) {
        const auto& m = run.found.modes[k];
        out.print("\nmode {}: {:.6g} Hz{}, band {:.5g} to {:.5g} Hz\n", k + 1, m.frequency,
                  m.trusted ? "" : ", NOT TRUSTED", m.band.low, m.band.high);
        for (const auto& r : m.remarks) out.print("  {}: {}\n", name(r.doubt), r.text);
        if (run.request.mode > 0 && run.request.mode != int(k) + 1) continue;
        out.print("{:>10} {:>12} {:>15} {:>10} {:>11} {:>10} {:>13} {:>11}\n", "t / s", "amplitude", unit.label(), "+-",
                  "zeta", "+-", "by band-pass", "zeta");
        for (const auto& p : m.points)
            out.print("{:10.4f} {:12.5g} {:15.8g} {:10.2g} {:11.5g} {:10.2g} {:>13} {:>11}\n",
                      own_time(run, p.time).time, p.amplitude, unit.of(p.omega), unit.of(1.96 * p.omega_error), p.zeta,
                      1.96 * p.zeta_error,
                      std::isfinite(p.zeta_hilbert) ? fmt::format("{:.8g}", unit.of(p.omega_hilbert)) : "-",
                      std::isfinite(p.zeta_hilbert) ? fmt::format("{:.5g}", p.zeta_hilbert) : "-");
    }
    bool any = false;
    for (const auto& o : run.found.others)
        if (o.combination) {
            if (!any)
                out.print(
                    "\nlines that are no modes, but sums and differences of stronger ones (the joint couples them)\n");
            any = true;
            out.print("  {:10.5g} Hz  {:10.3g}  {}\n", o.line.frequency, o.line.amplitude, o.why);
        }
    return out;
}

}  // namespace faying::results
