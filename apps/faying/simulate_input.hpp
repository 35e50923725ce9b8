#pragma once
// What `faying simulate` is asked for: loads and starts as words "key=value,key=value".

#include <string>
#include <vector>

#include "faying/transient/simulate.hpp"

namespace faying::app {

struct LoadWords {
    std::string kind;  ///< impulse, sine, chirp, random, table
    std::string text;
};

transient::Load parse_load(const structure::Model& model, const LoadWords& words);
/// "at=3,p=0.1;1;5": where a harmonic force acts, and how hard.
struct HarmonicForceWords {
    Eigen::VectorXd shape;
    std::vector<double> levels;  ///< N
};
HarmonicForceWords parse_harmonic_force(const structure::Model& model, const std::string& text);

transient::Start parse_start(const structure::Model& model, const std::string& free, bool preload);

/// Tells models apart: a number made of all their matrices, laws and parameters.
std::string fingerprint(const structure::Model& model);

}  // namespace faying::app
