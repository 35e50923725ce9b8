// What a calibration shows: JSON, draws, pages, text.

#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/lines.hpp"
#include "faying/study/calibration.hpp"

namespace faying::study {

namespace {

constexpr std::size_t most_shown = 300;  ///< draws of a trace or a pair
constexpr std::size_t most_pairs = 15;

const char* kind_name(fit::Prior::Kind kind) {
    switch (kind) {
        case fit::Prior::Kind::uniform: return "uniform";
        case fit::Prior::Kind::log_uniform: return "log-uniform";
        case fit::Prior::Kind::normal: return "normal";
        case fit::Prior::Kind::log_normal: break;
    }
    return "log-normal";
}

nlohmann::json estimate_json(const fit::EvidenceEstimate& e) { return {{"value", e.value}, {"error", e.error}}; }

nlohmann::json band_json(const fit::BandOf& b) {
    return {
        {"median", b.middle}, {"low", b.low}, {"high", b.high}, {"test_low", b.test_low}, {"test_high", b.test_high}};
}

nlohmann::json law_json(const CalibratedLaw& l) {
    nlohmann::json parameters = nlohmann::json::object(), bands = nlohmann::json::array();
    for (const auto& p : l.parameters)
        parameters[p.key] = {{"unit", p.unit},
                             {"mean", p.mean},
                             {"deviation", p.deviation},
                             {"median", p.median},
                             {"low", p.low},
                             {"high", p.high},
                             {"rhat", p.diagnosis.rhat},
                             {"effective_bulk", p.diagnosis.bulk},
                             {"effective_tail", p.diagnosis.tail},
                             {"prior", {{"kind", kind_name(p.prior.kind)}, {"a", p.prior.a}, {"b", p.prior.b}}}};
    for (const auto& b : l.bands)
        bands.push_back({{"name", b.name},
                         {"mode", b.mode},
                         {"fitted", b.fitted},
                         {"amplitude", b.band.amplitude},
                         {"omega", band_json(b.band.omega)},
                         {"zeta", band_json(b.band.zeta)},
                         {"covered", b.covered ? nlohmann::json(*b.covered) : nlohmann::json()},
                         {"failed", b.band.failed}});
    return {{"law", l.name},
            {"problem", l.problem},
            {"converged", l.converged()},
            {"probability", l.probability},
            {"evidence",
             {{"bridge", estimate_json(l.evidence.bridge)},
              {"importance", estimate_json(l.evidence.importance)},
              {"effective_weights", l.evidence.weight_size},
              {"pareto_k", std::isfinite(l.evidence.pareto_k) ? nlohmann::json(l.evidence.pareto_k) : nlohmann::json()},
              {"agree", l.problem.empty() && l.evidence.agree()}}},
            {"misfit",
             {{"flag", l.check.misfit},
              {"omega_p", l.check.omega_p},
              {"zeta_p", l.check.zeta_p},
              {"omega_ratio", l.check.omega_ratio},
              {"zeta_ratio", l.check.zeta_ratio}}},
            {"rhat", l.rhat},
            {"effective", l.effective},
            {"draws", l.draws},
            {"divergences", l.divergences},
            {"gradients", l.gradients},
            {"densities", l.densities},
            {"acceptance", l.acceptance},
            {"seconds", l.seconds},
            {"parameters", parameters},
            {"bands", bands}};
}

std::string labelled(const CalibratedParameter& p) { return p.unit.empty() ? p.key : p.key + " / (" + p.unit + ")"; }

bool on_log_axis(const CalibratedParameter& p) {
    return p.low > 0 && (p.prior.kind == fit::Prior::Kind::log_uniform || p.prior.kind == fit::Prior::Kind::log_normal);
}

void add_bands(io::Figure& figure, const Calibration& c, const CalibratedLaw& best) {
    for (const auto& b : best.bands) {
        io::Panel frequency{
            b.name + (b.fitted ? ": frequency" : ", predicted: frequency"), {"amplitude", true}, {c.unit.label()}, {}};
        io::Panel damping{
            b.name + (b.fitted ? ": damping" : ", predicted: damping"), {"amplitude", true}, {"zeta", true}, {}};
        const auto add = [&](io::Panel& panel, const fit::BandOf& of, bool omega) {
            const auto shown = [&](const std::vector<double>& y) { return omega ? c.unit.of(y) : y; };
            panel.curves.push_back({best.name + ", median", b.band.amplitude, shown(of.middle), {}});
            for (const auto* y : {&of.low, &of.high})
                panel.curves.push_back({"95 % of the curve", b.band.amplitude, shown(*y), {}, 0});
            for (const auto* y : {&of.test_low, &of.test_high})
                panel.curves.push_back({"95 % of another test", b.band.amplitude, shown(*y), {}, 0});
            const auto points = [&](const std::string& name, const fit::Backbone& data) {
                std::vector<std::size_t> marks;
                for (std::size_t i = 0; i < data.size(); ++i) marks.push_back(i);
                panel.curves.push_back({name, data.amplitude, shown(omega ? data.omega : data.zeta), marks});
            };
            if (b.measured.size() > 0)
                points("measured", b.measured);
            else
                for (const auto& r : c.records) points(r.name, r.data);
        };
        add(frequency, b.band.omega, true);
        add(damping, b.band.zeta, false);
        figure.panels.push_back(std::move(frequency));
        figure.panels.push_back(std::move(damping));
    }
}

void add_traces(io::Figure& figure, const CalibratedLaw& best) {
    for (const auto& p : best.parameters) {
        io::Panel trace{"trace: " + p.key, {"draw"}, {labelled(p), on_log_axis(p)}, {}};
        for (std::size_t chain = 0; chain < p.draws.size(); ++chain) {
            io::Curve curve{fmt::format("chain {}", chain + 1), {}, {}, {}};
            const auto& d = p.draws[chain];
            const std::size_t stride = std::max<std::size_t>(1, d.size() / most_shown);
            for (std::size_t k = 0; k < d.size(); k += stride)
                curve.x.push_back(double(k + 1)), curve.y.push_back(d[k]);
            trace.curves.push_back(std::move(curve));
        }
        figure.panels.push_back(std::move(trace));
    }
}

void add_pairs(io::Figure& figure, const Calibration& c, const CalibratedLaw& best) {
    std::size_t drawn = 0;
    // Of the model's parameters, not those of the errors.
    const auto of_model = [](const CalibratedParameter& p) {
        return p.key.find("error") == std::string::npos && p.key.find("scatter") == std::string::npos;
    };
    static_cast<void>(c);
    for (std::size_t i = 0; i < best.parameters.size(); ++i)
        for (std::size_t j = i + 1; j < best.parameters.size(); ++j) {
            const auto &a = best.parameters[i], &b = best.parameters[j];
            if (!of_model(a) || !of_model(b) || drawn++ >= most_pairs) continue;
            io::Curve points{"draws", {}, {}, {}};
            const std::size_t each = most_shown / std::max<std::size_t>(1, a.draws.size());
            for (std::size_t chain = 0; chain < a.draws.size(); ++chain) {
                const std::size_t stride = std::max<std::size_t>(1, a.draws[chain].size() / each);
                for (std::size_t k = 0; k < a.draws[chain].size(); k += stride) {
                    points.marks.push_back(points.x.size());
                    points.x.push_back(a.draws[chain][k]);
                    points.y.push_back(b.draws[chain][k]);
                    points.x.push_back(std::nan(""));  // points, not a line
                    points.y.push_back(std::nan(""));
                }
            }
            figure.panels.push_back({fmt::format("{} and {}", a.key, b.key),
                                     {labelled(a), on_log_axis(a)},
                                     {labelled(b), on_log_axis(b)},
                                     {std::move(points)}});
        }
}

}  // namespace

nlohmann::json json(const Calibration& c) {
    nlohmann::json laws = nlohmann::json::array(), records = nlohmann::json::array();
    for (const auto& r : c.records)
        records.push_back({{"name", r.name},
                           {"mode", r.data.mode},
                           {"points", r.data.size()},
                           {"errors", r.error_known() ? "stated" : "from the scatter"}});
    for (const auto& l : c.laws) laws.push_back(law_json(l));
    return {
        {"title", c.title}, {"model", c.single_mode ? "single mode" : "joint"}, {"records", records}, {"laws", laws}};
}

io::Table table(const Calibration& c) {
    auto made = io::named_table({});
    if (c.laws.empty() || !c.laws.front().problem.empty()) return io::named_table({"chain", "draw"});
    const auto& best = c.laws.front();
    std::vector<double> chain, draw;
    for (std::size_t k = 0; k < best.parameters.front().draws.size(); ++k)
        for (std::size_t i = 0; i < best.parameters.front().draws[k].size(); ++i)
            chain.push_back(double(k + 1)), draw.push_back(double(i + 1));
    io::add_column(made, "chain", chain);
    io::add_column(made, "draw", draw);
    for (const auto& p : best.parameters) {
        std::vector<double> all;
        for (const auto& d : p.draws) all.insert(all.end(), d.begin(), d.end());
        io::add_column(made, p.key, all);
    }
    return made;
}

io::Figure figure(const Calibration& c) {
    io::Figure made{c.title, "the most probable law: its predictions, chains and pairs of parameters", {}, {}};
    made.table.push_back({"law", "probability", "ln evidence", "by importance", "misfit", "R-hat", "effective draws"});
    for (const auto& l : c.laws)
        made.table.push_back(
            l.problem.empty() ? std::vector<std::string>{l.name, fmt::format("{:.3g}", l.probability),
                                                         fmt::format("{:.2f} +- {:.2f}", l.evidence.bridge.value,
                                                                     l.evidence.bridge.error),
                                                         fmt::format("{:.2f} +- {:.2f}", l.evidence.importance.value,
                                                                     l.evidence.importance.error),
                                                         l.check.misfit ? "yes" : "no", fmt::format("{:.3f}", l.rhat),
                                                         fmt::format("{:.0f}", l.effective)}
                              : std::vector<std::string>{l.name, l.problem, "", "", "", "", ""});
    const auto& best = c.laws.front();
    if (!best.problem.empty()) {
        made.panels.push_back({"no posterior", {"amplitude"}, {c.unit.label()}, {}});
        for (const auto& r : c.records)
            made.panels.back().curves.push_back({r.name, r.data.amplitude, c.unit.of(r.data.omega), {}});
        return made;
    }
    add_bands(made, c, best);
    add_traces(made, best);
    add_pairs(made, c, best);
    return made;
}

std::string text(const Calibration& c) {
    core::Lines out;
    out.print("{}\n{:32} {:>11} {:>18} {:>18} {:>7} {:>7} {:>10}\n", c.title, "law, most probable first", "probability",
              "ln evidence", "by importance", "misfit", "R-hat", "effective");
    for (const auto& l : c.laws) {
        if (!l.problem.empty()) {
            out.print("{:32} {}\n", l.name, l.problem);
            continue;
        }
        out.print("{:32} {:11.3g} {:>18} {:>18} {:>7} {:7.3f} {:10.0f}{}\n", l.name, l.probability,
                  fmt::format("{:.2f} +- {:.2f}", l.evidence.bridge.value, l.evidence.bridge.error),
                  fmt::format("{:.2f} +- {:.2f}", l.evidence.importance.value, l.evidence.importance.error),
                  l.check.misfit ? "yes" : "no", l.rhat, l.effective, l.converged() ? "" : "  not converged");
    }
    for (const auto& l : c.laws) {
        if (!l.problem.empty()) continue;
        out.print("\n{}: {} draws, {} gradients, {} densities ({:.0f} % of independent proposals taken), {:.1f} s{}\n",
                  l.name, l.draws, l.gradients, l.densities, 100 * l.acceptance, l.seconds,
                  l.divergences > 0 ? fmt::format(", {} divergences", l.divergences) : "");
        out.print("  {:18} {:>12} {:>12} {:>12}  {}\n", "", "median", "2.5 %", "97.5 %", "unit");
        for (const auto& p : l.parameters)
            out.print("  {:18} {:12.5g} {:12.5g} {:12.5g}  {}\n", p.key, p.median, p.low, p.high, p.unit);
        if (l.check.misfit)
            out.print(
                "  misfit: residuals are {:.2g} (omega) and {:.2g} (zeta) times what errors explain; no parameters of "
                "this law explain the points\n",
                l.check.omega_ratio, l.check.zeta_ratio);
        for (const auto& b : l.bands)
            if (b.covered)
                out.print("  {}{}: {:.0f} % of the measured values are within the bounds of another test\n", b.name,
                          b.fitted ? "" : ", predicted", 100 * *b.covered);
    }
    return out;
}

}  // namespace faying::study
