#include "faying/study/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/pareto.hpp"
#include "faying/io/json_file.hpp"
#include "ranking.hpp"
#include "stored_result.hpp"

namespace faying::study {

using core::BadInput;
using nlohmann::json;

namespace {

constexpr std::size_t drawn_points = 24;  ///< front points of a variant that keep their backbones

json parsed(const std::string& text, const Store& store) {
    return io::parse_json(text, store.path() + ": a text of the study in it");
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

/// "errors at the measured amplitudes (mode 1: 31, ..)", or at others, by whose choice.
std::string compared_text(const json& modes) {
    std::string counts, kind;
    for (const auto& m : modes) {
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

VariantResult::Status status_of(const json& v) {
    using enum VariantResult::Status;
    return v.at("status") == "finished"  ? finished
           : v.at("status") == "failed"  ? failed
           : v.at("status") == "running" ? running
                                         : not_started;
}

FrontPoint point_of(const json& p) {
    FrontPoint point;
    for (const auto& x : p.at("x")) point.values.push_back(x.is_null() ? std::nan("") : x.get<double>());
    point.residual = p.at("residual").is_null() ? std::nan("") : p.at("residual").get<double>();
    for (const auto& e : p.at("errors"))
        point.errors.push_back(e.is_null() ? std::nullopt : std::optional(fit::Errors{e[0], e[1]}));
    const auto kind = p.at("kind").get<std::string>();
    point.knee = kind.find("knee") != std::string::npos;
    point.utopia = kind.find("utopia") != std::string::npos;
    return point;
}

VariantResult typed_variant(const json& v) {
    VariantResult result;
    result.name = v.at("name").get<std::string>();
    result.law = v.at("law").get<std::string>();
    result.joint = v.at("joint").get<std::string>();
    result.framework = v.at("framework").get<std::string>();
    result.method = v.at("method").get<std::string>();
    for (const auto& p : v.at("parameters")) result.parameters.push_back(p.at("key"));
    result.status = status_of(v);
    result.message = v.value("message", v.at("status").get<std::string>());
    for (const auto& p : v.at("front")) result.front.push_back(point_of(p));
    const auto& c = v.at("counts");
    const auto count = [&](const char* key) { return c.value(key, 0L); };
    result.counts = {count("evaluations"), count("unconverged"), count("failed"),
                     count("tight"),       count("candidates"),  count("certified")};
    return result;
}

ModeResult typed_mode(const json& m) {
    ModeResult mode;
    mode.mode = m.at("mode").get<int>();
    mode.name = m.at("name").get<std::string>();
    mode.fitted = m.at("fitted").get<bool>();
    if (m.contains("variability") && !m["variability"][0].is_null() && !m["variability"][1].is_null()) {
        const fit::Errors e{m["variability"][0], m["variability"][1]};
        mode.variability = fit::Variability{e, e};
    }
    return mode;
}

/// A study as it is kept and shown, and what it means.
struct Document {
    json data;
    std::vector<json> variants;
    StudyResult result;
};

Document document_of(const Store& store) {
    const auto text = store.text(head_key);
    if (!text) throw BadInput(store.path(), "holds no study yet");
    Document d{parsed(*text, store), {}, {}};
    d.result.title = d.data.at("title").get<std::string>();
    d.result.is_virtual = d.data.at("virtual").get<bool>();
    d.result.compared = compared_text(d.data.at("modes"));
    for (const auto& m : d.data.at("modes")) d.result.modes.push_back(typed_mode(m));
    for (const auto& head : d.data.at("variants")) {
        d.variants.push_back(variant_of(head, store));
        d.result.variants.push_back(typed_variant(d.variants.back()));
    }
    const auto& boxes = d.data.at("boxes");
    rank(d.result, {boxes.at("published").get<bool>(), boxes.at("upper").get<std::array<double, 2>>()});
    return d;
}

template <class T>
json or_null(const std::optional<T>& x) {
    return x ? json(*x) : json();
}

/// Areas and ranks, into the document.
void add_ranks(Document& d) {
    for (std::size_t k = 0; k < d.result.modes.size(); ++k) {
        const auto& mode = d.result.modes[k];
        d.data["modes"][k]["box"] = {{"lower", mode.box.lower}, {"upper", mode.box.upper}};
        if (mode.variability_area) d.data["modes"][k]["variability_area"] = *mode.variability_area;
    }
    for (std::size_t i = 0; i < d.variants.size(); ++i) {
        const auto& from = d.result.variants[i];
        auto& to = d.variants[i];
        for (const auto& area : from.area) to["area"].push_back(or_null(area));
        for (const auto& rank : from.ranks) to["ranks"].push_back(or_null(rank));
        to["score"] = or_null(from.score);
        to["rank"] = or_null(from.rank);
    }
}

}  // namespace

StudyResult study_result(const Store& store) { return document_of(store).result; }

json report_data(const Store& store) {
    auto document = document_of(store);
    add_ranks(document);
    auto& report = document.data;
    auto& variants = document.variants;
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
    if (!document.result.compared.empty()) report["compared"] = document.result.compared;
    report["code_versions"] = store.code_versions();
    report["timing"] = {{"wall_seconds", wall}, {"evaluation_seconds", busy}, {"evaluations", evaluations}};
    if (wall > 0) report["timing"]["evaluations_per_second"] = double(evaluations) / wall;
    if (const auto workers = store.text(workers_key)) report["timing"].update(parsed(*workers, store));
    return report;
}

}  // namespace faying::study
