#include "faying/fit/pareto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <pagmo/utils/hypervolume.hpp>
#include <pagmo/utils/multi_objective.hpp>

#include "faying/core/parameter.hpp"

namespace faying::fit {

namespace {

bool finite(const Point& p) {
    return std::all_of(p.begin(), p.end(), [](double x) { return std::isfinite(x); });
}

std::vector<Point> picked(const std::vector<Point>& points, const std::vector<std::size_t>& which) {
    std::vector<Point> some;
    for (const std::size_t i : which) some.push_back(points[i]);
    return some;
}

std::vector<Point> sorted_front(const std::vector<Point>& points) { return picked(points, front_of(points)); }

/// Int from a to b of clamp(y, low, high), y straight from (x0, y0) to (x1, y1).
double clamped_area(double x0, double y0, double x1, double y1, double a, double b, double low, double high) {
    a = std::max(a, x0);
    b = std::min(b, x1);
    if (!(a < b)) return 0;
    const auto y = [&](double x) { return y0 + (y1 - y0) * ((x - x0) / (x1 - x0)); };
    // Cut where the line crosses either limit; between the cuts the clamped line is straight.
    std::array<double, 4> cuts{a, a, b, b};
    if (y0 != y1) {
        const auto crossing = [&](double level) {
            return std::clamp(x0 + (x1 - x0) * ((level - y0) / (y1 - y0)), a, b);
        };
        cuts[1] = std::min(crossing(low), crossing(high));
        cuts[2] = std::max(crossing(low), crossing(high));
    }
    double area = 0;
    for (int k = 0; k < 3; ++k) area += (cuts[k + 1] - cuts[k]) * std::clamp(y((cuts[k] + cuts[k + 1]) / 2), low, high);
    return area;
}

/// Each objective over the front's extent: 0 at the best, 1 at the worst.
std::vector<std::array<double, 2>> scaled(const std::vector<Point>& front) {
    std::array<double, 2> best, worst;
    for (int j = 0; j < 2; ++j) {
        const auto less = [&](const Point& a, const Point& b) { return a[j] < b[j]; };
        best[j] = (*std::min_element(front.begin(), front.end(), less))[j];
        worst[j] = (*std::max_element(front.begin(), front.end(), less))[j];
    }
    std::vector<std::array<double, 2>> out;
    for (const auto& p : front) {
        out.emplace_back();
        for (int j = 0; j < 2; ++j) out.back()[j] = worst[j] > best[j] ? (p[j] - best[j]) / (worst[j] - best[j]) : 0;
    }
    return out;
}

void require_pairs(const std::vector<Point>& front) {
    for (const auto& p : front)
        if (p.size() != 2) throw std::invalid_argument("two objectives are needed here");
}

}  // namespace

bool dominates(const Point& x, const Point& y) { return pagmo::pareto_dominance(x, y); }

std::vector<std::vector<std::size_t>> non_dominated_sort(const std::vector<Point>& points) {
    if (points.empty()) return {};
    if (points.size() == 1) return {{0}};
    const auto sorted = pagmo::fast_non_dominated_sorting(points);
    std::vector<std::vector<std::size_t>> fronts;
    for (const auto& front : std::get<0>(sorted)) {
        fronts.emplace_back(front.begin(), front.end());
        std::sort(fronts.back().begin(), fronts.back().end());
    }
    return fronts;
}

std::vector<std::size_t> front_of(const std::vector<Point>& points) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (finite(points[i])) order.push_back(i);
    // In lexicographic order nobody dominates one that came before.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
    std::vector<std::size_t> front;
    const bool pairs = !points.empty() && points.front().size() == 2;
    for (const std::size_t i : order) {
        const auto beaten = [&](std::size_t j) { return points[j] == points[i] || dominates(points[j], points[i]); };
        // With two objectives the last one kept has the least second objective so far.
        const auto from = pairs && !front.empty() ? front.end() - 1 : front.begin();
        if (std::none_of(from, front.end(), beaten)) front.push_back(i);
    }
    return front;
}

std::vector<Candidate> merged_front(const std::vector<Candidate>& candidates) {
    std::vector<Point> points;
    std::vector<const Candidate*> usable;
    for (const auto& c : candidates) {
        if (!c.evaluation.usable()) continue;
        usable.push_back(&c);
        points.push_back(c.evaluation.objectives);
    }
    std::vector<Candidate> front;
    for (const std::size_t i : front_of(points)) front.push_back(*usable[i]);
    return front;
}

void Box::check() const {
    for (int j = 0; j < 2; ++j)
        if (!std::isfinite(lower[j]) || !std::isfinite(upper[j]) || !(lower[j] < upper[j]))
            throw core::BadInput("box", fmt::format("({:g}, {:g}) to ({:g}, {:g}) must be finite with lower < upper",
                                                    lower[0], lower[1], upper[0], upper[1]));
}

Box published_box(int mode) {
    switch (mode) {
        case 1: return {{7.12e-4, 1.98e-2}, {0.17, 0.5}};
        case 2: return {{6.62e-4, 2.20e-2}, {0.17, 0.5}};
        case 3: return {{3.36e-4, 1.89e-2}, {0.17, 0.5}};
    }
    throw core::BadInput("published box", fmt::format("mode {}: [S0] Table 4 has modes 1, 2, 3", mode));
}

Box box_of(const std::vector<std::vector<Point>>& fronts, const std::optional<Variability>& variability,
           std::array<double, 2> upper) {
    Box box{{core::infinity, core::infinity}, upper};
    const auto take = [&](double frequency, double damping) {
        if (std::isfinite(frequency)) box.lower[0] = std::min(box.lower[0], frequency);
        if (std::isfinite(damping)) box.lower[1] = std::min(box.lower[1], damping);
    };
    for (const auto& front : fronts)
        for (const auto& p : front) take(p.at(0), p.at(1));
    if (variability) {
        take(variability->upper.frequency, variability->upper.damping);
        take(variability->lower.frequency, variability->lower.damping);
    }
    box.check();
    return box;
}

double model_form_error(const std::vector<Point>& points, const Box& box) {
    box.check();
    require_pairs(points);
    const auto front = sorted_front(points);
    if (front.empty()) return 1;
    const double left = box.lower[0], bottom = box.lower[1], right = box.upper[0], top = box.upper[1];
    // Left of the first point nothing is dominated; beyond the last, what is above it.
    double area = (std::clamp(front.front()[0], left, right) - left) * (top - bottom);
    const auto add = [&](const Point& p, double x1, double y1) {
        area += clamped_area(p[0], p[1], x1, y1, left, right, bottom, top) -
                bottom * std::max(0.0, std::min(x1, right) - std::max(p[0], left));
    };
    for (std::size_t i = 0; i + 1 < front.size(); ++i) add(front[i], front[i + 1][0], front[i + 1][1]);
    add(front.back(), std::max(right, front.back()[0]), front.back()[1]);
    return area / ((right - left) * (top - bottom));
}

double undominated_share(const std::vector<Point>& points, const Box& box) {
    box.check();
    require_pairs(points);
    std::vector<Point> inside;
    for (const auto& p : sorted_front(points)) {
        if (p[0] >= box.upper[0] || p[1] >= box.upper[1]) continue;
        inside.push_back({std::max(p[0], box.lower[0]), std::max(p[1], box.lower[1])});
    }
    if (inside.empty()) return 1;
    inside = sorted_front(inside);
    const double dominated = pagmo::hypervolume(inside).compute({box.upper[0], box.upper[1]});
    return 1 - dominated / ((box.upper[0] - box.lower[0]) * (box.upper[1] - box.lower[1]));
}

std::size_t nearest_to_utopia(const std::vector<Point>& front) {
    if (front.empty()) throw std::invalid_argument("nearest_to_utopia: an empty front");
    require_pairs(front);
    const auto s = scaled(front);
    const auto distance = [](const std::array<double, 2>& p) { return std::hypot(p[0], p[1]); };
    return std::size_t(
        std::min_element(s.begin(), s.end(), [&](const auto& a, const auto& b) { return distance(a) < distance(b); }) -
        s.begin());
}

std::size_t knee(const std::vector<Point>& front) {
    if (front.empty()) throw std::invalid_argument("knee: an empty front");
    require_pairs(front);
    const auto s = scaled(front);
    // The ends are (0, 1) and (1, 0): the depth below their line is 1 - x - y, up to a factor.
    std::size_t deepest = 0;
    for (std::size_t i = 1; i < s.size(); ++i)
        if (s[i][0] + s[i][1] < s[deepest][0] + s[deepest][1]) deepest = i;
    return s[deepest][0] + s[deepest][1] < 1 - 1e-9 ? deepest : nearest_to_utopia(front);
}

}  // namespace faying::fit
