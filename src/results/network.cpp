#include "faying/results/network.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/history_figure.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using network::HistoryError;

template <class T>
std::vector<T> reported(const std::vector<T>& all, const LoopInput& input) {
    std::vector<T> some;
    for (const std::size_t i : input.report) some.push_back(all[i]);
    return some;
}

nlohmann::json errors_json(const std::vector<HistoryError>& all) {
    nlohmann::json errors = nlohmann::json::array();
    for (const auto& e : all) {
        nlohmann::json entry = {
            {"history", e.name}, {"force", e.answer}, {"dissipation", e.dissipation}, {"peak_load", e.peak_load}};
        if (std::isfinite(e.tangent)) entry["tangent"] = e.tangent;
        errors.push_back(entry);
    }
    return errors;
}

nlohmann::json worst_json(const WorstErrors& w) {
    return {{"force", w.force}, {"dissipation", w.dissipation}, {"tangent", w.tangent}};
}

nlohmann::json rows_json(const Eigen::MatrixXd& m) {
    nlohmann::json rows = nlohmann::json::array();
    for (Eigen::Index i = 0; i < m.rows(); ++i) rows.push_back(list(m.row(i)));
    return rows;
}

nlohmann::json m_state_json(const network::MState& law) {
    nlohmann::json j = {{"set", law.set()}, {"states", law.states()}};
    if (const auto* p = law.polytope()) {
        j["K"] = rows_json(p->stiffness);
        j["C"] = rows_json(p->normals);
        j["b"] = list(p->coupling);
        j["mu"] = list(p->friction);
    } else if (const auto* box = law.sliders()) {
        j["K"] = rows_json(box->stiffness);
        j["b"] = list(box->coupling);
        j["mu"] = list(box->friction);
    } else {
        j["K"] = rows_json(law.ellipsoid()->stiffness);
        j["b"] = list(law.ellipsoid()->coupling);
        j["A"] = rows_json(law.ellipsoid()->friction);
    }
    return j;
}

void print_errors(Text& out, const std::string& title, const std::vector<HistoryError>& all) {
    out.print("{}\n{:>10}{:>14}{:>10}{:>12}  history\n", title, "force %", "dissipation %", "tangent %", "peak load");
    // Where the network itself dissipates nothing, or its tangent is the same all along, there is nothing to compare with.
    const auto percent = [](double share) { return std::isfinite(share) ? fmt::format("{:.2f}", 100 * share) : "-"; };
    for (const auto& e : all)
        out.print("{:>10}{:>14}{:>10}{:12.4g}  {}\n", percent(e.answer), percent(e.dissipation), percent(e.tangent),
                  e.peak_load, e.name);
}

}  // namespace

NetworkRun follow_network(network::Network net, LoopInput input, network::Method method, bool slippers) {
    if (!input.contact.empty()) throw core::BadInput("network", "a network follows one load, not x:y:n points");
    auto history = network::follow(net, input.points, {.method = method, .slippers = slippers});
    return {std::move(net), std::move(input), method, std::move(history)};
}

nlohmann::json json(const NetworkRun& run) {
    const auto& [net, input, method, h] = run;
    nlohmann::json r = {{"sliders", net.size()},
                        {"driven_by", net.by_force() ? "force" : "displacement"},
                        {"method", h.by_plays ? "plays" : network::name_of(method)},
                        {"checksum", nlohmann::json::object()}};
    for (const auto& sum : network::checksums(net)) r["checksum"][sum.name] = sum.value;
    if (!input.times.empty()) r["t"] = reported(input.times, input);
    if (!net.by_force()) r["u"] = reported(h.load, input);
    r["f"] = reported(net.by_force() ? h.load : h.answer, input);
    r["xi"] = reported(h.xi, input);
    r["tangent"] = reported(h.tangent, input);
    r["work"] = reported(h.work, input);
    r["dissipated"] = reported(h.dissipated, input);
    r["stored"] = reported(h.stored, input);
    r["slipping"] = reported(h.slipping, input);
    r["x"] = h.positions;
    r["events"] = h.events;
    r["energy_balance"] = h.energy_balance;
    r["residual"] = h.residual;
    r["status"] = "exact";
    return r;
}

io::Table table(const NetworkRun& run) {
    return network::history_table(run.history, run.network.by_force(), run.input.times, run.input.report);
}

io::Figure figure(const NetworkRun& run) {
    return network::history_figure(run.history, run.network.by_force(), run.input.times, "Network of sliders");
}

std::string text(const NetworkRun& run) {
    constexpr std::size_t most_rows = 40;
    const auto& h = run.history;
    Text out;
    out.print("{} sliders driven by {}{}, {} events, energy balance {:.1e}, residual {:.1e}\n", run.network.size(),
              run.network.by_force() ? "force" : "displacement", h.by_plays ? " (decoupled: play operators)" : "",
              h.events, h.energy_balance, h.residual);
    const auto values = table(run);
    for (const auto& name : values.names) out.print("{:>14}", name);
    out.print("\n");
    const std::size_t rows = run.input.report.size();
    for (std::size_t i = 0; i < rows; ++i) {
        if (rows > most_rows && i >= most_rows / 2 && i + most_rows / 2 < rows) {
            if (i == most_rows / 2) out.print("   .. {} rows more: --csv or --json has them all\n", rows - most_rows);
            continue;
        }
        for (const auto& column : values.columns) out.print("{:14.6g}", column[i]);
        out.print("\n");
    }
    return out;
}

WorstErrors worst_of(const std::vector<HistoryError>& all) {
    WorstErrors w;
    for (const auto& e : all) {
        w.force = std::max(w.force, e.answer);
        w.dissipation = std::max(w.dissipation, std::abs(e.dissipation));
        if (std::isfinite(e.tangent)) w.tangent = std::max(w.tangent, e.tangent);
    }
    return w;
}

CondenseRun condense_network(const network::Network& net, CondenseRequest request,
                             const std::function<void(const char*, std::size_t, std::size_t)>& done) {
    request.condense.check();
    const auto [from, to] = request.curve;
    const auto wanted = request.condense;
    if (to > net.size())
        throw core::BadInput("--curve",
                             fmt::format("{} states are more than the network's {} sliders", to, net.size()));
    const auto training = network::training_histories(net, request.condense);
    std::vector<network::KnownHistory> tests;
    for (const auto& formula : request.tests) {
        tests.push_back(network::known_history(net, formula, input_from_signal(formula, request.time).points));
        if (done) done("test histories", tests.size(), request.tests.size());
    }
    if (request.tests.empty()) tests = network::held_out_histories(net, request.condense);
    const bool on_curve = from <= wanted.states && wanted.states <= to;
    const int laws = 1 + std::max(0, to - from + 1) - (on_curve ? 1 : 0);
    int made_so_far = 0;
    const auto of_states = [&](int m) {
        auto options = wanted;
        options.states = m;
        if (m != wanted.states) options.facets = 0;  // as many as that number of states has by itself
        auto small = network::condense(net, training, options);
        if (done) done("laws", std::size_t(++made_so_far), std::size_t(laws));
        return small;
    };
    auto made = of_states(wanted.states);
    auto seen = network::errors(made.law, training), unseen = network::errors(made.law, tests);
    CondenseRun run{.request = std::move(request),
                    .sliders = net.size(),
                    .made = std::move(made),
                    .seen = std::move(seen),
                    .unseen = std::move(unseen),
                    .by_formula = {},
                    .curve = {},
                    .loops = {},
                    .rivals = {}};
    if (const auto* e = run.made.law.ellipsoid()) {
        auto formula = *e;
        formula.slip = network::Slip::formula;
        run.by_formula = network::errors(network::MState(formula, "condense"), tests);
    }
    for (int m = from; m <= to; ++m) {
        const auto small = m == wanted.states ? run.made : of_states(m);
        run.curve.push_back({m, worst_of(network::errors(small.law, tests)), small.converged});
    }
    for (const auto& h : tests) run.loops.push_back({h, network::answered(run.made.law, h)});
    for (const auto& law : run.request.rivals) run.rivals.push_back(network::rival(law, training, tests));
    return run;
}

void CondenseRun::require_converged() const {
    if (!made.converged)
        throw core::NotConverged("condense: the fit stopped at its largest number of iterations", made.cost);
}

nlohmann::json json(const CondenseRun& run) {
    const auto& options = run.request.condense;
    nlohmann::json r = {{"sliders", run.sliders},
                        {"states", options.states},
                        {"set", network::name_of(options.set)},
                        {"load", run.made.load},
                        {"law", m_state_json(run.made.law)},
                        {"residual", run.made.cost},
                        {"iterations", run.made.iterations},
                        {"status", run.made.converged ? "converged" : "not converged"},
                        {"training", errors_json(run.seen)},
                        {"test", errors_json(run.unseen)},
                        {"worst", worst_json(worst_of(run.unseen))}};
    if (options.set == network::Set::ellipsoid) {
        r["basis"] = network::name_of(options.basis);
        r["fit"] = network::name_of(options.fit);
        r["by_formula"] = {{"test", errors_json(run.by_formula)}, {"worst", worst_json(worst_of(run.by_formula))}};
    }
    r["from"] = network::smallest_share(run.made.load, options) * run.made.load;
    for (const auto& p : run.curve) {
        auto point = worst_json(p.worst);
        point["states"] = p.states;
        point["status"] = p.converged ? "converged" : "not converged";
        r["curve"].push_back(point);
    }
    for (const auto& rival : run.rivals)
        r["rivals"].push_back({{"law", rival.law},
                               {"parameters", rival.parameters},
                               {"test", errors_json(rival.errors)},
                               {"worst", worst_json(worst_of(rival.errors))}});
    return r;
}

io::Figure figure(const CondenseRun& run) {
    io::Figure made;
    made.title = fmt::format("{} sliders as a law of {} states", run.sliders, run.request.condense.states);
    made.subtitle = "histories that it has not seen";
    if (!run.curve.empty()) {
        io::Curve force{.label = "force", .x = {}, .y = {}}, dissipation{.label = "dissipation", .x = {}, .y = {}};
        for (const auto& p : run.curve) {
            force.x.push_back(p.states);
            force.y.push_back(100 * p.worst.force);
            dissipation.x.push_back(p.states);
            dissipation.y.push_back(100 * p.worst.dissipation);
        }
        made.panels.push_back({"worst history", {"states m", false}, {"error / %", true}, {force, dissipation}});
    }
    const bool by_force = run.made.law.drive() == laws::Drive::force;
    for (const auto& loop : run.loops) {
        const io::Curve network{.label = "network", .x = loop.network.xi, .y = loop.network.load};
        const io::Curve law{.label = "law", .x = loop.law, .y = loop.network.load};
        made.panels.push_back(
            {loop.network.name, {"xi = b.x", false}, {by_force ? "load f" : "load u", false}, {network, law}});
    }
    made.table = {{"history", "force error / %", "dissipation error / %", "tangent error / %"}};
    for (const auto& e : run.unseen)
        made.table.push_back({e.name, fmt::format("{:.2f}", 100 * e.answer), fmt::format("{:.2f}", 100 * e.dissipation),
                              fmt::format("{:.2f}", 100 * e.tangent)});
    return made;
}

std::string text(const CondenseRun& run) {
    Text out;
    const auto& options = run.request.condense;
    out.print("{} sliders, {} states ({}), loads up to {:.6g}, misfit {:.2g}\n", run.sliders, options.states,
              network::name_of(options.set), run.made.load, run.made.cost);
    print_errors(out, "fitted to:", run.seen);
    print_errors(out, "not seen:", run.unseen);
    if (!run.by_formula.empty())
        print_errors(out, "not seen, slip direction by the formula of [S3] ch. 5:", run.by_formula);
    for (const auto& p : run.curve)
        out.print("m = {:2}: force {:6.2f} %, dissipation {:6.2f} %, tangent {:6.2f} %\n", p.states,
                  100 * p.worst.force, 100 * p.worst.dissipation, 100 * p.worst.tangent);
    for (const auto& rival : run.rivals) print_errors(out, rival.law + ", not seen:", rival.errors);
    return out;
}

std::string law_text(const CondenseRun& run) {
    const auto worst = worst_of(run.unseen);
    return network::m_state_text(
        run.made.law,
        {fmt::format("{} sliders condensed to {} states, for loads from {:.4g} to {:.6g}", run.sliders,
                     run.request.condense.states,
                     network::smallest_share(run.made.load, run.request.condense) * run.made.load, run.made.load),
         fmt::format("worst of {} histories not seen: force {:.2g} %, dissipation {:.2g} %, tangent {:.2g} %",
                     run.unseen.size(), 100 * worst.force, 100 * worst.dissipation, 100 * worst.tangent)});
}

}  // namespace faying::results
