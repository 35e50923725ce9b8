#pragma once
// What `backbone --method epmc` and `response` share: harmonics and samples from the command line, motions as JSON.

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "faying/modes/harmonic_balance.hpp"

namespace faying::app {

struct HarmonicWords {
    std::string harmonics;  ///< empty: not given
    int samples = 0;

    bool given() const { return !harmonics.empty() || samples > 0; }
    std::string orders() const { return harmonics.empty() ? "3" : harmonics; }
};

/// --harmonics and --samples.
void add_harmonics(CLI::App& command, HarmonicWords& words);
/// Throws core::BadInput.
modes::HarmonicOptions harmonic_options(const HarmonicWords& words);

/// "displacement=1e-3,at=2" or "acceleration=10,output=tip": what a response holds. Throws core::BadInput.
modes::ResponseTask::Hold parse_hold(const structure::Model& model, const std::string& text);

/// omega, frequency, a, harmonics ([[mean of every DOF], [cos 1], [sin 1], ..]), dissipation, residual, status; where
/// the joints' forces are sampled, how often.
nlohmann::ordered_json entry_of(const modes::HarmonicPoint& point, const HarmonicWords& words);
/// stable, multipliers as [real, imaginary], how many are zero, and how they were found; or why not.
void add_stability(nlohmann::ordered_json& entry, const modes::Stability& stability);

}  // namespace faying::app
