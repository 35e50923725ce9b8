// faying backbone: frequency and damping of a nonlinear mode against amplitude.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "backbone_plot.hpp"
#include "command.hpp"
#include "contact_list.hpp"
#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/modes/output_amplitude.hpp"
#include "faying/modes/site_loop.hpp"
#include "faying/structure/model_file.hpp"
#include "harmonic.hpp"
#include "loop_input.hpp"
#include "loop_output.hpp"
#include "mode_options.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, amplitudes, at, csv, plot, title, output;
    std::string method = "rqnma", framework, dissipation, friction = "active", amplitude = "modal";
    int mode = 1, loops = 100, quadrature = 12;
    bool trace = false, derivatives = false;
    FrequencyUnit unit;
    HarmonicWords harmonics;
};

/// LO:HI:N, log spaced.
std::vector<double> log_spaced(const std::string& text) {
    double low = 0, high = 0, count = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf:%lf%c", &low, &high, &count, &rest) != 3 || !(low > 0) || !(high > low) ||
        !std::isfinite(high) || count != std::floor(count) || count < 2 || count > 1e5)
        throw core::BadInput("--amplitudes",
                             fmt::format("'{}' must be LO:HI:N with 0 < LO < HI and N from 2 to 1e5", text));
    std::vector<double> q;
    for (int i = 0; i < int(count); ++i) q.push_back(low * std::pow(high / low, i / (count - 1)));
    q.back() = high;
    return q;
}

/// What was left open follows from the laws: loops where one is not Masing, modal area where nothing else is known.
modes::BackboneOptions chosen(Options& o, const structure::Model& model) {
    bool masing = true, contact = false;
    for (const auto& joint : model.joints) {
        contact = contact || joint.components() == 3;
        masing = masing && (joint.law.masing() || joint.law.elastic());
    }
    if (o.framework.empty()) o.framework = masing ? "masing" : "loops";
    if (o.dissipation.empty()) o.dissipation = contact && o.framework == "masing" ? "modal" : "local";
    modes::BackboneOptions b;
    b.method = o.method == "qsma" ? modes::Method::qsma : modes::Method::rqnma;
    b.framework = o.framework == "loops" ? modes::Framework::loops : modes::Framework::masing;
    b.dissipation = o.dissipation == "modal" ? modes::Dissipation::modal : modes::Dissipation::local;
    b.prestress = friction_of(o.friction);
    b.most_loops = o.loops;
    b.quadrature = o.quadrature;
    b.close_loops = !o.trace;
    b.derivatives = o.derivatives;
    return b;
}

void write(const Options& o, const structure::Model& model, const std::vector<modes::BackbonePoint>& points,
           const modes::BackboneOptions& options) {
    std::vector<std::string> names{"q", "omega", "zeta", "zeta_friction", "dissipation", "residual", "frequency"};
    const bool may_break_masing =
        std::any_of(points.begin(), points.end(), [](const auto& p) { return p.masing_error > 0; });
    const std::size_t shown = o.output.empty() ? 0 : names.size();  // column of the plot's axis
    if (!o.output.empty()) {
        names.push_back("displacement");
        names.push_back("acceleration");
    }
    if (may_break_masing) names.push_back("masing_error");
    io::Table table{names, std::vector<std::vector<double>>(names.size())};
    std::vector<modes::BackbonePoint> good;
    for (const auto& p : points) {
        if (!p.converged) continue;
        good.push_back(p);
        std::vector<double> row{p.q, p.omega, p.zeta, p.zeta_friction, p.dissipation, p.residual, hertz(p.omega)};
        if (!o.output.empty()) {
            const auto& output = structure::find_output(model, o.output);
            row.push_back(modes::amplitude_of(p, output, modes::Quantity::displacement));
            row.push_back(modes::amplitude_of(p, output, modes::Quantity::acceleration));
        }
        if (may_break_masing) row.push_back(p.masing_error);
        for (std::size_t i = 0; i < row.size(); ++i) table.columns[i].push_back(row[i]);
    }
    if (!o.csv.empty()) io::write_csv(o.csv, table);
    if (o.plot.empty()) return;
    const BackboneAxis axis{
        {o.output.empty() ? "modal amplitude q / (m kg^(1/2))" : fmt::format("displacement of {} / m", o.output), true},
        table.columns[shown]};
    auto figure = backbone_figure(model, good, axis, options, o.unit);
    figure.title = o.title.empty() ? fmt::format("Mode {} of {}", o.mode, o.file) : o.title;
    figure.subtitle = fmt::format("{}, {} framework, {} dissipation", o.method, o.framework, o.dissipation);
    const bool picture = o.plot.ends_with(".svg");
    if (picture)
        if (auto loops = busiest_loops(model, good, options); !loops.curves.empty())
            figure.panels.push_back(std::move(loops));
    io::write_file(o.plot, picture ? io::figure_svg(figure) : io::figure_html(figure));
}

/// Whether Masing's rule gives a dissipation that the joints' own loop would not.
bool breaks_masing(const modes::BackbonePoint& p, const modes::BackboneOptions& options) {
    return p.converged && p.masing_error > options.masing_tolerance;
}

std::string status_of(const modes::BackbonePoint& p, const modes::BackboneOptions& options) {
    return !p.converged ? "not converged" : breaks_masing(p, options) ? "masing does not hold" : "converged";
}

/// The first point that did not converge, or whose dissipation is not to be trusted: status 3.
void refuse_failures(const Options& o, const std::vector<modes::BackbonePoint>& points,
                     const modes::BackboneOptions& options) {
    for (const auto& p : points)
        if (!p.converged)
            throw core::NotConverged(
                fmt::format("backbone: mode {} did not converge at q = {:g}: {}", o.mode, p.q, p.reason), p.residual);
    const auto worst = std::max_element(points.begin(), points.end(),
                                        [](const auto& a, const auto& b) { return a.masing_error < b.masing_error; });
    if (worst != points.end() && breaks_masing(*worst, options))
        throw core::NotConverged(
            fmt::format("backbone: Masing's rule does not hold where contact opens or its pressure varies: mode {}, up "
                        "to {:.2g} of the damping at q = {:g}; use --framework loops",
                        o.mode, worst->masing_error, worst->q),
            std::numeric_limits<double>::quiet_NaN());
}

/// At modal amplitudes, or at amplitudes of the output.
std::vector<modes::BackbonePoint> points_at(const Options& o, const structure::Model& model,
                                            const std::vector<double>& amplitudes,
                                            const modes::BackboneOptions& options) {
    if (o.amplitude == "modal") return modes::backbone(model, o.mode, amplitudes, options);
    const auto quantity = o.amplitude == "displacement" ? modes::Quantity::displacement : modes::Quantity::acceleration;
    return modes::backbone_at_output(model, modes::Interface(model), o.mode,
                                     {structure::find_output(model, o.output), quantity, amplitudes}, options);
}

/// What every contact site does, and by how much its loop did not close.
nlohmann::json contact_of(const structure::Model& model, const modes::BackbonePoint& p,
                          const modes::BackboneOptions& options) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        if (model.joints[j].components() != 3) continue;
        const auto states = modes::site_states(model, p, options, j);
        list.push_back(contact_list(model.joints[j], states));
        for (const auto& s : states) list.back()["closure_error"].push_back(s.closure_error);
    }
    return list;
}

nlohmann::json entry_of(const Options& o, const structure::Model& model, const modes::BackbonePoint& p,
                        const modes::BackboneOptions& options) {
    nlohmann::ordered_json entry = {{"q", p.q}};
    if (p.converged) {
        entry["omega"] = p.omega;
        entry["frequency"] = hertz(p.omega);
        entry["zeta"] = p.zeta;
        entry["zeta_friction"] = p.zeta_friction;
        entry["zeta_viscous"] = p.zeta_viscous;
        entry["dissipation"] = p.dissipation;
        entry["dissipation_by_joint"] = p.dissipation_by_joint;
        entry["shape"] = std::vector<double>(p.shape.begin(), p.shape.end());
        entry["iterations"] = p.iterations;
        if (p.loops > 0) {
            entry["half_loops"] = p.loops;
            entry["closure_error"] = p.closure_error;
        }
        if (!o.output.empty()) {
            const auto& output = structure::find_output(model, o.output);
            entry["displacement"] = modes::amplitude_of(p, output, modes::Quantity::displacement);
            entry["acceleration"] = modes::amplitude_of(p, output, modes::Quantity::acceleration);
        }
        if (auto contact = contact_of(model, p, options); !contact.empty()) entry["contact"] = contact;
        for (const auto& d : p.derivatives) {
            const auto& joint = model.joints[d.joint];
            entry["derivatives"].push_back({{"joint", joint.name},
                                            {"parameter", joint.law.parameters()[d.parameter].key},
                                            {"omega", d.omega},
                                            {"zeta", d.zeta}});
        }
    }
    entry["residual"] = p.residual;  // null when there is none
    entry["status"] = status_of(p, options);
    if (!p.converged) entry["reason"] = p.reason;
    if (options.framework == modes::Framework::masing && p.converged) entry["masing_error"] = p.masing_error;
    return nlohmann::json(entry);
}

/// Nonlinear modes by harmonic balance.
void run_epmc(const Options& o, const structure::Model& model, const std::vector<double>& amplitudes) {
    for (const auto& [given, option] : {std::pair{!o.framework.empty(), "--framework"},
                                        {!o.dissipation.empty(), "--dissipation"},
                                        {o.friction != "active", "--prestress"},
                                        {o.trace, "--trace"}})
        if (given) throw core::BadInput(option, "does not go with --method epmc");
    auto options = harmonic_options(o.harmonics);
    options.derivatives = o.derivatives;
    const modes::Interface interface(model);
    const auto quantity = o.amplitude == "acceleration" ? modes::Quantity::acceleration : modes::Quantity::displacement;
    const Eigen::VectorXd output = o.output.empty() ? Eigen::VectorXd() : structure::find_output(model, o.output);
    const auto points = o.amplitude == "modal"
                            ? modes::epmc(model, interface, o.mode, amplitudes, options)
                            : modes::epmc_at_output(model, interface, o.mode, {output, quantity, amplitudes}, options);
    io::Table table{{"q", "omega", "zeta", "dissipation", "residual", "frequency"}, {}};
    table.columns.resize(table.names.size());
    nlohmann::json list = nlohmann::json::array();
    for (const auto& p : points) {
        auto entry = entry_of(p, o.harmonics);
        entry["q"] = p.a;
        if (p.converged) {
            entry["zeta"] = p.zeta;
            if (output.size() > 0) {
                entry["displacement"] =
                    modes::amplitude_of(p, options.harmonics, output, modes::Quantity::displacement);
                entry["acceleration"] =
                    modes::amplitude_of(p, options.harmonics, output, modes::Quantity::acceleration);
            }
            for (const auto& d : p.derivatives) {
                const auto& joint = model.joints[d.joint];
                entry["derivatives"].push_back({{"joint", joint.name},
                                                {"parameter", joint.law.parameters()[d.parameter].key},
                                                {"omega", d.omega},
                                                {"zeta", d.zeta}});
            }
            std::size_t column = 0;
            for (const double x : {p.a, p.omega, p.zeta, p.dissipation, p.residual, hertz(p.omega)})
                table.columns[column++].push_back(x);
        }
        list.push_back(nlohmann::json(entry));
    }
    if (!o.csv.empty()) io::write_csv(o.csv, table);
    if (!o.plot.empty()) {
        io::Figure figure;
        figure.title = o.title.empty() ? fmt::format("Mode {} of {}", o.mode, o.file) : o.title;
        figure.subtitle = fmt::format("epmc, harmonics {}", o.harmonics.orders());
        const io::Axis amplitude{"modal amplitude q / (m kg^(1/2))", true};
        std::vector<double> frequency;
        for (const double w : table.columns[1]) frequency.push_back(o.unit.of(w));
        figure.panels.push_back({"", amplitude, {o.unit.label(), false}, {{"", table.columns[0], frequency}}});
        figure.panels.push_back(
            {"", amplitude, {"damping ratio zeta", true}, {{"", table.columns[0], table.columns[2]}}});
        io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
    }
    const nlohmann::ordered_json result = {{"mode", o.mode}, {"method", o.method}, {"points", list}};
    o.common.report("backbone", result, [&] {
        fmt::print("{:>14} {:>16} {:>14} {:>16} {:>10}\n", "q", o.unit.label(), "zeta", "dissipation / J", "residual");
        for (const auto& p : points)
            if (p.converged)
                fmt::print("{:14.6g} {:16.10g} {:14.7g} {:16.9g} {:10.1e}\n", p.a, o.unit.of(p.omega), p.zeta,
                           p.dissipation, p.residual);
            else
                fmt::print("{:14.6g} did not converge\n", p.a);
    });
    for (const auto& p : points)
        if (!p.converged)
            throw core::NotConverged(fmt::format("backbone: mode {} did not converge at q = {:g}", o.mode, p.a),
                                     p.residual);
}

}  // namespace

void add_backbone(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("backbone", "Frequency and damping of a nonlinear mode against amplitude (RQNMA)");
    command->footer(
        "Example:\n  faying backbone examples/three_masses/model.toml --mode 2 --amplitudes 0.1:200:40 --plot "
        "backbone.html");
    command->add_option("model", o->file, "model file (TOML)")->required();
    command->add_option("--mode", o->mode, "which mode, by frequency about the preload, from 1");
    command->add_option("--amplitudes", o->amplitudes, "amplitudes LO:HI:N, log spaced");
    command->add_option("--at", o->at, "or these: q1,q2,..");
    command
        ->add_option(
            "--method", o->method,
            "rqnma (amplitude on the sphere d^T M d = q^2), qsma (load M phi), or epmc (harmonic balance; q is "
            "the mass norm of the first harmonic)")
        ->check(CLI::IsMember({"rqnma", "qsma", "epmc"}));
    add_harmonics(*command, o->harmonics);
    command->add_option("--framework", o->framework, "masing or loops (default: masing where every law allows it)")
        ->check(CLI::IsMember({"masing", "loops"}));
    command->add_option("--dissipation", o->dissipation, "local or modal (default: local where it is known)")
        ->check(CLI::IsMember({"local", "modal"}));
    add_friction(*command, o->friction);
    add_unit(*command, o->unit);
    command->add_option("--loops", o->loops, "most loops at one amplitude")->check(CLI::PositiveNumber);
    command->add_flag("--trace", o->trace, "repeat loops until damping settles; do not solve for the closed loop");
    command->add_option("--quadrature", o->quadrature, "Lobatto points per half loop, modal dissipation and contact")
        ->check(CLI::Range(4, 200));
    command->add_option("--output", o->output, "also give displacement and acceleration at this output of the model");
    command
        ->add_option(
            "--amplitude-of", o->amplitude,
            "what --amplitudes and --at give: modal q, or displacement / m or acceleration / (m/s^2) of --output")
        ->check(CLI::IsMember({"modal", "displacement", "acceleration"}));
    command->add_flag("--derivatives", o->derivatives, "of omega and zeta to every law parameter (with --json)");
    command->add_option("--csv", o->csv, "write the points to this file");
    command->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] {
        if (o->amplitudes.empty() == o->at.empty())
            throw core::BadInput("backbone", "give either --amplitudes LO:HI:N or --at q1,q2,..");
        if (o->amplitude != "modal" && o->output.empty())
            throw core::BadInput("--amplitude-of", fmt::format("{} needs --output, whose it is", o->amplitude));
        check_outputs(o->csv, o->plot);
        const auto amplitudes = o->at.empty() ? log_spaced(o->amplitudes) : parse_numbers(o->at, "--at");
        const auto model = structure::read_model(o->file);
        if (!o->output.empty()) structure::find_output(model, o->output);
        if (o->method == "epmc") return run_epmc(*o, model, amplitudes);
        if (o->harmonics.given()) throw core::BadInput("backbone", "--harmonics and --samples go with --method epmc");
        const auto options = chosen(*o, model);
        const auto points = points_at(*o, model, amplitudes, options);
        write(*o, model, points, options);
        nlohmann::json list = nlohmann::json::array();
        for (const auto& p : points) list.push_back(entry_of(*o, model, p, options));
        const nlohmann::ordered_json result = {{"mode", o->mode},           {"method", o->method},
                                               {"framework", o->framework}, {"dissipation", o->dissipation},
                                               {"prestress", o->friction},  {"points", list}};
        o->common.report("backbone", result, [&] {
            fmt::print("{:>14} {:>16} {:>14} {:>16} {:>10}\n", "q", o->unit.label(), "zeta", "dissipation / J",
                       "residual");
            for (const auto& p : points) {
                if (p.converged)
                    fmt::print("{:14.6g} {:16.10g} {:14.7g} {:16.9g} {:10.1e}{}\n", p.q, o->unit.of(p.omega), p.zeta,
                               p.dissipation, p.residual,
                               breaks_masing(p, options) ? fmt::format("  not Masing ({:.2g})", p.masing_error) : "");
                else if (std::isfinite(p.residual))
                    fmt::print("{:14.6g} did not converge, residual {:.3g}: {}\n", p.q, p.residual, p.reason);
                else
                    fmt::print("{:14.6g} did not converge: {}\n", p.q, p.reason);
            }
        });
        refuse_failures(*o, points, options);
    });
}

}  // namespace faying::app
