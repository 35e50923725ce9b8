#include "faying/signal/envelope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/signal/modal_filter.hpp"
#include "ring_downs.hpp"

using namespace faying;
using namespace faying::signal;
using tests::KnownMode;

namespace {

constexpr Method both[] = {Method::hilbert, Method::peaks};

std::string note(const std::function<void()>& act) {
    try {
        act();
    } catch (const core::BadInput& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(Envelope, LinearRingDownIsExact) {
    const KnownMode linear{.softening = 0, .zeta0 = 5e-3, .friction = 0};
    for (const Method method : both)
        for (const double phase : {0.0, 0.9, 1.6, 2.8}) {
            const Record record = tests::ring_down(linear, 3.0, 5000, 1.0, phase);
            EnvelopeOptions options;
            options.method = method;
            const auto points = envelope(record, options, "record").points;
            ASSERT_GE(points.size(), 5u) << name(method) << phase;
            for (const auto& p : points) {
                const double a = 3.0 * std::exp(-5e-3 * 628.3 * p.time);
                // What is left is the end effect of a finite record.
                EXPECT_NEAR(p.amplitude / a, 1, 2e-4) << name(method) << phase;
                EXPECT_NEAR(p.omega / 628.3, 1, 2e-5) << name(method) << phase;
                EXPECT_NEAR(p.zeta / 5e-3, 1, 6e-3) << name(method) << phase;
            }
        }
}

TEST(Envelope, AmplitudeDependentRingDown) {
    const KnownMode mode;
    const Record record = tests::ring_down(mode, 1.0, 5000, 1.5);
    for (const Method method : both) {
        EnvelopeOptions options;
        options.method = method;
        const auto e = envelope(record, options, "record");
        EXPECT_GE(e.points.size(), 10u);
        for (const auto& p : e.points) {
            EXPECT_NEAR(p.omega / mode.omega(p.amplitude), 1, 1e-4) << name(method);
            EXPECT_NEAR(p.zeta / mode.zeta(p.amplitude), 1, 1e-2) << name(method) << p.time;
        }
    }
}

TEST(Envelope, MoreSegmentsConverge) {
    const KnownMode mode;
    const Record record = tests::ring_down(mode, 1.0, 20000, 1.5);
    const auto worst = [&](int segments) {
        EnvelopeOptions options;
        options.segments = segments;
        double error = 0;
        for (const auto& p : envelope(record, options, "record").points)
            error = std::max(error, std::abs(p.omega / mode.omega(p.amplitude) - 1));
        return error;
    };
    EXPECT_LT(worst(8), worst(4) / 2.5);  // second order in the segment, until end effects show
}

TEST(Envelope, HilbertFollowsTheFundamentalAndPeaksThePeak) {
    const KnownMode mode;
    const double third = 0.02;  // peaks are higher by 1 + third
    const Record record = tests::ring_down(mode, 1.0, 20000, 1.5, 0.3, third);
    EnvelopeOptions options;
    options.segments = 12;
    const auto fundamental = envelope(record, options, "record");
    options.method = Method::peaks;
    const auto peak = envelope(record, options, "record");
    EXPECT_EQ(fundamental.follows, Follows::fundamental);
    EXPECT_EQ(peak.follows, Follows::peak);
    for (const auto& p : fundamental.points) EXPECT_NEAR(p.zeta / mode.zeta(p.amplitude), 1, 0.012);
    for (const auto& p : peak.points) EXPECT_NEAR(p.omega / mode.omega(p.amplitude / (1 + third)), 1, 1e-4);
    for (std::size_t i = 0; i < peak.points.size(); ++i)
        EXPECT_NEAR(peak.points[i].amplitude / fundamental.points[i].amplitude, 1 + third, 2e-3);
    options.harmonics_removed = true;
    EXPECT_EQ(envelope(record, options, "record").follows, Follows::fundamental);
}

TEST(Envelope, QuantitiesAreRelatedByTheFrequency) {
    const Record record = tests::ring_down(KnownMode{}, 1.0, 5000, 1.5);
    const auto e = envelope(record, {}, "record");
    const auto displacement = converted(e, Quantity::acceleration, Quantity::displacement);
    const auto velocity = converted(e, Quantity::displacement, Quantity::velocity);
    for (std::size_t i = 0; i < e.points.size(); ++i) {
        const auto& p = e.points[i];
        EXPECT_DOUBLE_EQ(displacement.points[i].amplitude, p.amplitude / (p.omega * p.omega));
        EXPECT_DOUBLE_EQ(velocity.points[i].amplitude, p.amplitude * p.omega);
        EXPECT_EQ(velocity.points[i].zeta, p.zeta);
    }
}

TEST(Envelope, NoiseEndsTheEnvelope) {
    std::mt19937_64 random(7);
    const KnownMode mode{.softening = 0, .zeta0 = 1e-2, .friction = 0};
    Record record = tests::ring_down(mode, 1.0, 5000, 3.0);  // decays by eight decades, the noise does not
    tests::add_noise(record, 1.0, 40, random);
    const auto e = envelope(record, {}, "record");
    EXPECT_GT(e.dropped_segments, 5);
    for (const auto& p : e.points) EXPECT_GT(p.amplitude, 0.01);
}

TEST(Envelope, PrimeLengthsAreNotSlow) {
    const KnownMode mode;
    Record record = tests::ring_down(mode, 1.0, 20000, 5.1);
    record.values.resize(99991);  // prime
    EXPECT_GE(envelope(record, {}, "record").points.size(), 10u);
}

TEST(Envelope, BadRecordsAreRefused) {
    const std::vector<double> t{0, 1, 2, 3, 4.5}, x{1, -1, 1, -1, 1}, nan{1, -1, std::nan(""), 1, 1},
        back{0, 1, 1, 2, 3};
    EXPECT_NE(note([&] { even_record(t, x, "a.csv"); }).find("a.csv: is not sampled evenly"), std::string::npos);
    EXPECT_NE(note([&] { even_record(x, nan, "a.csv"); }).find("sample 3 is not a finite number"), std::string::npos);
    EXPECT_NE(note([&] { even_record(back, x, "a.csv"); }).find("time must increase"), std::string::npos);
    Record still{0, 1e-3, std::vector<double>(1000, 2.0)};
    EXPECT_NE(note([&] { envelope(still, {}, "a"); }).find("constant"), std::string::npos);
    Record brief{0, 1e-3, {}};
    for (int i = 0; i < 100; ++i) brief.values.push_back(std::sin(2 * std::numbers::pi * i / 40.0));
    EXPECT_NE(note([&] { envelope(brief, {}, "a"); }).find("shorter than three periods"), std::string::npos);
    EnvelopeOptions options;
    options.dropped_start = 0.95;
    EXPECT_NE(note([&] { envelope(brief, options, "a"); }).find("dropped ends"), std::string::npos);
    options = {};
    options.segments = 200;
    const Record good = tests::ring_down(KnownMode{}, 1.0, 5000, 1.5);
    EXPECT_NE(note([&] { envelope(good, options, "a"); }).find("too many"), std::string::npos);
    std::mt19937_64 random(3);
    Record noise{0, 1e-3, std::vector<double>(5000, 0.0)};
    tests::add_noise(noise, 1.0, 0, random);
    EXPECT_NE(note([&] { envelope(noise, {}, "a"); }), "");
}

TEST(ModalFilter, TakesModesApart) {
    const KnownMode slow{.omega0 = 300}, fast{.omega0 = 800};
    const Record q1 = tests::ring_down(slow, 1, 5000, 1.0), q2 = tests::ring_down(fast, 0.4, 5000, 1.0);
    Eigen::MatrixXd shapes(3, 2);
    shapes << 0.3, 0.8, 0.9, -0.1, 1.0, -0.7;
    std::vector<Record> channels(3, Record{0, q1.step, {}});
    for (Eigen::Index c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < q1.values.size(); ++i)
            channels[c].values.push_back(shapes(c, 0) * q1.values[i] + shapes(c, 1) * q2.values[i]);
    const auto modes = modal_filter(channels, shapes, "record");
    for (std::size_t i = 0; i < q1.values.size(); ++i) {
        EXPECT_NEAR(modes.modes[0].values[i], q1.values[i], 1e-14);
        EXPECT_NEAR(modes.modes[1].values[i], q2.values[i], 1e-14);
    }
    EXPECT_GT(modes.condition, 1);
    EXPECT_THROW(modal_filter({channels[0]}, shapes, "r"), core::BadInput);
    EXPECT_THROW(modal_filter({channels[0]}, shapes.topRows(1), "r"), core::BadInput);
    shapes.col(1) = 2 * shapes.col(0);
    EXPECT_THROW(modal_filter(channels, shapes, "r"), core::BadInput);
}
