// Sweeps of a mode whose stiffness and damping depend on amplitude, with a phase offset of the instruments.
#include "faying/signal/sweeps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"

using namespace faying;
using namespace faying::signal;

namespace {

constexpr double hertz = 2 * std::numbers::pi, mass = 1.9;

double omega_of(double a) { return hertz * (80.6 - 0.05 * std::sqrt(a)); }
double zeta_of(double a) { return 1.2e-3 + 2e-4 * std::sqrt(a); }

/// F/x at an acceleration amplitude.
std::complex<double> stiffness(double frequency, double a) {
    const double w0 = omega_of(a), w = hertz * frequency;
    return mass * std::complex<double>(w0 * w0 - w * w, 2 * zeta_of(a) * w0 * w0);
}

Sweep with_response(double a, double offset) {
    Sweep s;
    s.derivative = 2;
    for (double f = 79.5; f < 81.51; f += 0.05) {
        const auto z = stiffness(f, a);
        s.frequency.push_back(f);
        s.amplitude.push_back(a);
        s.force.push_back(std::abs(z) * a / std::pow(hertz * f, 2));
        s.phase.push_back(std::numbers::pi - std::arg(z) + offset);
    }
    return s;
}

/// The amplitude that a force makes, by bisection (there is no fold at this damping).
Sweep with_force(double force, double offset) {
    Sweep s = with_response(1, offset);
    for (std::size_t i = 0; i < s.frequency.size(); ++i) {
        double low = 1e-3, high = 1e3;
        for (int k = 0; k < 200; ++k) {
            const double a = std::sqrt(low * high);
            (std::abs(stiffness(s.frequency[i], a)) * a / std::pow(hertz * s.frequency[i], 2) < force ? low : high) = a;
        }
        s.amplitude[i] = low;
        s.force[i] = force;
        s.phase[i] = std::numbers::pi - std::arg(stiffness(s.frequency[i], low)) + offset;
    }
    return s;
}

}  // namespace

TEST(Sweeps, ResponseHeldIsExactWhateverThePhaseOffset) {
    for (const double offset : {0.0, 0.15, -0.1}) {
        const auto p = response_held(with_response(20, offset), "sweep");
        EXPECT_NEAR(p.omega / omega_of(20), 1, 1e-9) << offset;
        EXPECT_NEAR(p.zeta / zeta_of(20), 1, 1e-6) << offset;
        EXPECT_NEAR(p.zeta_phase / zeta_of(20), 1, 1e-6) << offset;
        EXPECT_NEAR(p.zeta_magnitude / zeta_of(20), 1, 1e-4) << offset;
        EXPECT_NEAR(p.phase_offset, offset, 1e-6);
        EXPECT_NEAR(p.mass / mass, 1, 1e-6);
    }
}

TEST(Sweeps, ATurnedSensorIsNoOffset) {
    const auto p = response_held(with_response(20, 0.05 - std::numbers::pi), "sweep");
    EXPECT_NEAR(p.phase_offset, 0.05, 1e-6);
    EXPECT_NEAR(p.zeta / zeta_of(20), 1, 1e-6);
}

TEST(Sweeps, ForceHeldGivesTheSameBackbone) {
    std::vector<Sweep> sweeps;  // amplitudes that two of them reach on both sides of the resonance
    for (const double force : {0.1, 0.15, 0.22, 0.33, 0.5, 0.75}) sweeps.push_back(with_force(force, 0.08));
    const auto points = force_held(sweeps, 12);
    ASSERT_GE(points.size(), 6u);
    for (const auto& p : points) {
        // What the mode changes between the lines of a sweep bounds this.
        EXPECT_NEAR(p.omega / omega_of(p.amplitude), 1, 2e-5) << p.amplitude;
        EXPECT_NEAR(p.zeta / zeta_of(p.amplitude), 1, 0.005) << p.amplitude;
        EXPECT_NEAR(p.phase_offset, 0.08, 0.03);
    }
    EXPECT_TRUE(with_response(3, 0).holds_response());
    EXPECT_FALSE(with_force(0.3, 0).holds_response());
}

/// 200 sweeps with noise of 1 %, even and alike from line to line.
TEST(Sweeps, BoundsHoldTheTruthAsOftenAsTheySay) {
    for (const double alike : {0.0, 0.7})
        for (const bool force : {false, true}) {
            double omega = 0, zeta = 0, count = 0;
            for (int e = 0; e < (force ? 40 : 200); ++e) {
                std::mt19937_64 random{std::uint64_t(e)};
                std::normal_distribution<double> normal;
                const double offset = 0.1 * normal(random);
                const auto noisy = [&](Sweep s) {
                    double last[3] = {};
                    for (std::size_t i = 0; i < s.frequency.size(); ++i) {
                        for (double& x : last) x = alike * x + std::sqrt(1 - alike * alike) * normal(random);
                        s.force[i] *= 1 + 0.01 * last[0];
                        s.amplitude[i] *= 1 + 0.01 * last[1];
                        s.phase[i] += 0.01 * last[2];
                    }
                    return s;
                };
                std::vector<SweepPoint> points;
                if (force) {
                    std::vector<Sweep> sweeps;
                    for (const double p : {0.1, 0.15, 0.22, 0.33, 0.5, 0.75})
                        sweeps.push_back(noisy(with_force(p, offset)));
                    points = force_held(sweeps, 12);
                } else {
                    points = {response_held(noisy(with_response(20, offset)), "sweep")};
                }
                for (const auto& p : points) {
                    const double w = omega_of(p.amplitude), z = zeta_of(p.amplitude);
                    omega += p.omega_bounds.low <= w && w <= p.omega_bounds.high;
                    zeta += p.zeta_bounds.low <= z && z <= p.zeta_bounds.high;
                    ++count;
                }
            }
            EXPECT_GE(omega / count, 0.90) << alike << force;
            EXPECT_GE(zeta / count, 0.90) << alike << force;
            EXPECT_LE(omega / count, 0.99) << alike << force;
            EXPECT_LE(zeta / count, 0.99) << alike << force;
        }
}

TEST(Sweeps, BadLinesAreNamed) {
    const auto refused = [](const Sweep& s, const char* words) {
        try {
            response_held(s, "sweep");
            ADD_FAILURE() << words;
        } catch (const core::BadInput& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    auto s = with_response(20, 0);
    std::swap(s.frequency[7], s.frequency[8]);
    refused(s, "line 9: ");
    s = with_response(20, 0);
    s.frequency[5] = s.frequency[4];
    refused(s, "lines 5 and 6 have the same frequency");
    s = with_response(20, 0);
    s.phase.pop_back();
    refused(s, "phases");
    s = with_response(20, 0);
    s.force[3] = 0;
    refused(s, "line 4");
    s = with_response(20, 0);
    for (double& f : s.frequency) f += 10;
    for (std::size_t i = 0; i < s.frequency.size(); ++i) {
        const auto z = stiffness(s.frequency[i], 20);
        s.force[i] = std::abs(z) * 20 / std::pow(hertz * s.frequency[i], 2);
        s.phase[i] = std::numbers::pi - std::arg(z);
    }
    refused(s, "no resonance between");
}
