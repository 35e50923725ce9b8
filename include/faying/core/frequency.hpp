#pragma once
// Frequencies as people read them. Data have both: omega in rad/s, frequency in Hz.

#include <numbers>
#include <string>
#include <vector>

namespace faying::core {

inline double hertz(double omega) { return omega / (2 * std::numbers::pi); }

template <class Range>
std::vector<double> hertz(const Range& omega) {
    std::vector<double> f;
    for (const double w : omega) f.push_back(hertz(w));
    return f;
}

/// Of frequencies in tables for people and in plots.
struct FrequencyUnit {
    std::string word = "Hz";  ///< or "rad/s"

    bool in_hertz() const { return word == "Hz"; }
    double of(double omega) const { return in_hertz() ? hertz(omega) : omega; }
    std::vector<double> of(std::vector<double> omega) const {
        for (double& w : omega) w = of(w);
        return omega;
    }
    const char* label() const { return in_hertz() ? "frequency / Hz" : "omega / (rad/s)"; }
};

}  // namespace faying::core
