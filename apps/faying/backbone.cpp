// faying backbone: frequency and damping of a nonlinear mode against amplitude.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/modes/rqnma.hpp"
#include "faying/structure/model_file.hpp"
#include "loop_input.hpp"
#include "loop_output.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, amplitudes, at, csv, plot, title;
    int mode = 1;
};

/// LO:HI:N, log spaced.
std::vector<double> log_spaced(const std::string& text) {
    double low = 0, high = 0, count = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf:%lf%c", &low, &high, &count, &rest) != 3 || !(low > 0) || !(high > low) ||
        count != std::floor(count) || count < 2 || count > 1e6)
        throw core::BadInput("--amplitudes",
                             fmt::format("'{}' must be LO:HI:N with 0 < LO < HI and N from 2 to 1e6", text));
    std::vector<double> q;
    for (int i = 0; i < int(count); ++i) q.push_back(low * std::pow(high / low, i / (count - 1)));
    q.back() = high;
    return q;
}

void write(const Options& o, const std::vector<modes::BackbonePoint>& points) {
    io::Table table{{"q", "omega", "zeta", "zeta_friction", "dissipation", "residual"},
                    std::vector<std::vector<double>>(6)};
    for (const auto& p : points) {
        if (!p.converged) continue;
        const double row[] = {p.q, p.omega, p.zeta, p.zeta_friction, p.dissipation, p.residual};
        for (std::size_t i = 0; i < 6; ++i) table.columns[i].push_back(row[i]);
    }
    if (!o.csv.empty()) io::write_csv(o.csv, table);
    if (o.plot.empty()) return;
    const auto& c = table.columns;
    const io::Axis amplitude{"modal amplitude q / (m kg^(1/2))", true};
    const io::Figure figure{o.title.empty() ? fmt::format("Mode {} of {}", o.mode, o.file) : o.title,
                            "RQNMA, Masing framework",
                            {{"frequency", amplitude, {"omega / (rad/s)", false}, {{"omega", c[0], c[1], {}}}},
                             {"damping", amplitude, {"damping ratio zeta", true}, {{"zeta", c[0], c[2], {}}}}},
                            {}};
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
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
    command->add_option("--mode", o->mode, "which mode, by stuck frequency, from 1");
    command->add_option("--amplitudes", o->amplitudes, "modal amplitudes LO:HI:N, log spaced");
    command->add_option("--at", o->at, "or these: q1,q2,..");
    command->add_option("--csv", o->csv, "write the points to this file");
    command->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    command->add_option("--title", o->title, "title of the plot");
    add_common(*command, o->common);
    command->callback([o] {
        if (o->amplitudes.empty() == o->at.empty())
            throw core::BadInput("backbone", "give either --amplitudes LO:HI:N or --at q1,q2,..");
        check_outputs(o->csv, o->plot);
        const auto q = o->at.empty() ? log_spaced(o->amplitudes) : parse_numbers(o->at, "--at");
        const auto model = structure::read_model(o->file);
        const auto points = modes::backbone(model, o->mode, q);
        write(*o, points);
        nlohmann::json list = nlohmann::json::array();
        for (const auto& p : points) {
            nlohmann::ordered_json entry = {{"q", p.q}};
            if (p.converged) {
                entry["omega"] = p.omega;
                entry["zeta"] = p.zeta;
                entry["zeta_friction"] = p.zeta_friction;
                entry["dissipation"] = p.dissipation;
                entry["dissipation_by_joint"] = p.dissipation_by_joint;
                entry["shape"] = std::vector<double>(p.shape.begin(), p.shape.end());
                entry["iterations"] = p.iterations;
            }
            entry["residual"] = p.residual;
            entry["status"] = p.converged ? "converged" : "not converged";
            list.push_back(nlohmann::json(entry));
        }
        o->common.report("backbone",
                         {{"mode", o->mode}, {"method", "rqnma"}, {"framework", "masing"}, {"points", list}}, [&] {
                             fmt::print("{:>14} {:>16} {:>14} {:>16} {:>10}\n", "q", "omega / (rad/s)", "zeta",
                                        "dissipation / J", "residual");
                             for (const auto& p : points) {
                                 if (p.converged)
                                     fmt::print("{:14.6g} {:16.10g} {:14.7g} {:16.9g} {:10.1e}\n", p.q, p.omega, p.zeta,
                                                p.dissipation, p.residual);
                                 else
                                     fmt::print("{:14.6g} did not converge, residual {:.3g}\n", p.q, p.residual);
                             }
                         });
        if (!points.back().converged)
            throw core::NotConverged(
                fmt::format("backbone: mode {} could not be followed to q = {:g}", o->mode, points.back().q),
                points.back().residual);
    });
}

}  // namespace faying::app
