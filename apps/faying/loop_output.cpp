#include "loop_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"

namespace faying::app {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_rows = 40;  // printed to a terminal; a longer history is summed up

ordered_json parameters_json(const laws::Law& law) {
    ordered_json values = ordered_json::object();
    for (std::size_t i = 0; i < law.values().size(); ++i)
        if (std::isfinite(law.values()[i])) values[law.parameters()[i].key] = law.values()[i];
    return values;
}

std::string label(const laws::Law& law) {
    std::string text = law.name();
    int shown = 0;
    for (std::size_t i = 0; i < law.values().size(); ++i) {
        const auto& p = law.parameters()[i];
        if (p.fallback && (law.values()[i] == *p.fallback || std::isnan(law.values()[i]))) continue;
        text += fmt::format("{}{}={:.6g}", shown++ ? ", " : "  ", p.key, law.values()[i]);
    }
    return text;
}

std::vector<double> pick(const std::vector<double>& all, const std::vector<std::size_t>& which) {
    std::vector<double> some;
    some.reserve(which.size());
    for (const std::size_t i : which) some.push_back(all[i]);
    return some;
}

/// One law's result directly, several as {"laws": [..]}.
nlohmann::json one_or_many(std::vector<ordered_json> entries) {
    if (entries.size() == 1) return entries.front();
    return {{"laws", entries}};
}

void write_figure(const io::Figure& figure, const std::string& file) {
    if (file.empty()) return;
    io::write_file(file, file.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

io::Axis force_axis() { return {"force f / N", false}; }
io::Axis displacement_axis() { return {"displacement u / m", false}; }

}  // namespace

void check_outputs(const std::string& csv, const std::string& plot) {
    if (!plot.empty() && !plot.ends_with(".html") && !plot.ends_with(".svg"))
        throw core::BadInput("--plot", fmt::format("'{}' must end in .html (interactive) or .svg (picture)", plot));
    for (const auto& file : {csv, plot}) {
        const auto folder = std::filesystem::path(file).parent_path();
        if (!folder.empty() && !std::filesystem::is_directory(folder))
            throw core::BadInput(file, fmt::format("there is no folder {}", folder.string()));
    }
}

// Paths ---------------------------------------------------------------------------------------------------------------

nlohmann::json paths_json(const std::vector<PathRun>& runs, const LoopInput& input) {
    std::vector<ordered_json> entries;
    for (const auto& run : runs) {
        const bool by_force = run.law.drive() == laws::Drive::force;
        ordered_json entry = {{"law", run.law.name()},
                              {"parameters", parameters_json(run.law)},
                              {"driven_by", by_force ? "force" : "displacement"},
                              {"tangent_is", by_force ? "du/df" : "df/du"}};
        if (!input.times.empty()) entry["t"] = pick(input.times, input.report);
        const auto put = [&](ordered_json& to, const laws::History& h) {
            to["f"] = pick(h.f, input.report);
            to["tangent"] = pick(h.tangent, input.report);
            to["dissipated"] = pick(h.dissipated, input.report);
            to["work"] = pick(h.work, input.report);
        };
        entry["u"] = pick(run.history.u, input.report);
        put(entry, run.history);
        for (std::size_t i = 0; i < run.derivatives.size(); ++i) {
            if (!std::isfinite(run.law.values()[i])) continue;
            auto& to = entry["derivatives"][run.law.parameters()[i].key];
            if (by_force) to["u"] = pick(run.derivatives[i].u, input.report);
            put(to, run.derivatives[i]);
            if (by_force) to.erase("f");
        }
        entries.push_back(std::move(entry));
    }
    return one_or_many(std::move(entries));
}

void print_paths(const std::vector<PathRun>& runs, const LoopInput& input) {
    for (const auto& run : runs) {
        const bool by_force = run.law.drive() == laws::Drive::force;
        fmt::print("{}\n", label(run.law));
        const auto& h = run.history;
        if (input.report.size() > most_rows) {
            const auto [least_u, most_u] = std::minmax_element(h.u.begin(), h.u.end());
            const auto [least_f, most_f] = std::minmax_element(h.f.begin(), h.f.end());
            fmt::print(
                "  {} points: u from {:.6g} to {:.6g} m, f from {:.6g} to {:.6g} N, dissipated {:.9g} J, work "
                "{:.9g} J; --csv FILE writes them all\n",
                input.report.size(), *least_u, *most_u, *least_f, *most_f, h.dissipated.back(), h.work.back());
            continue;
        }
        fmt::print("{:>16} {:>16} {:>16} {:>16} {:>16}\n", by_force ? "f (given)" : "u / m", by_force ? "u" : "f / N",
                   by_force ? "du/df" : "df/du / (N/m)", "dissipated / J", "work / J");
        for (const std::size_t i : input.report)
            fmt::print("{:16.9g} {:16.9g} {:16.9g} {:16.9g} {:16.9g}\n", by_force ? h.f[i] : h.u[i],
                       by_force ? h.u[i] : h.f[i], h.tangent[i], h.dissipated[i], h.work[i]);
    }
}

void write_paths(const std::vector<PathRun>& runs, const LoopInput& input, const std::string& csv,
                 const std::string& plot, const std::string& title) {
    if (!csv.empty()) {
        io::Table table;
        const auto add = [&](const std::string& name, const std::vector<double>& column) {
            table.names.push_back(name);
            table.columns.push_back(pick(column, input.report));
        };
        if (!input.times.empty()) add("t", input.times);
        for (std::size_t k = 0; k < runs.size(); ++k) {
            const auto& h = runs[k].history;
            const std::string suffix = runs.size() == 1 ? "" : fmt::format("_{}_{}", k + 1, runs[k].law.name());
            add("u" + suffix, h.u);
            add("f" + suffix, h.f);
            add("tangent" + suffix, h.tangent);
            add("dissipated" + suffix, h.dissipated);
            add("work" + suffix, h.work);
        }
        io::write_csv(csv, table);
    }
    if (plot.empty()) return;
    io::Panel panel{"", displacement_axis(), force_axis(), {}};
    // A path's straight pieces are drawn finely; a law that sees its increments, and a timed signal, as they are.
    for (const auto& run : runs) {
        io::Curve curve{label(run.law), run.history.u, run.history.f, {}};
        if (input.times.empty() && input.points.size() < 2000 && run.law.cuts_do_not_matter()) {
            const auto fine = run.law.follow(refined(input.points, 60));
            curve.x = fine.u;
            curve.y = fine.f;
            for (std::size_t i = 0; i < input.points.size(); ++i) curve.marks.push_back(60 * (i + 1) - 1);
        }
        panel.curves.push_back(std::move(curve));
    }
    const std::string heading = title.empty() ? (runs.size() == 1 ? runs[0].law.name() : "Laws compared") : title;
    write_figure({heading, runs.size() == 1 ? label(runs[0].law) : "", {panel}, {}}, plot);
}

// Cycles --------------------------------------------------------------------------------------------------------------

nlohmann::json cycles_json(const std::vector<CycleRun>& runs, bool derivatives) {
    std::vector<ordered_json> entries;
    for (const auto& run : runs) {
        ordered_json cycles = ordered_json::array();
        for (const auto& r : run.results) {
            ordered_json c = {{"amplitude", r.cycle.amplitude}};
            const auto put = [&](ordered_json& to, const laws::Cycle<double>& from) {
                to["dissipation"] = from.dissipation;
                to["secant"] = from.secant;
                to["harmonic_stiffness"] = from.harmonic_stiffness;
                to["harmonic_damping"] = from.harmonic_damping;
            };
            if (r.converged) {
                put(c, r.cycle);
                c["damping_ratio"] = r.cycle.damping_ratio();
            } else {
                for (const char* key :
                     {"dissipation", "secant", "harmonic_stiffness", "harmonic_damping", "damping_ratio"})
                    c[key] = nullptr;
            }
            c["residual"] = r.cycle.residual;
            c["status"] = r.converged ? "converged" : "not converged";
            if (derivatives && r.converged)
                for (std::size_t i = 0; i < r.derivatives.size(); ++i)
                    if (std::isfinite(run.law.values()[i]))
                        put(c["derivatives"][run.law.parameters()[i].key], r.derivatives[i]);
            cycles.push_back(std::move(c));
        }
        entries.push_back({{"law", run.law.name()}, {"parameters", parameters_json(run.law)}, {"cycles", cycles}});
    }
    return one_or_many(std::move(entries));
}

void print_cycles(const std::vector<CycleRun>& runs) {
    for (const auto& run : runs) {
        fmt::print("{}\n", label(run.law));
        fmt::print("{:>14} {:>16} {:>16} {:>16} {:>16} {:>12}\n", "amplitude", "dissipation / J", "secant / (N/m)",
                   "harmonic / (N/m)", "damping / (N/m)", "zeta");
        for (const auto& r : run.results) {
            if (r.converged)
                fmt::print("{:14.6g} {:16.9g} {:16.9g} {:16.9g} {:16.9g} {:12.6g}\n", r.cycle.amplitude,
                           r.cycle.dissipation, r.cycle.secant, r.cycle.harmonic_stiffness, r.cycle.harmonic_damping,
                           r.cycle.damping_ratio());
            else
                fmt::print("{:14.6g}  did not converge, residual {:.3g}\n", r.cycle.amplitude, r.cycle.residual);
        }
    }
}

void write_cycles(const std::vector<CycleRun>& runs, const std::string& csv, const std::string& plot,
                  const std::string& title) {
    io::Table table;
    io::Panel loops{"steady loops", displacement_axis(), force_axis(), {}};
    io::Panel loss{"dissipation per cycle", {"amplitude / m", true}, {"dissipation / J", true}, {}};
    io::Panel stiffness{"stiffness", {"amplitude / m", true}, {"first-harmonic stiffness / (N/m)", false}, {}};
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const auto& run = runs[k];
        const std::string suffix = runs.size() == 1 ? "" : fmt::format("_{}_{}", k + 1, run.law.name());
        std::vector<std::vector<double>> columns(5);
        for (const auto& r : run.results) {
            if (!r.converged) continue;
            const auto& c = r.cycle;
            const double row[] = {c.amplitude, c.dissipation, c.secant, c.harmonic_stiffness, c.harmonic_damping};
            for (std::size_t i = 0; i < 5; ++i) columns[i].push_back(row[i]);
            if (!plot.empty()) {
                const auto h = run.law.loop(c.amplitude);
                loops.curves.push_back(
                    {fmt::format("{} A = {:g}", runs.size() == 1 ? "" : run.law.name(), c.amplitude), h.u, h.f, {}});
            }
        }
        std::vector<std::size_t> every(columns[0].size());
        std::iota(every.begin(), every.end(), 0);
        loss.curves.push_back({label(run.law), columns[0], columns[1], every});
        stiffness.curves.push_back({label(run.law), columns[0], columns[3], every});
        const char* names[] = {"amplitude", "dissipation", "secant", "harmonic_stiffness", "harmonic_damping"};
        for (std::size_t i = 0; i < 5; ++i) {
            table.names.push_back(names[i] + suffix);
            table.columns.push_back(std::move(columns[i]));
        }
    }
    if (!csv.empty()) io::write_csv(csv, table);
    if (plot.empty()) return;
    const std::string heading = title.empty() ? (runs.size() == 1 ? runs[0].law.name() : "Laws compared") : title;
    write_figure({heading, runs.size() == 1 ? label(runs[0].law) : "", {loops, loss, stiffness}, {}}, plot);
}

// Contact laws on x:y:n -----------------------------------------------------------------------------------------------

ContactRun follow_contact(const std::string& law, const core::ParameterValues& values, const LoopInput& input) {
    std::string keys;
    for (const auto& entry : laws::contact_catalogue()) {
        if (entry.info.key == law) {
            std::vector<const core::ParameterInfo*> table;
            for (const auto& p : entry.info.parameters) table.push_back(&p);
            return {law, values, entry.follow(core::checked_values(law, table, values), input.contact)};
        }
        keys += (keys.empty() ? "" : ", ") + entry.info.key;
    }
    throw core::BadInput(law, fmt::format("does not take x:y:n points; the contact laws are: {}", keys));
}

nlohmann::json contact_json(const ContactRun& run) {
    const auto& h = run.history;
    return ordered_json{
        {"law", run.law}, {"parameters", run.parameters}, {"components", {"x", "y", "n"}}, {"u", h.u},
        {"f", h.f},       {"tangent", h.tangent},         {"dissipated", h.dissipated},    {"work", h.work}};
}

void print_contact(const ContactRun& run) {
    fmt::print("{}\n{:>14} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14}\n", run.law, "ux / m", "uy / m", "un / m",
               "fx / N", "fy / N", "fn / N", "dissipated / J");
    const auto& h = run.history;
    for (std::size_t i = 0; i < std::min(h.u.size(), most_rows); ++i)
        fmt::print("{:14.7g} {:14.7g} {:14.7g} {:14.7g} {:14.7g} {:14.7g} {:14.7g}\n", h.u[i][0], h.u[i][1], h.u[i][2],
                   h.f[i][0], h.f[i][1], h.f[i][2], h.dissipated[i]);
    if (h.u.size() > most_rows)
        fmt::print("  .. and {} more rows: --csv FILE writes them all\n", h.u.size() - most_rows);
}

void write_contact(const ContactRun& run, const std::string& csv, const std::string& plot, const std::string& title) {
    const auto& h = run.history;
    io::Table table{{"ux", "uy", "un", "fx", "fy", "fn", "dissipated", "work"}, std::vector<std::vector<double>>(8)};
    for (std::size_t i = 0; i < h.u.size(); ++i) {
        for (std::size_t a = 0; a < 3; ++a) {
            table.columns[a].push_back(h.u[i][a]);
            table.columns[3 + a].push_back(h.f[i][a]);
        }
        table.columns[6].push_back(h.dissipated[i]);
        table.columns[7].push_back(h.work[i]);
    }
    if (!csv.empty()) io::write_csv(csv, table);
    if (plot.empty()) return;
    const auto& c = table.columns;
    io::Panel along{"along x and y", displacement_axis(), force_axis(), {{"x", c[0], c[3], {}}, {"y", c[1], c[4], {}}}};
    io::Panel plane{"friction force", {"fx / N", false}, {"fy / N", false}, {{"path", c[3], c[4], {}}}};
    write_figure({title.empty() ? run.law : title, "", {along, plane}, {}}, plot);
}

}  // namespace faying::app
