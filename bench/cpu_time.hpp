#pragma once
// Seconds of this process's CPU: other work on the machine does not count.

#include <algorithm>
#include <ctime>

namespace faying::bench {

inline double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The least of several runs, as many as fit into `budget` seconds (one at least).
template <class Work>
double seconds_of(Work work, double budget) {
    double best = 1e300, spent = 0;
    for (int k = 0; k < 50 && (k < 1 || spent < budget); ++k) {
        const double start = cpu_seconds();
        work();
        const double took = cpu_seconds() - start;
        best = std::min(best, took);
        spent += took;
    }
    return best;
}

}  // namespace faying::bench
