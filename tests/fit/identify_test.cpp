#include "faying/fit/identify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"

namespace {

using namespace faying;
using core::ParameterValues;
using fit::Loop;
using std::numbers::pi;

/// Cycles of growing amplitude from the virgin state.
std::vector<double> growing_cycles(double amplitude, int cycles = 4, int points = 120) {
    std::vector<double> u;
    for (int i = 0; i <= cycles * points; ++i) {
        const double t = double(i) / points;
        u.push_back(amplitude * std::min(1.0, (t + 0.3) / (cycles - 0.5)) * std::sin(2 * pi * t));
    }
    return u;
}

Loop measured(const std::string& name, const ParameterValues& truth, double amplitude, double noise, unsigned seed) {
    const laws::Law law(name, truth);
    Loop loop;
    const auto h = law.follow(growing_cycles(amplitude));
    loop.u = h.u;
    loop.f = h.f;
    double square = 0;
    for (const double f : loop.f) square += f * f / double(loop.size());
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, noise * std::sqrt(square));
    if (noise > 0)
        for (std::size_t i = 1; i < loop.size(); ++i)
            (law.drive() == laws::Drive::force ? loop.u : loop.f)[i] += normal(random);
    return loop;
}

struct Case {
    const char* law;
    ParameterValues truth;
    double amplitude;
    fit::IdentifyOptions options = {};
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.law; }

class RoundTrip : public testing::TestWithParam<Case> {};

TEST_P(RoundTrip, WithoutNoise) {
    const auto& c = GetParam();
    const auto found = fit::identify(measured(c.law, c.truth, c.amplitude, 0, 1), c.law, c.options);
    EXPECT_LT(found.relative_rms, 1e-7);
    EXPECT_TRUE(found.entangled.empty());
    EXPECT_EQ(found.memory, fit::Memory::virgin);
    for (const auto& [key, value] : c.truth)
        EXPECT_NEAR(found.parameters.at(key), value, 1e-5 * std::max(std::abs(value), 1e-2)) << key;
}

TEST_P(RoundTrip, WithNoise) {
    const auto& c = GetParam();
    const double noise = 0.01;
    const auto found = fit::identify(measured(c.law, c.truth, c.amplitude, noise, 7), c.law, c.options);
    // sqrt(1 - p/n) of the noise, and its own scatter of 1/sqrt(2 n).
    EXPECT_NEAR(found.relative_rms, noise, 0.12 * noise);
    for (const auto& [key, error] : found.standard_errors) {
        EXPECT_GT(error, 0);
        EXPECT_LT(std::abs(found.parameters.at(key) - c.truth.at(key)), 4.5 * error) << key;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, RoundTrip,
    testing::Values(
        Case{"jenkins", {{"kt", 3e6}, {"fs", 120}}, 1e-4},
        Case{"jenkins-prager", {{"kt", 3e6}, {"fs", 120}, {"kp", 4e5}}, 1e-4},
        Case{"prager", {{"fs", 120}, {"kp", 4e5}}, 1e-4},
        Case{"polynomial", {{"k1", 2}, {"k3", 0.7}}, 1, {.fixed = {}, .free = {"k3"}}},
        Case{"elastic-dry-friction",
             {{"kt", 3e6}, {"mu", 0.3}, {"kn", 1e7}, {"un", 4e-5}},
             1e-4,
             {.fixed = {{"kn", 1e7}, {"un", 4e-5}}}},
        Case{"iwan4", {{"FS", 100}, {"KT", 2e6}, {"chi", -0.4}, {"beta", 0.6}}, 3e-4},
        // Samples only bracket the jump at the onset of macroslip: one of FS, beta, theta must be known.
        Case{"iwan5",
             {{"FS", 100}, {"KT", 2e6}, {"chi", 0.2}, {"beta", 0.3}, {"theta", 0.7}},
             3e-4,
             {.fixed = {{"theta", 0.7}}}},
        Case{"bouc-wen", {{"A", 1e6}, {"alpha", 9e3}, {"beta", -2e3}, {"n", 1}}, 3e-4},
        Case{"bouc-wen", {{"A", 2}, {"alpha", 1.5}, {"beta", 0.3}, {"n", 1.6}}, 1.5, {.fixed = {}, .free = {"n"}}},
        Case{"bouc-wen-masing", {{"A", 1e6}, {"eta", 9e3}, {"n", 1}}, 3e-4},
        Case{"valanis", {{"E0", 1e6}, {"Et", 2e4}, {"lambda", 1e4}, {"kappa", 0.4}}, 4e-4},
        Case{"valanis-masing", {{"E0", 1e6}, {"Et", 2e4}, {"lambda", 1e4}, {"kappa", 0.4}}, 4e-4},
        Case{"two-state",
             {{"alpha", 0.7}, {"sigma", 0.08}, {"b1", 0.5}, {"b2", 0.6}, {"ks", 0.05}},
             2.5,
             {.fixed = {}, .free = {"ks"}}},
        Case{"pinched", {{"K0", 3}, {"theta_m", 50}, {"beta", 8}, {"eps", 1e-4}}, 1},
        Case{"reid", {{"k", 40}, {"eta", 0.15}}, 1},
        Case{"iwan4+kp", {{"FS", 100}, {"KT", 2e6}, {"chi", -0.4}, {"beta", 0.6}, {"kp", 1e5}}, 3e-4},
        Case{"jenkins+jenkins",
             {{"1.kt", 3e6}, {"1.fs", 60}, {"2.kt", 1e6}, {"2.fs", 70}},
             2e-4,
             {.fixed = {}, .start = {{"1.kt", 2e6}, {"2.kt", 8e5}}}}));

TEST(Identify, SteadyLoopOfUnknownPast) {
    // One settled cycle, beginning somewhere on a branch.
    for (const char* name : {"iwan4", "jenkins"}) {
        const ParameterValues truth = name == std::string("iwan4")
                                          ? ParameterValues{{"FS", 100}, {"KT", 2e6}, {"chi", -0.4}, {"beta", 0.6}}
                                          : ParameterValues{{"kt", 2e6}, {"fs", 100}};
        std::vector<double> path;
        const int n = 200;
        for (int i = 0; i <= 3 * n; ++i) path.push_back(2e-4 * std::sin(2 * pi * i / n));
        const auto h = laws::Law(name, truth).follow(path);
        Loop loop;
        loop.u.assign(h.u.begin() + 2 * n + 30, h.u.begin() + 3 * n);
        loop.f.assign(h.f.begin() + 2 * n + 30, h.f.begin() + 3 * n);
        loop.u.insert(loop.u.end(), h.u.begin() + n, h.u.begin() + n + 30);
        loop.f.insert(loop.f.end(), h.f.begin() + n, h.f.begin() + n + 30);
        const auto found = fit::identify(loop, name);
        EXPECT_EQ(found.memory, fit::Memory::steady);
        for (const auto& [key, value] : truth)
            EXPECT_NEAR(found.parameters.at(key) / value, 1, 1e-5) << name << ' ' << key;
    }
}

/// Noise on the first point too: it is no longer (0, 0), and says nothing about the past. The misfit does.
TEST(Identify, PastOfANoisyRecordIsTheOneThatFits) {
    const ParameterValues truth{{"A", 1e6}, {"alpha", 9e3}, {"beta", -2e3}};
    const laws::Law law("bouc-wen", {{"A", 1e6}, {"alpha", 9e3}, {"beta", -2e3}, {"n", 1}});
    std::vector<double> path;
    const int n = 120;
    for (int i = 0; i <= 3 * n; ++i) path.push_back(3e-4 * std::sin(2 * pi * i / n));
    const auto h = law.follow(path);
    std::mt19937 random(4);
    std::normal_distribution<double> normal(0, 1.0);  // of 94 N
    Loop virgin{{h.u.begin(), h.u.begin() + n + n / 2}, {h.f.begin(), h.f.begin() + n + n / 2}};
    Loop steady{{h.u.begin() + 2 * n, h.u.end() - 1}, {h.f.begin() + 2 * n, h.f.end() - 1}};
    for (auto* loop : {&virgin, &steady})
        for (double& f : loop->f) f += normal(random);
    ASSERT_FALSE(virgin.from_virgin());

    const auto found = fit::identify(virgin, "bouc-wen");
    EXPECT_EQ(found.memory, fit::Memory::virgin);
    ASSERT_TRUE(found.other);
    EXPECT_EQ(found.other->memory, fit::Memory::steady);
    EXPECT_FALSE(found.other->alike);
    EXPECT_GT(found.other->rms, 1.5 * found.rms);
    for (const auto& [key, value] : truth)
        EXPECT_LT(std::abs(found.parameters.at(key) - value), 4.5 * found.standard_errors.at(key)) << key;
    // Taken for a steady loop, its parameters are wrong by many standard errors.
    const auto forced = fit::identify(virgin, "bouc-wen", {.memory = fit::Memory::steady});
    EXPECT_FALSE(forced.other);
    EXPECT_GT(std::abs(forced.parameters.at("alpha") - 9e3), 5 * found.standard_errors.at("alpha"));
    EXPECT_NEAR(forced.rms, found.other->rms, 0.02 * forced.rms);

    const auto settled = fit::identify(steady, "bouc-wen");
    EXPECT_EQ(settled.memory, fit::Memory::steady);
    ASSERT_TRUE(settled.other);
    EXPECT_GT(settled.other->rms, 1.5 * settled.rms);
    for (const auto& [key, value] : truth)
        EXPECT_LT(std::abs(settled.parameters.at(key) - value), 4.5 * settled.standard_errors.at(key)) << key;
}

/// A loop from its tip is on the virgin curve of a Masing law too: both pasts fit, and that is said.
TEST(Identify, SaysWhenBothPastsFit) {
    std::vector<double> path;
    for (int i = 0; i <= 400; ++i) path.push_back(2e-4 * std::cos(2 * pi * i / 200));
    const auto h = laws::Law("jenkins", {{"kt", 2e6}, {"fs", 100}}).follow(path);
    const auto found = fit::identify({h.u, h.f}, "jenkins");
    ASSERT_TRUE(found.other);
    EXPECT_TRUE(found.other->alike);
    EXPECT_EQ(found.memory, fit::Memory::steady);
    EXPECT_NEAR(found.parameters.at("kt"), 2e6, 1);
}

TEST(Identify, ProgressRunsToItsEnd) {
    const auto loop = measured("jenkins", {{"kt", 3e6}, {"fs", 120}}, 1e-4, 0.02, 3);
    for (const auto memory : {fit::Memory::automatic, fit::Memory::virgin}) {
        std::vector<double> shares;
        fit::IdentifyOptions options{.memory = memory, .threads = 2};
        options.progress = [&](double share) { shares.push_back(share); };
        fit::identify(loop, "jenkins", options);
        ASSERT_GT(shares.size(), 100u);
        EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
        EXPECT_GT(shares.front(), 0);
        EXPECT_NEAR(shares.back(), 1, 1e-9);
    }
}

TEST(Identify, StandardErrorsAreThoseOfRepeatedMeasurements) {
    const ParameterValues truth{{"E0", 1e6}, {"Et", 2e4}, {"lambda", 1e4}, {"kappa", 0.4}};
    double sum = 0;
    const int repeats = 25;
    for (int seed = 1; seed <= repeats; ++seed) {
        const auto found = fit::identify(measured("valanis", truth, 4e-4, 0.01, unsigned(seed)), "valanis",
                                         {.memory = fit::Memory::virgin});
        for (const auto& [key, value] : truth)
            sum += std::pow((found.parameters.at(key) - value) / found.standard_errors.at(key), 2) / (4 * repeats);
    }
    // A mean of 100 (correlated) squares of unit normals.
    EXPECT_GT(sum, 0.5);
    EXPECT_LT(sum, 1.7);
}

TEST(Identify, ThreadsDoNotMatter) {
    const auto loop = measured("iwan4", {{"FS", 100}, {"KT", 2e6}, {"chi", -0.4}, {"beta", 0.6}}, 3e-4, 0.02, 3);
    const auto one = fit::identify(loop, "iwan4", {.threads = 1}), two = fit::identify(loop, "iwan4", {.threads = 2});
    EXPECT_EQ(one.parameters, two.parameters);
    EXPECT_EQ(one.standard_errors, two.standard_errors);
}

TEST(Identify, SaysWhichParametersCannotBeToldApart) {
    // Only mu kn un acts on a slider under constant normal load.
    const ParameterValues truth{{"kt", 3e6}, {"mu", 0.3}, {"kn", 1e7}, {"un", 4e-5}};
    const auto found = fit::identify(measured("elastic-dry-friction", truth, 1e-4, 0, 1), "elastic-dry-friction", {});
    EXPECT_GT(found.condition, 1e8);
    EXPECT_LT(found.relative_rms, 1e-7);
    const auto& p = found.parameters;
    EXPECT_NEAR(p.at("mu") * p.at("kn") * p.at("un"), 120, 1e-3);
    EXPECT_EQ(std::count(found.entangled.begin(), found.entangled.end(), "kt"), 0);
    EXPECT_GE(found.entangled.size(), 2u);
}

TEST(Identify, RefusesWhatCannotBeUsed) {
    const auto loop = measured("jenkins", {{"kt", 3e6}, {"fs", 120}}, 1e-4, 0, 1);
    EXPECT_THROW(fit::identify(loop, "jenkin"), core::BadInput);
    EXPECT_THROW(fit::identify(loop, "jenkins", {.fixed = {{"k", 1}}}), core::BadInput);
    EXPECT_THROW(fit::identify(loop, "jenkins", {.fixed = {{"kt", -1}}}), core::BadInput);
    EXPECT_THROW(fit::identify(loop, "jenkins", {.fixed = {{"kt", 1}, {"fs", 1}}}), core::BadInput);
    EXPECT_THROW(fit::identify(loop, "six-state"), core::BadInput);
    EXPECT_THROW(fit::identify(loop, "jenkins", {.passes = 1000000000}), core::BadInput);
    Loop straight;
    for (int i = 0; i < 50; ++i) {
        straight.u.push_back(i);
        straight.f.push_back(i);
    }
    EXPECT_THROW(fit::identify(straight, "jenkins"), core::BadInput);
    Loop few{{0, 1, -1, 0}, {0, 1, -1, 0}};
    EXPECT_THROW(fit::identify(few, "jenkins"), core::BadInput);
}

TEST(Identify, SeveralLoopsTogetherTellMore) {
    // Microslip alone does not show the slip force; a second, wider loop does.
    const ParameterValues truth{{"FS", 1}, {"KT", 4}, {"chi", -0.4}, {"beta", 0.5}};
    const auto narrow = measured("iwan4", truth, 0.1, 0.0005, 1), wide = measured("iwan4", truth, 1.2, 0.0005, 1);
    const auto middle = measured("iwan4", truth, 0.5, 0, 1);
    const auto together = fit::identify_together({narrow, wide}, "iwan4");
    for (const auto& [key, value] : truth)
        EXPECT_LT(std::abs(together.parameters.at(key) - value), 5 * together.standard_errors.at(key)) << key;
    EXPECT_EQ(together.modelled.size(), narrow.size() + wide.size());
    const auto alone = fit::identify(wide, "iwan4");
    EXPECT_LT(together.standard_errors.at("chi"), 0.8 * alone.standard_errors.at("chi"));
    const auto held_out = fit::predict(middle, "iwan4", together.parameters, together.memory, 3);
    EXPECT_LT(held_out.relative_rms, 2e-3);
    // The criteria, and what they say of a law with a parameter too many
    const double n = double(together.modelled.size());
    EXPECT_NEAR(together.bic - together.aic, 5 * (std::log(n) - 2), 1e-9 * n);
    const auto more = fit::identify_together({narrow, wide}, "iwan4+kp");
    EXPECT_GT(more.bic, together.bic);
}

// What is read off a loop ---------------------------------------------------------------------------------------------

TEST(LoopFeatures, OfAJenkinsPragerLoop) {
    const auto loop = measured("jenkins-prager", {{"kt", 3e6}, {"fs", 120}, {"kp", 4e5}}, 2e-4, 0, 1);
    const auto seen = fit::features(loop);
    EXPECT_NEAR(seen.amplitude, 2e-4, 1e-5);
    EXPECT_NEAR(seen.stiffness / 3.4e6, 1, 0.02);
    EXPECT_NEAR(seen.slip_stiffness / 4e5, 1, 0.02);
    EXPECT_NEAR(seen.slip_force / 120, 1, 0.02);
}

TEST(LoopFeatures, DissipationSlopeOfAnIwanInMicroslip) {
    // Log-log slope chi + 3 while phi_max is not reached.
    const laws::Law law("iwan4", {{"FS", 100}, {"KT", 1e6}, {"chi", -0.4}, {"beta", 0.1}});
    std::vector<double> u{0};
    for (const double a : {1e-6, 3e-6, 1e-5, 3e-5})
        for (int i = 1; i <= 400; ++i) u.push_back(a * std::sin(2 * pi * i / 200.0));
    const auto h = law.follow(u);
    Loop loop{h.u, h.f};
    EXPECT_NEAR(fit::features(loop).dissipation_slope, 2.6, 0.1);
}

TEST(LoopFeatures, BranchesDoNotFollowNoise) {
    Loop loop;
    std::mt19937 random(1);
    std::normal_distribution<double> normal(0, 1e-3);
    for (int i = 0; i <= 600; ++i) {
        loop.u.push_back(std::sin(2 * pi * i / 200.0) + normal(random));
        loop.f.push_back(loop.u.back());
    }
    EXPECT_EQ(fit::branches(loop).size(), 7u);
}

}  // namespace
