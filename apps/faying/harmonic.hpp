#pragma once
// What `backbone --method epmc` and `response` share: harmonics and samples from the command line.

#include "command.hpp"
#include "faying/results/harmonic.hpp"

namespace faying::app {

/// --harmonics and --samples.
inline void add_harmonics(CLI::App& command, results::HarmonicWords& words) {
    command.add_option("--harmonics", words.harmonics, "orders up to this one, or a list such as 0,1,3,5 (default 3)");
    command
        .add_option("--samples", words.samples,
                    "joint forces from this many samples per period, as other codes do; 0: exact pieces (default)")
        ->check(CLI::Range(0, 1 << 20));
}

}  // namespace faying::app
