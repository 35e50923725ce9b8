#pragma once
// Private to results/: sweeps in tables and archives.

#include "faying/results/sweeps.hpp"

namespace faying::results {

struct SweepsRead {
    std::vector<signal::Sweep> sweeps;
    std::string amplitude_unit = {};  ///< as the file says it; "": it does not
};

/// Of one file; phases in rad, amplitudes as they are.
SweepsRead read_sweeps(const std::string& file);

}  // namespace faying::results
