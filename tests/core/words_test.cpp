// Numbers and settings written as words: whole words or none, finite, and counts that are counts.

#include "faying/core/words.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"

namespace faying::core {
namespace {

TEST(Words, NumbersAtEvenRatiosAndDistances) {
    const auto ratios = log_spaced("0.1:100:4", "--amplitudes");
    ASSERT_EQ(ratios.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(ratios[i] / std::pow(10.0, double(i) - 1), 1, 1e-15);
    EXPECT_EQ(ratios.back(), 100.0);
    EXPECT_EQ(evenly_spaced("-1:1:5", "--range"), (std::vector{-1.0, -0.5, 0.0, 0.5, 1.0}));
}

TEST(Words, WhatIsNoRangeIsRefused) {
    for (const char* text : {"", ":", "1", "1:2", "1:2:", "1:2:3x", "1:2:2.5", "1:2:1", "1:2:100001", "1:2:4294967298",
                             "2:1:3", "1:1:3", "nan:1:3", "1:inf:3", "1:1e999:3", "1:2:3:4", "1;2;3"}) {
        EXPECT_THROW(log_spaced(text, "--amplitudes"), BadInput) << text;
        EXPECT_THROW(evenly_spaced(text, "--range"), BadInput) << text;
    }
    EXPECT_THROW(log_spaced("1e-300:1e300:3", "--amplitudes"), BadInput);  // their ratio is no number
    EXPECT_THROW(evenly_spaced("-1e308:1e308:3", "--range"), BadInput);    // nor is this distance
}

TEST(Words, Pairs) {
    EXPECT_EQ(parse_pair("-1:2.5", "--band", "LOW:HIGH"), (std::pair{-1.0, 2.5}));
    for (const char* text : {"", "1", "1:", ":1", "1:2:3", "1:x", "nan:1", "1:inf", "1:2x"})
        EXPECT_THROW(parse_pair(text, "--band", "LOW:HIGH"), BadInput) << text;
    EXPECT_EQ(parse_whole_pair("2:7", "--orders", 2, 15), (std::pair{2, 7}));
    EXPECT_EQ(parse_whole_pair("3", "--orders", 2, 15), (std::pair{3, 3}));
    for (const char* text : {"", "3x", "2:7x", "1:3", "3:2", "2:16", "2.5:3", "2:4294967298", "2:3:4", "nan:3"})
        EXPECT_THROW(parse_whole_pair(text, "--orders", 2, 15), BadInput) << text;
}

}  // namespace
}  // namespace faying::core
