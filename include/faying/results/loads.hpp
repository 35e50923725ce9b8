#pragma once
// Loads and starts of a time history in words, "key=value,key=value":
//
//     parse_load(model, {"impulse", "at=2,p=30,omega=1.7"});        // or output=NAME, mode=N, base=1
//     parse_start(model, "mode=2,q=5", false);
//
// All throw core::BadInput that names the option and what is allowed.

#include <string>
#include <vector>

#include "faying/core/words.hpp"
#include "faying/transient/simulate.hpp"

namespace faying::results {

/// Where a load acts: at=DOF, output=NAME, load=NAME (of a reduced model), mode=N (shape=stuck|slip), or base=1 (all DOF along one direction), or the
/// rigid motion base=1;0;1;0.
Eigen::VectorXd load_shape(const structure::Model& model, core::Words& words);

struct LoadWords {
    std::string kind;  ///< impulse, sine, chirp, random, table
    std::string text;
};

transient::Load parse_load(const structure::Model& model, const LoadWords& words);
/// Throws where a force, a frequency or an amplitude is so small or large that its square is no normal number.
void check_size(const std::string& option, const std::string& what, double x);
/// "at=3,p=0.1;1;5": where a harmonic force acts, and how hard.
struct HarmonicForceWords {
    Eigen::VectorXd shape;
    std::vector<double> levels;  ///< N
};
HarmonicForceWords parse_harmonic_force(const structure::Model& model, const std::string& text);

/// From mode=N,q=..,v=.. or u=..;..,v=..;..; from the static equilibrium with `preload`.
transient::Start parse_start(const structure::Model& model, const std::string& free, bool preload);

}  // namespace faying::results
