#pragma once
// The ranks of a calibration: chains are spread over them, and rank 0 has the store.

#include "faying/fit/nuts.hpp"

namespace faying::study {

/// One process by itself, or this rank of those that a launcher started.
fit::Team calibration_team();

}  // namespace faying::study
