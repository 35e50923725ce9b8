// faying sice: a structure that bends far condensed onto one mode, by static points and exactly.

#include "faying/geometric/sice.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/stages.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/sparse/ranks.hpp"
#include "geometric.hpp"

namespace faying::app {

namespace {

struct Options : GeometricWords {
    std::string orders;
    int taylor = 0;
};

void read_orders(const Options& o, geometric::SiceOptions& to) {
    if (o.orders.empty()) return;
    char rest = 0;
    const int read = std::sscanf(o.orders.c_str(), "%d:%d%c", &to.lowest, &to.highest, &rest);
    if (read == 1 && o.orders.find(':') == std::string::npos) to.highest = to.lowest;
    if ((read != 2 && !(read == 1 && o.orders.find(':') == std::string::npos)) || to.lowest < 2 ||
        to.highest < to.lowest || to.highest > 15)
        throw core::BadInput("--orders", fmt::format("'{}' must be LO:HI with 2 <= LO <= HI <= 15", o.orders));
    to.orders_asked_for = true;
}

nlohmann::ordered_json coefficients(const Eigen::VectorXd& k, Eigen::Index first) {
    nlohmann::ordered_json list = nlohmann::ordered_json::object();
    for (Eigen::Index j = first; j < k.size(); ++j) list[std::to_string(j)] = k(j);
    return list;
}

nlohmann::ordered_json entry_of(const geometric::PathPoint& p) {
    nlohmann::ordered_json entry = {{"q", p.q}};
    if (p.converged) {
        entry["alpha"] = p.alpha;
        entry["slope"] = p.slope;
        entry["energy"] = p.energy;
        entry["unstable"] = p.unstable;
    } else {
        entry["alpha"] = nullptr;
    }
    entry["iterations"] = p.iterations;
    entry["residual"] = p.residual;
    entry["status"] = p.converged ? "converged" : "not converged";
    return entry;
}

nlohmann::ordered_json entry_of(const geometric::Fit& fit) {
    nlohmann::ordered_json covariance = nlohmann::ordered_json::array();
    for (Eigen::Index i = 0; i < fit.covariance.rows(); ++i)
        covariance.push_back(std::vector<double>(fit.covariance.row(i).begin(), fit.covariance.row(i).end()));
    return {{"k", coefficients(fit.k, 2)}, {"rms", fit.rms}, {"condition", fit.condition}, {"covariance", covariance}};
}

void write_files(const Options& o, const geometric::SiceResult& s) {
    io::Table table{{"q", "alpha", "slope", "energy", "residual"}, std::vector<std::vector<double>>(5)};
    io::Curve points{"static points", {}, {}, {}};
    for (const auto& p : s.points) {
        if (!p.converged) continue;
        const double values[] = {p.q, p.alpha, p.slope, p.energy, p.residual};
        for (std::size_t i = 0; i < 5; ++i) table.columns[i].push_back(values[i]);
    }
    if (!o.csv.empty()) io::write_csv(o.csv, table);
    if (o.plot.empty()) return;
    auto sorted = s.points;
    std::erase_if(sorted, [](const auto& p) { return !p.converged; });
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
    for (const auto& p : sorted) points.x.push_back(p.q), points.y.push_back(p.alpha);
    for (std::size_t i = 0; i < points.x.size(); ++i) points.marks.push_back(i);
    io::Panel force{"held at amplitude q", {"modal amplitude q"}, {"modal load alpha"}, {points}};
    io::Panel free{"free motion of each fit", {"amplitude q+"}, {o.unit.label()}, {}};
    for (const auto& fit : s.fits) {
        if (points.x.empty()) break;
        io::Curve line{fmt::format("order {}", fit.order), {}, {}, {}}, backbone = line;
        for (int i = 0; i <= 100; ++i) {
            const double q = points.x.front() + (points.x.back() - points.x.front()) * i / 100;
            double sum = 0;
            for (Eigen::Index j = fit.k.size() - 1; j > 0; --j) sum = (sum + fit.k(j)) * q;
            line.x.push_back(q);
            line.y.push_back(sum);
        }
        for (const auto& p : s.backbone_of(fit.order)) {
            backbone.x.push_back(p.q_plus);
            backbone.y.push_back(p.converged ? o.unit.of(p.omega) : std::nan(""));
        }
        force.curves.push_back(std::move(line));
        free.curves.push_back(std::move(backbone));
    }
    io::Figure figure;
    figure.title = o.title.empty() ? fmt::format("Mode {} of {}, condensed", o.mode, o.file) : o.title;
    figure.panels.push_back(std::move(force));
    if (!free.curves.empty()) figure.panels.push_back(std::move(free));
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void print(const Options& o, const geometric::SiceResult& s) {
    if (s.taylor.k.size() > 0) {
        fmt::print("Taylor coefficients\n");
        for (Eigen::Index j = 1; j < s.taylor.k.size(); ++j) fmt::print("  k{} = {:.12g}\n", j, s.taylor.k(j));
    }
    if (!s.points.empty()) fmt::print("{:>14} {:>20} {:>16} {:>10}\n", "q", "alpha", "slope", "residual");
    for (const auto& p : s.points) {
        if (p.converged)
            fmt::print("{:14.7g} {:20.12g} {:16.9g} {:10.1e}{}\n", p.q, p.alpha, p.slope, p.residual,
                       p.unstable > 0 ? "  unstable under this load" : "");
        else
            fmt::print("{:14.7g} not converged\n", p.q);
    }
    for (const auto& f : s.folds) fmt::print("limit point at q = {:.8g}, alpha = {:.8g}\n", f.q, f.alpha);
    for (const auto& fit : s.fits) {
        fmt::print("order {}: rms {:.3e}", fit.order, fit.rms);
        for (Eigen::Index j = 2; j < fit.k.size(); ++j) fmt::print("  k{} {:.8g}", j, fit.k(j));
        fmt::print("{}\n", fit.order == s.order ? "  <- settled" : "");
    }
    (void)o;
}

void run(Options& o) {
    geometric::SiceOptions options;
    read_orders(o, options);
    options.taylor = o.taylor;
    options.amplitudes = amplitudes_of(o, true);
    io::OutputFiles{o.csv, o.plot}.check();
    auto stages = std::make_unique<core::Stages>("sice");
    stages->at(0.01, "reading and preloading");
    auto structure = open_geometric(o);
    stages->at(0.1, fmt::format("modes of {} DOF", structure.rest.u.size()));
    const auto mode = geometric::linear_mode(structure.stuck(), structure.rest, o.mode);
    stages->at(0.2, "static points");
    options.done = stages->within(0.2, 1);
    const auto s = geometric::sice(structure.stuck(), structure.rest, mode, options);
    stages.reset();
    if (sparse::launched() && sparse::rank() != 0) return;
    write_files(o, s);
    auto result = mode_entry(o, structure, mode);
    if (o.taylor > 0) {
        result["taylor"] = coefficients(s.taylor.k, 1);
        result["taylor_residual"] = s.taylor.residual;
    }
    result["points"] = nlohmann::ordered_json::array();
    for (const auto& p : s.points) result["points"].push_back(entry_of(p));
    result["folds"] = nlohmann::ordered_json::array();
    for (const auto& f : s.folds) result["folds"].push_back({{"q", f.q}, {"alpha", f.alpha}});
    result["fits"] = nlohmann::ordered_json::object();
    for (const auto& fit : s.fits) result["fits"][std::to_string(fit.order)] = entry_of(fit);
    if (s.order > 0) result["order"] = s.order;
    o.common.report("sice", result, [&] {
        print_mode(o, structure, mode);
        print(o, s);
    });
    for (const auto& p : s.points)
        if (!p.converged)
            throw core::NotConverged(fmt::format("sice: the point q = {:g} was not reached", p.q), p.residual);
}

}  // namespace

void add_sice(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "sice", "A structure that bends far condensed onto one mode: static points, fitted and exact polynomials");
    command->footer(
        "Example:\n  faying sice strip.inp --mode 1 --orders 2:7 --range 1.8e-3\n"
        "  faying sice strip.inp --taylor 9 --json");
    add_geometric(*command, *o, "q = phi^T M (u - u0)");
    command->add_option("--orders", o->orders, "polynomials fitted to the points, LO:HI (default 2:7)");
    command->add_option("--taylor", o->taylor, "exact coefficients up to this order, without any points")
        ->check(CLI::Range(1, 25));
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
