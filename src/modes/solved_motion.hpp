#pragma once
// Private to modes/: solved motions of a forced response, in modal coordinates, and where they lie among one another.

#include <vector>

#include "faying/modes/harmonic_balance.hpp"

namespace faying::modes {

/// A point of a branch, with what it takes to solve near it.
struct Solved {
    HarmonicPoint point;
    Eigen::MatrixXd modal;
    double p = 0;
};

/// Whether a motion is one of the branches' at its frequency.
bool on_branch(const std::vector<Solved>& points, const Solved& motion);
/// Whether the last step of a branch passed where it began.
bool came_back(const std::vector<Solved>& points, const Solved& start);

}  // namespace faying::modes
