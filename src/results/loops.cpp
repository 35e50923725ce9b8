#include "faying/results/loops.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "faying/core/error.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using Cycle = laws::Cycle<double>;

constexpr std::size_t most_rows = 40;  // printed to a terminal; a longer history is summed up

/// What follows of a displacement, and of a cycle, with its name.
constexpr std::pair<const char*, std::vector<double> laws::History::*> answers[] = {
    {"f", &laws::History::f},
    {"tangent", &laws::History::tangent},
    {"dissipated", &laws::History::dissipated},
    {"work", &laws::History::work}};
constexpr std::pair<const char*, double Cycle::*> cycle_answers[] = {{"dissipation", &Cycle::dissipation},
                                                                     {"secant", &Cycle::secant},
                                                                     {"harmonic_stiffness", &Cycle::harmonic_stiffness},
                                                                     {"harmonic_damping", &Cycle::harmonic_damping}};

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
nlohmann::json one_or_many(const std::vector<nlohmann::json>& entries) {
    return entries.size() == 1 ? entries.front() : nlohmann::json{{"laws", entries}};
}

bool by_force(const laws::Law& law) { return law.drive() == laws::Drive::force; }

void check_comparable(const std::vector<laws::Law>& laws) {
    for (const auto& law : laws)
        if (law.drive() != laws.front().drive())
            throw core::BadInput("--compare", fmt::format("{} and {} cannot follow the same path: one is driven by "
                                                          "force, the other by displacement",
                                                          laws.front().name(), law.name()));
}

/// What the JSON of a law begins with.
nlohmann::json law_json(const laws::Law& law) {
    nlohmann::json values = nlohmann::json::object();
    for (std::size_t i = 0; i < law.values().size(); ++i)
        if (std::isfinite(law.values()[i])) values[law.parameters()[i].key] = law.values()[i];
    return {{"law", law.name()}, {"parameters", values}, {"driven_by", by_force(law) ? "force" : "displacement"}};
}

io::Axis force_axis(bool given = false) { return {given ? "force f / N (given)" : "force f / N", false}; }
io::Axis displacement_axis(bool answer = false) {
    return {answer ? "displacement u / m (answer)" : "displacement u / m", false};
}

/// Behind the names of the columns of law k, where there are several.
template <class Run>
std::string suffix(const std::vector<Run>& runs, std::size_t k) {
    return runs.size() == 1 ? "" : fmt::format("_{}_{}", k + 1, runs[k].law.name());
}

template <class Run>
io::Figure figure_of(const std::vector<Run>& runs, std::vector<io::Panel> panels) {
    const bool one = runs.size() == 1;
    return {one ? runs[0].law.name() : "Laws compared", one ? label(runs[0].law) : "", std::move(panels), {}};
}

}  // namespace

// Paths ---------------------------------------------------------------------------------------------------------------

PathRuns follow(const std::vector<laws::Law>& laws, const LoopInput& input, bool derivatives) {
    check_comparable(laws);
    PathRuns all{input, {}};
    for (const auto& law : laws) {
        all.runs.push_back({law, law.follow({input.points, input.times}), {}});
        if (derivatives) all.runs.back().derivatives = law.follow_derivatives({input.points, input.times});
    }
    return all;
}

nlohmann::json json(const PathRuns& all) {
    const auto& input = all.input;
    std::vector<nlohmann::json> entries;
    for (const auto& run : all.runs) {
        const bool given_force = by_force(run.law);
        auto entry = law_json(run.law);
        entry["tangent_is"] = given_force ? "du/df" : "df/du";
        if (!input.times.empty()) entry["t"] = pick(input.times, input.report);
        entry["u"] = pick(run.history.u, input.report);
        for (const auto& [name, member] : answers) entry[name] = pick(run.history.*member, input.report);
        for (std::size_t i = 0; i < run.derivatives.size(); ++i) {
            if (!std::isfinite(run.law.values()[i])) continue;
            auto& to = entry["derivatives"][run.law.parameters()[i].key];
            for (const auto& [name, member] : answers) to[name] = pick(run.derivatives[i].*member, input.report);
            if (!given_force) continue;
            to["u"] = pick(run.derivatives[i].u, input.report);
            to.erase("f");
        }
        entries.push_back(std::move(entry));
    }
    return one_or_many(entries);
}

std::string text(const PathRuns& all) {
    const auto& report = all.input.report;
    Text out;
    for (const auto& run : all.runs) {
        const bool given_force = by_force(run.law);
        out.print("{}\n", label(run.law));
        const auto& h = run.history;
        if (report.size() > most_rows) {
            const auto [least_u, most_u] = std::minmax_element(h.u.begin(), h.u.end());
            const auto [least_f, most_f] = std::minmax_element(h.f.begin(), h.f.end());
            out.print(
                "  {} points: u from {:.6g} to {:.6g} m, f from {:.6g} to {:.6g} N, dissipated {:.9g} J, work "
                "{:.9g} J; --csv FILE writes them all\n",
                report.size(), *least_u, *most_u, *least_f, *most_f, h.dissipated.back(), h.work.back());
            continue;
        }
        out.print("{:>16} {:>16} {:>16} {:>16} {:>16}\n", given_force ? "f / N (given)" : "u / m",
                  given_force ? "u / m" : "f / N", given_force ? "du/df / (m/N)" : "df/du / (N/m)", "dissipated / J",
                  "work / J");
        const auto print_row = [&](const std::string& first, const laws::History& row, std::size_t i) {
            out.print("{:>16} {:16.9g} {:16.9g} {:16.9g} {:16.9g}\n", first, given_force ? row.u[i] : row.f[i],
                      row.tangent[i], row.dissipated[i], row.work[i]);
        };
        for (const std::size_t i : report) {
            print_row(fmt::format("{:.9g}", given_force ? h.f[i] : h.u[i]), h, i);
            for (std::size_t k = 0; k < run.derivatives.size(); ++k)
                if (std::isfinite(run.law.values()[k]))
                    print_row("d/d" + run.law.parameters()[k].key, run.derivatives[k], i);
        }
    }
    return out;
}

io::Table table(const PathRuns& all) {
    io::Table made;
    const auto add = [&](const std::string& name, const std::vector<double>& column) {
        io::add_column(made, name, pick(column, all.input.report));
    };
    if (!all.input.times.empty()) add("t", all.input.times);
    for (std::size_t k = 0; k < all.runs.size(); ++k) {
        const auto& run = all.runs[k];
        const std::string end = suffix(all.runs, k);
        add("u" + end, run.history.u);
        for (const auto& [name, member] : answers) add(name + end, run.history.*member);
        for (std::size_t i = 0; i < run.derivatives.size(); ++i) {
            if (!std::isfinite(run.law.values()[i])) continue;
            for (const auto& [name, member] : answers) {
                const bool displacement = by_force(run.law) && member == &laws::History::f;
                add(fmt::format("d{}/d{}{}", displacement ? "u" : name, run.law.parameters()[i].key, end),
                    displacement ? run.derivatives[i].u : run.derivatives[i].*member);
            }
        }
    }
    return made;
}

io::Figure figure(const PathRuns& all) {
    const auto& points = all.input.points;
    const bool given_force = by_force(all.runs[0].law);
    io::Panel panel{"", displacement_axis(given_force), force_axis(given_force), {}};
    // A path's straight pieces are drawn finely; a law that sees its increments, and a timed signal, as they are.
    for (const auto& run : all.runs) {
        io::Curve curve{label(run.law), run.history.u, run.history.f, {}};
        if (all.input.times.empty() && points.size() < 2000 && run.law.independent_of_increments()) {
            const auto fine = run.law.follow(refined(points, 60));
            curve.x = fine.u;
            curve.y = fine.f;
            for (std::size_t i = 0; i < points.size(); ++i) curve.marks.push_back(60 * (i + 1) - 1);
        }
        panel.curves.push_back(std::move(curve));
    }
    return figure_of(all.runs, {panel});
}

// Cycles --------------------------------------------------------------------------------------------------------------

CycleRuns steady_cycles(const std::vector<laws::Law>& laws, const std::vector<double>& amplitudes, bool derivatives,
                        const std::function<void(std::size_t)>& done) {
    check_comparable(laws);
    CycleRuns all;
    std::size_t made = 0;
    for (const auto& law : laws) {
        CycleRun run{law, {}};
        for (const double A : amplitudes) {
            CycleResult result;
            try {
                result.cycle = law.cycle(A);
                if (derivatives) result.derivatives = law.cycle_derivatives(A);
                result.converged = true;
            } catch (const core::NotConverged& error) {
                result.cycle.amplitude = A;
                result.cycle.residual = error.residual;
                result.reason = error.what();
            }
            run.results.push_back(result);
            if (done) done(++made);
        }
        all.runs.push_back(std::move(run));
    }
    return all;
}

void CycleRuns::require_converged() const {
    std::string failure;
    double worst = 0;
    for (const auto& run : runs)
        for (const auto& r : run.results) {
            if (r.converged) continue;
            failure = r.reason;
            worst = std::max(worst, r.cycle.residual);
        }
    if (!failure.empty()) throw core::NotConverged(failure, worst);
}

nlohmann::json json(const CycleRuns& all) {
    std::vector<nlohmann::json> entries;
    for (const auto& run : all.runs) {
        auto entry = law_json(run.law);
        auto& cycles = entry["cycles"] = nlohmann::json::array();
        for (const auto& r : run.results) {
            nlohmann::json c = {{"amplitude", r.cycle.amplitude},
                                {"damping_ratio", nullptr},
                                {"residual", r.cycle.residual},
                                {"status", r.converged ? "converged" : "not converged"}};
            for (const auto& [name, member] : cycle_answers)
                c[name] = r.converged ? nlohmann::json(r.cycle.*member) : nlohmann::json();
            if (r.converged) c["damping_ratio"] = r.cycle.damping_ratio();
            for (std::size_t i = 0; i < r.derivatives.size(); ++i)
                for (const auto& [name, member] : cycle_answers)
                    if (std::isfinite(run.law.values()[i]))
                        c["derivatives"][run.law.parameters()[i].key][name] = r.derivatives[i].*member;
            cycles.push_back(std::move(c));
        }
        entries.push_back(std::move(entry));
    }
    return one_or_many(entries);
}

std::string text(const CycleRuns& all) {
    Text out;
    for (const auto& run : all.runs) {
        const bool given_force = by_force(run.law);  // then secant and harmonic are compliances
        const char* unit = given_force ? "m/N" : "N/m";
        out.print("{}\n", label(run.law));
        out.print("{:>14} {:>16} {:>16} {:>16} {:>16} {:>12}\n", given_force ? "amplitude / N" : "amplitude / m",
                  "dissipation / J", fmt::format("secant / ({})", unit), fmt::format("harmonic / ({})", unit),
                  fmt::format("damping / ({})", unit), "zeta");
        const auto print_row = [&](const std::string& first, const Cycle& c, const std::string& last) {
            out.print("{:>14} {:16.9g} {:16.9g} {:16.9g} {:16.9g} {:>12}\n", first, c.dissipation, c.secant,
                      c.harmonic_stiffness, c.harmonic_damping, last);
        };
        for (const auto& r : run.results) {
            if (!r.converged) {
                out.print("{:14.6g}  did not converge, residual {:.3g}\n", r.cycle.amplitude, r.cycle.residual);
                continue;
            }
            print_row(fmt::format("{:.6g}", r.cycle.amplitude), r.cycle,
                      fmt::format("{:.6g}", r.cycle.damping_ratio()));
            for (std::size_t k = 0; k < r.derivatives.size(); ++k)
                if (std::isfinite(run.law.values()[k]))
                    print_row("d/d" + run.law.parameters()[k].key, r.derivatives[k], "");
        }
    }
    return out;
}

io::Table table(const CycleRuns& all) {
    io::Table made;
    for (std::size_t k = 0; k < all.runs.size(); ++k) {
        const auto& run = all.runs[k];
        const std::string end = suffix(all.runs, k);
        const auto add = [&](const std::string& name, double Cycle::*member, const auto& of) {
            std::vector<double> column;
            for (const auto& r : run.results)
                if (r.converged) column.push_back(of(r).*member);
            io::add_column(made, name + end, column);
        };
        const auto itself = [](const CycleResult& r) -> const Cycle& { return r.cycle; };
        add("amplitude", &Cycle::amplitude, itself);
        for (const auto& [name, member] : cycle_answers) add(name, member, itself);
        const auto differentiated =
            std::any_of(run.results.begin(), run.results.end(), [](const auto& r) { return !r.derivatives.empty(); });
        for (std::size_t i = 0; differentiated && i < run.law.values().size(); ++i)
            for (const auto& [name, member] : cycle_answers)
                if (std::isfinite(run.law.values()[i]))
                    add(fmt::format("d{}/d{}", name, run.law.parameters()[i].key), member,
                        [i](const CycleResult& r) -> const Cycle& { return r.derivatives[i]; });
    }
    return made;
}

io::Figure figure(const CycleRuns& all) {
    const bool given_force = by_force(all.runs[0].law);
    const io::Axis amplitude{given_force ? "amplitude / N" : "amplitude / m", true};
    io::Panel loops{"steady loops", displacement_axis(given_force), force_axis(given_force), {}};
    io::Panel loss{"dissipation per cycle", amplitude, {"dissipation / J", true}, {}};
    io::Panel stiffness{given_force ? "compliance" : "stiffness",
                        amplitude,
                        {given_force ? "first-harmonic compliance / (m/N)" : "first-harmonic stiffness / (N/m)", false},
                        {}};
    for (const auto& run : all.runs) {
        io::Curve lost{label(run.law), {}, {}, {}}, stiff{label(run.law), {}, {}, {}};
        for (const auto& r : run.results) {
            if (!r.converged) continue;
            const auto h = run.law.loop(r.cycle.amplitude);
            loops.curves.push_back(
                {fmt::format("{} A = {:g}", all.runs.size() == 1 ? "" : run.law.name(), r.cycle.amplitude),
                 h.u,
                 h.f,
                 {}});
            for (auto* curve : {&lost, &stiff}) {
                curve->marks.push_back(curve->x.size());
                curve->x.push_back(r.cycle.amplitude);
            }
            lost.y.push_back(r.cycle.dissipation);
            stiff.y.push_back(r.cycle.harmonic_stiffness);
        }
        loss.curves.push_back(std::move(lost));
        stiffness.curves.push_back(std::move(stiff));
    }
    return figure_of(all.runs, {loops, loss, stiffness});
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

nlohmann::json json(const ContactRun& run) {
    const auto& h = run.history;
    return {{"law", run.law}, {"parameters", run.parameters}, {"components", {"x", "y", "n"}}, {"u", h.u},
            {"f", h.f},       {"tangent", h.tangent},         {"dissipated", h.dissipated},    {"work", h.work}};
}

std::string text(const ContactRun& run) {
    Text out;
    out.print("{}\n{:>14} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14}\n", run.law, "ux / m", "uy / m", "un / m", "fx / N",
              "fy / N", "fn / N", "dissipated / J");
    const auto& h = run.history;
    for (std::size_t i = 0; i < std::min(h.u.size(), most_rows); ++i)
        out.print("{:14.7g} {:14.7g} {:14.7g} {:14.7g} {:14.7g} {:14.7g} {:14.7g}\n", h.u[i][0], h.u[i][1], h.u[i][2],
                  h.f[i][0], h.f[i][1], h.f[i][2], h.dissipated[i]);
    if (h.u.size() > most_rows)
        out.print("  .. and {} more rows: --csv FILE writes them all\n", h.u.size() - most_rows);
    return out;
}

io::Table table(const ContactRun& run) {
    auto made = io::named_table({"ux", "uy", "un", "fx", "fy", "fn", "dissipated", "work"});
    const auto& h = run.history;
    for (std::size_t i = 0; i < h.u.size(); ++i)
        io::add_row(made,
                    {h.u[i][0], h.u[i][1], h.u[i][2], h.f[i][0], h.f[i][1], h.f[i][2], h.dissipated[i], h.work[i]});
    return made;
}

io::Figure figure(const ContactRun& run) {
    const auto c = table(run).columns;
    io::Panel along{"along x and y", displacement_axis(), force_axis(), {{"x", c[0], c[3], {}}, {"y", c[1], c[4], {}}}};
    io::Panel plane{"friction force", {"fx / N", false}, {"fy / N", false}, {{"path", c[3], c[4], {}}}};
    return {run.law, "", {along, plane}, {}};
}

}  // namespace faying::results
