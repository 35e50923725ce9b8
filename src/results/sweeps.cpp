#include "faying/results/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/core/names.hpp"
#include "faying/signal/ring_down.hpp"
#include "sweep_files.hpp"
#include "text.hpp"
#include "units.hpp"

namespace faying::results {

namespace {

nlohmann::json finite_or_null(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); }

/// What the amplitude is and its factor to SI: the file says it, or the user, and they must not differ.
MeasuredUnit amplitude_unit(const SweepsRequest& o, const std::string& in_file, const std::string& file) {
    const std::string said = in_file.empty() ? o.units : in_file;
    if (said.empty() && o.quantity) return {o.quantity, false, 1};
    if (said.empty())
        throw core::BadInput(file, "does not say what its amplitudes are; give --units, for example --units m/s^2");
    const auto unit = measured_unit(said);
    if (!unit || unit->force)
        throw core::BadInput(in_file.empty() ? "--units" : file,
                             fmt::format("'{}' is no unit of motion; allowed are for example m/s^2, g, mm/s, m", said));
    if (!in_file.empty() && !o.units.empty()) {
        const auto other = measured_unit(o.units);
        if (!other || other->quantity != unit->quantity || other->si != unit->si)
            throw core::BadInput(file,
                                 fmt::format("has amplitudes in {}, not in {} as --units says", in_file, o.units));
    }
    if (o.quantity && *o.quantity != *unit->quantity)
        throw core::BadInput(file, fmt::format("has amplitudes of {} ({}), not of {} as --quantity says",
                                               core::name_of(signal::recorded_quantities, *unit->quantity), said,
                                               core::name_of(signal::recorded_quantities, *o.quantity)));
    return *unit;
}

/// Tests at phase resonance know forces and frequencies; the mass comes from sweeps of the same mode, or from the user.
void add_phase_resonance(SweepsRun& run, const std::vector<signal::Sweep>& tests) {
    if (tests.empty()) return;
    double mass = run.request.mass;
    if (mass == 0) {
        std::vector<double> known;
        for (const auto& p : run.points) known.push_back(p.mass);
        if (known.empty())
            throw core::BadInput(tests[0].name,
                                 "is a test at phase resonance, which says damping only with the "
                                 "effective mass: give --mass in kg, or a sweep of the mode beside it");
        const auto middle = known.begin() + std::ptrdiff_t(known.size() / 2);
        std::nth_element(known.begin(), middle, known.end());
        mass = *middle;
    }
    for (const auto& test : tests)
        for (auto& p : signal::phase_held(test, mass, test.name)) run.points.push_back(std::move(p));
}

const char* held_name(const signal::Sweep& s) {
    return name(s.holds_phase()      ? signal::Held::phase
                : s.holds_response() ? signal::Held::response
                                     : signal::Held::force);
}

}  // namespace

SweepsRun sweeps(SweepsRequest request) {
    SweepsRun run{std::move(request), {}, {}, {}};
    std::optional<signal::Quantity> quantity;
    for (const auto& file : run.request.files) {
        auto read = read_sweeps(file);
        const auto unit = amplitude_unit(run.request, read.amplitude_unit, file);
        if (quantity && *quantity != *unit.quantity)
            throw core::BadInput(file, "has amplitudes of another quantity than the files before");
        quantity = unit.quantity;
        for (auto& sweep : read.sweeps) {
            sweep.derivative = int(*quantity);
            for (double& a : sweep.amplitude) a *= run.request.scale * unit.si;
            sweep.check(sweep.name == file || sweep.name.starts_with(file) ? sweep.name
                                                                           : fmt::format("{}: {}", file, sweep.name));
            run.sweeps.push_back(std::move(sweep));
        }
    }
    run.quantity = *quantity;
    std::vector<signal::Sweep> with_force_held, at_resonance;
    for (const auto& sweep : run.sweeps)
        if (sweep.holds_phase())
            at_resonance.push_back(sweep);
        else if (sweep.holds_response())
            run.points.push_back(signal::response_held(sweep, sweep.name));
        else
            with_force_held.push_back(sweep);
    for (auto& p : signal::force_held(with_force_held, run.request.levels)) run.points.push_back(std::move(p));
    add_phase_resonance(run, at_resonance);
    if (run.points.empty())
        throw core::BadInput(run.request.files[0],
                             "has no amplitude that four points pass through: sweeps with the force held "
                             "need two force levels or more, with both flanks of the peak");
    std::stable_sort(run.points.begin(), run.points.end(),
                     [](const auto& a, const auto& b) { return a.amplitude < b.amplitude; });
    if (run.request.as) {
        for (auto& p : run.points) p.amplitude *= std::pow(p.omega, int(*run.request.as) - int(run.quantity));
        run.quantity = *run.request.as;
    }
    return run;
}

nlohmann::json json(const SweepsRun& run) {
    nlohmann::json points, list;
    for (const auto& s : run.sweeps)
        list.push_back({{"name", s.name}, {"held", held_name(s)}, {"lines", s.frequency.size()}});
    for (const auto& p : run.points)
        points.push_back({{"held", name(p.held)},
                          {"name", p.name},
                          {"amplitude", p.amplitude},
                          {"omega", p.omega},
                          {"zeta", p.zeta},
                          {"omega_low", p.omega_bounds.low},
                          {"omega_high", p.omega_bounds.high},
                          {"zeta_low", p.zeta_bounds.low},
                          {"zeta_high", p.zeta_bounds.high},
                          {"omega_phase", finite_or_null(p.omega_phase)},
                          {"zeta_phase", finite_or_null(p.zeta_phase)},
                          {"omega_magnitude", finite_or_null(p.omega_magnitude)},
                          {"zeta_magnitude", finite_or_null(p.zeta_magnitude)},
                          {"phase_offset", p.phase_offset},
                          {"mass", p.mass},
                          {"scatter", p.scatter},
                          {"count", p.count}});
    return {{"method", "sweeps"}, {"unit", si_name(run.quantity)}, {"sweeps", list}, {"points", points}};
}

io::Table table(const SweepsRun& run) {
    auto made = io::named_table({"mode", "amplitude", "omega", "zeta", "omega_low", "omega_high", "zeta_low",
                                 "zeta_high", "force_held", "phase_offset", "mass"},
                                {"", si_name(run.quantity), "rad/s", "", "rad/s", "rad/s", "", "", "", "rad", "kg"});
    for (const auto& p : run.points)
        io::add_row(made, {1, p.amplitude, p.omega, p.zeta, p.omega_bounds.low, p.omega_bounds.high, p.zeta_bounds.low,
                           p.zeta_bounds.high, p.held == signal::Held::force ? 1.0 : 0.0, p.phase_offset, p.mass});
    return made;
}

io::Figure figure(const SweepsRun& run) {
    const auto& unit = run.request.unit;
    const io::Axis amplitude{
        fmt::format("{} amplitude / ({})", core::name_of(signal::recorded_quantities, run.quantity),
                    si_name(run.quantity)),
        true};
    io::Panel frequency{"frequency", amplitude, {unit.label(), false}, {}},
        damping{"damping", amplitude, {"damping ratio zeta", true}, {}},
        offset{"phase offset of the instruments", amplitude, {"rad", false}, {}};
    for (const auto held : {signal::Held::response, signal::Held::force, signal::Held::phase}) {
        io::Curve f{fmt::format("{} held", name(held)), {}, {}, {}}, z = f, o = f;
        io::Curve bounds[4];
        for (const auto& p : run.points) {
            if (p.held != held) continue;
            f.marks.push_back(f.x.size());
            f.x.push_back(p.amplitude);
            f.y.push_back(unit.of(p.omega));
            z.y.push_back(p.zeta);
            o.y.push_back(p.phase_offset);
            const double values[4] = {unit.of(p.omega_bounds.low), unit.of(p.omega_bounds.high), p.zeta_bounds.low,
                                      p.zeta_bounds.high};
            for (std::size_t k = 0; k < 4; ++k) bounds[k].y.push_back(values[k]);
        }
        if (f.x.empty()) continue;
        z.x = o.x = f.x;
        z.marks = o.marks = f.marks;
        const int own = int(frequency.curves.size());
        for (std::size_t k = 0; k < 4; ++k) {
            bounds[k].x = f.x;
            bounds[k].label = fmt::format("{} held, {}", name(held), k % 2 == 0 ? "low" : "high");
            bounds[k].dashed_like = own;
        }
        frequency.curves.push_back(std::move(f));
        damping.curves.push_back(std::move(z));
        offset.curves.push_back(std::move(o));
        frequency.curves.insert(frequency.curves.end(), {bounds[0], bounds[1]});
        damping.curves.insert(damping.curves.end(), {bounds[2], bounds[3]});
    }
    return {"Backbone from forced responses",
            "line through the dynamic stiffness; bounds: phase and magnitude alone",
            {frequency, damping, offset},
            {}};
}

std::string text(const SweepsRun& run) {
    const auto& unit = run.request.unit;
    const auto shown = [](double x, int digits) { return std::isfinite(x) ? fmt::format("{:.{}g}", x, digits) : "-"; };
    Text out;
    out.print(
        "{} sweeps; amplitude in {}; line through the dynamic stiffness, with what phase and magnitude alone say\n",
        run.sweeps.size(), si_name(run.quantity));
    out.print("{:>10} {:>12} {:>15} {:>11} {:>11} {:>12} {:>12} {:>10} {:>10} {:>13} {:>10}\n", "held", "amplitude",
              unit.label(), "by phase", "by magn.", "zeta", "by phase", "by magn.", "offset/rad", "mass / kg",
              "points");
    for (const auto& p : run.points)
        out.print("{:>10} {:12.5g} {:15.8g} {:>11} {:>11} {:12.5g} {:>12} {:>10} {:10.4f} {:13.4g} {:10d}\n",
                  name(p.held), p.amplitude, unit.of(p.omega), shown(unit.of(p.omega_phase), 6),
                  shown(unit.of(p.omega_magnitude), 6), p.zeta, shown(p.zeta_phase, 4), shown(p.zeta_magnitude, 4),
                  p.phase_offset, p.mass, p.count);
    return out;
}

}  // namespace faying::results
