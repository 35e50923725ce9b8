#include "faying/study/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/pareto.hpp"
#include "faying/io/json_file.hpp"
#include "result.hpp"

namespace faying::study {

using core::BadInput;
using nlohmann::json;

namespace {

constexpr std::size_t drawn_points = 24;  ///< front points of a variant that keep their backbones

json parsed(const std::string& text, const Store& store) {
    return io::parse_json(text, store.path() + ": a text of the study in it");
}

/// (f_w, f_z) of a front in one mode.
std::vector<fit::Point> points_of(const json& variant, std::size_t mode) {
    std::vector<fit::Point> points;
    if (!variant.contains("front")) return points;
    for (const auto& p : variant.at("front"))
        if (!p.at("errors")[mode].is_null()) points.push_back(p.at("errors")[mode].get<fit::Point>());
    return points;
}

std::optional<fit::Variability> variability_of(const json& mode) {
    if (!mode.contains("variability") || mode["variability"][0].is_null() || mode["variability"][1].is_null())
        return {};
    const fit::Errors e{mode["variability"][0], mode["variability"][1]};
    return fit::Variability{e, e};
}

fit::Box box_of_mode(const json& head, const std::vector<json>& variants, std::size_t k) {
    const auto& mode = head.at("modes")[k];
    const auto upper = head.at("boxes").at("upper").get<std::array<double, 2>>();
    if (head.at("boxes").at("published").get<bool>()) {
        auto box = fit::published_box(mode.at("mode").get<int>());
        box.upper = upper;
        return box;
    }
    std::vector<std::vector<fit::Point>> fronts;
    for (const auto& v : variants) fronts.push_back(points_of(v, k));
    const bool any = std::any_of(fronts.begin(), fronts.end(), [](const auto& f) { return !f.empty(); });
    if (!any && !variability_of(mode)) return {{0, 0}, upper};
    // A front may lie beyond the box altogether: its corner then stays at zero.
    double least[2] = {core::infinity, core::infinity};
    for (const auto& f : fronts)
        for (const auto& p : f)
            for (int j = 0; j < 2; ++j) least[j] = std::min(least[j], p[std::size_t(j)]);
    if (const auto v = variability_of(mode)) {
        least[0] = std::min(least[0], v->upper.frequency);
        least[1] = std::min(least[1], v->upper.damping);
    }
    if (least[0] >= upper[0] || least[1] >= upper[1]) return {{0, 0}, upper};
    return fit::box_of(fronts, variability_of(mode), upper);
}

/// Backbones of points between those that are drawn are left out; the chosen ones keep theirs.
void thin(json& front) {
    const std::size_t n = front.size();
    for (std::size_t i = 0; i < n; ++i) {
        const bool chosen = front[i].at("kind") != "front" || i == 0 || i + 1 == n;
        const bool evenly = n <= drawn_points || (i * drawn_points) / n != ((i + 1) * drawn_points) / n;
        if (!chosen && !evenly) front[i].erase("backbones");
    }
}

void add_counts(json& v, const json& result, const Store& store) {
    const std::string name = v.at("name");
    const auto search = store.counts(name, "search"), gradient = store.counts(name, "gradient"),
               tight = store.counts(name, "tight");
    const long all = search.evaluations + gradient.evaluations;
    v["counts"] = {{"evaluations", all},
                   {"unconverged", search.not_converged + gradient.not_converged},
                   {"failed", search.failed + gradient.failed},
                   {"tight", tight.evaluations}};
    v["evaluation_seconds"] = search.seconds + gradient.seconds + tight.seconds;
    if (search.evaluations > 0)
        v["seconds_per_backbone"] = search.seconds / double(search.evaluations);
    else if (all > 0)
        v["seconds_per_backbone"] = gradient.seconds / double(all);
    if (!result.is_object()) return;
    const auto& front = result.at("front_counts");
    v["counts"]["candidates"] = front.at("candidates");
    v["counts"]["certified"] = front.at("certified");
    v["counts"]["not_certified"] = front.at("not_converged");
    v["counts"]["corrected"] = front.value("corrected", 0);  // older stores have none
}

json variant_of(const json& head, const Store& store) {
    json v = head;
    const auto text = store.text(result_key(v.at("name")));
    const json result = text ? parsed(*text, store) : json();
    add_counts(v, result, store);
    const bool begun = v["counts"]["evaluations"].get<long>() > 0;
    v["status"] = result.is_object() ? "finished" : begun ? "running" : "not started";
    v["front"] = json::array();
    if (!result.is_object()) return v;
    for (const char* key : {"seconds", "methods", "convergence", "front"}) v[key] = result.at(key);
    if (v["front"].empty()) {
        v["status"] = "failed";
        v["message"] = "no parameter set converged";
    }
    const auto& sensitivity = result.contains("sensitivity") ? result["sensitivity"] : json::array();
    for (std::size_t i = 0; i < sensitivity.size(); ++i) v["parameters"][i]["sensitivity"] = sensitivity[i];
    for (auto& p : v["front"])
        for (const char* kind : {"knee", "utopia"})
            if (p.at("kind").get<std::string>().find(kind) != std::string::npos)
                p["model"] = fmt::format("{}-{}.toml", v.at("name").get<std::string>(), kind);
    return v;
}

/// Ranks 1, 2, .. by ascending value; missing values have none.
std::vector<json> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i])) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
    std::vector<json> ranks(values.size());
    for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = k + 1;
    return ranks;
}

/// The area measure of every mode, and the mean of the predicted ones ([S0] Table 9).
void rank(json& report, std::vector<json>& variants) {
    auto& modes = report["modes"];
    std::vector<double> scores(variants.size(), 0.0), weight(variants.size(), 0.0);
    const bool predicts =
        std::any_of(modes.begin(), modes.end(), [](const json& m) { return !m.at("fitted").get<bool>(); });
    for (std::size_t k = 0; k < modes.size(); ++k) {
        const auto box = box_of_mode(report, variants, k);
        modes[k]["box"] = {{"lower", box.lower}, {"upper", box.upper}};
        if (const auto v = variability_of(modes[k]))
            modes[k]["variability_area"] = fit::model_form_error({{v->upper.frequency, v->upper.damping}}, box);
        std::vector<double> areas;
        for (auto& v : variants) {
            const bool there = v.at("status") == "finished";
            areas.push_back(there ? fit::model_form_error(points_of(v, k), box) : std::nan(""));
            v["area"].push_back(there ? json(areas.back()) : json());
        }
        const auto ranks = ranks_of(areas);
        for (std::size_t i = 0; i < variants.size(); ++i) {
            variants[i]["ranks"].push_back(ranks[i]);
            if (predicts && modes[k].at("fitted").get<bool>()) continue;
            scores[i] += areas[i];
            weight[i] += 1;
        }
    }
    for (std::size_t i = 0; i < variants.size(); ++i) scores[i] /= weight[i];
    const auto ranks = ranks_of(scores);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        variants[i]["score"] = std::isfinite(scores[i]) ? json(scores[i]) : json();
        variants[i]["rank"] = ranks[i];
    }
}

}  // namespace

json report_data(const Store& store) {
    const auto text = store.text(head_key);
    if (!text) throw BadInput(store.path(), "holds no study yet");
    json report = parsed(*text, store);
    std::vector<json> variants;
    for (const auto& head : report.at("variants")) variants.push_back(variant_of(head, store));
    rank(report, variants);
    double wall = 0, busy = 0;
    long evaluations = 0;
    bool complete = true;
    for (auto& v : variants) {
        complete = complete && (v["status"] == "finished" || v["status"] == "failed");
        wall += v.value("seconds", 0.0);
        busy += v["evaluation_seconds"].get<double>();
        evaluations += v["counts"]["evaluations"].get<long>();
        thin(v["front"]);
    }
    report["complete"] = complete;
    report["box_source"] = report["boxes"]["published"].get<bool>() ? "[S0] Table 4" : "data";
    report["variants"] = variants;
    if (auto text = compared_text(report); !text.empty()) report["compared"] = std::move(text);
    report["code_versions"] = store.code_versions();
    report["timing"] = {{"wall_seconds", wall}, {"evaluation_seconds", busy}, {"evaluations", evaluations}};
    if (wall > 0) report["timing"]["evaluations_per_second"] = double(evaluations) / wall;
    if (const auto crew = store.text("crew")) report["timing"].update(parsed(*crew, store));
    return report;
}

std::string compared_text(const json& report) {
    std::string counts, kind;
    for (const auto& m : report.at("modes")) {
        if (!m.contains("compared")) return "";  // older stores do not say
        kind = m.at("compared").at("amplitudes");
        counts += fmt::format("{}mode {}: {}", counts.empty() ? "" : ", ", m.at("mode").get<int>(),
                              m.at("compared").at("points").get<int>());
    }
    if (kind == "measured") return fmt::format("errors at the measured amplitudes ({})", counts);
    return fmt::format(
        "errors at log-spaced amplitudes, interpolated between the measured points, as points in [measurement] asks "
        "({})",
        counts);
}

std::vector<std::string> ranking(const json& report) {
    std::map<int, std::string> by_rank;
    for (const auto& v : report.at("variants"))
        if (!v.at("rank").is_null()) by_rank[v.at("rank").get<int>()] = v.at("name");
    std::vector<std::string> names;
    for (auto& [rank, name] : by_rank) names.push_back(std::move(name));
    return names;
}

}  // namespace faying::study
