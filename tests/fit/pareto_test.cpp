#include "faying/fit/pareto.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "faying/core/error.hpp"
#include "fit/problems.hpp"

namespace {

using namespace faying;
using fit::Box;
using fit::Point;

const Box unit{{0, 0}, {1, 1}};

/// Points on a coarse grid, so that ties and equal points occur.
std::vector<Point> cloud(std::size_t count, std::size_t objectives, unsigned seed, int grid = 12) {
    std::mt19937 random(seed);
    std::vector<Point> points(count, Point(objectives));
    for (auto& p : points)
        for (auto& x : p) x = double(random() % unsigned(grid + 1)) / grid;
    return points;
}

TEST(Pareto, FrontIsWhatNobodyDominates) {
    for (const std::size_t objectives : {2u, 3u})
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const auto points = cloud(50, objectives, seed);
            const auto front = fit::front_of(points);
            std::vector<std::size_t> expected;
            for (std::size_t i = 0; i < points.size(); ++i) {
                bool kept = true;
                for (std::size_t j = 0; j < points.size(); ++j)
                    kept = kept && !fit::dominates(points[j], points[i]) && !(j < i && points[j] == points[i]);
                if (kept) expected.push_back(i);
            }
            auto sorted = front;
            std::sort(sorted.begin(), sorted.end());
            EXPECT_EQ(sorted, expected);
            EXPECT_TRUE(std::is_sorted(front.begin(), front.end(),
                                       [&](auto a, auto b) { return points[a][0] < points[b][0]; }));
        }
}

TEST(Pareto, SortingPeelsFronts) {
    auto points = cloud(60, 2, 3);
    const auto fronts = fit::non_dominated_sort(points);
    std::size_t sum = 0;
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        sum += fronts[f].size();
        for (const auto i : fronts[f]) {
            for (const auto j : fronts[f]) EXPECT_FALSE(fit::dominates(points[j], points[i]));
            if (f == 0) continue;
            EXPECT_TRUE(std::any_of(fronts[f - 1].begin(), fronts[f - 1].end(),
                                    [&](auto j) { return fit::dominates(points[j], points[i]); }));
        }
    }
    EXPECT_EQ(sum, points.size());
    EXPECT_TRUE(fit::non_dominated_sort({}).empty());
    EXPECT_EQ(fit::non_dominated_sort({{1, 2}}).size(), 1u);
}

TEST(Pareto, MergingIsCommutativeAndIdempotent) {
    const auto candidates = [](const std::vector<Point>& points) {
        std::vector<fit::Candidate> all;
        for (const auto& p : points) all.push_back({p, {.objectives = p}});
        return all;
    };
    const auto a = candidates(cloud(40, 2, 1)), b = candidates(cloud(40, 2, 2));
    auto ab = a, ba = b;
    ab.insert(ab.end(), b.begin(), b.end());
    ba.insert(ba.end(), a.begin(), a.end());
    const auto front = fit::merged_front(ab);
    EXPECT_EQ(tests::objectives_of(front), tests::objectives_of(fit::merged_front(ba)));
    EXPECT_EQ(tests::objectives_of(front), tests::objectives_of(fit::merged_front(front)));
    auto parts = fit::merged_front(a);
    const auto of_b = fit::merged_front(b);
    parts.insert(parts.end(), of_b.begin(), of_b.end());
    EXPECT_EQ(tests::objectives_of(front), tests::objectives_of(fit::merged_front(parts)));
}

TEST(Pareto, UnconvergedNeverReachesAFront) {
    std::vector<fit::Candidate> all{{{1}, {.objectives = {1, 1}}},
                                    {{2}, {.objectives = {0, 0}, .status = fit::Status::not_converged}},
                                    {{3}, {.objectives = {std::nan(""), 0}}},
                                    {{4}, {.objectives = {}, .status = fit::Status::failed}}};
    const auto front = fit::merged_front(all);
    ASSERT_EQ(front.size(), 1u);
    EXPECT_EQ(front[0].values, std::vector<double>{1});
}

TEST(ModelFormError, SimpleShapes) {
    EXPECT_EQ(fit::model_form_error({}, unit), 1);
    EXPECT_NEAR(fit::model_form_error({{0, 0}}, unit), 0, 1e-15);
    EXPECT_NEAR(fit::model_form_error({{0.25, 0.5}}, unit), 0.25 + 0.75 * 0.5, 1e-15);  // an L
    EXPECT_NEAR(fit::model_form_error({{0, 1}, {1, 0}}, unit), 0.5, 1e-15);             // the diagonal
    EXPECT_NEAR(fit::model_form_error({{0.5, 0.5}, {0.6, 0.7}}, unit), 0.75, 1e-15);    // a dominated point
    EXPECT_NEAR(fit::model_form_error({{0.2, 0.8}, {0.6, 0.2}}, unit), 0.2 + 0.2 + 0.08, 1e-15);
}

TEST(ModelFormError, CutsAtTheBox) {
    EXPECT_EQ(fit::model_form_error({{1.5, 0.2}}, unit), 1);
    EXPECT_EQ(fit::model_form_error({{0.2, 1.5}}, unit), 1);
    EXPECT_NEAR(fit::model_form_error({{-1, -1}}, unit), 0, 1e-15);
    // From (-1, 2) to (2, -1): the diagonal, which leaves by both sides.
    EXPECT_NEAR(fit::model_form_error({{-1, 2}, {2, -1}}, unit), 0.5, 1e-15);
    // Steep: above the top until x = 0.25, below the bottom from x = 0.75.
    EXPECT_NEAR(fit::model_form_error({{0, 1.5}, {1, -0.5}}, unit), 0.5, 1e-15);
    EXPECT_NEAR(fit::model_form_error({{0.5, 0.5}, {1.5, 0}}, unit), 0.5 + 0.5 * 0.375, 1e-15);
    // The same clipping by a million-fold fine sum of the clamped curve.
    for (unsigned seed = 1; seed < 20; ++seed) {
        auto points = cloud(6, 2, seed, 97);
        for (auto& p : points)
            for (auto& x : p) x = 3 * x - 1;
        std::vector<Point> front;
        for (const auto i : fit::front_of(points)) front.push_back(points[i]);
        const int n = 100000;
        double sum = 0;
        for (int k = 0; k < n; ++k) {
            const double x = (k + 0.5) / n;
            double y = 1e9;
            if (x >= front.back()[0]) y = front.back()[1];
            for (std::size_t i = 0; i + 1 < front.size(); ++i)
                if (x >= front[i][0] && x < front[i + 1][0])
                    y = front[i][1] +
                        (front[i + 1][1] - front[i][1]) * (x - front[i][0]) / (front[i + 1][0] - front[i][0]);
            sum += std::clamp(y, 0.0, 1.0) / n;
        }
        EXPECT_NEAR(fit::model_form_error(points, unit), sum, 2e-5) << seed;
    }
}

TEST(ModelFormError, ScalesWithItsBox) {
    const std::vector<Point> front{{0.2, 0.8}, {0.4, 0.3}, {0.9, 0.1}};
    std::vector<Point> moved;
    for (const auto& p : front) moved.push_back({3 + 5 * p[0], -2 + 0.1 * p[1]});
    const Box box{{3, -2}, {8, -1.9}};
    EXPECT_NEAR(fit::model_form_error(front, unit), fit::model_form_error(moved, box), 1e-13);
    EXPECT_NEAR(fit::undominated_share(front, unit), fit::undominated_share(moved, box), 1e-12);
}

TEST(ModelFormError, StairsBoundTheTrapezoidAndMeetItWhenDense) {
    const auto front = [](int n) {
        std::vector<Point> points;
        for (int k = 0; k <= n; ++k) points.push_back({double(k) / n, 1 - std::sqrt(double(k) / n)});
        return points;
    };
    double before = 1;
    for (const int n : {4, 16, 64, 256, 1024}) {
        const double trapezoid = fit::model_form_error(front(n), unit), stairs = fit::undominated_share(front(n), unit);
        EXPECT_GE(stairs, trapezoid);
        EXPECT_LT(stairs - trapezoid, before / 3);  // first order
        before = stairs - trapezoid;
        EXPECT_NEAR(trapezoid, 1.0 / 3, 1.0 / n);  // Int 1 - sqrt(x)
    }
}

TEST(ModelFormError, ABetterPointNeverRaisesTheStairs) {
    for (unsigned seed = 1; seed < 30; ++seed) {
        auto points = cloud(20, 2, seed, 50);
        double before = 1;
        for (std::size_t n = 1; n <= points.size(); ++n) {
            const double now = fit::undominated_share({points.begin(), points.begin() + long(n)}, unit);
            EXPECT_LE(now, before + 1e-14);
            before = now;
        }
    }
}

TEST(Box, FromTheData) {
    const fit::Variability v{{0.002, 0.1}, {0.004, std::nan("")}};
    const auto box = fit::box_of({{{0.003, 0.3}, {0.01, 0.05}}, {{0.02, 0.04}}}, v);
    EXPECT_EQ(box.lower, (std::array<double, 2>{0.002, 0.04}));
    EXPECT_EQ(box.upper, fit::published_box(1).upper);
    EXPECT_THROW(fit::published_box(4), core::BadInput);
    EXPECT_THROW(fit::model_form_error({}, {{1, 0}, {1, 1}}), core::BadInput);
}

TEST(Choice, KneeAndNearestToUtopia) {
    // f2 = 1/f1 on [0.1, 10]: both choices are the symmetric point.
    std::vector<Point> front;
    for (int k = -20; k <= 20; ++k) front.push_back({std::pow(10, k / 20.0), std::pow(10, -k / 20.0)});
    EXPECT_EQ(fit::knee(front), 20u);
    EXPECT_EQ(fit::nearest_to_utopia(front), 20u);
    for (auto& p : front) p[1] = 7 + 1e-3 * p[1];  // units do not matter
    EXPECT_EQ(fit::knee(front), 20u);
    EXPECT_EQ(fit::nearest_to_utopia(front), 20u);
    EXPECT_EQ(fit::knee({{0, 1}, {0.8, 0.7}, {1, 0}}), fit::nearest_to_utopia({{0, 1}, {0.8, 0.7}, {1, 0}}));
    EXPECT_EQ(fit::knee({{2, 3}}), 0u);
}

}  // namespace
