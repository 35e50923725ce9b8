#include "stored_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "faying/fit/pareto.hpp"
#include "faying/io/text_file.hpp"
#include "faying/modes/site_loop.hpp"

namespace faying::study {

namespace {

using nlohmann::json;

json numbers(const std::vector<double>& values) {
    json list = json::array();
    for (const double x : values) list.push_back(std::isfinite(x) ? json(x) : json());
    return list;
}

/// Six digits: for what is only drawn.
json drawn(const std::vector<double>& values, double factor = 1) {
    json list = json::array();
    for (double x : values) {
        x *= factor;
        if (!std::isfinite(x)) {
            list.push_back(nullptr);
            continue;
        }
        list.push_back(std::strtod(fmt::format("{:.6g}", x).c_str(), nullptr));  // std::stod throws for denormals
    }
    return list;
}

constexpr std::size_t most_loops = 2;    ///< that are drawn
constexpr std::size_t most_drawn = 200;  ///< points of a model's backbone; what was measured is drawn whole
constexpr double hertz = 1 / (2 * 3.14159265358979323846);

/// Amplitudes the errors are taken at: the measured ones, or others between them, which then come along.
json compared_of(const Study& study, const Mode& m) {
    if (!study.points) return {{"amplitudes", "measured"}, {"points", m.data.size()}};
    return {{"amplitudes", "log-spaced"},
            {"points", m.data.size()},
            {"amplitude", drawn(m.measured_amplitude)},
            {"frequency", drawn(m.data.omega, hertz)},
            {"damping", drawn(m.data.zeta)}};
}

json mode_of(const Study& study, const Mode& m) {
    const bool modal = study.amplitude == Amplitude::modal;
    json measured = {{"amplitude", drawn(m.measured.amplitude)},
                     {"amplitude_label", modal ? "modal amplitude" : fmt::format("amplitude at {}", study.output)},
                     {"amplitude_unit", modal                                        ? "m √kg"
                                        : study.amplitude == Amplitude::displacement ? "m"
                                                                                     : "m/s²"},
                     {"frequency", drawn(m.measured.omega, hertz)},
                     {"damping", drawn(m.measured.zeta)}};
    if (m.measured.has_bounds()) {
        measured["frequency_low"] = drawn(m.measured.omega_low, hertz);
        measured["frequency_high"] = drawn(m.measured.omega_high, hertz);
        measured["damping_low"] = drawn(m.measured.zeta_low);
        measured["damping_high"] = drawn(m.measured.zeta_high);
    }
    json mode = {{"mode", m.number},     {"name", m.name},   {"fitted", m.fitted},
                 {"measured", measured}, {"zeta0", m.zeta0}, {"compared", compared_of(study, m)}};
    if (const auto v = fit::variability(m.data)) mode["variability"] = numbers({v->upper.frequency, v->upper.damping});
    return mode;
}

json variant_of(const Study& study, const Variant& v) {
    const Method method = study.search_of(v).method;
    json parameters = json::array();
    for (const auto& a : v.axes) {
        const auto label = label_of(v, a.key);
        json p = {{"key", a.key},         {"symbol", label.symbol}, {"unit", label.unit},
                  {"low", a.range.lower}, {"high", a.range.upper},  {"log", a.scale == core::Scale::logarithmic}};
        for (const auto& r : v.published)
            if (r.key == a.key)
                p["published"] =
                    r.logarithmic ? json{std::pow(10.0, r.low), std::pow(10.0, r.high)} : json{r.low, r.high};
        parameters.push_back(p);
    }
    return {{"name", v.name},
            {"title", v.title},
            {"law", v.law},
            {"joint", v.full ? "full" : "whole"},
            {"framework", framework_of(v)},
            {"viscous", v.viscous},
            {"fixed", v.fixed},
            {"method", method == Method::both    ? "both"
                       : method == Method::nsga2 ? "NSGA-II"
                                                 : "boundary intersection"},
            {"parameters", parameters}};
}

/// At most `most_drawn` of the values, the first and the last among them.
std::vector<double> thinned(const std::vector<double>& all) {
    if (all.size() <= most_drawn) return all;
    std::vector<double> some;
    for (std::size_t k = 0; k < most_drawn; ++k) some.push_back(all[k * (all.size() - 1) / (most_drawn - 1)]);
    return some;
}

json backbones_of(const Setup& setup, const std::vector<ModeCurve>& curves) {
    json list = json::array();
    for (std::size_t k = 0; k < setup.modes.size(); ++k) {
        const auto& mode = setup.modes[k];
        const auto omega = thinned(curves.at(k).omega), zeta = thinned(curves.at(k).zeta);
        json converged = json::array();
        for (const double w : omega) converged.push_back(std::isfinite(w));
        list.push_back({{"q", drawn(thinned(mode.data.amplitude))},
                        {"amplitude", drawn(thinned(mode.measured_amplitude))},
                        {"frequency", drawn(omega, hertz)},
                        {"damping", drawn(zeta)},
                        {"converged", converged}});
    }
    return list;
}

/// Where the joint slips or opens.
json slip_map(const std::vector<modes::PlaceState>& places, bool contact) {
    std::vector<double> x, y, area, slip, pressure, gap, miss;
    json status = json::array();
    for (const auto& place : places) {
        x.push_back(place.at.x());
        y.push_back(place.at.y());
        area.push_back(place.area);
        slip.push_back(place.state.slip);
        pressure.push_back(place.state.pressure);
        gap.push_back(place.state.gap);
        miss.push_back(place.state.loop_closed() ? 0.0 : place.state.closure_error);
        status.push_back(modes::name(place.state.status));
    }
    json map = {{"x", drawn(x)},       {"y", drawn(y)},    {"area", drawn(area)},
                {"slip", drawn(slip)}, {"status", status}, {"closure_error", drawn(miss)}};
    if (contact) map["pressure"] = drawn(pressure);
    if (contact) map["gap"] = drawn(gap);
    return map;
}

/// Loops of the sites that dissipate most at the largest amplitude, and what every place of the joint does there.
void add_joint(json& point, const Study& study, const Problem& problem, const std::vector<double>& values) {
    const auto& measured = study.setup.modes;
    const auto& mode = *std::find_if(measured.begin(), measured.end(), [](const Mode& m) { return m.fitted; });
    const auto top = problem.backbone(values, mode).back();
    if (!top.converged) return;
    const auto model = problem.model(values, mode);
    const auto options = problem.tight_options();
    const auto& joint = model.joints.front();
    const double amplitude = mode.measured_amplitude.back();
    const auto sites = modes::busiest_sites(model, top, 0);
    for (std::size_t k = 0; k < std::min(most_loops, sites.size()); ++k) {
        const auto& [site, component, lost] = sites[k];
        const auto loop = modes::site_loop(model, top, options, 0, site, component);
        point["loops"].push_back({{"joint", structure::site_name(joint, site, component) + modes::closing_note(loop)},
                                  {"mode", mode.number},
                                  {"amplitude", amplitude},
                                  {"u", drawn(loop.u)},
                                  {"f", drawn(loop.f)},
                                  {"closure_error", loop.closed() ? 0.0 : loop.closure_error},
                                  {"u_unit", "m"},
                                  {"f_unit", "N"}});
    }
    if (!modes::has_places(joint)) return;
    point["slip"] = slip_map(modes::place_states(model, top, options, 0), joint.components() == 3);
    point["slip"]["mode"] = mode.number;
    point["slip"]["amplitude"] = amplitude;
}

/// How much each parameter can still be told apart from the others at a point: the part of its sensitivity (of all
/// relative errors, over its whole range) that no combination of the others has, over the largest sensitivity.
std::vector<double> sensitivities(const Study& study, const Problem& problem, const std::vector<double>& values) {
    Eigen::MatrixXd all(0, Eigen::Index(problem.space().size()));
    for (const auto& mode : study.setup.modes) {
        if (!mode.fitted) continue;
        const auto points = problem.backbone(values, mode, true);
        if (points.front().derivatives.empty()) return {};
        for (const auto& p : points)
            if (!p.converged) return {};
        const auto model = problem.prediction(points, values);
        const auto n = model.omega.size();
        Eigen::MatrixXd more(all.rows() + 2 * n, all.cols());
        more.topRows(all.rows()) = all;
        for (Eigen::Index i = 0; i < n; ++i) {
            more.row(all.rows() + i) = model.omega_slopes.row(i) / mode.data.omega[std::size_t(i)];
            more.row(all.rows() + n + i) =
                model.zeta_slopes.row(i) / (model.zeta(i) * std::abs(std::log(mode.data.zeta[std::size_t(i)])));
        }
        all = more;
    }
    const auto slopes = problem.space().slopes(problem.space().coordinates(values));
    for (Eigen::Index i = 0; i < all.cols(); ++i) all.col(i) *= slopes[std::size_t(i)];
    const double largest = all.colwise().norm().maxCoeff();
    std::vector<double> own;
    for (Eigen::Index i = 0; i < all.cols(); ++i) {
        Eigen::MatrixXd others(all.rows(), all.cols() - 1);
        others << all.leftCols(i), all.rightCols(all.cols() - i - 1);
        const Eigen::VectorXd column = all.col(i);
        const Eigen::VectorXd left =
            others.cols() ? Eigen::VectorXd(column - others * others.completeOrthogonalDecomposition().solve(column))
                          : column;
        own.push_back(largest > 0 ? left.norm() / largest : 0);
    }
    return own;
}

}  // namespace

fit::Errors errors_of(const Mode& mode, const ModeCurve& curve) {
    const auto vector = [](const std::vector<double>& x) {
        return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())));
    };
    const fit::Prediction model{vector(curve.omega), vector(curve.zeta)};
    if (!model.omega.allFinite() || !model.zeta.allFinite()) return {std::nan(""), std::nan("")};
    return fit::errors(mode.data, model);
}

json head_of(const Study& study, const std::string& code_version, const std::string& command) {
    json head = {{"format", 1},
                 {"title", study.title},
                 {"virtual", study.is_virtual},
                 {"seed", study.search.seed},
                 {"code_version", code_version},
                 {"command", io::valid_utf8(command)},
                 {"boxes", {{"published", study.boxes.published}, {"upper", study.boxes.upper}}}};
    for (const auto& input : study.inputs) head["inputs"].push_back({{"name", input.name}, {"text", input.text}});
    for (const auto& mode : study.setup.modes) head["modes"].push_back(mode_of(study, mode));
    for (const auto& v : study.variants) head["variants"].push_back(variant_of(study, v));
    for (const auto& note : study.notes) head["notes"].push_back(note);
    return head;
}

json result_of(const Study& study, const Problem& problem, const SearchRecord& search, EvaluationLog& evaluation_log) {
    json result = {
        {"seconds", search.seconds},
        {"methods", search.methods},
        {"convergence", {{"evaluations", search.history_evaluations}, {"area", numbers(search.history_area)}}},
        {"front_counts",
         {{"candidates", search.front.candidates},
          {"certified", search.front.candidates - search.front.not_converged},
          {"not_converged", search.front.not_converged},
          {"corrected", search.front.corrected}}},
        {"front", json::array()}};
    const auto& points = search.front.points;
    if (points.empty()) return result;
    std::vector<fit::Point> objectives;
    for (const auto& p : points) objectives.push_back(p.evaluation.objectives);
    const std::size_t knee = fit::knee(objectives), utopia = fit::nearest_to_utopia(objectives);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto outcome = evaluation_log.evaluate(Phase::tight, points[i].values);
        json point = {{"x", points[i].values}, {"residual", outcome.evaluation.residual}};
        for (std::size_t k = 0; k < study.setup.modes.size(); ++k) {
            const auto e = errors_of(study.setup.modes[k], outcome.curves.at(k));
            point["errors"].push_back(std::isfinite(e.frequency) ? json{e.frequency, e.damping} : json());
        }
        std::string kind;
        if (i == knee) kind = "knee";
        if (i == utopia) kind += kind.empty() ? "utopia" : " utopia";
        point["kind"] = kind.empty() ? "front" : kind;
        point["backbones"] = backbones_of(study.setup, outcome.curves);
        if (i == knee || i == utopia || i == 0 || i + 1 == points.size())
            add_joint(point, study, problem, points[i].values);
        result["front"].push_back(std::move(point));
    }
    result["sensitivity"] = numbers(sensitivities(study, problem, points[knee].values));
    return result;
}

}  // namespace faying::study
