#include "faying/fit/nsga2.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/certify.hpp"
#include "fit/problems.hpp"

namespace {

using namespace faying;
using tests::unit_space;

void expect_same(const fit::Nsga2State& a, const fit::Nsga2State& b) {
    EXPECT_EQ(a.generation, b.generation);
    EXPECT_EQ(a.evaluations, b.evaluations);
    ASSERT_EQ(a.population.size(), b.population.size());
    for (std::size_t i = 0; i < a.population.size(); ++i) {
        EXPECT_EQ(a.population[i].coordinates, b.population[i].coordinates);
        EXPECT_EQ(a.population[i].evaluation.objectives, b.population[i].evaluation.objectives);
    }
    EXPECT_EQ(tests::objectives_of(a.pooled()), tests::objectives_of(b.pooled()));
}

TEST(Nsga2, FindsZdt1AndZdt2) {
    const fit::Box box{{0, 0}, {1, 1}};
    for (const auto& [problem, area] : {std::pair{&tests::zdt1, 1.0 / 3}, std::pair{&tests::zdt2, 2.0 / 3}}) {
        for (const auto crowding : {fit::Crowding::parameters, fit::Crowding::objectives}) {
            const auto state = fit::nsga2(unit_space(8), problem,
                                          {.population = 100, .generations = 200, .crowding = crowding, .seed = 5});
            const auto front = tests::objectives_of(fit::merged_front(state.pooled()));
            EXPECT_NEAR(fit::model_form_error(front, box), area, 0.01);
            EXPECT_EQ(state.evaluations, 20000);
        }
    }
}

TEST(Nsga2, ThreadsDoNotMatter) {
    fit::Nsga2Options options{.population = 20, .generations = 12, .pooled = 4, .seed = 11, .threads = 1};
    const auto one = fit::nsga2(unit_space(5), tests::zdt1, options);
    for (const int threads : {2, 3}) {
        options.threads = threads;
        expect_same(one, fit::nsga2(unit_space(5), tests::zdt1, options));
    }
    options.seed = 12;
    EXPECT_NE(fit::nsga2(unit_space(5), tests::zdt1, options).population[0].coordinates, one.population[0].coordinates);
}

TEST(Nsga2, ResumesFromAnyGenerationToTheBit) {
    const fit::Nsga2Options options{.population = 16, .generations = 15, .pooled = 5, .seed = 3, .threads = 2};
    std::vector<fit::Nsga2State> seen;
    const auto whole = fit::nsga2(unit_space(4), tests::zdt2, options, [&](const fit::Nsga2State& s) {
        seen.push_back(s);
        return true;
    });
    ASSERT_EQ(seen.size(), 15u);
    for (const auto& state : seen) expect_same(whole, fit::nsga2(unit_space(4), tests::zdt2, options, {}, state));
    // A callback that stops leaves the state of that generation.
    const auto stopped =
        fit::nsga2(unit_space(4), tests::zdt2, options, [](const fit::Nsga2State& s) { return s.generation < 7; });
    expect_same(stopped, seen[6]);
    expect_same(whole, fit::nsga2(unit_space(4), tests::zdt2, options, {}, stopped));
}

TEST(Nsga2, SurvivorsAreElite) {
    // What nobody dominates in a generation and the population before is still there, unless crowded out.
    double before = 1;
    const fit::Box box{{0, 0}, {1, 12}};
    fit::nsga2(unit_space(4), tests::zdt1, {.population = 40, .generations = 30, .pooled = 30, .seed = 2},
               [&](const fit::Nsga2State& s) {
                   const double now = fit::undominated_share(tests::objectives_of(fit::merged_front(s.pooled())), box);
                   EXPECT_LE(now, before + 1e-13);
                   before = now;
                   return true;
               });
}

TEST(Nsga2, StartsAreEvaluatedFirst) {
    std::vector<std::vector<double>> starts;
    for (int k = 0; k <= 10; ++k) starts.push_back({k / 10.0, 0, 0});
    const auto state = fit::nsga2(unit_space(3), tests::zdt1, {.population = 20, .generations = 1, .starts = starts});
    // They lie on the front of the problem: nothing beats them.
    for (const auto& start : starts)
        EXPECT_TRUE(std::any_of(state.population.begin(), state.population.end(),
                                [&](const auto& m) { return m.values == start; }));
}

TEST(Nsga2, UnconvergedMembersRankLast) {
    // Half the space does not converge, and would be far better; residuals there fall towards the other half.
    const auto problem = [](const std::vector<double>& x) {
        auto e = tests::zdt1(x);
        if (x[1] > 0.5) {
            e.objectives = {-100, -100};
            e.residual = x[1] - 0.5;
            e.status = fit::Status::not_converged;
        }
        return e;
    };
    const auto state = fit::nsga2(unit_space(4), problem, {.population = 40, .generations = 60, .seed = 4});
    EXPECT_GT(state.not_converged, 10);
    EXPECT_LT(state.not_converged, state.evaluations / 2);
    for (const auto& m : state.population) EXPECT_TRUE(m.evaluation.usable());
    const auto front = tests::objectives_of(fit::merged_front(state.pooled()));
    EXPECT_NEAR(fit::model_form_error(front, {{0, 0}, {1, 1}}), 1.0 / 3, 0.03);
}

TEST(Nsga2, CrowdingKeepsParametersApart) {
    // Objectives do not depend on x2: crowding in parameter space keeps it spread, crowding in objectives need not.
    const auto problem = [](const std::vector<double>& x) -> fit::Evaluation {
        return {.objectives = {x[0] * x[0], (x[0] - 1) * (x[0] - 1)}};
    };
    const auto spread = [&](fit::Crowding crowding) {
        const auto state =
            fit::nsga2(unit_space(2), problem, {.population = 40, .generations = 150, .crowding = crowding, .seed = 9});
        double mean = 0, square = 0;
        for (const auto& m : state.population) {
            mean += m.coordinates[1] / 40;
            square += m.coordinates[1] * m.coordinates[1] / 40;
        }
        return std::sqrt(square - mean * mean);
    };
    EXPECT_GT(spread(fit::Crowding::parameters), 0.2);  // uniform: 0.29
    EXPECT_GT(spread(fit::Crowding::parameters), spread(fit::Crowding::objectives));
}

TEST(Nsga2, CrowdingDistances) {
    const auto d = fit::crowding_distances({{0, 5}, {4, 5}, {1, 5}, {10, 5}});
    EXPECT_TRUE(std::isinf(d[0]) && std::isinf(d[3]));
    EXPECT_DOUBLE_EQ(d[1], 0.9);
    EXPECT_DOUBLE_EQ(d[2], 0.4);  // the axis without an extent adds nothing
    EXPECT_TRUE(fit::crowding_distances({}).empty());
}

TEST(Nsga2, RefusesOptionsThatDoNotFit) {
    EXPECT_THROW(fit::nsga2(unit_space(2), tests::zdt1, {.population = 5}), core::BadInput);
    EXPECT_THROW(fit::nsga2(unit_space(2), tests::zdt1, {.generations = 0}), core::BadInput);
    auto state = fit::nsga2(unit_space(2), tests::zdt1, {.population = 8, .generations = 1});
    EXPECT_THROW(fit::nsga2(unit_space(2), tests::zdt1, {.population = 10}, {}, state), core::BadInput);
    EXPECT_THROW(fit::nsga2(unit_space(3), tests::zdt1, {.population = 8}, {}, state), core::BadInput);
}

TEST(Certify, KeepsWhatATightSolveFinds) {
    std::vector<fit::Candidate> all;
    for (int k = 0; k <= 10; ++k) all.push_back({{k / 10.0}, {.objectives = {k / 10.0, 1 - k / 10.0}}});
    all[5].evaluation.objectives = {0.1, 0.1};  // a lie that dominates nearly everybody
    all.push_back({{20}, {.objectives = {-1, 2}}});
    all.push_back({{-3}, {.objectives = {0.05, 0.3}}});  // another, whose truth is dominated
    const auto tight = [](const std::vector<double>& x) -> fit::Evaluation {
        if (x[0] < 0) return {.objectives = {0.9, 0.9}};
        if (x[0] > 10) return {.objectives = {-1, 2}, .status = fit::Status::not_converged};
        return {.objectives = {x[0], 1 - x[0]}};
    };
    const auto front = fit::certified_front(all, tight, {.agreement = 1e-6});
    EXPECT_EQ(front.corrected, 2);
    EXPECT_EQ(front.not_converged, 1);
    ASSERT_EQ(front.points.size(), 11u);  // those that the lies had hidden are back
    EXPECT_EQ(front.candidates, 13);
    for (const auto& p : front.points) EXPECT_EQ(p.evaluation.objectives, tight(p.values).objectives);
}

}  // namespace
