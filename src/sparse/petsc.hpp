#pragma once
// Private to solve/: PETSc objects that end themselves, and its error codes as exceptions.

#include <fmt/format.h>
#include <slepceps.h>

#include <stdexcept>
#include <utility>

#include "faying/sparse/ranks.hpp"

namespace faying::sparse {

/// PETSc's failures are ours: what a user can cause is checked before.
inline void ask(PetscErrorCode code, const char* what) {
    if (code == 0) return;
    const char* text = nullptr;
    PetscErrorMessage(code, &text, nullptr);
    throw std::runtime_error(fmt::format("PETSc: {} failed: {}", what, text ? text : "unknown"));
}

/// Owner of a PETSc handle.
template <class T, PetscErrorCode (*Destroy)(T*)>
class Owned {
 public:
    Owned() = default;
    explicit Owned(T handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
        PetscBool over = PETSC_FALSE;
        if (handle_ && PetscFinalized(&over) == 0 && !over) Destroy(&handle_);
    }
    operator T() const { return handle_; }
    T* out() { return &handle_; }

 private:
    T handle_ = nullptr;
};

using OwnedMat = Owned<Mat, MatDestroy>;
using OwnedVec = Owned<Vec, VecDestroy>;
using OwnedEps = Owned<EPS, EPSDestroy>;

/// A PETSc view of an Eigen block: no copy, valid while the block is.
OwnedMat view(Eigen::MatrixXd& local, const Rows& rows);

}  // namespace faying::sparse
