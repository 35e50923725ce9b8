// faying condense: a network of many sliders as a law of few states, and what is lost.

#include "faying/network/condense.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/io/file.hpp"
#include "faying/io/plot.hpp"
#include "faying/network/network_file.hpp"
#include "faying/results/loops.hpp"

namespace faying::app {

namespace {

using network::HistoryError;
using nlohmann::ordered_json;

struct Options {
    Common common;
    network::CondenseOptions condense;
    std::string file, out, set, basis, fit, curve, time = "0:62.83185307179586:2001", plot;
    std::vector<std::string> tests, rivals;
};

template <class Enum>
Enum chosen(const std::string& option, const std::string& word, std::initializer_list<Enum> all) {
    std::string names;
    for (const Enum one : all) {
        if (network::name_of(one) == word) return one;
        names += (names.empty() ? "" : ", ") + std::string(network::name_of(one));
    }
    throw core::BadInput(option, fmt::format("unknown '{}'; allowed are: {}", word, names));
}

void settle(Options& o) {
    using network::Basis, network::FitOf, network::Set;
    if (!o.set.empty())
        o.condense.set = chosen("--set", o.set, {Set::box, Set::ellipsoid});
    else if (!o.basis.empty() || !o.fit.empty())
        o.condense.set = Set::ellipsoid;
    if (o.condense.set == Set::box && (!o.basis.empty() || !o.fit.empty()))
        throw core::BadInput("--set", "a box has neither --basis nor --fit: they belong to --set ellipsoid");
    if (!o.basis.empty()) o.condense.basis = chosen("--basis", o.basis, {Basis::svd, Basis::reversal, Basis::greedy});
    if (!o.fit.empty()) o.condense.fit = chosen("--fit", o.fit, {FitOf::relative, FitOf::absolute});
    o.condense.check();
    if (!o.out.empty() && !o.out.ends_with(".toml"))
        throw core::BadInput("--out", fmt::format("'{}' must end in .toml: that is how a law file is known", o.out));
}

std::pair<int, int> curve_range(const std::string& text) {
    int from = 0, to = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%d:%d%c", &from, &to, &rest) != 2 || from < 1 || to < from || to > 40)
        throw core::BadInput("--curve", fmt::format("'{}' must be FIRST:LAST, such as 1:20, at most 40", text));
    return {from, to};
}

ordered_json error_json(const HistoryError& e) {
    ordered_json j = {{"history", e.name}, {"force", e.answer}, {"dissipation", e.dissipation}};
    if (std::isfinite(e.tangent)) j["tangent"] = e.tangent;
    j["peak_load"] = e.peak_load;
    return j;
}
ordered_json errors_json(const std::vector<HistoryError>& all) {
    ordered_json list = ordered_json::array();
    for (const auto& e : all) list.push_back(error_json(e));
    return list;
}

struct Worst {
    double force = 0, dissipation = 0, tangent = 0;
};
Worst worst_of(const std::vector<HistoryError>& all) {
    Worst w;
    for (const auto& e : all) {
        w.force = std::max(w.force, e.answer);
        w.dissipation = std::max(w.dissipation, std::abs(e.dissipation));
        if (std::isfinite(e.tangent)) w.tangent = std::max(w.tangent, e.tangent);
    }
    return w;
}
ordered_json worst_json(const Worst& w) {
    return {{"force", w.force}, {"dissipation", w.dissipation}, {"tangent", w.tangent}};
}

ordered_json matrix_json(const Eigen::MatrixXd& m) {
    ordered_json rows = ordered_json::array();
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
        const Eigen::VectorXd row = m.row(i);
        rows.push_back(std::vector<double>(row.begin(), row.end()));
    }
    return rows;
}
ordered_json law_json(const network::MState& law) {
    ordered_json j = {{"set", law.is_box() ? "box" : "ellipsoid"}, {"states", law.states()}};
    const auto vector = [](const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); };
    if (const auto* box = law.box()) {
        j["K"] = matrix_json(box->stiffness);
        j["b"] = vector(box->coupling);
        j["mu"] = vector(box->friction);
    } else {
        j["K"] = matrix_json(law.ellipsoid()->stiffness);
        j["b"] = vector(law.ellipsoid()->coupling);
        j["A"] = matrix_json(law.ellipsoid()->friction);
    }
    return j;
}

std::vector<network::KnownHistory> test_histories(const Options& o, const network::Network& net) {
    if (o.tests.empty()) return network::held_out_histories(net, o.condense);
    std::vector<network::KnownHistory> all;
    core::Progress progress("test histories", o.tests.size());
    for (const auto& formula : o.tests) {
        const auto input = results::input_from_signal(formula, o.time);
        all.push_back(network::known_history(net, formula, input.points));
        progress.at(all.size());
    }
    return all;
}

void print_errors(const char* title, const std::vector<HistoryError>& all) {
    fmt::print("{}\n{:>10}{:>14}{:>10}{:>12}  history\n", title, "force %", "dissipation %", "tangent %", "peak load");
    for (const auto& e : all)
        fmt::print("{:10.2f}{:14.2f}{:10.2f}{:12.4g}  {}\n", 100 * e.answer, 100 * e.dissipation, 100 * e.tangent,
                   e.peak_load, e.name);
}

struct CurvePoint {
    int states;
    Worst worst;
    bool converged;
};

std::vector<CurvePoint> curve_of(const Options& o, const network::Network& net,
                                 const std::vector<network::KnownHistory>& training,
                                 const std::vector<network::KnownHistory>& tests) {
    std::vector<CurvePoint> curve;
    if (o.curve.empty()) return curve;
    const auto [from, to] = curve_range(o.curve);
    core::Progress progress("states", std::size_t(to - from + 1));
    for (int m = from; m <= to; ++m) {
        auto options = o.condense;
        options.states = m;
        const auto small = network::condense(net, training, options);
        curve.push_back({m, worst_of(network::errors(small.law, tests)), small.converged});
        progress.at(curve.size());
    }
    return curve;
}

void write_curve(const std::string& plot, const std::vector<CurvePoint>& curve) {
    io::Curve force{.label = "force", .x = {}, .y = {}}, dissipation{.label = "dissipation", .x = {}, .y = {}};
    for (const auto& p : curve) {
        force.x.push_back(p.states);
        force.y.push_back(100 * p.worst.force);
        dissipation.x.push_back(p.states);
        dissipation.y.push_back(100 * p.worst.dissipation);
    }
    io::Figure figure;
    figure.title = "Error on histories not seen, against the number of states";
    figure.panels = {{"worst history", {"states m", false}, {"error / %", true}, {force, dissipation}}};
    io::write_file(plot, plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void run_condense(Options& o) {
    settle(o);
    if (!o.curve.empty()) curve_range(o.curve);
    if (!o.plot.empty() && o.curve.empty())
        throw core::BadInput("--plot", "shows the error against the number of states and needs --curve FIRST:LAST");
    io::OutputFiles{"", o.plot}.check();
    if (!o.out.empty()) check_folder_of(o.out);
    const auto net = network::read_network(o.file);
    const auto training = network::training_histories(net, o.condense);
    const auto tests = test_histories(o, net);
    const auto small = network::condense(net, training, o.condense);
    const auto seen = network::errors(small.law, training), unseen = network::errors(small.law, tests);
    const auto worst = worst_of(unseen);
    const auto curve = curve_of(o, net, training, tests);
    std::vector<network::RivalErrors> rivals;
    for (const auto& law : o.rivals) rivals.push_back(network::rival(law, training, tests));

    if (!o.out.empty())
        io::write_file(o.out, network::m_state_text(
                                  small.law, {fmt::format("{} sliders condensed to {} states, for loads up to {:.6g}",
                                                          net.size(), o.condense.states, small.load),
                                              fmt::format("worst of {} histories not seen: force {:.2g} %, dissipation "
                                                          "{:.2g} %, tangent {:.2g} %",
                                                          unseen.size(), 100 * worst.force, 100 * worst.dissipation,
                                                          100 * worst.tangent)}));
    if (!o.plot.empty()) write_curve(o.plot, curve);

    ordered_json r = {{"sliders", net.size()},
                      {"states", o.condense.states},
                      {"set", network::name_of(o.condense.set)},
                      {"load", small.load},
                      {"law", law_json(small.law)},
                      {"residual", small.cost},
                      {"iterations", small.iterations},
                      {"status", small.converged ? "converged" : "not converged"},
                      {"training", errors_json(seen)},
                      {"test", errors_json(unseen)},
                      {"worst", worst_json(worst)}};
    if (o.condense.set == network::Set::ellipsoid) {
        r["basis"] = network::name_of(o.condense.basis);
        r["fit"] = network::name_of(o.condense.fit);
    }
    for (const auto& p : curve) {
        auto point = worst_json(p.worst);
        point["states"] = p.states;
        point["status"] = p.converged ? "converged" : "not converged";
        r["curve"].push_back(point);
    }
    for (const auto& rival : rivals)
        r["rivals"].push_back({{"law", rival.law},
                               {"parameters", rival.parameters},
                               {"test", errors_json(rival.errors)},
                               {"worst", worst_json(worst_of(rival.errors))}});
    if (!o.out.empty()) r["out"] = o.out;
    o.common.report("condense", r, [&] {
        fmt::print("{} sliders, {} states ({}), loads up to {:.6g}, misfit {:.2g}\n", net.size(), o.condense.states,
                   network::name_of(o.condense.set), small.load, small.cost);
        print_errors("fitted to:", seen);
        print_errors("not seen:", unseen);
        for (const auto& p : curve)
            fmt::print("m = {:2}: force {:6.2f} %, dissipation {:6.2f} %, tangent {:6.2f} %\n", p.states,
                       100 * p.worst.force, 100 * p.worst.dissipation, 100 * p.worst.tangent);
        for (const auto& rival : rivals) print_errors((rival.law + ", not seen:").c_str(), rival.errors);
    });
    if (!small.converged)
        throw core::NotConverged("condense: the fit stopped at its largest number of iterations", small.cost);
}

}  // namespace

void add_condense(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("condense", "A network of many sliders as a law of few states, with its errors");
    command->footer(
        "Examples:\n"
        "  faying condense net.toml --states 6 --out law.toml\n"
        "  faying loop law.toml --path 0,1,-0.5,0.7\n"
        "  faying condense net.toml --states 6 --basis reversal --fit relative      # [S3] 2.3: one ellipsoid\n"
        "  faying condense net.toml --states 6 --test \"sin(t)+1.5*sin(pi*t)\" --test \"3*sin(t)+sin(4.16753*t)\"\n"
        "  faying condense net.toml --states 6 --curve 1:12 --plot error.html --rival iwan4+kp --rival bouc-wen+kp");
    command->add_option("file", o->file, "network file (.toml)")->required();
    command->add_option("--states", o->condense.states, "hidden states of the law, m")->required();
    command->add_option("--out", o->out, "write the law to this file (.toml), which stands wherever a law's name does");
    command->add_option("--set", o->set, "box (m sliders joined by springs, the default) or ellipsoid ([S3] 2.3)");
    command->add_option("--basis", o->basis, "of the ellipsoid: svd (default), reversal or greedy");
    command->add_option("--fit", o->fit, "of the ellipsoid: relative (default) or absolute");
    command->add_option("--load", o->condense.load,
                        "largest load the law is made for (default: where compliance is nine tenths of its last)");
    command->add_option("--seed", o->condense.seed, "of random histories and directions");
    command->add_option("--iterations", o->condense.iterations, "most iterations of the fit");
    command->add_option("--test", o->tests, "load as a formula in t to try the law on, in place of the held-out ones");
    command->add_option("--time", o->time, "START:STOP:COUNT for --test");
    command->add_option("--curve", o->curve, "also the error for every number of states FIRST:LAST");
    command->add_option("--rival", o->rivals, "also a law of `faying laws` fitted to the first training history");
    command->add_option("--plot", o->plot, "the error against the number of states, .html or .svg (with --curve)");
    add_common(*command, o->common);
    command->callback([o] { run_condense(*o); });
}

}  // namespace faying::app
