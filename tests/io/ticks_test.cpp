#include "faying/io/ticks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace faying::io {
namespace {

std::string labels(const std::vector<Tick>& ticks) {
    std::string text;
    for (const auto& tick : ticks)
        if (!tick.label.empty()) text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

std::string linear(double low, double high, int count = 6) { return labels(ticks({low, high}, false, count)); }
std::string logarithmic(double low, double high, int count = 6) { return labels(ticks({low, high}, true, count)); }

TEST(Ticks, LinearStepsAreOneTwoFive) {
    EXPECT_EQ(linear(0, 6), "0 1 2 3 4 5 6");
    EXPECT_EQ(linear(0, 10), "0 2 4 6 8 10");
    EXPECT_EQ(linear(0, 30), "0 5 10 15 20 25 30");
    EXPECT_EQ(linear(-1.04, 1.04), "\u22121.0 \u22120.5 0.0 0.5 1.0");
}

TEST(Ticks, LabelsKeepTheirDigitsFarFromOne) {
    EXPECT_EQ(linear(0, 6e-6), "0 1e-6 2e-6 3e-6 4e-6 5e-6 6e-6");
    EXPECT_EQ(linear(-3e-21, 3e-21), "\u22123e-21 \u22122e-21 \u22121e-21 0 1e-21 2e-21 3e-21");
    EXPECT_EQ(linear(2.1e8, 2.15e8), "2.1e8 2.11e8 2.12e8 2.13e8 2.14e8 2.15e8");
    EXPECT_EQ(linear(1, 1.0000005), "1.0000000 1.0000001 1.0000002 1.0000003 1.0000004 1.0000005");
}

TEST(Ticks, ValuesAreTheDoublesOfTheirLabels) {
    const auto found = ticks({0, 0.6}, false, 6);
    ASSERT_EQ(found.size(), 7u);
    EXPECT_EQ(found[3].value, 0.3);  // 3 * 0.1 is not
    for (const double size : {1e-300, 7e-19, 1e-3, 1.0, 33.0, 1e17, 1e300})
        for (const double from : {-1.0, -0.01, 0.3, 0.999}) {
            const auto list = ticks({from * size, size}, false, 8);
            ASSERT_GE(list.size(), 4u) << from << " " << size;
            ASSERT_LE(list.size(), 9u);
            for (std::size_t k = 0; k < list.size(); ++k) {
                std::string plain = list[k].label;
                if (plain.starts_with("\u2212")) plain.replace(0, 3, "-");
                EXPECT_EQ(std::stod(plain), list[k].value);
                EXPECT_GE(list[k].value, from * size - 1e-9 * size);
                EXPECT_LE(list[k].value, size * (1 + 1e-9));
                EXPECT_TRUE(k == 0 || list[k].value > list[k - 1].value);
            }
        }
}

TEST(Ticks, LogarithmicDecades) {
    EXPECT_EQ(logarithmic(1e-3, 10), "10⁻³ 10⁻² 10⁻¹ 10⁰ 10¹");
    EXPECT_EQ(logarithmic(1e-22, 1e-9, 5), "10⁻²¹ 10⁻¹⁸ 10⁻¹⁵ 10⁻¹² 10⁻⁹");
    EXPECT_EQ(ticks({1e-3, 10}, true, 6).size(), 4u * 9 + 1) << "2 to 9 are minor ticks";
}

TEST(Ticks, LogarithmicWithoutManyDecades) {
    EXPECT_EQ(logarithmic(1, 50), "1 2 5 10 20 50");
    EXPECT_EQ(logarithmic(0.2, 40), "0.3 1 3 10 30");
    EXPECT_EQ(logarithmic(1e-7, 1e-6), "1e-7 2e-7 5e-7 1e-6");
    EXPECT_EQ(logarithmic(1.1e-3, 7.2e-3, 3), "0.002 0.005") << "linear ticks would say 0.005 only";
    EXPECT_EQ(logarithmic(100, 106), "100 101 102 103 104 105 106") << "too short for decades: linear";
}

TEST(Ticks, RangesHaveAirAndAreNeverEmpty) {
    EXPECT_DOUBLE_EQ(padded(0, 1, false).low, -0.04);
    EXPECT_DOUBLE_EQ(padded(0, 1, false).high, 1.04);
    EXPECT_DOUBLE_EQ(padded(1, 100, true).high, std::pow(10, 2.08));
    for (const double v : {0.0, 1.0, -3e-20, 5e20}) {
        const auto range = padded(v, v, false);
        EXPECT_LT(range.low, v);
        EXPECT_GT(range.high, v);
        EXPECT_GE(ticks(range, false, 5).size(), 3u);
    }
    for (const double v : {1e-320, 1e-20, 1.0, 1e308}) {
        const auto range = padded(v, v, true);
        EXPECT_GT(range.low, 0);
        EXPECT_LT(range.low, range.high);
        EXPECT_TRUE(std::isfinite(range.high));
    }
}

TEST(Ticks, WhatHasNoExtentHasNoTicks) {
    EXPECT_TRUE(ticks({1, 1}, false, 5).empty());
    EXPECT_TRUE(ticks({-1.7e308, 1.7e308}, false, 5).empty()) << "the difference overflows";
}

}  // namespace
}  // namespace faying::io
