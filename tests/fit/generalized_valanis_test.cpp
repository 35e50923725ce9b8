// Generalized Valanis from loops: by slopes, by splines, by whole branches.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"
#include "faying/fit/identify.hpp"
#include "faying/laws/catalogue.hpp"

namespace {

using namespace faying;
using core::ParameterValues;
using fit::Loop;
using std::numbers::pi;

/// The law through settled cycles of a sine, finely sampled, with times.
Loop valanis_loop(const ParameterValues& truth, double amplitude, int points = 4000, double noise = 0) {
    std::vector<double> u, t;
    for (int i = 0; i <= 2 * points; ++i) {
        t.push_back(double(i) / points);
        u.push_back(amplitude * std::sin(2 * pi * t.back()));
    }
    const auto h = laws::Law("generalized-valanis", truth).follow(laws::Path{u, t});
    Loop loop{{h.u.begin() + points, h.u.end()}, {h.f.begin() + points, h.f.end()}, {t.begin() + points, t.end()}};
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0, noise);
    if (noise > 0)
        for (auto& f : loop.f) f += normal(random);
    return loop;
}

TEST(GeneralizedValanis, SlopesGiveTheLawBack) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 5}};
    const auto loop = valanis_loop(truth, 0.2);
    const auto found = fit::identify(loop, "generalized-valanis", {.branch = {.symmetric = true}});
    for (const auto& [key, value] : truth) EXPECT_NEAR(found.parameters.at(key) / value, 1, 1e-3) << key;
    EXPECT_LT(found.relative_rms, 1e-3);
    EXPECT_GT(found.condition, 1);
    EXPECT_LT(found.condition, 1e4);
}

TEST(GeneralizedValanis, EachDirectionItsOwn) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 40}, {"E1_down", 12}, {"E2_down", 18}, {"a1_down", 15}};
    const auto found = fit::identify(valanis_loop(truth, 0.2), "generalized-valanis");
    for (const auto& [key, value] : truth) EXPECT_NEAR(found.parameters.at(key) / value, 1, 2e-3) << key;
}

TEST(GeneralizedValanis, DifferencesAreSecondOrder) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 5}};
    double before = 0;
    for (const int points : {400, 800, 1600}) {
        const auto found = fit::fit_generalized_valanis(valanis_loop(truth, 0.2, points),
                                                        {.symmetric = true, .form = fit::LoopForm::differences});
        const double error = std::abs(found.parameters.at("E1") - 10);
        if (before > 0) {
            EXPECT_NEAR(before / error, 4, 0.8);
        }
        before = error;
    }
}

TEST(GeneralizedValanis, VelocityTermsNeedTimes) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 30}, {"a2", 0.5}};
    auto loop = valanis_loop(truth, 0.2);
    const fit::IdentifyOptions options{.branch = {.terms = {"a1", "a2"}, .symmetric = true}};
    const auto found = fit::identify(loop, "generalized-valanis", options);
    for (const auto& [key, value] : truth) EXPECT_NEAR(found.parameters.at(key) / value, 1, 1e-2) << key;
    loop.t.clear();
    EXPECT_THROW(fit::identify(loop, "generalized-valanis", options), core::BadInput);
}

TEST(GeneralizedValanis, RefiningOnTheForceBeatsSlopesInNoise) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 5}};
    const auto loop = valanis_loop(truth, 0.2, 400, 0.003);
    fit::IdentifyOptions options{.branch = {.symmetric = true, .stride = 8}};
    const auto slopes = fit::identify(loop, "generalized-valanis", options);
    options.refine = true;
    const auto refined = fit::identify(loop, "generalized-valanis", options);
    EXPECT_LE(refined.rms, slopes.rms);
    EXPECT_NEAR(refined.rms, 0.003, 0.0004);
    for (const auto& [key, value] : truth)
        EXPECT_LT(std::abs(refined.parameters.at(key) - value), 4.5 * refined.standard_errors.at(key)) << key;
}

/// Samples that miss the turns, as a record does.
Loop valanis_record(const ParameterValues& truth, double amplitude, int points, double noise = 0, double shift = 0.3) {
    std::vector<double> u, t;
    constexpr int fine = 64;  // the motion between samples is that of the sine
    for (int i = 0; i <= 2 * points * fine; ++i) {
        t.push_back((double(i) / fine + shift) / points);
        u.push_back(amplitude * std::sin(2 * pi * t.back()));
    }
    const auto h = laws::Law("generalized-valanis", truth).follow(laws::Path{u, t});
    Loop loop;
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0, noise);
    for (std::size_t i = std::size_t(points) * fine; i < u.size(); i += fine) {
        loop.u.push_back(h.u[i]);
        loop.f.push_back(h.f[i] + (noise > 0 ? normal(random) : 0));
        loop.t.push_back(t[i]);
    }
    return loop;
}

TEST(GeneralizedValanis, WithoutDerivativesSamplingDoesNotBias) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 40}, {"E1_down", 12}, {"E2_down", 18}, {"a1_down", 15}};
    for (const int points : {24, 100}) {
        const auto loop = valanis_record(truth, 0.2, points);
        const auto found = fit::fit_generalized_valanis(loop);
        for (const auto& [key, value] : truth) EXPECT_NEAR(found.parameters.at(key) / value, 1, 1e-8) << key;
        // Differences of the same samples are off by far more: their error is of the sampling, not of the loop.
        const auto differenced = fit::fit_generalized_valanis(loop, {.form = fit::LoopForm::differences});
        EXPECT_GT(std::abs(differenced.parameters.at("E1") / 10 - 1), points == 24 ? 1e-2 : 1e-3);
    }
}

TEST(GeneralizedValanis, SplinesAreOfHigherOrderThanDifferences) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 5}};
    const auto error = [&](int points, fit::LoopForm form) {
        const auto found =
            fit::fit_generalized_valanis(valanis_record(truth, 0.2, points), {.symmetric = true, .form = form});
        return std::abs(found.parameters.at("E2") / 20 - 1);
    };
    EXPECT_LT(error(100, fit::LoopForm::spline), 0.1 * error(100, fit::LoopForm::differences));
    EXPECT_LT(error(400, fit::LoopForm::spline), 0.05 * error(400, fit::LoopForm::differences));
}

TEST(GeneralizedValanis, NoiseWithoutDerivativesIsAsItsErrorsSay) {
    const ParameterValues truth{{"E1", 10}, {"E2", 20}, {"a1", 5}};
    const auto loop = valanis_record(truth, 0.2, 400, 0.005);
    const auto integral = fit::fit_generalized_valanis(loop, {.symmetric = true});
    for (const auto& [key, value] : truth)
        EXPECT_LT(std::abs(integral.parameters.at(key) - value), 4 * integral.standard_errors.at(key)) << key;
    EXPECT_LT(integral.standard_errors.at("E2"), 0.4);
    const auto spline = fit::fit_generalized_valanis(loop, {.symmetric = true, .form = fit::LoopForm::spline});
    const auto differences =
        fit::fit_generalized_valanis(loop, {.symmetric = true, .form = fit::LoopForm::differences});
    EXPECT_NEAR(spline.parameters.at("E2") / 20, 1, 0.15);
    EXPECT_GT(differences.standard_errors.at("E2"), 2 * integral.standard_errors.at("E2"));
}

TEST(GeneralizedValanis, TermsAreChosenByCrossValidation) {
    fit::BranchFitOptions options{.terms = {"auto"}, .symmetric = true};
    const ParameterValues cubic{{"E1", 10}, {"E2", 20}, {"a1", 30}, {"a6", 4000}};
    for (const double noise : {0.0, 0.003}) {
        const auto found = fit::fit_generalized_valanis(valanis_record(cubic, 0.2, 400, noise), options);
        EXPECT_EQ(found.rising.terms, (std::vector<std::string>{"a1", "a6"})) << noise;
        EXPECT_NEAR(found.parameters.at("a6") / 4000, 1, noise > 0 ? 0.1 : 1e-6);
        EXPECT_GE(found.rising.path.size(), 3u);
        for (std::size_t k = 1; k < 3; ++k) EXPECT_LT(found.rising.path[k].error, found.rising.path[k - 1].error);
    }
    // Each direction its own: a term of the rising branch alone is nothing when x falls.
    options.symmetric = false;
    const ParameterValues lopsided{{"E1", 10}, {"E2", 20}, {"a1", 30}, {"a3", 900}, {"a3_down", 0}};
    const auto found = fit::identify(valanis_record(lopsided, 0.2, 400), "generalized-valanis",
                                     {.memory = fit::Memory::steady, .branch = options});
    ASSERT_TRUE(found.branches);
    EXPECT_EQ(found.branches->falling.terms, (std::vector<std::string>{"a1"}));
    EXPECT_EQ(found.parameters.at("a3_down"), 0);
    EXPECT_LT(found.relative_rms, 0.01);
    // With velocity, where the record has times
    const ParameterValues damped{{"E1", 10}, {"E2", 20}, {"a1", 30}, {"a2", 3}};
    const auto timed =
        fit::fit_generalized_valanis(valanis_loop(damped, 0.2, 400), {.terms = {"auto"}, .symmetric = true});
    EXPECT_EQ(timed.rising.terms.size(), 2u);
    EXPECT_NEAR(timed.parameters.at("a2") / 3, 1, 1e-6);
}

}  // namespace
