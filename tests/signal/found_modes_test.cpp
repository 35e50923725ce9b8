// Hammer records with known truth: three modes whose frequency and damping depend on amplitude, three sensors, noise; with a
// close pair, a second hit, a rebound, clipping, a node and a combination line.
#include "faying/signal/found_modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "faying/core/error.hpp"
#include "ring_downs.hpp"

using namespace faying;
using namespace faying::signal;
using tests::KnownMode;

namespace {

constexpr double hertz = 2 * std::numbers::pi;
const std::vector<std::string> sensors{"left", "middle", "right"};

struct Excited {
    KnownMode mode;
    double amplitude;  ///< at the first sensor, just after the hit
    double shape[3];
};

/// A joint in microslip: amplitudes of tens, as accelerations of a beam are.
KnownMode joint_mode(double frequency, double zeta) { return {hertz * frequency, 4e-4, zeta, 0.15 * zeta, 0.5}; }

std::vector<Excited> beam() {
    return {{joint_mode(83, 1.5e-3), 35, {1, -0.3, -0.7}},
            {joint_mode(291, 1.1e-3), 45, {1, -0.75, 0.3}},
            {joint_mode(812, 2e-3), 60, {1, 0.9, -0.5}}};
}

struct RecordOptions {
    double rate = 6000, duration = 3, quiet = 0.01;  ///< s of silence before the hit
    double noise = 0.05;                             ///< deviation
};

std::vector<Record> hammer_record(const std::vector<Excited>& modes, const RecordOptions& o, std::mt19937_64& random) {
    std::uniform_real_distribution<double> phase(0, 6.28);
    const auto before = std::size_t(o.quiet * o.rate);
    std::vector<Record> channels(
        3, Record{-o.quiet, 1 / o.rate, std::vector<double>(before + std::size_t(o.duration * o.rate) + 1, 0.0)});
    for (const auto& m : modes) {
        const auto decay = tests::ring_down(m.mode, m.amplitude, o.rate, o.duration, phase(random));
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t i = 0; i < decay.values.size() && before + i < channels[c].values.size(); ++i)
                channels[c].values[before + i] += m.shape[c] * decay.values[i];
    }
    std::normal_distribution<double> normal(0, o.noise);
    for (auto& c : channels)
        for (double& x : c.values) x += normal(random);
    return channels;
}

bool doubted(const FoundMode& mode, Doubt doubt) {
    for (const auto& r : mode.remarks)
        if (r.doubt == doubt) return true;
    return false;
}
bool doubted(const FoundModes& found, Doubt doubt) {
    for (const auto& r : found.remarks)
        if (r.doubt == doubt) return true;
    return false;
}

const FoundMode* near(const FoundModes& found, double frequency) {
    for (const auto& m : found.modes)
        if (std::abs(m.frequency / frequency - 1) < 0.01) return &m;
    return nullptr;
}

double effort() {
    const char* text = std::getenv("FAYING_EFFORT");
    return text ? std::max(0.01, std::atof(text)) : 1;
}

}  // namespace

TEST(FoundModes, ThreeModesComeBackWithTheirShapes) {
    std::mt19937_64 random(3);
    const auto modes = beam();
    const auto found = find_modes(hammer_record(modes, {}, random), sensors, {}, "record");
    ASSERT_EQ(found.modes.size(), 3u);
    ASSERT_EQ(found.parts.size(), 1u);
    EXPECT_NEAR(found.parts[0].hit, 0, 1e-3);  // six samples
    for (std::size_t k = 0; k < 3; ++k) {
        const auto& m = found.modes[k];
        EXPECT_TRUE(m.trusted) << k << (m.remarks.empty() ? "" : m.remarks[0].text);
        ASSERT_GE(m.points.size(), 8u) << k;
        for (const auto& p : m.points) {
            // Four standard errors, and what a curve bends within a window.
            EXPECT_NEAR(p.omega, modes[k].mode.omega(p.amplitude), 4 * p.omega_error + 1e-5 * p.omega) << k;
            EXPECT_NEAR(p.zeta, modes[k].mode.zeta(p.amplitude), 4 * p.zeta_error + 0.01 * p.zeta) << k;
            if (std::isfinite(p.zeta_hilbert)) {
                EXPECT_NEAR(p.zeta_hilbert / p.zeta, 1, 0.12) << k;
                EXPECT_NEAR(p.omega_hilbert / p.omega, 1, 3e-4) << k;
            }
        }
        const auto& shape = m.points[m.points.size() / 3].shape;
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(shape[c], modes[k].shape[c], 0.03) << k << c;
    }
}

/// 200 ring-downs with noise of each colour, of different strengths: few points are left above the noise of some.
TEST(FoundModes, BoundsHoldTheTruthAsOftenAsTheySay) {
    const int experiments = std::max(10, int(200 * std::min(1.0, effort())));
    const KnownMode mode{hertz * 90, 2.2e-4, 2e-3, 3e-4, 0.5}, other{hertz * 410, 0, 1.5e-3, 0, 1};
    struct Share {
        double omega = 0, zeta = 0, count = 0;
    };
    std::vector<Share> shares(std::size(tests::colours));
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> phase(0, 6.28);
    for (int e = 0; e < experiments; ++e) {
        const double top = 10 * std::exp(0.5 * normal(random)), level = 0.007 * std::exp(0.5 * normal(random));
        const auto first = tests::ring_down(mode, top, 2000, 2.5, phase(random));
        const auto second = tests::ring_down(other, 0.4 * top, 2000, 2.5, phase(random));
        for (std::size_t k = 0; k < shares.size(); ++k) {
            std::vector<Record> channels(2, {0, 1 / 2000.0, {}});
            for (std::size_t c = 0; c < 2; ++c) {
                tests::ColouredNoise noise(tests::colours[k]);
                for (std::size_t i = 0; i < first.values.size(); ++i)
                    channels[c].values.push_back((c == 0 ? 1 : 0.6) * first.values[i] +
                                                 (c == 0 ? 1 : -0.9) * second.values[i] + level * top * noise(random));
            }
            FindOptions options;
            options.wanted = {90};
            options.points = 12;
            const auto found = find_modes(channels, {"1", "2"}, options, "record");
            ASSERT_EQ(found.modes.size(), 1u);
            if (!found.modes[0].backbone) continue;  // fewer than four points: no bounds
            for (const auto& p : found.modes[0].backbone->points) {
                const double w = mode.omega(p.amplitude), z = mode.zeta(p.amplitude);
                shares[k].omega += p.omega_mean.low <= w && w <= p.omega_mean.high;
                shares[k].zeta += p.zeta_mean.low <= z && z <= p.zeta_mean.high;
                ++shares[k].count;
            }
        }
    }
    for (std::size_t k = 0; k < shares.size(); ++k) {
        const char* colour = tests::colours[k].name;
        ASSERT_GT(shares[k].count, 0.8 * 12 * experiments) << colour;
        for (const double share : {shares[k].omega / shares[k].count, shares[k].zeta / shares[k].count}) {
            std::printf("%s noise: bounds hold the truth in %.1f %%\n", colour, 100 * share);
            const double slack = experiments >= 100 ? 0 : 0.05;
            EXPECT_GE(share, 0.90 - slack) << colour;
            EXPECT_LE(share, 0.99 + slack) << colour;
        }
    }
}

TEST(FoundModes, AClosePairIsNotTrusted) {
    std::mt19937_64 random(4);
    auto modes = beam();
    modes[2].mode = joint_mode(812, 8e-4);
    modes.push_back({joint_mode(817, 8e-4), 30, {0.8, 0.9, -0.3}});  // too close for their damping
    const auto found = find_modes(hammer_record(modes, {}, random), sensors, {}, "record");
    // Not followed at all, or followed, and said to beat: never a mode that is trusted.
    const auto beats = [](const std::vector<Remark>& remarks) {
        return std::any_of(remarks.begin(), remarks.end(), [](const Remark& r) { return r.doubt == Doubt::beating; });
    };
    bool said = beats(found.remarks);
    for (const auto& m : found.modes)
        if (std::abs(m.line.frequency - 814) < 12) {
            said = said || beats(m.remarks);
            EXPECT_FALSE(m.trusted);
        }
    EXPECT_TRUE(said);
    for (const double clean : {83.0, 291.0}) {
        ASSERT_TRUE(near(found, clean));
        EXPECT_TRUE(near(found, clean)->trusted) << clean;
    }
}

TEST(FoundModes, SumsOfLinesAreNoModes) {
    std::mt19937_64 random(5);
    RecordOptions quiet;
    quiet.noise = 0.001;
    auto channels = hammer_record(beam(), quiet, random);
    // A joint that couples the first two: their product stands at 291 - 83 and 291 + 83 Hz.
    for (auto& c : channels) {
        const Record raw = c;
        for (std::size_t i = 0; i < c.values.size(); ++i) c.values[i] += 2e-4 * raw.values[i] * raw.values[i];
    }
    const auto found = find_modes(channels, sensors, {}, "record");
    for (const double sum : {291.0 + 83, 291.0 - 83}) {
        EXPECT_FALSE(near(found, sum)) << sum;
        bool listed = false;
        for (const auto& o : found.others) listed = listed || (o.combination && std::abs(o.line.frequency - sum) < 2);
        EXPECT_TRUE(listed) << sum;
    }
    EXPECT_TRUE(near(found, 83) && near(found, 291) && near(found, 812));
}

/// Two to five per cent of damping: dead after ten periods.
TEST(FoundModes, HeavilyDampedModesAreFound) {
    std::mt19937_64 random(14);
    const std::vector<Excited> modes{{joint_mode(61, 0.016), 35, {1, -0.3, -0.7}},
                                     {joint_mode(149, 0.025), 45, {1, -0.75, 0.3}},
                                     {joint_mode(402, 0.02), 60, {1, 0.9, -0.5}}};
    RecordOptions o;
    o.rate = 4000;
    o.duration = 1;
    o.noise = 0.01;
    const auto found = find_modes(hammer_record(modes, o, random), sensors, {}, "record");
    ASSERT_EQ(found.modes.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_GE(found.modes[k].points.size(), 2u) << k;
        for (const auto& p : found.modes[k].points) {
            // The frequency falls by 0.24 % in all, and half of the amplitudes are within a window.
            EXPECT_NEAR(p.omega / modes[k].mode.omega(p.amplitude), 1, 2e-3) << k;
            EXPECT_NEAR(p.zeta / modes[k].mode.zeta(p.amplitude), 1, 0.05 + 4 * p.zeta_error / p.zeta) << k;
        }
    }
}

TEST(FoundModes, HumAndDriftAreNoModes) {
    std::mt19937_64 random(15);
    auto channels = hammer_record(beam(), {}, random);
    for (auto& c : channels)
        for (std::size_t i = 0; i < c.values.size(); ++i) {
            const double t = c.time(i);
            c.values[i] += 20 - 8 * t + 0.5 * std::cos(hertz * 50 * t) + 0.3 * std::cos(hertz * 150 * t + 1);
        }
    const auto found = find_modes(channels, sensors, {}, "record");
    EXPECT_EQ(found.modes.size(), 3u);
    EXPECT_TRUE(near(found, 83) && near(found, 291) && near(found, 812));
    EXPECT_FALSE(doubted(found, Doubt::beating));
    int steady = 0;
    for (const auto& o : found.others) steady += o.why.find("steady") != std::string::npos;
    EXPECT_EQ(steady, 2);
}

TEST(FoundModes, SeveralHitsOfOneRecordMakeOneBackbone) {
    std::mt19937_64 random(6);
    const auto modes = beam();
    const auto first = hammer_record(modes, {}, random);
    auto weaker = modes;
    for (auto& m : weaker) m.amplitude *= 0.4;
    RecordOptions o;
    o.quiet = 0;
    const auto second = hammer_record(weaker, o, random);
    auto both = first;
    for (std::size_t c = 0; c < 3; ++c) {
        const auto at = both[c].values.size();
        both[c].values.insert(both[c].values.end(), second[c].values.begin(), second[c].values.end());
        // What is left of the first goes on.
        ASSERT_GT(both[c].values.size(), at);
    }
    const auto found = find_modes(both, sensors, {}, "record");
    ASSERT_EQ(found.parts.size(), 2u);
    EXPECT_NEAR(found.parts[1].hit, 3.0, 0.01);
    ASSERT_EQ(found.modes.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k)
        for (const auto& p : found.modes[k].points)
            EXPECT_NEAR(p.zeta / modes[k].mode.zeta(p.amplitude), 1, 0.05 + 4 * p.zeta_error / p.zeta) << k;
    EXPECT_EQ(found.modes[0].points.back().part, 1);
}

TEST(FoundModes, ReboundsAreLeftOut) {
    std::mt19937_64 random(8);
    auto channels = hammer_record(beam(), {}, random);
    auto weaker = beam();
    for (auto& m : weaker) m.amplitude *= 0.6;
    RecordOptions o;
    o.noise = 0;
    o.quiet = 0.09;  // 80 ms after the first
    const auto again = hammer_record(weaker, o, random);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < channels[c].values.size(); ++i) channels[c].values[i] += again[c].values[i];
    const auto found = find_modes(channels, sensors, {}, "record");
    ASSERT_EQ(found.parts.size(), 1u);
    EXPECT_TRUE(doubted(found, Doubt::rebound));
    EXPECT_NEAR(found.parts[0].rebound, 0.08, 0.003);
    EXPECT_GE(found.parts[0].from, found.parts[0].rebound);
}

TEST(FoundModes, ClippedBeginningsAreLeftOutAndClippedRecordsRefused) {
    std::mt19937_64 random(9);
    const auto whole = hammer_record(beam(), {}, random);
    auto channels = whole;
    for (double& x : channels[0].values) x = std::clamp(x, -60.0, 60.0);
    const auto found = find_modes(channels, sensors, {}, "record");
    EXPECT_TRUE(doubted(found, Doubt::clipping));
    EXPECT_GT(found.parts[0].from, 0.01);
    const auto modes = beam();
    ASSERT_TRUE(near(found, 83));
    for (const auto& p : near(found, 83)->points) EXPECT_NEAR(p.zeta / modes[0].mode.zeta(p.amplitude), 1, 0.05);
    channels = whole;
    for (double& x : channels[1].values) x = std::clamp(x, -0.5, 0.5);
    try {
        find_modes(channels, sensors, {}, "record");
        FAIL();
    } catch (const core::BadInput& error) {
        EXPECT_NE(std::string(error.what()).find("channel middle is clipped"), std::string::npos) << error.what();
    }
}

TEST(FoundModes, SensorsNearANodeAreNamed) {
    std::mt19937_64 random(10);
    auto modes = beam();
    modes[0].shape[1] = 0.02;
    const auto found = find_modes(hammer_record(modes, {}, random), sensors, {}, "record");
    ASSERT_TRUE(near(found, 83));
    EXPECT_TRUE(doubted(*near(found, 83), Doubt::node));
    EXPECT_FALSE(doubted(*near(found, 812), Doubt::node));
}

TEST(FoundModes, WhatIsNotThereIsSaid) {
    std::mt19937_64 random(12);
    const auto channels = hammer_record(beam(), {}, random);
    FindOptions options;
    options.wanted = {500};
    EXPECT_THROW(find_modes(channels, sensors, options, "record"), core::BadInput);
    options.wanted = {291};
    EXPECT_EQ(find_modes(channels, sensors, options, "record").modes.size(), 1u);
    const auto noise = hammer_record({}, {}, random);
    EXPECT_THROW(find_modes(noise, sensors, {}, "record"), core::BadInput);
}

TEST(Hits, ARecordThatBeginsAfterTheHitIsOneRingDown) {
    std::mt19937_64 random(13);
    RecordOptions o;
    o.quiet = 0;
    const auto parts = ring_down_parts(hammer_record(beam(), o, random));
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_FALSE(parts[0].recorded);
    EXPECT_EQ(parts[0].from, 0);
}
