#include "faying/results/modal_fit.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/files/backbones.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using modal::OscillatorFit;

nlohmann::json optional_json(const std::optional<double>& x) { return x ? nlohmann::json(*x) : nlohmann::json(); }

nlohmann::json oscillator_json(const OscillatorFit& f) {
    nlohmann::json parameters = nlohmann::json::object(), model = nlohmann::json::object();
    for (const auto& p : f.parameters)
        parameters[p.key] = {{"value", p.value},
                             {"unit", p.unit},
                             {"standard_error", p.error},
                             {"low", optional_json(p.low)},
                             {"high", optional_json(p.high)},
                             {"determined", p.determined}};
    for (const auto& v : f.model) model[v.key] = v.value;
    return {{"law", f.law},
            {"problem", f.problem},
            {"parameters", parameters},
            {"model", model},
            {"omega_rms", f.omega_rms},
            {"zeta_rms", f.zeta_rms},
            {"held_out", {{"omega", f.held_omega}, {"zeta", f.held_zeta}, {"score", f.held_out}}},
            {"log_likelihood", f.log_likelihood},
            {"aic", f.aic},
            {"bic", f.bic},
            {"misfit", {{"flag", f.misfit}, {"omega_p", f.omega_p}, {"zeta_p", f.zeta_p}}},
            {"converged", f.converged},
            {"notes", f.notes},
            {"curve", {{"amplitude", f.amplitude}, {"omega", f.omega}, {"zeta", f.zeta}}}};
}

}  // namespace

fit::Backbone measured_backbone(const std::string& file, int mode) {
    const auto all = files::read_backbones(file);
    std::vector<int> modes;
    for (const auto& b : all) {
        if (b.mode == mode || (mode == 0 && all.size() == 1)) {
            if (b.size() < 3)
                throw core::BadInput(file,
                                     fmt::format("{} amplitudes; a backbone that is fitted has 3 at least", b.size()));
            return b;
        }
        modes.push_back(b.mode);
    }
    throw core::BadInput(file, mode == 0 ? fmt::format("has modes {}; choose one with --mode", fmt::join(modes, ", "))
                                         : fmt::format("has no mode {}; there are: {}", mode, fmt::join(modes, ", ")));
}

ModalFitRun modal_fit(const ModalFitRequest& request) {
    ModalFitRun run;
    run.file = request.file;
    run.points = measured_backbone(request.file, request.mode);
    run.scatter = modal::scatter_of(run.points);
    run.rise = modal::rise_of(run.points);
    if (request.laws.size() == 1)  // what is wrong with the only law is what is wrong
        run.fits = {modal::fit_oscillator(run.points, request.laws.front(), request.options)};
    else
        run.fits = modal::compare_laws(run.points, request.laws, request.options);
    return run;
}

void ModalFitRun::require_converged() const {
    for (const auto& f : fits)
        if (f.problem.empty() && f.converged) return;
    throw core::NotConverged(
        fmt::format("{}: no law could be fitted; {}", file,
                    fits.front().problem.empty() ? "the search stopped short" : fits.front().problem),
        std::nan(""));
}

nlohmann::json json(const ModalFitRun& run) {
    nlohmann::json fits = nlohmann::json::array(), rise;
    for (const auto& f : run.fits) fits.push_back(oscillator_json(f));
    if (run.rise)
        rise = {{"from_amplitude", run.rise->from},
                {"from_omega", run.rise->omega_low},
                {"to_amplitude", run.rise->to},
                {"to_omega", run.rise->omega_high}};
    return {{"file", run.file},
            {"points", run.points.size()},
            {"bounds", run.points.has_bounds()},
            {"scatter", {{"omega", run.scatter.omega}, {"zeta", run.scatter.zeta}}},
            {"rise", rise},
            {"fits", fits}};
}

io::Table table(const ModalFitRun& run) {
    auto made = io::named_table({});
    io::add_column(made, "amplitude", run.points.amplitude);
    io::add_column(made, "omega", run.points.omega);
    io::add_column(made, "zeta", run.points.zeta);
    for (const auto& f : run.fits) {
        if (!f.problem.empty()) continue;
        io::add_column(made, "omega " + f.law, f.omega);
        io::add_column(made, "zeta " + f.law, f.zeta);
    }
    return made;
}

io::Figure figure(const ModalFitRun& run) {
    io::Panel frequency{"frequency", {"amplitude", true}, {run.unit.label()}, {}};
    io::Panel damping{"damping", {"amplitude", true}, {"zeta", true}, {}};
    const auto add = [&](const std::string& label, const std::vector<double>& a, const std::vector<double>& omega,
                         const std::vector<double>& zeta, bool dots) {
        std::vector<std::size_t> marks;
        for (std::size_t i = 0; dots && i < a.size(); ++i) marks.push_back(i);
        frequency.curves.push_back({label, a, run.unit.of(omega), marks});
        damping.curves.push_back({label, a, zeta, marks});
    };
    add("measured", run.points.amplitude, run.points.omega, run.points.zeta, true);
    if (run.points.has_bounds())
        for (const auto& [omega, zeta] : {std::pair(&run.points.omega_low, &run.points.zeta_low),
                                          std::pair(&run.points.omega_high, &run.points.zeta_high)}) {
            add("measured, 95 %", run.points.amplitude, *omega, *zeta, false);
            frequency.curves.back().dashed_like = damping.curves.back().dashed_like = 0;
        }
    io::Figure made{"Oscillators fitted to " + run.file, "best first by held-out error", {}, {}};
    made.table.push_back({"law", "held-out error", "omega rms %", "zeta rms %", "AICc", "BIC", "misfit"});
    for (const auto& f : run.fits) {
        if (!f.problem.empty()) {
            made.table.push_back({f.law, f.problem, "", "", "", "", ""});
            continue;
        }
        add(f.law, f.amplitude, f.omega, f.zeta, false);
        made.table.push_back({f.law, fmt::format("{:.3g}", f.held_out), fmt::format("{:.3g}", 100 * f.omega_rms),
                              fmt::format("{:.3g}", 100 * f.zeta_rms), fmt::format("{:.1f}", f.aic),
                              fmt::format("{:.1f}", f.bic), f.misfit ? "yes" : "no"});
    }
    made.panels = {frequency, damping};
    return made;
}

std::string text(const ModalFitRun& run) {
    Text out;
    out.print("{} points; their own scatter: {:.2g} % in omega, {:.2g} % in zeta\n", run.points.size(),
              100 * run.scatter.omega, 100 * run.scatter.zeta);
    out.print("{:32} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}\n", "law, best first", "held-out", "omega/%", "zeta/%", "AICc",
              "BIC", "misfit");
    for (const auto& f : run.fits) {
        if (!f.problem.empty()) {
            out.print("{:32} {}\n", f.law, f.problem);
            continue;
        }
        out.print("{:32} {:9.3g} {:9.3g} {:9.3g} {:9.1f} {:9.1f} {:>7}{}\n", f.law, f.held_out, 100 * f.omega_rms,
                  100 * f.zeta_rms, f.aic, f.bic, f.misfit ? "yes" : "no", f.converged ? "" : "  not converged");
    }
    for (const auto& f : run.fits) {
        if (!f.problem.empty()) continue;
        out.print("\n{}\n", f.law);
        for (const auto& p : f.parameters) {
            if (p.determined)
                out.print("  {:10} {:14.6g} +- {:<12.3g} {}\n", p.key, p.value, p.error, p.unit);
            else
                out.print("  {:10} {:>14} {:15} {}\n", p.key, "not determined", "", p.unit);
        }
        out.print("  {:10} {:14.6g}\n", "Kinf", f.model.front().value);
        for (const auto& note : f.notes) out.print("  note: {}\n", note);
    }
    return out;
}

}  // namespace faying::results
