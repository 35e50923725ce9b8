#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "faying/core/error.hpp"
#include "geometric_mode.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using geometric::NnmPoint;

/// What the polynomial condensed through these points is, of the order asked for.
Eigen::VectorXd condensed_polynomial(GeometricMode& about, int order, std::vector<double> amplitudes,
                                     const char* failure) {
    geometric::SiceOptions options;
    options.lowest = options.highest = order;
    options.amplitudes = std::move(amplitudes);
    const auto s = geometric::sice(about.structure.stuck(), about.structure.rest, about.mode, options);
    if (s.fits.empty()) throw core::NotConverged(failure, std::nan(""));
    return s.fits[0].k;
}

/// The reduced mode at the same q+.
std::vector<NnmPoint> condensed_mode(GeometricMode& about, int order, const std::vector<NnmPoint>& full) {
    double top = 0, bottom = 0;
    for (const auto& p : full)
        if (p.converged) top = std::max(top, p.q_plus), bottom = std::min(bottom, p.q_minus);
    std::vector<double> amplitudes;
    const int each = std::max(8, order);
    for (int i = 1; i <= each; ++i) amplitudes.push_back(top * i / each);
    for (int i = 1; i <= each; ++i) amplitudes.push_back(bottom * i / each);
    const auto k = condensed_polynomial(about, order, amplitudes, "nnm: too few static points for the reduced mode");
    std::vector<NnmPoint> points;
    for (const auto& p : full) points.push_back(geometric::nnm_of_polynomial(k, p.q_plus, 1));
    return points;
}

std::vector<NnmPoint> by_quadrature(GeometricMode& about, const NnmChoice& choice) {
    const auto& amplitudes = about.request.amplitudes;
    Eigen::VectorXd k;
    if (about.structure.one_coordinate()) {
        k = geometric::taylor(about.structure.stuck(), about.structure.rest, about.mode, 9).k;
    } else {
        std::vector<double> held;
        for (int i = 1; i <= 10; ++i)
            for (const double sign : {1.0, -1.0}) held.push_back(sign * amplitudes.back() * i / 10);
        k = condensed_polynomial(about, choice.order, held, "nnm: too few static points for a fit");
    }
    std::vector<NnmPoint> points;
    for (const double q : amplitudes) points.push_back(geometric::nnm_of_polynomial(k, q, choice.harmonics));
    return points;
}

nlohmann::json free_motion_json(const NnmPoint& p, bool shapes) {
    nlohmann::json entry;
    if (p.converged) {
        entry = {
            {"omega", p.omega},     {"frequency", core::hertz(p.omega)}, {"energy", p.energy}, {"q_plus", p.q_plus},
            {"q_minus", p.q_minus}, {"harmonics", p.harmonics},          {"stable", nullptr}};
        if (p.stable) entry["stable"] = *p.stable;
        if (p.multiplier) entry["multiplier"] = *p.multiplier;
        if (shapes) {
            entry["motion"] = nlohmann::json::array();
            for (Eigen::Index k = 0; k < p.motion.cols(); ++k) entry["motion"].push_back(list(p.motion.col(k)));
        }
    } else {
        entry["q_plus"] = p.q_plus > 0 ? nlohmann::json(p.q_plus) : nlohmann::json(nullptr);
        entry["harmonics"] = p.harmonics;
    }
    entry["iterations"] = p.iterations;
    entry["residual"] = p.residual;
    entry["status"] = p.converged ? "converged" : "not converged";
    if (!p.reason.empty()) entry["note"] = p.reason;
    if (!p.passed.empty()) entry["passed"] = nlohmann::json::array();
    for (const auto& r : p.passed) {
        entry["passed"].push_back({{"from", r.from}, {"to", r.to}});
        if (r.harmonic > 0) entry["passed"].back().update({{"harmonic", r.harmonic}, {"mode", r.mode}});
    }
    return entry;
}

/// What the multipliers of motions by harmonic balance tell: all of them of a small structure, else as asked.
void add_stability(GeometricMode& about, int modes, std::vector<NnmPoint>& points) {
    auto& [asked, structure, mode] = about;
    for (auto& p : points) {
        if (!p.converged) continue;
        double allowed = 1 + 1e-4;  // two are one; an error e of the map shows as sqrt(e) there
        p.multiplier = geometric::largest_multiplier_by_shooting(
            structure.stuck(), structure.rest, p.motion.rowwise().sum(), 2 * std::numbers::pi / p.omega);
        if (!p.multiplier && modes > 0) {
            p.multiplier = geometric::largest_multiplier(structure.stuck(), structure.rest, p, modes);
            allowed = 1 + 1e-2;
        }
        if (p.multiplier) p.stable = *p.multiplier < allowed;
    }
}

}  // namespace

NnmRun nnm(GeometricRequest request, const NnmChoice& choice, core::Stages& stages) {
    request.amplitudes = positive_amplitudes(std::move(request.amplitudes), "amplitude");
    NnmRun run{open_mode(std::move(request), stages, 0.1,
                         [](const geometric::Opened& s, const std::string& file) {
                             if (s.has_friction() && !s.touching)
                                 throw core::BadInput(file,
                                                      "has joints with friction, and so no conservative modes; "
                                                      "`faying ignl` and `faying backbone` take it");
                         }),
               choice,
               {}};
    auto& [asked, structure, mode] = run.about;
    const bool one = structure.one_coordinate();
    auto& method = run.choice.method;
    if (method == NnmMethod::automatic) method = one ? NnmMethod::quadrature : NnmMethod::harmonic_balance;
    if (method == NnmMethod::quadrature && !one && choice.order == 0)
        throw core::BadInput("--method",
                             "quadrature is for one degree of freedom; with --order N it takes the "
                             "polynomial that mode is condensed to");
    if (asked.amplitudes.empty()) {
        const double reach =
            geometric::telling_amplitude(geometric::taylor(structure.stuck(), structure.rest, mode, 3).k);
        for (int i = 1; i <= 10; ++i) asked.amplitudes.push_back(reach * i / 10);
    }
    geometric::NnmOptions options;
    options.harmonics = choice.harmonics;
    options.done = stages.within(0.2, 0.9);
    stages.at(0.2, "motions");
    run.points = method == NnmMethod::quadrature ? by_quadrature(run.about, choice)
                 : method == NnmMethod::shooting
                     ? geometric::nnm_by_shooting(structure.stuck(), structure.rest, mode, asked.amplitudes, options)
                     : geometric::nnm(structure.stuck(), structure.rest, mode, asked.amplitudes, options);
    if (method == NnmMethod::harmonic_balance) {
        stages.at(0.85, "stability");
        add_stability(run.about, choice.stability, run.points);
    }
    stages.at(0.9, "condensed mode");
    if (method != NnmMethod::quadrature && choice.order > 0)
        run.condensed = condensed_mode(run.about, choice.order, run.points);
    return run;
}

void NnmRun::require_converged() const {
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].converged)
            throw core::NotConverged(
                fmt::format("nnm: amplitude {:g}: {}", about.request.amplitudes[i], points[i].reason),
                points[i].residual);
}

nlohmann::json json(const NnmRun& run) {
    const auto& less = run.condensed;
    const auto method = run.choice.method;
    auto result = mode_json(run.about);
    result["method"] = method == NnmMethod::quadrature ? "quadrature"
                       : method == NnmMethod::shooting ? "shooting"
                                                       : "harmonic balance";
    result["amplitude"] = method == NnmMethod::harmonic_balance ? "first harmonic" : "q_plus";
    result["points"] = nlohmann::json::array();
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        const auto& p = run.points[i];
        auto entry = free_motion_json(p, run.choice.shapes);
        if (i < less.size() && less[i].converged && p.converged)
            entry["condensed"] = {{"order", run.choice.order},
                                  {"omega", less[i].omega},
                                  {"q_minus", less[i].q_minus},
                                  {"error_percent", 100 * (less[i].omega / p.omega - 1)}};
        result["points"].push_back(entry);
    }
    return result;
}

io::Table table(const NnmRun& run) {
    auto made = io::named_table({"omega", "frequency", "energy", "q_plus", "q_minus", "residual"});
    for (const auto& p : run.points)
        if (p.converged) io::add_row(made, {p.omega, core::hertz(p.omega), p.energy, p.q_plus, p.q_minus, p.residual});
    return made;
}

io::Figure figure(const NnmRun& run) {
    const auto& request = run.about.request;
    const auto& unit = request.unit;
    const auto& less = run.condensed;
    io::Curve by_energy{"mode", {}, {}, {}}, by_amplitude = by_energy;
    io::Curve other{fmt::format("condensed, order {}", run.choice.order), {}, {}, {}};
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        const auto& p = run.points[i];
        if (!p.converged) continue;
        by_energy.x.push_back(p.energy);
        by_amplitude.x.push_back(p.q_plus);
        by_energy.y.push_back(unit.of(p.omega));
        by_amplitude.y.push_back(unit.of(p.omega));
        if (i < less.size() && less[i].converged) {
            other.x.push_back(less[i].q_plus);
            other.y.push_back(unit.of(less[i].omega));
        }
    }
    io::Figure made;
    made.title = fmt::format("Nonlinear normal mode {} of {}", request.mode, request.file);
    made.panels = {{"frequency and energy", {"energy / J", true}, {unit.label()}, {by_energy}},
                   {"frequency and amplitude", {"q+"}, {unit.label()}, {by_amplitude}}};
    if (!other.x.empty()) made.panels[1].curves.push_back(other);
    return made;
}

std::string text(const NnmRun& run) {
    const auto& less = run.condensed;
    const auto& unit = run.about.request.unit;
    Text out;
    out.print("{}{:>14} {:>14} {:>18} {:>14} {:>10}{}\n", mode_text(run.about), "q+", "q-", unit.label(), "energy / J",
              "residual", less.empty() ? "" : "   condensed: error / %");
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        const auto& p = run.points[i];
        if (!p.converged) {
            out.print("{:14.7g} not converged: {}\n", run.about.request.amplitudes[i], p.reason);
            continue;
        }
        out.print("{:14.7g} {:14.7g} {:18.11g} {:14.7g} {:10.1e}", p.q_plus, p.q_minus, unit.of(p.omega), p.energy,
                  p.residual);
        if (i < less.size() && less[i].converged) out.print("   {:+.4f}", 100 * (less[i].omega / p.omega - 1));
        if (p.stable && !*p.stable) out.print("  unstable (multiplier {:.6g})", *p.multiplier);
        out.print("{}{}\n", p.reason.empty() ? "" : "  ", p.reason);
        for (const auto& r : p.passed)
            out.print("  internal resonance{} passed between phi^T M U_1 = {:.6g} and {:.6g}: a tongue branches off\n",
                      r.harmonic > 0 ? fmt::format(" {}:1, near that with mode {},", r.harmonic, r.mode) : "", r.from,
                      r.to);
    }
    return out;
}

}  // namespace faying::results
