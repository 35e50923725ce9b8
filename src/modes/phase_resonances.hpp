#pragma once
// Where a force keeps a mode going at a quarter of a period's lag: on the nonlinear mode, which has one motion at every
// amplitude, also where the force falls again as the amplitude grows, or has to hold the motion back.

#include "faying/modes/harmonic_balance.hpp"

namespace faying::modes {

/// EPMC motions whose damping takes as much as the load gives (2 |zeta| omega^2 a = p |phi^H f|), in the phase in which it
/// does so; amplitudes up to a thousand times `around`.
std::vector<HarmonicPoint> phase_resonances(const structure::Model& model, const Interface& interface, int mode,
                                            const HarmonicLoad& load, double around, HarmonicOptions options);

}  // namespace faying::modes
