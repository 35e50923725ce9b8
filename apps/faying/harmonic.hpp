#pragma once
// --harmonics and --samples, which `backbone --method epmc` and `response` share.

#include <CLI/App.hpp>
#include <string>

namespace faying::app {

struct HarmonicWords {
    std::string orders;  ///< empty: not given
    int samples = 0;

    bool given() const { return !orders.empty() || samples > 0; }
};

inline void add_harmonics(CLI::App& command, HarmonicWords& words) {
    command.add_option("--harmonics", words.orders,
                       "orders up to this one, a list such as 0,1,3,5 (default 3), or auto: as many as it takes to "
                       "neglect less than 1e-3 of the joints' forces (auto:TOL)");
    command
        .add_option("--samples", words.samples,
                    "joint forces from this many samples per period, as other codes do; 0: exact pieces (default)")
        ->check(CLI::Range(0, 1 << 16));
}

}  // namespace faying::app
