// faying ignl: friction beside geometric stiffness, frequency and damping against amplitude.

#include "faying/geometric/ignl.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/core/stages.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/sparse/ranks.hpp"
#include "geometric.hpp"

namespace faying::app {

namespace {

struct Options : GeometricWords {
    int order = 7, loop_steps = 20, grid = 0;
    bool no_loops = false, curves = false;
    std::string formula = "tangent";
};

double zeta_of(const Options& o, const geometric::IgnlPoint& p) {
    return o.formula == "eq32" ? p.zeta_eq32 : p.zeta_tangent;
}

nlohmann::ordered_json entry_of(const Options& o, const geometric::IgnlPoint& p) {
    nlohmann::ordered_json entry = {{"q", p.q}};
    if (std::isfinite(p.residual)) {
        entry["omega"] = p.omega;
        entry["frequency"] = core::hertz(p.omega);
        entry["omega_gnl"] = p.omega_gnl;
        entry["omega_negative"] = p.omega_negative;
        entry["zeta"] = {{"tangent", p.zeta_tangent}, {"eq32", p.zeta_eq32}};
        entry["formula"] = o.formula;
        entry["stiffness_loss"] = p.stiffness_loss;
        entry["dissipation_masing_positive"] = p.masing_positive;
        entry["dissipation_masing_negative"] = p.masing_negative;
        entry["dissipation_loop"] = p.loop;
        entry["dissipation_friction"] = p.loop_friction;
        entry["dissipation_used"] = p.dissipation_used;
        entry["loop_closure"] = p.closure;
        entry["alpha_stuck"] = p.alpha_stuck;
        entry["alpha_slip"] = p.alpha_slip;
        entry["alpha_stuck_negative"] = p.alpha_stuck_negative;
        entry["alpha_slip_negative"] = p.alpha_slip_negative;
    }
    entry["residual"] = p.residual;
    entry["status"] = p.converged ? "converged" : "not converged";
    if (!p.reason.empty()) entry["note"] = p.reason;
    return entry;
}

nlohmann::ordered_json entry_of(const geometric::Curve& c) {
    nlohmann::ordered_json entry = {{"q", c.q}, {"stuck", c.stuck}, {"slip", c.slip}};
    if (!c.slipping.empty()) {
        entry["slipping"] = c.slipping;
        entry["closed"] = c.closed;
    }
    return entry;
}

void write_files(const Options& o, const geometric::IgnlResult& r) {
    io::Table table{{"q", "omega", "frequency", "zeta_tangent", "zeta_eq32", "dissipation_masing_positive",
                     "dissipation_masing_negative", "dissipation_loop"},
                    std::vector<std::vector<double>>(8)};
    io::Curve frequency{"with friction", {}, {}, {}}, elastic{"stuck", {}, {}, {}},
        other{"with friction, other side", {}, {}, {}};
    io::Curve tangent{"tangent", {}, {}, {}}, eq32{"[S1] Eq. 32", {}, {}, {}};
    io::Curve up{"Masing, positive side", {}, {}, {}}, down{"Masing, negative side", {}, {}, {}},
        loop{"traced loop", {}, {}, {}};
    for (const auto& p : r.points) {
        if (!p.converged) continue;
        const double values[] = {p.q,         p.omega,           core::hertz(p.omega), p.zeta_tangent,
                                 p.zeta_eq32, p.masing_positive, p.masing_negative,    p.loop};
        for (std::size_t c = 0; c < 8; ++c) table.columns[c].push_back(values[c]);
        for (auto* curve : {&frequency, &elastic, &other, &tangent, &eq32, &up, &down, &loop}) curve->x.push_back(p.q);
        frequency.y.push_back(o.unit.of(p.omega));
        elastic.y.push_back(o.unit.of(p.omega_gnl));
        other.y.push_back(o.unit.of(p.omega_negative));
        tangent.y.push_back(p.zeta_tangent);
        eq32.y.push_back(p.zeta_eq32);
        up.y.push_back(p.masing_positive);
        down.y.push_back(p.masing_negative);
        loop.y.push_back(p.loop);
    }
    if (!o.csv.empty()) io::write_csv(o.csv, table);
    if (o.plot.empty()) return;
    io::Figure figure;
    figure.title =
        o.title.empty() ? fmt::format("Mode {} of {}: friction beside geometric stiffness", o.mode, o.file) : o.title;
    io::Panel force{"held at amplitude q", {"q"}, {"alpha"}, {}};
    for (const bool slip : {false, true}) {
        io::Curve curve{slip ? "slipping" : "stuck", {}, {}, {}};
        const auto& minus = r.negative;
        for (std::size_t i = minus.q.size(); i-- > 0;) {
            curve.x.push_back(-minus.q[i]);
            curve.y.push_back(slip ? -minus.slip[i] : -minus.stuck[i]);
        }
        curve.x.insert(curve.x.end(), r.positive.q.begin(), r.positive.q.end());
        const auto& y = slip ? r.positive.slip : r.positive.stuck;
        curve.y.insert(curve.y.end(), y.begin(), y.end());
        force.curves.push_back(std::move(curve));
    }
    figure.panels = {force,
                     {"frequency", {"q"}, {o.unit.label()}, {frequency, elastic, other}},
                     {"damping ratio", {"q"}, {"zeta"}, {tangent, eq32}},
                     {"dissipation per cycle", {"q"}, {"D / J"}, {loop, up, down}}};
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void run(Options& o) {
    auto amplitudes = amplitudes_of(o, false);
    if (amplitudes.empty()) throw core::BadInput("ignl", "give amplitudes: --at q1,q2,.. or --range LO:HI:N");
    for (const double q : amplitudes)
        if (!(q > 0)) throw core::BadInput(o.at.empty() ? "--range" : "--at", fmt::format("{:g} is not above zero", q));
    std::sort(amplitudes.begin(), amplitudes.end());
    io::OutputFiles{o.csv, o.plot}.check();
    auto stages = std::make_unique<core::Stages>("ignl");
    stages->at(0.01, "reading and preloading");
    auto structure = open_geometric(o);
    if (!structure.has_friction())
        throw core::BadInput(o.file, "has no friction: nothing slips; `faying nnm` takes it");
    stages->at(0.05, fmt::format("modes of {} DOF", structure.rest.u.size()));
    const auto mode = geometric::linear_mode(structure.stuck(), structure.rest, o.mode);
    geometric::IgnlOptions options;
    options.order = o.order;
    options.loops = !o.no_loops;
    options.loop_steps = o.loop_steps;
    options.grid = o.grid;
    options.done = [&](double share, const std::string& what) { stages->at(0.1 + 0.9 * share, what); };
    const auto r = geometric::ignl(structure, mode, amplitudes, options);
    stages.reset();
    if (sparse::launched() && sparse::rank() != 0) return;
    write_files(o, r);
    auto result = mode_entry(o, structure, mode);
    result["masing_holds"] = r.masing_holds;
    result["polynomial"] = nlohmann::ordered_json::object();
    for (Eigen::Index j = 1; j < r.polynomial.size(); ++j) result["polynomial"][std::to_string(j)] = r.polynomial(j);
    for (const auto& [name, folds] : {std::pair{"stuck", &r.stuck_folds}, {"slip", &r.slip_folds}}) {
        result["folds"][name] = nlohmann::ordered_json::array();
        for (const auto& f : *folds) result["folds"][name].push_back({{"q", f.q}, {"alpha", f.alpha}});
    }
    result["points"] = nlohmann::ordered_json::array();
    for (const auto& p : r.points) result["points"].push_back(entry_of(o, p));
    if (o.curves) {
        result["positive"] = entry_of(r.positive);
        result["negative"] = entry_of(r.negative);
    }
    if (!r.masing_holds)
        core::tell(fmt::format(
            "faying: note: Masing's rule gives different dissipation from both sides (q = {:g}: {:.4g} "
            "and {:.4g} J); {}\n",
            r.points.back().q, r.points.back().masing_positive, r.points.back().masing_negative,
            o.no_loops ? "damping from it means little: leave out --no-loops" : "damping is that of the traced loops"));
    o.common.report("ignl", result, [&] {
        print_mode(o, structure, mode);
        fmt::print("{:>12} {:>16} {:>12} {:>14} {:>14} {:>14}\n", "q", o.unit.label(), "zeta", "D loop / J",
                   "D Masing + / J", "D Masing - / J");
        for (const auto& f : r.stuck_folds) fmt::print("stuck: limit point at q = {:.8g}, {:.8g}\n", f.q, f.alpha);
        for (const auto& f : r.slip_folds) fmt::print("slipping: limit point at q = {:.8g}, {:.8g}\n", f.q, f.alpha);
        for (const auto& p : r.points) {
            if (!p.converged)
                fmt::print("{:12.5g} not converged: {}\n", p.q, p.reason);
            else
                fmt::print("{:12.5g} {:16.9g} {:12.6g} {:14.6g} {:14.6g} {:14.6g}\n", p.q, o.unit.of(p.omega),
                           zeta_of(o, p), p.loop, p.masing_positive, p.masing_negative);
        }
    });
    for (const auto& p : r.points)
        if (!p.converged) throw core::NotConverged(fmt::format("ignl: q = {:g}: {}", p.q, p.reason), p.residual);
    if (!r.masing_holds && o.no_loops)
        throw core::NotConverged("ignl: Masing's rule does not hold here, and no loops were traced", std::nan(""));
}

}  // namespace

void add_ignl(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "ignl", "Friction beside geometric stiffness: frequency and damping against amplitude, loops traced");
    command->footer(
        "Example:\n  faying ignl examples/panel/sdof.toml --at 1e-4,1e-3,4e-3\n"
        "  faying ignl examples/panel/panel.toml --range 1.8e-4:3.6e-3:20 --plot panel.html");
    add_geometric(*command, *o, "q = phi^T M (u - u0)");
    command->add_option("--order", o->order, "of the polynomial fitted to the stuck curve (default 7)")
        ->check(CLI::Range(3, 9));
    command
        ->add_option("--formula", o->formula, "damping in the table: tangent (default), or eq32 of [S1]; JSON has both")
        ->check(CLI::IsMember({"tangent", "eq32"}));
    command->add_flag("--no-loops", o->no_loops, "only Masing's rule; refused where both sides disagree");
    command->add_option("--loop-steps", o->loop_steps, "steps from 0 to q of a traced loop (default 20)")
        ->check(CLI::Range(1, 100000));
    command->add_option("--grid", o->grid, "points of the static curves on each side (default: 40 on a mesh)")
        ->check(CLI::Range(2, 100000));
    command->add_flag("--curves", o->curves, "put the static curves into the JSON too");
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
