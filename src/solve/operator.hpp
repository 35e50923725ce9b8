#pragma once
// Private to solve/: what an Operator holds.

#include <vector>

#include "faying/solve/sparse.hpp"
#include "petsc.hpp"

namespace faying::solve {

struct Operator::Handle {
    Rows rows;
    OwnedMat matrix;
    std::vector<PetscInt> starts{0}, columns;  ///< own rows
    std::vector<double> values;
};

}  // namespace faying::solve
