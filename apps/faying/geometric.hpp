#pragma once
// sice, nnm and ignl, and what they share: which structure, which mode, which amplitudes.

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "faying/core/frequency.hpp"
#include "faying/geometric/structure_file.hpp"

namespace faying::app {

struct GeometricWords {
    Common common;
    std::string file, at, range, csv, plot, title;
    std::vector<std::string> elements;
    std::string weighting;
    core::FrequencyUnit unit;
    int mode = 1;
};

void add_geometric(CLI::App& command, GeometricWords& words, const std::string& amplitude);

/// --at q1,q2,.. or --range LO:HI:N (or HI: both sides, 8 points each); empty when neither is given.
std::vector<double> amplitudes_of(const GeometricWords& words, bool both_sides);

geometric::Opened open_geometric(const GeometricWords& words);

/// Facts of the structure and its mode that every result begins with.
nlohmann::ordered_json mode_entry(const GeometricWords& words, geometric::Opened& structure,
                                  const geometric::Mode& mode);
void print_mode(const GeometricWords& words, geometric::Opened& structure, const geometric::Mode& mode);

}  // namespace faying::app
