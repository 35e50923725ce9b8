#include "faying/fit/boundary_intersection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/certify.hpp"
#include "faying/fit/nsga2.hpp"
#include "fit/problems.hpp"

namespace {

using namespace faying;
using tests::unit_space;

const tests::TwoAnchors squares{{0.2, 0.3, 0.8}, {0.7, 0.6, 0.4}, false};
const tests::TwoAnchors logarithms{{0.2, 0.3, 0.8}, {0.7, 0.6, 0.4}, true};

template <class Curve>
std::vector<fit::Point> sampled(const Curve& curve, double to, int count) {
    std::vector<fit::Point> points;
    for (int k = 0; k <= count; ++k) points.push_back(curve(to * k / count));
    return points;
}

TEST(BoundaryIntersection, PointsLieOnTheFrontAndOnTheirRays) {
    for (const auto ray : {fit::Ray::on, fit::Ray::inside}) {
        const auto r = fit::boundary_intersection(unit_space(3), squares, {.rays = 9, .ray = ray, .seed = 2});
        EXPECT_NEAR(r.utopia[0], 0, 1e-12);
        EXPECT_NEAR(r.utopia[1], 0, 1e-12);
        ASSERT_EQ(r.rays.size(), 9u);
        const double apart = std::sqrt(0.25 + 0.09 + 0.16);
        for (const auto& s : r.rays) {
            ASSERT_TRUE(s.solved) << s.psi;
            const auto& f = s.evaluation.objectives;
            EXPECT_NEAR(std::sqrt(f[0]) + std::sqrt(f[1]), apart, 1e-6) << s.psi;
            EXPECT_NEAR(std::atan2(f[1], f[0]), s.psi, 1e-5);
            EXPECT_NEAR(s.distance, std::hypot(f[0], f[1]), 1e-6);
        }
    }
}

TEST(BoundaryIntersection, FrontsThatBulge) {
    // Weighted sums find only the ends of Fonseca's front; rays find all of it.
    const auto r = fit::boundary_intersection(unit_space(3, -4, 4), tests::fonseca, {.rays = 15, .seed = 1});
    ASSERT_EQ(r.rays.size(), 15u);
    for (const auto& s : r.rays) {
        ASSERT_TRUE(s.solved);
        const double t = std::sqrt(-std::log1p(-s.evaluation.objectives[0]));
        EXPECT_NEAR(s.evaluation.objectives[1], tests::fonseca_front(t)[1], 1e-6) << s.psi;
    }
}

TEST(BoundaryIntersection, ThreadsDoNotMatter) {
    fit::BoundaryOptions options{.rays = 6, .seed = 4, .threads = 1};
    const auto one = fit::boundary_intersection(unit_space(3, -4, 4), tests::fonseca, options);
    options.threads = 2;
    const auto two = fit::boundary_intersection(unit_space(3, -4, 4), tests::fonseca, options);
    EXPECT_EQ(tests::objectives_of(one.candidates), tests::objectives_of(two.candidates));
    EXPECT_EQ(one.evaluations, two.evaluations);
}

TEST(BoundaryIntersection, AgreesWithNsga2AndWithTheKnownArea) {
    struct Case {
        const char* name;
        fit::Space space;
        fit::Objective objective;
        std::vector<fit::Point> front;
    };
    const std::vector<Case> cases{
        {"fonseca", unit_space(3, -4, 4), tests::fonseca, sampled(tests::fonseca_front, 2, 2000)},
        {"squares", unit_space(3), squares, sampled([](double p) { return squares.front(p); }, 1, 2000)},
        {"logarithms", unit_space(3), logarithms, sampled([](double p) { return logarithms.front(p); }, 1, 2000)}};
    for (const auto& c : cases) {
        const fit::Box box{{c.front.front()[0], c.front.back()[1]}, {c.front.back()[0], c.front.front()[1]}};
        const double exact = fit::model_form_error(c.front, box);
        const auto rays = fit::boundary_intersection(c.space, c.objective, {.rays = 30, .seed = 1});
        const auto by_rays = fit::certified_front(rays.candidates, c.objective, {.agreement = 1e-9});
        EXPECT_EQ(by_rays.not_converged + by_rays.corrected, 0);
        const auto genetic = fit::nsga2(c.space, c.objective, {.population = 100, .generations = 100, .seed = 1});
        const auto by_genes = fit::merged_front(genetic.pooled());
        const double a = fit::model_form_error(tests::objectives_of(by_rays.points), box);
        const double b = fit::model_form_error(tests::objectives_of(by_genes), box);
        EXPECT_NEAR(a, exact, 0.005) << c.name;
        EXPECT_NEAR(b, exact, 0.01) << c.name;
        EXPECT_NEAR(a, b, 0.01) << c.name;
    }
}

TEST(BoundaryIntersection, MultiStartFindsTheBetterOfTwoValleys) {
    // Two valleys in x2; the deeper one is narrow and far from most starts.
    const auto problem = [](const std::vector<double>& x) -> fit::Evaluation {
        const double depth = 0.3 * std::exp(-std::pow((x[1] - 0.85) / 0.12, 2));
        const double bowl = 0.2 * (x[1] - 0.2) * (x[1] - 0.2) + 0.4 - depth;
        Eigen::MatrixXd J(2, 2);
        const double slope = 0.4 * (x[1] - 0.2) + depth * 2 * (x[1] - 0.85) / (0.12 * 0.12);
        J << 2 * x[0], slope, 2 * (x[0] - 1), slope;
        return {.objectives = {x[0] * x[0] + bowl, (x[0] - 1) * (x[0] - 1) + bowl}, .jacobian = J};
    };
    const auto r = fit::boundary_intersection(unit_space(2), problem, {.rays = 7, .random_starts = 12, .seed = 3});
    ASSERT_EQ(r.rays.size(), 7u);
    for (const auto& s : r.rays) {
        ASSERT_TRUE(s.solved);
        EXPECT_NEAR(s.values[1], 0.84, 0.02);
    }
}

TEST(BoundaryIntersection, EndsLeaveToTheOtherObjectiveWhatTheyDoNotNeed) {
    // f1 does not know x2, f2 does not know x3: of all that minimise one, the end of the front has the other's best.
    const auto problem = [](const std::vector<double>& x) -> fit::Evaluation {
        const double u = x[0] - 0.2, v = x[0] - 0.7, w = x[1] - 0.4, z = x[2] - 0.6;
        Eigen::MatrixXd J(2, 3);
        J << 2 * u, 0, 2 * z, 2 * v, 2 * w, 0;
        return {.objectives = {u * u + z * z, v * v + w * w}, .jacobian = J};
    };
    const auto r = fit::boundary_intersection(unit_space(3), problem, {.rays = 3, .random_starts = 4, .seed = 2});
    for (const auto& c : r.candidates) {
        EXPECT_NEAR(c.values[1], 0.4, 1e-3);
        EXPECT_NEAR(c.values[2], 0.6, 1e-3);
    }
    EXPECT_NEAR(r.candidates[0].values[0], 0.2, 0.0225);
    EXPECT_NEAR(r.candidates[1].values[0], 0.7, 0.0225);
}

TEST(BoundaryIntersection, FewTriesFromTheNearestStartsDo) {
    fit::BoundaryOptions options{.rays = 15, .ray = fit::Ray::inside, .seed = 1};
    const auto all = fit::boundary_intersection(unit_space(3, -4, 4), tests::fonseca, options);
    options.tries = 2;
    const auto few = fit::boundary_intersection(unit_space(3, -4, 4), tests::fonseca, options);
    EXPECT_LT(3 * few.evaluations, all.evaluations);
    ASSERT_EQ(all.rays.size(), few.rays.size());
    for (std::size_t k = 0; k < all.rays.size(); ++k)
        EXPECT_NEAR(few.rays[k].distance, all.rays[k].distance, 1e-6) << k;
}

TEST(BoundaryIntersection, RaysHaveWhatTheStartsAndOtherRaysGiveThem) {
    // Two valleys along x2, as good as each other for the first objective alone; else the one at 0.8 is better. The
    // start for the upper rays is in the other.
    const auto problem = [](const std::vector<double>& x) -> fit::Evaluation {
        const double u = x[0] - 0.2, v = x[0] - 0.7, w = (x[1] - 0.2) * (x[1] - 0.8);
        const double valley = 20 * w * w + 2 * u * u * (0.8 - x[1]);
        const double along = 4 * u * (0.8 - x[1]), across = 40 * w * (2 * x[1] - 1) - 2 * u * u;
        Eigen::MatrixXd J(2, 2);
        J << 2 * u + along, across, 2 * v + along, across;
        return {.objectives = {u * u + valley, v * v + valley}, .jacobian = J};
    };
    const std::vector<std::vector<double>> starts{{0.2, 0.2}, {0.7, 0.8}};
    const auto r = fit::boundary_intersection(unit_space(2), problem,
                                              {.rays = 9,
                                               .ray = fit::Ray::inside,
                                               .random_starts = 0,
                                               .tries = 1,
                                               .rounds = 0,
                                               .evaluations = 10,
                                               .starts = starts});
    ASSERT_EQ(r.rays.size(), 9u);
    std::vector<fit::Evaluation> seen;
    for (const auto& start : starts) seen.push_back(problem(start));
    for (const auto& s : r.rays) seen.push_back(s.evaluation);
    for (const auto& s : r.rays)
        for (const auto& e : seen)
            EXPECT_LE(s.distance, std::max((e.objectives[0] - r.utopia[0]) / std::cos(s.psi),
                                           (e.objectives[1] - r.utopia[1]) / std::sin(s.psi)) +
                                      1e-8);
}

TEST(BoundaryIntersection, WhatWasSeenOnTheWayIsAFront) {
    const fit::BoundaryOptions options{.rays = 3, .ray = fit::Ray::inside, .random_starts = 4, .seed = 5};
    auto one = options;
    one.threads = 1;
    const auto r = fit::boundary_intersection(unit_space(3), squares, options);
    const auto again = fit::boundary_intersection(unit_space(3), squares, one);
    EXPECT_EQ(tests::objectives_of(r.seen), tests::objectives_of(again.seen));
    EXPECT_EQ(tests::objectives_of(fit::merged_front(r.seen)), tests::objectives_of(r.seen));
    EXPECT_GT(r.seen.size(), r.rays.size() + 2);
    for (const auto& c : r.candidates)
        EXPECT_TRUE(std::any_of(r.seen.begin(), r.seen.end(), [&](const auto& s) {
            return s.evaluation.objectives[0] <= c.evaluation.objectives[0] &&
                   s.evaluation.objectives[1] <= c.evaluation.objectives[1];
        }));
    for (const auto& s : r.seen) EXPECT_EQ(squares(s.values).objectives, s.evaluation.objectives);
}

TEST(BoundaryIntersection, OvertakenPointsAreThoseAboveTheLineOfTheRays) {
    const auto r = fit::boundary_intersection(unit_space(3), squares, {.rays = 40, .seed = 2});
    const auto at = [](double x, double y) { return fit::Candidate{{}, {.objectives = {x, y}}}; };
    const auto on = squares.front(0.4);
    const auto least = r.utopia;
    const fit::Candidate above = at(on[0], on[1] + 0.01), below = at(on[0], on[1] - 0.01),
                         beyond = at(squares.front(1)[0] + 0.1, least[1] + 1e-3), record = at(1.0, least[1] - 1e-6);
    fit::Candidate failed = below;
    failed.evaluation.status = fit::Status::not_converged;
    const auto kept = fit::not_overtaken({above, below, beyond, failed, record}, r);
    EXPECT_EQ(tests::objectives_of(kept),
              (std::vector<fit::Point>{below.evaluation.objectives, record.evaluation.objectives}));
}

TEST(BoundaryIntersection, StepsBackFromWhatDoesNotConverge) {
    const auto problem = [](const std::vector<double>& x) {
        auto e = squares(x);
        if (x[0] + x[1] > 1.6 || x[2] < 0.05) e.status = fit::Status::not_converged;
        return e;
    };
    const auto r = fit::boundary_intersection(unit_space(3), problem, {.rays = 7, .random_starts = 10, .seed = 8});
    EXPECT_GT(r.not_converged, 0);
    const double apart = std::sqrt(0.25 + 0.09 + 0.16);
    for (const auto& s : r.rays) {
        ASSERT_TRUE(s.solved);
        EXPECT_NEAR(std::sqrt(s.evaluation.objectives[0]) + std::sqrt(s.evaluation.objectives[1]), apart, 1e-5);
    }
}

TEST(BoundaryIntersection, SaysWhatItNeeds) {
    EXPECT_THROW(fit::boundary_intersection(unit_space(3), tests::zdt1, {.threads = 2}), core::BadInput);
    EXPECT_THROW(fit::boundary_intersection(unit_space(3), squares, {.rays = 0}), core::BadInput);
    const auto never = [](const std::vector<double>&) -> fit::Evaluation {
        return {.objectives = {}, .status = fit::Status::failed};
    };
    EXPECT_THROW(fit::boundary_intersection(unit_space(3), never), core::NotConverged);
}

}  // namespace
