#include "loop_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// The table and the figure to their files, both or neither; an empty name asks for none.
void write_outputs(const std::string& csv, const io::Table& table, const std::string& plot, const io::Figure& figure) {
    std::vector<io::FileContent> files;
    if (!csv.empty()) files.push_back({csv, io::csv_text(table)});
    if (!plot.empty())
        files.push_back({plot, plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure)});
    io::write_files(files);
}

bool by_force(const laws::Law& law) { return law.drive() == laws::Drive::force; }

io::Axis force_axis(bool given = false) { return {given ? "force f / N (given)" : "force f / N", false}; }
io::Axis displacement_axis(bool answer = false) {
    return {answer ? "displacement u / m (answer)" : "displacement u / m", false};
}

std::string suffix(const std::vector<laws::Law>& laws, std::size_t k) {
    return laws.size() == 1 ? "" : fmt::format("_{}_{}", k + 1, laws[k].name());
}

template <class Run>
std::vector<laws::Law> laws_of(const std::vector<Run>& runs) {
    std::vector<laws::Law> laws;
    for (const auto& run : runs) laws.push_back(run.law);
    return laws;
}

io::Figure figure_of(const std::vector<laws::Law>& laws, const std::string& title, std::vector<io::Panel> panels) {
    const bool one = laws.size() == 1;
    return {title.empty() ? (one ? laws[0].name() : "Laws compared") : title,
            one ? label(laws[0]) : "",
            std::move(panels),
            {}};
}

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
        const bool given_force = by_force(run.law);
        ordered_json entry = {{"law", run.law.name()},
                              {"parameters", parameters_json(run.law)},
                              {"driven_by", given_force ? "force" : "displacement"},
                              {"tangent_is", given_force ? "du/df" : "df/du"}};
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
            if (given_force) to["u"] = pick(run.derivatives[i].u, input.report);
            put(to, run.derivatives[i]);
            if (given_force) to.erase("f");
        }
        entries.push_back(std::move(entry));
    }
    return one_or_many(std::move(entries));
}

void print_paths(const std::vector<PathRun>& runs, const LoopInput& input) {
    for (const auto& run : runs) {
        const bool given_force = by_force(run.law);
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
        fmt::print("{:>16} {:>16} {:>16} {:>16} {:>16}\n", given_force ? "f / N (given)" : "u / m",
                   given_force ? "u / m" : "f / N", given_force ? "du/df / (m/N)" : "df/du / (N/m)", "dissipated / J",
                   "work / J");
        const auto print_row = [&](const std::string& first, const laws::History& row, std::size_t i) {
            fmt::print("{:>16} {:16.9g} {:16.9g} {:16.9g} {:16.9g}\n", first, given_force ? row.u[i] : row.f[i],
                       row.tangent[i], row.dissipated[i], row.work[i]);
        };
        for (const std::size_t i : input.report) {
            print_row(fmt::format("{:.9g}", given_force ? h.f[i] : h.u[i]), h, i);
            for (std::size_t k = 0; k < run.derivatives.size(); ++k)
                if (std::isfinite(run.law.values()[k]))
                    print_row("d/d" + run.law.parameters()[k].key, run.derivatives[k], i);
        }
    }
}

void write_paths(const std::vector<PathRun>& runs, const LoopInput& input, const std::string& csv,
                 const std::string& plot, const std::string& title) {
    const auto laws = laws_of(runs);
    io::Table table;
    const auto add = [&](const std::string& name, const std::vector<double>& column) {
        table.names.push_back(name);
        table.columns.push_back(pick(column, input.report));
    };
    if (!input.times.empty()) add("t", input.times);
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const auto& run = runs[k];
        const std::string end = suffix(laws, k);
        add("u" + end, run.history.u);
        add("f" + end, run.history.f);
        add("tangent" + end, run.history.tangent);
        add("dissipated" + end, run.history.dissipated);
        add("work" + end, run.history.work);
        for (std::size_t i = 0; i < run.derivatives.size(); ++i) {
            if (!std::isfinite(run.law.values()[i])) continue;
            const std::string to = "/d" + run.law.parameters()[i].key + end;
            const auto& d = run.derivatives[i];
            if (by_force(run.law))
                add("du" + to, d.u);
            else
                add("df" + to, d.f);
            add("dtangent" + to, d.tangent);
            add("ddissipated" + to, d.dissipated);
            add("dwork" + to, d.work);
        }
    }
    const bool given_force = by_force(laws[0]);
    io::Panel panel{"", displacement_axis(given_force), force_axis(given_force), {}};
    // A path's straight pieces are drawn finely; a law that sees its increments, and a timed signal, as they are.
    for (const auto& run : runs) {
        if (plot.empty()) break;
        io::Curve curve{label(run.law), run.history.u, run.history.f, {}};
        if (input.times.empty() && input.points.size() < 2000 && run.law.independent_of_increments()) {
            const auto fine = run.law.follow(refined(input.points, 60));
            curve.x = fine.u;
            curve.y = fine.f;
            for (std::size_t i = 0; i < input.points.size(); ++i) curve.marks.push_back(60 * (i + 1) - 1);
        }
        panel.curves.push_back(std::move(curve));
    }
    write_outputs(csv, table, plot, figure_of(laws, title, {panel}));
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
        entries.push_back({{"law", run.law.name()},
                           {"parameters", parameters_json(run.law)},
                           {"driven_by", by_force(run.law) ? "force" : "displacement"},
                           {"cycles", cycles}});
    }
    return one_or_many(std::move(entries));
}

void print_cycles(const std::vector<CycleRun>& runs) {
    for (const auto& run : runs) {
        const bool given_force = by_force(run.law);  // then secant and harmonic are compliances
        const char* unit = given_force ? "m/N" : "N/m";
        fmt::print("{}\n", label(run.law));
        fmt::print("{:>14} {:>16} {:>16} {:>16} {:>16} {:>12}\n", given_force ? "amplitude / N" : "amplitude / m",
                   "dissipation / J", fmt::format("secant / ({})", unit), fmt::format("harmonic / ({})", unit),
                   fmt::format("damping / ({})", unit), "zeta");
        const auto print_row = [](const std::string& first, const laws::Cycle<double>& c, const std::string& last) {
            fmt::print("{:>14} {:16.9g} {:16.9g} {:16.9g} {:16.9g} {:>12}\n", first, c.dissipation, c.secant,
                       c.harmonic_stiffness, c.harmonic_damping, last);
        };
        for (const auto& r : run.results) {
            if (!r.converged) {
                fmt::print("{:14.6g}  did not converge, residual {:.3g}\n", r.cycle.amplitude, r.cycle.residual);
                continue;
            }
            print_row(fmt::format("{:.6g}", r.cycle.amplitude), r.cycle,
                      fmt::format("{:.6g}", r.cycle.damping_ratio()));
            for (std::size_t k = 0; k < r.derivatives.size(); ++k)
                if (std::isfinite(run.law.values()[k]))
                    print_row("d/d" + run.law.parameters()[k].key, r.derivatives[k], "");
        }
    }
}

namespace {

/// The four results of a cycle as columns, with what stands before and behind their names.
void add_cycles(io::Table& table, const std::vector<laws::Cycle<double>>& cycles, const std::string& before,
                const std::string& behind) {
    using Member = double laws::Cycle<double>::*;
    constexpr std::pair<const char*, Member> results[] = {
        {"dissipation", &laws::Cycle<double>::dissipation},
        {"secant", &laws::Cycle<double>::secant},
        {"harmonic_stiffness", &laws::Cycle<double>::harmonic_stiffness},
        {"harmonic_damping", &laws::Cycle<double>::harmonic_damping}};
    for (const auto& [name, member] : results) {
        table.names.push_back(fmt::format("{}{}{}", before, name, behind));
        auto& column = table.columns.emplace_back();
        for (const auto& c : cycles) column.push_back(c.*member);
    }
}

}  // namespace

void write_cycles(const std::vector<CycleRun>& runs, const std::string& csv, const std::string& plot,
                  const std::string& title) {
    const auto laws = laws_of(runs);
    const bool given_force = by_force(laws[0]);
    const io::Axis amplitude{given_force ? "amplitude / N" : "amplitude / m", true};
    io::Table table;
    io::Panel loops{"steady loops", displacement_axis(given_force), force_axis(given_force), {}};
    io::Panel loss{"dissipation per cycle", amplitude, {"dissipation / J", true}, {}};
    io::Panel stiffness{given_force ? "compliance" : "stiffness",
                        amplitude,
                        {given_force ? "first-harmonic compliance / (m/N)" : "first-harmonic stiffness / (N/m)", false},
                        {}};
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const auto& run = runs[k];
        const std::string end = suffix(laws, k);
        std::vector<laws::Cycle<double>> cycles;
        std::vector<std::vector<laws::Cycle<double>>> derivatives(run.law.values().size());
        for (const auto& r : run.results) {
            if (!r.converged) continue;
            cycles.push_back(r.cycle);
            for (std::size_t i = 0; i < r.derivatives.size(); ++i) derivatives[i].push_back(r.derivatives[i]);
            if (plot.empty()) continue;
            const auto h = run.law.loop(r.cycle.amplitude);
            loops.curves.push_back(
                {fmt::format("{} A = {:g}", runs.size() == 1 ? "" : run.law.name(), r.cycle.amplitude), h.u, h.f, {}});
        }
        const std::size_t first = table.columns.size();
        table.names.push_back("amplitude" + end);
        auto& amplitudes = table.columns.emplace_back();
        for (const auto& c : cycles) amplitudes.push_back(c.amplitude);
        add_cycles(table, cycles, "", end);
        for (std::size_t i = 0; i < derivatives.size(); ++i)
            if (!derivatives[i].empty() && std::isfinite(run.law.values()[i]))
                add_cycles(table, derivatives[i], "d", "/d" + run.law.parameters()[i].key + end);
        std::vector<std::size_t> every(cycles.size());
        std::iota(every.begin(), every.end(), 0);
        loss.curves.push_back({label(run.law), table.columns[first], table.columns[first + 1], every});
        stiffness.curves.push_back({label(run.law), table.columns[first], table.columns[first + 3], every});
    }
    write_outputs(csv, table, plot, figure_of(laws, title, {loops, loss, stiffness}));
}

// Contact laws on x:y:n -----------------------------------------------------------------------------------------------

ContactRun follow_contact(const std::string& law, const core::ParameterValues& values, const LoopInput& input) {
    if (!laws::is_contact_law(law)) {
        std::vector<std::string> keys;
        for (const auto& entry : laws::catalogue())
            if (entry.info.components == 3) keys.push_back(entry.info.key);
        throw core::BadInput(
            law, fmt::format("does not take x:y:n points; the contact laws are: {}", fmt::join(keys, ", ")));
    }
    return {law, values, laws::Law(law, values).follow(input.contact)};
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
    const auto& c = table.columns;
    io::Panel along{"along x and y", displacement_axis(), force_axis(), {{"x", c[0], c[3], {}}, {"y", c[1], c[4], {}}}};
    io::Panel plane{"friction force", {"fx / N", false}, {"fy / N", false}, {{"path", c[3], c[4], {}}}};
    write_outputs(csv, table, plot, {title.empty() ? run.law : title, "", {along, plane}, {}});
}

}  // namespace faying::app
