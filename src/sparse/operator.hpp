#pragma once
// Private to solve/: what an Operator holds.

#include <functional>
#include <vector>

#include "faying/sparse/sparse.hpp"
#include "petsc.hpp"

namespace faying::sparse {

struct Operator::Handle {
    Rows rows;
    OwnedMat matrix;
    std::vector<PetscInt> starts{0}, columns;  ///< own rows
    std::vector<double> values;
    /// Told an estimate of how far a Factor of it is, at once and then five times per second on another thread.
    mutable std::function<void(double)> factorised = {};
};

}  // namespace faying::sparse
