// faying nnm: nonlinear normal modes of a conservative structure.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/stages.hpp"
#include "faying/geometric/sice.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/sparse/ranks.hpp"
#include "geometric.hpp"

namespace faying::app {

namespace {

struct Options : GeometricWords {
    std::string method = "auto";
    int harmonics = 9;
    int order = 0;
    bool shapes = false;
};

/// The reduced mode at the same q+, where there is one.
std::vector<geometric::NnmPoint> reduced(const Options& o, geometric::Opened& structure, const geometric::Mode& mode,
                                         const std::vector<geometric::NnmPoint>& full) {
    std::vector<geometric::NnmPoint> points;
    if (o.order == 0) return points;
    double top = 0, bottom = 0;
    for (const auto& p : full)
        if (p.converged) top = std::max(top, p.q_plus), bottom = std::min(bottom, p.q_minus);
    geometric::SiceOptions options;
    options.lowest = options.highest = o.order;
    const int each = std::max(8, o.order);
    for (int i = 1; i <= each; ++i) options.amplitudes.push_back(top * i / each);
    for (int i = 1; i <= each; ++i) options.amplitudes.push_back(bottom * i / each);
    const auto s = geometric::sice(structure.stuck(), structure.rest, mode, options);
    if (s.fits.empty()) throw core::NotConverged("nnm: too few static points for the reduced mode", std::nan(""));
    for (const auto& p : full) points.push_back(geometric::nnm_of_polynomial(s.fits[0].k, p.q_plus, 1));
    return points;
}

nlohmann::ordered_json entry_of(const geometric::NnmPoint& p, bool shapes) {
    nlohmann::ordered_json entry;
    if (p.converged) {
        entry = {
            {"omega", p.omega},     {"frequency", core::hertz(p.omega)}, {"energy", p.energy}, {"q_plus", p.q_plus},
            {"q_minus", p.q_minus}, {"harmonics", p.harmonics},          {"stable", nullptr}};
        if (p.stable) entry["stable"] = *p.stable;
        if (shapes) {
            entry["motion"] = nlohmann::ordered_json::array();
            for (Eigen::Index k = 0; k < p.motion.cols(); ++k)
                entry["motion"].push_back(std::vector<double>(p.motion.col(k).begin(), p.motion.col(k).end()));
        }
    } else {
        entry["q_plus"] = p.q_plus > 0 ? nlohmann::ordered_json(p.q_plus) : nlohmann::ordered_json(nullptr);
        entry["harmonics"] = p.harmonics;
    }
    entry["iterations"] = p.iterations;
    entry["residual"] = p.residual;
    entry["status"] = p.converged ? "converged" : "not converged";
    if (!p.reason.empty()) entry["note"] = p.reason;
    return entry;
}

void write_files(const Options& o, const std::vector<geometric::NnmPoint>& points,
                 const std::vector<geometric::NnmPoint>& less) {
    io::Table table{{"omega", "frequency", "energy", "q_plus", "q_minus", "residual"},
                    std::vector<std::vector<double>>(6)};
    io::Curve by_energy{"mode", {}, {}, {}}, by_amplitude = by_energy;
    io::Curve other{fmt::format("condensed, order {}", o.order), {}, {}, {}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& p = points[i];
        if (!p.converged) continue;
        const double values[] = {p.omega, core::hertz(p.omega), p.energy, p.q_plus, p.q_minus, p.residual};
        for (std::size_t c = 0; c < 6; ++c) table.columns[c].push_back(values[c]);
        by_energy.x.push_back(p.energy);
        by_amplitude.x.push_back(p.q_plus);
        by_energy.y.push_back(o.unit.of(p.omega));
        by_amplitude.y.push_back(o.unit.of(p.omega));
        if (i < less.size() && less[i].converged) {
            other.x.push_back(less[i].q_plus);
            other.y.push_back(o.unit.of(less[i].omega));
        }
    }
    if (!o.csv.empty()) io::write_csv(o.csv, table);
    if (o.plot.empty()) return;
    io::Figure figure;
    figure.title = o.title.empty() ? fmt::format("Nonlinear normal mode {} of {}", o.mode, o.file) : o.title;
    figure.panels = {{"frequency and energy", {"energy / J", true}, {o.unit.label()}, {by_energy}},
                     {"frequency and amplitude", {"q+"}, {o.unit.label()}, {by_amplitude}}};
    if (!other.x.empty()) figure.panels[1].curves.push_back(other);
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void run(Options& o) {
    auto amplitudes = amplitudes_of(o, false);
    for (const double q : amplitudes)
        if (!(q > 0)) throw core::BadInput(o.at.empty() ? "--range" : "--at", fmt::format("{:g} is not above zero", q));
    std::sort(amplitudes.begin(), amplitudes.end());
    io::OutputFiles{o.csv, o.plot}.check();
    auto stages = std::make_unique<core::Stages>("nnm");
    stages->at(0.01, "reading and preloading");
    auto structure = open_geometric(o);
    if (structure.has_friction() && !structure.grounded)
        throw core::BadInput(o.file,
                             "has joints with friction, and so no conservative modes; `faying ignl` and "
                             "`faying backbone` take it");
    geometric::System& system = structure.stuck();
    stages->at(0.1, fmt::format("modes of {} DOF", structure.rest.u.size()));
    const auto mode = geometric::linear_mode(system, structure.rest, o.mode);
    const bool quadrature = o.method == "quadrature" || (o.method == "auto" && structure.one_coordinate());
    if (quadrature && !structure.one_coordinate() && o.order == 0)
        throw core::BadInput("--method",
                             "quadrature is for one degree of freedom; with --order N it takes the "
                             "polynomial that mode is condensed to");
    if (amplitudes.empty()) {
        const double reach = geometric::telling_amplitude(geometric::taylor(system, structure.rest, mode, 3).k);
        for (int i = 1; i <= 10; ++i) amplitudes.push_back(reach * i / 10);
    }
    geometric::NnmOptions options;
    options.harmonics = o.harmonics;
    options.done = stages->within(0.2, 0.9);
    stages->at(0.2, "motions");
    std::vector<geometric::NnmPoint> points;
    if (quadrature) {
        Eigen::VectorXd k;
        if (structure.one_coordinate()) {
            k = geometric::taylor(system, structure.rest, mode, 9).k;
        } else {
            geometric::SiceOptions fit;
            fit.lowest = fit.highest = o.order;
            for (int i = 1; i <= 10; ++i)
                for (const double sign : {1.0, -1.0}) fit.amplitudes.push_back(sign * amplitudes.back() * i / 10);
            const auto s = geometric::sice(system, structure.rest, mode, fit);
            if (s.fits.empty()) throw core::NotConverged("nnm: too few static points for a fit", std::nan(""));
            k = s.fits[0].k;
        }
        for (const double q : amplitudes) points.push_back(geometric::nnm_of_polynomial(k, q, o.harmonics));
    } else if (o.method == "shooting") {
        points = geometric::nnm_by_shooting(system, structure.rest, mode, amplitudes, options);
    } else {
        points = geometric::nnm(system, structure.rest, mode, amplitudes, options);
    }
    stages->at(0.9, "condensed mode");
    const auto less = quadrature ? std::vector<geometric::NnmPoint>() : reduced(o, structure, mode, points);
    stages.reset();
    if (sparse::launched() && sparse::rank() != 0) return;
    write_files(o, points, less);
    auto result = mode_entry(o, structure, mode);
    result["method"] = quadrature ? "quadrature" : o.method == "shooting" ? "shooting" : "harmonic balance";
    result["amplitude"] = quadrature || o.method == "shooting" ? "q_plus" : "first harmonic";
    result["points"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto entry = entry_of(points[i], o.shapes);
        if (i < less.size() && less[i].converged && points[i].converged)
            entry["condensed"] = {{"order", o.order},
                                  {"omega", less[i].omega},
                                  {"q_minus", less[i].q_minus},
                                  {"error_percent", 100 * (less[i].omega / points[i].omega - 1)}};
        result["points"].push_back(entry);
    }
    o.common.report("nnm", result, [&] {
        print_mode(o, structure, mode);
        fmt::print("{:>14} {:>14} {:>18} {:>14} {:>10}{}\n", "q+", "q-", o.unit.label(), "energy / J", "residual",
                   less.empty() ? "" : "   condensed: error / %");
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto& p = points[i];
            if (!p.converged) {
                fmt::print("{:14.7g} not converged: {}\n", amplitudes[i], p.reason);
                continue;
            }
            fmt::print("{:14.7g} {:14.7g} {:18.11g} {:14.7g} {:10.1e}", p.q_plus, p.q_minus, o.unit.of(p.omega),
                       p.energy, p.residual);
            if (i < less.size() && less[i].converged) fmt::print("   {:+.4f}", 100 * (less[i].omega / p.omega - 1));
            fmt::print("{}{}\n", p.reason.empty() ? "" : "  ", p.reason);
        }
    });
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].converged)
            throw core::NotConverged(fmt::format("nnm: amplitude {:g}: {}", amplitudes[i], points[i].reason),
                                     points[i].residual);
}

}  // namespace

void add_nnm(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "nnm", "Nonlinear normal modes: free motion of a polynomial, a model or a whole mesh against amplitude");
    command->footer(
        "Example:\n  faying nnm strip.inp --mode 1 --at 2e-4,1e-3 --harmonics 9 --order 7\n"
        "  faying nnm duffing.toml --at 1e-3 --json");
    add_geometric(
        *command, *o,
        "(q+ where rest is reached, by quadrature and shooting; phi^T M U_1 of the first harmonic by harmonic "
        "balance)");
    command
        ->add_option(
            "--method", o->method,
            "auto (quadrature for one degree of freedom, else harmonic-balance), quadrature, harmonic-balance, "
            "shooting (small models; with stability)")
        ->check(CLI::IsMember({"auto", "quadrature", "harmonic-balance", "shooting"}));
    command->add_option("--harmonics", o->harmonics, "highest harmonic (default 9)")->check(CLI::Range(1, 99));
    command
        ->add_option("--order", o->order, "beside it the mode condensed to a polynomial of this order, and its error")
        ->check(CLI::Range(2, 15));
    command->add_flag("--shapes", o->shapes, "put the motion of every degree of freedom into the JSON too");
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
