#pragma once
// Measured backbones in files (text, .h5, .mat):
//
//     const auto data = files::read_backbones("beam.csv").front();

#include <string>
#include <vector>

#include "faying/fit/errors.hpp"

namespace faying::files {

/// One backbone per mode, by mode, from text, .h5 or .mat. Columns (variables) by name: amplitude, omega (rad/s) or
/// frequency (Hz), zeta, and optionally mode (else it is 1) and the four bounds omega_low, omega_high, zeta_low,
/// zeta_high (or frequency_..). Of files of `faying envelope --out` the observation bounds are taken. Throws BadInput
/// naming file and column.
std::vector<fit::Backbone> read_backbones(const std::string& path);

/// The same file again, with all columns, by extension text, .h5 or .mat; `read_backbones` gives back the same bits.
void write_backbones(const std::string& path, const std::vector<fit::Backbone>& backbones);
std::string backbones_text(const std::vector<fit::Backbone>& backbones);

}  // namespace faying::files
