#pragma once
// What modes and responses by harmonic balance share here.

#include <nlohmann/json_fwd.hpp>

#include "faying/results/harmonic.hpp"

namespace faying::results {

modes::HarmonicOptions options_of(const HarmonicChoice& choice);
/// The orders given, or as many as `run` needs.
HarmonicsUsed orders_for(const structure::Model& model, const modes::Interface& interface, const HarmonicChoice& choice,
                         const modes::HarmonicRun& run);
/// Throws NotConverged where the orders are not enough.
void require_enough(const HarmonicsUsed& used, const char* command);
/// omega, frequency, a, harmonics ([[mean of every DOF], [cos 1], [sin 1], ..]), dissipation, residual, status; where
/// the joints' forces are sampled, how often.
nlohmann::json motion_json(const modes::HarmonicPoint& point, int samples);
/// stable (null where it is not known), multipliers, and what they are of.
nlohmann::json stability_json(const modes::Stability& s);

}  // namespace faying::results
