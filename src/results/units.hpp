#pragma once
// Private to results/: units of recorded channels, as files write them.

#include <optional>
#include <string>

#include "faying/signal/envelope.hpp"

namespace faying::results {

struct MeasuredUnit {
    std::optional<signal::Quantity> quantity = {};  ///< of motion; none for a force
    bool force = false;
    double si = 1;  ///< times this is m, m/s, m/s^2 or N
};

/// "m/s^2", "m/s2", "g", "mm/s", "(in/s**2)", "N", "lbf"; none where it is no unit of motion or force.
std::optional<MeasuredUnit> measured_unit(const std::string& text);

inline const char* si_name(signal::Quantity quantity) {
    return quantity == signal::Quantity::displacement ? "m" : quantity == signal::Quantity::velocity ? "m/s" : "m/s^2";
}

}  // namespace faying::results
