#pragma once
// Words of the command line for the choices of modal analysis.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <Eigen/Dense>
#include <numbers>
#include <string>
#include <vector>

#include "faying/modes/backbone.hpp"

namespace faying::app {

inline void add_friction(CLI::App& command, std::string& word) {
    command
        .add_option("--prestress", word,
                    "friction while preloading: active, conservative (springs and normal contact only), linear")
        ->check(CLI::IsMember({"active", "conservative", "linear"}));
}

inline modes::Friction friction_of(const std::string& word) {
    return word == "conservative" ? modes::Friction::conservative
           : word == "linear"     ? modes::Friction::linear
                                  : modes::Friction::active;
}

inline double hertz(double omega) { return omega / (2 * std::numbers::pi); }

inline std::vector<double> hertz(const Eigen::VectorXd& omega) {
    std::vector<double> f;
    for (const double w : omega) f.push_back(hertz(w));
    return f;
}

/// What people read frequencies in, in tables and plots. JSON and CSV have both: omega in rad/s, frequency in Hz.
struct FrequencyUnit {
    std::string word = "Hz";

    bool in_hertz() const { return word == "Hz"; }
    double of(double omega) const { return in_hertz() ? hertz(omega) : omega; }
    const char* label() const { return in_hertz() ? "frequency / Hz" : "omega / (rad/s)"; }
};

inline void add_unit(CLI::App& command, FrequencyUnit& unit) {
    command.add_option("--unit", unit.word, "of frequencies in tables and plots: Hz (default) or rad/s")
        ->check(CLI::IsMember({"Hz", "rad/s"}));
}

inline void print_modes(const Eigen::VectorXd& omega, const Eigen::VectorXd& residual, const FrequencyUnit& unit) {
    fmt::print("{:>5} {:>16} {:>10}\n", "mode", unit.label(), "residual");
    for (Eigen::Index r = 0; r < omega.size(); ++r)
        fmt::print("{:5} {:16.9g} {:10.1e}\n", r + 1, unit.of(omega(r)), residual(r));
}

}  // namespace faying::app
