#pragma once
// Private to solve/: what an Operator holds.

#include <vector>

#include "faying/sparse/sparse.hpp"
#include "petsc.hpp"

namespace faying::sparse {

struct Operator::Handle {
    Rows rows;
    OwnedMat matrix;
    std::vector<PetscInt> starts{0}, columns;  ///< own rows
    std::vector<double> values;
};

}  // namespace faying::sparse
