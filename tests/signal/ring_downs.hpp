#pragma once
// Ring-downs whose frequency and damping are known functions of amplitude: A' = -zeta omega A, phase' = omega_d.

#include <cmath>
#include <random>

#include "faying/signal/record.hpp"

namespace faying::tests {

/// A joint in microslip: frequency falls and damping rises with a power of the amplitude.
struct KnownMode {
    double omega0 = 628.3, softening = 0.03, zeta0 = 2e-3, friction = 0.012, power = 0.5;
    double omega(double a) const { return omega0 * (1 - softening * std::pow(a, power)); }
    double zeta(double a) const { return zeta0 + friction * std::pow(a, power); }
};

/// Runge-Kutta with 8 steps a sample: the error is far below what any envelope resolves.
inline signal::Record ring_down(const KnownMode& mode, double amplitude, double rate, double duration,
                                double phase = 0.3, double third_harmonic = 0) {
    signal::Record record{0, 1 / rate, {}};
    double a = amplitude, theta = phase;
    const double h = record.step / 8;
    const auto decay = [&](double x) { return -mode.zeta(x) * mode.omega(x) * x; };
    const auto turn = [&](double x) { return mode.omega(x) * std::sqrt(1 - mode.zeta(x) * mode.zeta(x)); };
    for (std::size_t i = 0; double(i) <= duration * rate; ++i) {
        record.values.push_back(a * (std::cos(theta) + third_harmonic * std::cos(3 * theta)));
        for (int k = 0; k < 8; ++k) {
            const double k1 = decay(a), k2 = decay(a + 0.5 * h * k1), k3 = decay(a + 0.5 * h * k2),
                         k4 = decay(a + h * k3);
            const double middle = a + 0.5 * h * k2, next = a + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
            theta += h / 6 * (turn(a) + 4 * turn(middle) + turn(next));
            a = next;
        }
    }
    return record;
}

/// White noise `decibels` below the power of the wave at the start.
inline void add_noise(signal::Record& record, double amplitude, double decibels, std::mt19937_64& random) {
    std::normal_distribution<double> normal(0, amplitude / std::sqrt(2.0) * std::pow(10, -decibels / 20));
    for (double& x : record.values) x += normal(random);
}

/// Noise of deviation one: white; red, forgotten over `memory` samples; or 1/f (red noise of ten octaves of memory).
struct Colour {
    const char* name;
    double memory = 0;
    bool flicker = false;
};
inline constexpr Colour colours[] = {{"white"},
                                     {"red, 1.4 samples", 1.4},
                                     {"red, 3.5 samples", 3.5},
                                     {"red, 10 samples", 10},
                                     {"red, 50 samples", 50},
                                     {"1/f", 0, true}};

class ColouredNoise {
 public:
    explicit ColouredNoise(const Colour& colour) {
        if (colour.flicker)
            for (int k = 0; k < 10; ++k) kept_.push_back(std::exp(-std::pow(0.5, k)));
        else
            kept_.push_back(colour.memory > 0 ? std::exp(-1 / colour.memory) : 0);
        last_.resize(kept_.size(), 0);
    }
    double operator()(std::mt19937_64& random) {
        double sum = 0;
        for (std::size_t k = 0; k < kept_.size(); ++k)
            sum += last_[k] = kept_[k] * last_[k] + std::sqrt(1 - kept_[k] * kept_[k]) * normal_(random);
        return sum / std::sqrt(double(kept_.size()));
    }

 private:
    std::vector<double> kept_, last_;
    std::normal_distribution<double> normal_;
};

}  // namespace faying::tests
