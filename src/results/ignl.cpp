#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "geometric_mode.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

nlohmann::json slip_point_json(const IgnlRun& run, const geometric::IgnlPoint& p) {
    nlohmann::json entry = {{"q", p.q}};
    if (std::isfinite(p.residual)) {
        entry["omega"] = p.omega;
        entry["frequency"] = core::hertz(p.omega);
        entry["omega_gnl"] = p.omega_gnl;
        entry["omega_negative"] = p.omega_negative;
        entry["zeta"] = {{"tangent", p.zeta_tangent}, {"eq32", p.zeta_eq32}};
        entry["formula"] = run.choice.eq32 ? "eq32" : "tangent";
        entry["stiffness_loss"] = p.stiffness_loss;
        entry["dissipation_masing_positive"] = p.masing_positive;
        entry["dissipation_masing_negative"] = p.masing_negative;
        entry["dissipation_loop"] = p.loop;
        entry["dissipation_friction"] = p.loop_friction;
        entry["dissipation_used"] = p.dissipation_used;
        entry["friction_loss"] = {{"positive", p.friction_positive}, {"negative", p.friction_negative}};
        entry["opening_work"] = {{"positive", p.opening_positive}, {"negative", p.opening_negative}};
        if (run.choice.iwan && std::isfinite(run.made.iwan.rms)) entry["dissipation_iwan"] = p.iwan;
        entry["loop_closure"] = p.closure;
        entry["alpha_minus"] = p.alpha_minus;
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

nlohmann::json static_curve_json(const geometric::Curve& c) {
    nlohmann::json entry = {{"q", c.q},
                            {"stuck", c.stuck},
                            {"slip", c.slip},
                            {"displacement_stuck", c.stuck_displacement},
                            {"displacement_slip", c.slip_displacement}};
    if (!c.slipping.empty()) {
        entry["slipping"] = c.slipping;
        entry["closed"] = c.closed;
        entry["normal_stuck"] = c.stuck_normal;
        entry["normal_slip"] = c.slip_normal;
    }
    return entry;
}

/// Both static curves, from the end of one side to that of the other.
io::Panel static_curves(const geometric::IgnlResult& r) {
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
    return force;
}

}  // namespace

IgnlRun ignl(GeometricRequest request, geometric::IgnlOptions options, const IgnlChoice& choice, core::Stages& stages) {
    request.amplitudes = positive_amplitudes(std::move(request.amplitudes), "amplitude");
    if (request.amplitudes.empty()) throw core::BadInput("ignl", "needs at least one amplitude");
    IgnlRun run{open_mode(std::move(request), stages, 0.05,
                          [](const geometric::Opened& s, const std::string& file) {
                              if (!s.has_friction())
                                  throw core::BadInput(file, "has no friction: nothing slips; `faying nnm` takes it");
                          }),
                std::move(options),
                choice,
                {}};
    run.options.done = [&](double share, const std::string& what) { stages.at(0.1 + 0.9 * share, what); };
    run.made = geometric::ignl(run.about.structure, run.about.mode, run.about.request.amplitudes, run.options);
    run.options.done = {};
    return run;
}

std::string IgnlRun::note() const {
    if (made.masing_holds) return "";
    const auto& last = made.points.back();
    return fmt::format(
        "Masing's rule gives different dissipation from both sides (q = {:g}: {:.4g} and {:.4g} J); {}", last.q,
        last.masing_positive, last.masing_negative,
        options.loops ? "damping is that of the traced loops" : "damping from it means little: leave out --no-loops");
}

void IgnlRun::require_converged() const {
    for (const auto& p : made.points)
        if (!p.converged) throw core::NotConverged(fmt::format("ignl: q = {:g}: {}", p.q, p.reason), p.residual);
    if (!made.masing_holds && !options.loops)
        throw core::NotConverged("ignl: Masing's rule does not hold here, and no loops were traced", std::nan(""));
}

nlohmann::json json(const IgnlRun& run) {
    const auto& r = run.made;
    auto result = mode_json(run.about);
    result["masing_holds"] = r.masing_holds;
    result["polynomial"] = nlohmann::json::object();
    for (Eigen::Index j = 1; j < r.polynomial.size(); ++j) result["polynomial"][std::to_string(j)] = r.polynomial(j);
    if (run.choice.iwan) {
        const auto& fit = r.iwan;
        result["iwan"] = {{"FS", fit.slip_force}, {"KT", fit.stiffness}, {"chi", fit.chi},
                          {"beta", fit.beta},     {"rms", fit.rms},      {"macroslip", fit.macroslip}};
        if (!fit.reason.empty()) result["iwan"]["note"] = fit.reason;
    }
    for (const auto& [name, folds] : {std::pair{"stuck", &r.stuck_folds}, {"slip", &r.slip_folds}}) {
        result["folds"][name] = nlohmann::json::array();
        for (const auto& f : *folds) result["folds"][name].push_back({{"q", f.q}, {"alpha", f.alpha}});
    }
    result["points"] = nlohmann::json::array();
    for (const auto& p : r.points) result["points"].push_back(slip_point_json(run, p));
    if (run.choice.curves) {
        result["positive"] = static_curve_json(r.positive);
        result["negative"] = static_curve_json(r.negative);
    }
    return result;
}

io::Table table(const IgnlRun& run) {
    auto made = io::named_table({"q", "omega", "frequency", "zeta_tangent", "zeta_eq32", "dissipation_masing_positive",
                                 "dissipation_masing_negative", "dissipation_loop"});
    for (const auto& p : run.made.points)
        if (p.converged)
            io::add_row(made, {p.q, p.omega, core::hertz(p.omega), p.zeta_tangent, p.zeta_eq32, p.masing_positive,
                               p.masing_negative, p.loop});
    return made;
}

io::Figure figure(const IgnlRun& run) {
    const auto& request = run.about.request;
    const auto& unit = request.unit;
    io::Curve frequency{"with friction", {}, {}, {}}, elastic{"stuck", {}, {}, {}},
        other{"with friction, other side", {}, {}, {}};
    io::Curve tangent{"tangent", {}, {}, {}}, eq32{"[S1] Eq. 32", {}, {}, {}};
    io::Curve up{"Masing, positive side", {}, {}, {}}, down{"Masing, negative side", {}, {}, {}},
        loop{"traced loop", {}, {}, {}};
    for (const auto& p : run.made.points) {
        if (!p.converged) continue;
        for (auto* curve : {&frequency, &elastic, &other, &tangent, &eq32, &up, &down, &loop}) curve->x.push_back(p.q);
        frequency.y.push_back(unit.of(p.omega));
        elastic.y.push_back(unit.of(p.omega_gnl));
        other.y.push_back(unit.of(p.omega_negative));
        tangent.y.push_back(p.zeta_tangent);
        eq32.y.push_back(p.zeta_eq32);
        up.y.push_back(p.masing_positive);
        down.y.push_back(p.masing_negative);
        loop.y.push_back(p.loop);
    }
    io::Figure made;
    made.title = fmt::format("Mode {} of {}: friction beside geometric stiffness", request.mode, request.file);
    made.panels = {static_curves(run.made),
                   {"frequency", {"q"}, {unit.label()}, {frequency, elastic, other}},
                   {"damping ratio", {"q"}, {"zeta"}, {tangent, eq32}},
                   {"dissipation per cycle", {"q"}, {"D / J"}, {loop, up, down}}};
    return made;
}

std::string text(const IgnlRun& run) {
    const auto& unit = run.about.request.unit;
    Text out;
    out.print("{}{:>12} {:>16} {:>12} {:>14} {:>14} {:>14}\n", mode_text(run.about), "q", unit.label(), "zeta",
              "D loop / J", "D Masing + / J", "D Masing - / J");
    for (const auto& f : run.made.stuck_folds) out.print("stuck: limit point at q = {:.8g}, {:.8g}\n", f.q, f.alpha);
    for (const auto& f : run.made.slip_folds) out.print("slipping: limit point at q = {:.8g}, {:.8g}\n", f.q, f.alpha);
    for (const auto& p : run.made.points) {
        if (!p.converged)
            out.print("{:12.5g} not converged: {}\n", p.q, p.reason);
        else
            out.print("{:12.5g} {:16.9g} {:12.6g} {:14.6g} {:14.6g} {:14.6g}\n", p.q, unit.of(p.omega),
                      run.choice.eq32 ? p.zeta_eq32 : p.zeta_tangent, p.loop, p.masing_positive, p.masing_negative);
    }
    if (run.choice.iwan) {
        const auto& fit = run.made.iwan;
        if (std::isfinite(fit.rms))
            out.print("Iwan model of the friction: FS {:.6g}, KT {:.6g}, chi {:.6g}, beta {:.6g}, rms {:.2g}{}{}\n",
                      fit.slip_force, fit.stiffness, fit.chi, fit.beta, fit.rms, fit.reason.empty() ? "" : "; ",
                      fit.reason);
        else
            out.print("Iwan model of the friction: {}\n", fit.reason);
    }
    return out;
}

}  // namespace faying::results
