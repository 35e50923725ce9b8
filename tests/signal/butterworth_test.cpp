#include "faying/signal/butterworth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"

using namespace faying;
using namespace faying::signal;
using std::numbers::pi;

namespace {

/// |H| of the analog band-pass at the prewarped frequency: 1/sqrt(1 + ((w^2 - w0^2)/(w B))^(2n)).
double exact_gain(int order, double low, double high, double rate, double f) {
    const double w1 = std::tan(pi * low / rate), w2 = std::tan(pi * high / rate), w = std::tan(pi * f / rate);
    return 1 / std::sqrt(1 + std::pow((w * w - w1 * w2) / (w * (w2 - w1)), 2 * order));
}

}  // namespace

TEST(Butterworth, GainIsTheDefinition) {
    for (const auto& [low, high] :
         {std::pair(90.0, 110.0), std::pair(99.0, 101.0), std::pair(5.0, 480.0), std::pair(0.1, 0.3)})
        for (int order = 1; order <= 12; ++order) {
            const auto sections = butterworth_bandpass(order, low, high, 1000);
            EXPECT_EQ(sections.size(), std::size_t(order));
            for (const double f : {0.02, 0.17, 3.0, 50.0, 90.0, 100.0, 109.0, 130.0, 300.0, 490.0}) {
                const double exact = exact_gain(order, low, high, 1000, f);
                // Poles near the unit circle cancel digits: relative 1e-16 times their distance from it.
                EXPECT_NEAR(gain(sections, f, 1000), exact, 1e-7 * exact + 1e-15) << order << " " << f;
            }
            EXPECT_NEAR(gain(sections, low, 1000), std::sqrt(0.5), 1e-7);
            EXPECT_NEAR(gain(sections, high, 1000), std::sqrt(0.5), 1e-7);
        }
}

TEST(Butterworth, ForwardAndBackwardHasNoPhaseAndTheSquareOfTheGain) {
    Record record{0, 1e-3, {}};
    for (int i = 0; i < 4000; ++i) record.values.push_back(std::cos(2 * pi * 108 * i * 1e-3 + 0.7));
    const auto sections = butterworth_bandpass(4, 90, 110, 1000);
    const Record band = zero_phase(sections, record);
    const double g = std::pow(gain(sections, 108, 1000), 2);
    for (int i = 1500; i < 2500; ++i) EXPECT_NEAR(band.values[i], g * record.values[i], 1e-5);
}

TEST(Butterworth, ReversedRecordGivesTheReversedAnswer) {
    Record record{0, 1e-3, {}};
    for (int i = 0; i < 3000; ++i)
        record.values.push_back(std::exp(-2e-3 * i) * std::cos(0.63 * i) + 0.3 * std::cos(0.2 * i));
    Record reversed = record;
    std::reverse(reversed.values.begin(), reversed.values.end());
    const auto sections = butterworth_bandpass(3, 80, 120, 1000);
    const auto a = zero_phase(sections, record).values;
    auto b = zero_phase(sections, reversed).values;
    std::reverse(b.begin(), b.end());
    for (std::size_t i = 600; i < 2400; ++i) EXPECT_NEAR(a[i], b[i], 1e-3 * std::abs(a[600]));
}

TEST(Butterworth, ConstantsAndOtherModesAreTakenAway) {
    Record record{0, 1e-3, {}};
    for (int i = 0; i < 5000; ++i) record.values.push_back(5 + std::cos(2 * pi * 0.1 * i) + std::cos(2 * pi * 0.2 * i));
    const Record band = zero_phase(butterworth_bandpass(4, 90, 110, 1000), record);
    for (int i = 1000; i < 4000; ++i) EXPECT_NEAR(band.values[i], std::cos(2 * pi * 0.1 * i), 2e-4);
}

TEST(Butterworth, BandsOutsideNyquistAreRefused) {
    for (const auto& [low, high] : {std::pair(90.0, 500.0), std::pair(90.0, 600.0), std::pair(0.0, 100.0),
                                    std::pair(100.0, 90.0), std::pair(-5.0, 90.0), std::pair(90.0, std::nan(""))})
        EXPECT_THROW(butterworth_bandpass(4, low, high, 1000), core::BadInput);
    EXPECT_THROW(butterworth_bandpass(0, 90, 110, 1000), core::BadInput);
    EXPECT_THROW(butterworth_bandpass(21, 90, 110, 1000), core::BadInput);
}
