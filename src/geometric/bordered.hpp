#pragma once
// Private to geometric/: sparse matrices with a border, and the lowest modes.

#include "faying/geometric/system.hpp"

namespace faying::geometric {

/// [k, scale b; scale b^T, 0], a column of b or several
Sparse bordered(const Sparse& k, const MatrixXd& border, double scale);
/// What makes the border as large as the matrix.
double border_scale(const Sparse& k, const MatrixXd& border);

struct LowModes {
    VectorXd values;  ///< omega^2, ascending
    MatrixXd shapes;  ///< mass normalised columns
};

/// The first `number` and a few beyond, `least_count` where there are as many. Throws BadInput unless k is positive
/// definite and there are so many modes.
LowModes low_modes(const Sparse& k, const Sparse& m, int number, int least_count);

}  // namespace faying::geometric
