#pragma once
// Private to solve/: what an Operator holds.

#include "faying/solve/sparse.hpp"
#include "petsc.hpp"

namespace faying::solve {

struct Operator::Handle {
    Rows rows;
    OwnedMat matrix;
};

}  // namespace faying::solve
