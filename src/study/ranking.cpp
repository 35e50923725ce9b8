#include "ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/lines.hpp"

namespace faying::study {

namespace {

/// (f_w, f_z) of a front in one mode.
std::vector<fit::Point> front_in_mode(const VariantResult& variant, std::size_t mode) {
    std::vector<fit::Point> points;
    for (const auto& p : variant.front)
        if (const auto& e = p.errors[mode]) points.push_back({e->frequency, e->damping});
    return points;
}

fit::Box box_of_mode(const StudyResult& result, const Boxes& boxes, std::size_t k) {
    const auto& mode = result.modes[k];
    const auto& upper = boxes.upper;
    if (boxes.published) {
        auto box = fit::published_box(mode.mode);
        box.upper = upper;
        return box;
    }
    std::vector<std::vector<fit::Point>> fronts;
    for (const auto& v : result.variants) fronts.push_back(front_in_mode(v, k));
    const bool any = std::any_of(fronts.begin(), fronts.end(), [](const auto& f) { return !f.empty(); });
    if (!any && !mode.variability) return {{0, 0}, upper};
    // A front may lie beyond the box altogether: its corner then stays at zero.
    double least[2] = {core::infinity, core::infinity};
    for (const auto& f : fronts)
        for (const auto& p : f)
            for (int j = 0; j < 2; ++j) least[j] = std::min(least[j], p[std::size_t(j)]);
    if (const auto& v = mode.variability) {
        least[0] = std::min(least[0], v->upper.frequency);
        least[1] = std::min(least[1], v->upper.damping);
    }
    if (least[0] >= upper[0] || least[1] >= upper[1]) return {{0, 0}, upper};
    return fit::box_of(fronts, mode.variability, upper);
}

/// Ranks 1, 2, .. by ascending value; missing values have none.
std::vector<std::optional<int>> ranks_of(const std::vector<std::optional<double>>& values) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return *values[a] < *values[b]; });
    std::vector<std::optional<int>> ranks(values.size());
    for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = int(k) + 1;
    return ranks;
}

/// The area in one mode of every finished variant.
std::vector<std::optional<double>> areas_of(const StudyResult& result, std::size_t k) {
    std::vector<std::optional<double>> areas;
    for (const auto& v : result.variants) {
        areas.emplace_back();
        if (v.status != VariantResult::Status::finished) continue;
        const double area = fit::model_form_error(front_in_mode(v, k), result.modes[k].box);
        if (std::isfinite(area)) areas.back() = area;
    }
    return areas;
}

std::string title_of(const StudyResult& result) {
    return result.title + (result.is_virtual ? " (virtual experiment)" : "");
}

}  // namespace

void rank(StudyResult& result, const Boxes& boxes) {
    auto& variants = result.variants;
    const bool predicts =
        std::any_of(result.modes.begin(), result.modes.end(), [](const auto& m) { return !m.fitted; });
    std::vector<std::optional<double>> scores(variants.size(), 0.0);
    double counted = 0;
    for (std::size_t k = 0; k < result.modes.size(); ++k) {
        auto& mode = result.modes[k];
        mode.box = box_of_mode(result, boxes, k);
        if (const auto& v = mode.variability)
            mode.variability_area = fit::model_form_error({{v->upper.frequency, v->upper.damping}}, mode.box);
        const auto areas = areas_of(result, k);
        const auto ranks = ranks_of(areas);
        const bool counts = !predicts || !mode.fitted;
        counted += counts;
        for (std::size_t i = 0; i < variants.size(); ++i) {
            variants[i].area.push_back(areas[i]);
            variants[i].ranks.push_back(ranks[i]);
            if (!counts || !scores[i]) continue;
            if (areas[i])
                *scores[i] += *areas[i];
            else
                scores[i].reset();
        }
    }
    for (auto& score : scores)
        if (score) *score /= counted;
    const auto ranks = ranks_of(scores);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        variants[i].score = scores[i];
        variants[i].rank = ranks[i];
    }
}

std::vector<const VariantResult*> StudyResult::ranked() const {
    std::vector<const VariantResult*> order;
    for (const auto& v : variants)
        if (v.rank) order.push_back(&v);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return *a->rank < *b->rank; });
    return order;
}

bool StudyResult::any_front() const {
    return std::any_of(variants.begin(), variants.end(), [](const auto& v) { return !v.front.empty(); });
}

std::string ranking_text(const StudyResult& result) {
    core::Lines out;
    out.print("{}\n{:>4}  {:34} {:>8}", title_of(result), "rank", "variant", "score");
    for (const auto& m : result.modes) out.print(" {:>9}", fmt::format("mode {}{}", m.mode, m.fitted ? "*" : ""));
    out.print(" {:>7} {:>11} {:>12}\n", "points", "evaluations", "unconverged");
    for (const auto* v : result.ranked()) {
        out.print("{:4}  {:34} {:8.4f}", *v->rank, v->name, *v->score);
        for (const auto& a : v->area) out.print(" {:9.4f}", *a);
        out.print(" {:7} {:11} {:12}\n", v->front.size(), v->counts.evaluations,
                  v->counts.unconverged + v->counts.failed);
    }
    for (const auto& v : result.variants)
        if (v.status != VariantResult::Status::finished) out.print("      {:34} {}\n", v.name, v.message);
    out.print("area not dominated within the box of each mode ([S0] 3.7); * fitted, the others predicted\n");
    return out;
}

std::string front_text(const StudyResult& result) {
    const auto& v = result.variants.front();
    core::Lines out;
    out.print("{}: {} ({} joint, {}), {}\n", title_of(result), v.name, v.joint, v.framework, v.method);
    for (const auto& key : v.parameters) out.print("{:>13}", key);
    for (const auto& m : result.modes)
        for (const char* what : {"f_w", "f_z"}) out.print("{:>11}", fmt::format("{} {}", what, m.mode));
    out.print("\n");
    for (const auto& point : v.front) {
        for (const double x : point.values) out.print("{:13.6g}", x);
        for (const auto& e : point.errors)
            for (const auto member : {&fit::Errors::frequency, &fit::Errors::damping})
                out.print("{:>11}", e ? fmt::format("{:.3e}", (*e).*member) : "-");
        out.print("  {}{}{}\n", point.knee ? "knee" : "", point.knee && point.utopia ? " " : "",
                  point.utopia ? "utopia" : "");
    }
    out.print("{} evaluations, {} unconverged; {} of {} front points certified\n", v.counts.evaluations,
              v.counts.unconverged + v.counts.failed, v.counts.certified, v.counts.candidates);
    return out;
}

}  // namespace faying::study
