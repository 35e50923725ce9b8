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
    const auto word = lower(name);
    return word.find("force") != std::string::npos || word.find("hammer") != std::string::npos;
}

struct Sorted {
    RingModesRun run;
    std::optional<signal::Record> force;
};

/// Channels of motion in SI, the hammer's apart. One quantity for all.
Sorted sorted_channels(RingModesRequest request) {
    Sorted sorted{{std::move(request), {}, {}, {}, "", {}}, {}};
    auto& run = sorted.run;
    const auto& o = run.request;
    const Channels all = read_channels(o.file, o.time);
    const auto said = o.units.empty() ? std::optional<MeasuredUnit>() : measured_unit(o.units);
    if (!o.units.empty() && (!said || said->force))
        throw core::BadInput("--units",
                             fmt::format("'{}' is no unit of motion; allowed are for example m/s^2, g, m/s, mm/s, "
                                         "m, mm, um, in/s^2",
                                         o.units));
    run.quantity = o.quantity;
    std::string first;  // whose quantity counts
    for (std::size_t c = 0; c < all.names.size(); ++c) {
        const std::string in_file = c < all.units.size() ? all.units[c] : "";
        auto unit = measured_unit(in_file);
        if (unit ? unit->force : called_force(all.names[c])) {
            run.force = all.names[c];
            sorted.force = all.records[c];
            continue;
        }
        const std::string where = fmt::format("{}: {}", o.file, all.names[c]);
        if (unit && said && (unit->quantity != said->quantity || unit->si != said->si))
            throw core::BadInput(where,
                                 fmt::format("is in {} as the file says, not in {} as --units says", in_file, o.units));
        if (!unit) unit = said;
        if (unit && run.quantity && *run.quantity != *unit->quantity)
            throw core::BadInput(where, fmt::format("is {} ({}), not {} as {}",
                                                    core::name_of(signal::recorded_quantities, *unit->quantity),
                                                    in_file.empty() ? o.units : in_file,
                                                    core::name_of(signal::recorded_quantities, *run.quantity),
                                                    first.empty() ? "--quantity says" : first + " is"));
        if (unit) {
            run.quantity = unit->quantity;
            if (first.empty()) first = all.names[c];
        }
        auto record = signal::cropped(all.records[c], o.from, o.to, where);
        for (double& x : record.values) x *= o.scale * (unit ? unit->si : 1);
        run.names.push_back(all.names[c]);
        run.channels.push_back(std::move(record));
    }
    if (sorted.force) sorted.force = signal::cropped(*sorted.force, o.from, o.to, o.file);
    if (run.channels.empty()) throw core::BadInput(o.file, "has no channel of motion, only forces");
    if (o.as && !run.quantity) throw core::BadInput("--as", "needs to know what was recorded: --quantity, or --units");
    return sorted;
}

std::size_t reference_of(const RingModesRun& run) {
    const auto& wanted = run.request.channel;
    if (wanted.empty()) return 0;
    const auto found = std::find(run.names.begin(), run.names.end(), wanted);
    if (found != run.names.end()) return std::size_t(found - run.names.begin());
    for (std::size_t c = 0; c < run.names.size(); ++c)
        if (wanted == fmt::format("{}", c + 1)) return c;
    throw core::BadInput(run.request.file,
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

nlohmann::json mode_json(const signal::FoundMode& m, std::size_t number, const std::vector<std::string>& names) {
    nlohmann::json mode{
        {"mode", number},       {"frequency", m.frequency},           {"band", {m.band.low, m.band.high}},
        {"trusted", m.trusted}, {"remarks", remarks_json(m.remarks)}, {"noise_floor", m.floor}};
    for (const char* key : {"hit", "t", "width", "amplitude", "omega", "zeta", "omega_error", "zeta_error",
                            "omega_hilbert", "zeta_hilbert"})
        mode[key] = nlohmann::json::array();
    for (const auto& p : m.points) {
        mode["hit"].push_back(p.part + 1);
        mode["t"].push_back(p.time);
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
    for (const double from : m.from_hilbert) mode["valid_from"].push_back(number_or_null(from));
    if (m.backbone) mode["backbone"] = merged_json(*m.backbone);
    return mode;
}

}  // namespace

RingModesRun ring_modes(RingModesRequest request) {
    auto [run, force] = sorted_channels(std::move(request));
    signal::FindOptions options;
    options.reference = reference_of(run);
    options.wanted = run.request.frequencies;
    options.points = run.request.points;
    options.force = force ? &*force : nullptr;
    run.found = signal::find_modes(run.channels, run.names, options, run.request.file);
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

nlohmann::json json(const RingModesRun& run) {
    nlohmann::json parts, modes, others = nlohmann::json::array();
    for (const auto& p : run.found.parts)
        parts.push_back({{"hit", p.hit},
                         {"from", p.from},
                         {"to", p.to},
                         {"rebound", p.rebound >= p.hit ? nlohmann::json(p.rebound) : nlohmann::json()}});
    for (std::size_t k = 0; k < run.found.modes.size(); ++k)
        modes.push_back(mode_json(run.found.modes[k], k + 1, run.names));
    for (const auto& o : run.found.others)
        others.push_back({{"frequency", o.line.frequency},
                          {"amplitude", o.line.amplitude},
                          {"combination", o.combination},
                          {"why", o.why}});
    return {{"method", "modes"},
            {"file", run.request.file},
            {"channels", run.names},
            {"reference", run.names[reference_of(run)]},
            {"unit", unit_text(run)},
            {"ring_downs", parts},
            {"modes", modes},
            {"other_lines", others},
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
    if (made.names.size() == 1) throw core::BadInput(run.request.file, "has no mode with four points or more to write");
    return made;
}

std::string text(const RingModesRun& run) {
    const auto& unit = run.request.unit;
    Text out;
    out.print("{} ring-down{} of {} channels; amplitude at {}, {}\n", run.found.parts.size(),
              run.found.parts.size() == 1 ? "" : "s", run.channels.size(), run.names[reference_of(run)],
              unit_text(run));
    if (!run.quantity) out.print("the file says no units: give them with --units, for example --units m/s^2\n");
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
            out.print("{:10.4f} {:12.5g} {:15.8g} {:10.2g} {:11.5g} {:10.2g} {:>13} {:>11}\n", p.time, p.amplitude,
                      unit.of(p.omega), unit.of(1.96 * p.omega_error), p.zeta, 1.96 * p.zeta_error,
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
