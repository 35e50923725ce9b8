#pragma once
// Stability of a periodic motion of a HarmonicSystem at its last evaluation.

#include "faying/modes/harmonic_balance.hpp"
#include "harmonic_orbit.hpp"
#include "harmonic_system.hpp"

namespace faying::modes {

/// Modal harmonics `q` at w. The exact orbit's multipliers; where shooting does not find it, those of the harmonics'
/// own motion; Hill's where there is no period map, as beyond `most_modes`, and all laws are elastic.
Stability stability_of(const HarmonicSystem& system, const Eigen::MatrixXd& q, double w,
                       int most_modes = PeriodMap::most_modes);

/// Hill's method: exponents of e^(lambda t) p(t), p of the same harmonics, by the quadratic eigenvalue problem of the
/// system's Jacobian; the 2n of least imaginary part. Laws must be elastic, harmonics without gaps.
std::vector<Complex> hill_multipliers(const HarmonicSystem& system, double w);

/// How many multipliers are outside the unit circle; -1 where that is not known.
int unstable(const Stability& s);
/// How far the largest multiplier of a kind is outside the circle: a negative one (period doubling), or one of a pair.
double signed_distance(const Stability& s, Bifurcation kind);

}  // namespace faying::modes
