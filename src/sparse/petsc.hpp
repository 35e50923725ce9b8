#pragma once
// Private to sparse/: PETSc, SLEPc and MPI, loaded when first needed; their objects that end themselves, and their error
// codes as exceptions.
//
//     ask(petsc().MatSetOption(matrix, MAT_SPD, PETSC_TRUE), "MatSetOption");
//
// With the hundred libraries that they bring, loading them would be most of the start of every command, and most
// commands need none. A machine without them still has laws, reduced models and all analyses of both.

#define PETSC_HAVE_BROKEN_RECURSIVE_MACRO  // or its headers wrap MPI's functions in counters of its own
#include <fmt/format.h>
#include <slepceps.h>

#include <stdexcept>
#include <utility>

#include "faying/sparse/ranks.hpp"

namespace faying::sparse {

// Every function of theirs that is used.
// clang-format off
#define FAYING_PETSC_FUNCTIONS(use) \
    use(EPSCreate) use(EPSDestroy) use(EPSGetConverged) use(EPSGetEigenpair) use(EPSGetST) use(EPSSetDimensions) \
    use(EPSSetInitialSpace) use(EPSSetOperators) use(EPSSetProblemType) use(EPSSetTarget) use(EPSSetTolerances) \
    use(EPSSetType) use(EPSSetWhichEigenpairs) use(EPSSolve) use(KSPGetPC) use(KSPSetType) \
    use(MatCholeskyFactorNumeric) use(MatCholeskyFactorSymbolic) use(MatCreateDense) use(MatCreateMPIAIJWithArrays) \
    use(MatCreateVecs) use(MatDenseGetArrayRead) use(MatDenseGetLDA) use(MatDenseRestoreArrayRead) use(MatDestroy) \
    use(MatFactorGetError) use(MatFactorInfoInitialize) use(MatGetFactor) use(MatLUFactorNumeric) \
    use(MatLUFactorSymbolic) use(MatMatMult) use(MatMatSolve) use(MatMumpsGetInfog) use(MatMumpsGetRinfog) \
    use(MatMumpsSetIcntl) use(MatSetOption) use(MatUpdateMPIAIJWithArrays) use(MPI_Abort) use(MPI_Allgatherv) \
    use(MPI_Allreduce) use(MPI_Comm_rank) use(MPI_Comm_size) use(MPI_Finalize) use(MPI_Get_count) \
    use(MPI_Init_thread) use(MPI_Initialized) use(MPI_Iprobe) use(MPI_Recv) use(MPI_Send) use(PCSetType) \
    use(PCShellGetContext) use(PCShellSetApply) use(PCShellSetContext) use(PetscErrorMessage) use(PetscFinalized) \
    use(PetscPushErrorHandler) use(PetscReturnErrorHandler) use(SlepcFinalize) use(SlepcInitialize) use(STGetKSP) \
    use(STSetType) use(VecDestroy) use(VecGetArrayRead) use(VecGetArrayWrite) use(VecRestoreArrayRead) \
    use(VecRestoreArrayWrite)
// clang-format on

struct Petsc {
#define FAYING_MEMBER(name) decltype(&::name) name;
    FAYING_PETSC_FUNCTIONS(FAYING_MEMBER)
#undef FAYING_MEMBER
    MPI_Comm* world;  ///< PETSC_COMM_WORLD, right once PETSc has started
    MPI_Datatype characters, numbers;
    MPI_Op sum;
};

/// The libraries, loaded, nothing in them started.
const Petsc& loaded_petsc();

/// The libraries, with MPI and PETSc started.
inline const Petsc& petsc() {
    start();
    return loaded_petsc();
}

inline MPI_Comm world() { return *petsc().world; }

/// PETSc's failures are ours: what a user can cause is checked before.
inline void ask(PetscErrorCode code, const char* what) {
    if (code == 0) return;
    const char* text = nullptr;
    loaded_petsc().PetscErrorMessage(code, &text, nullptr);
    throw std::runtime_error(fmt::format("PETSc: {} failed: {}", what, text ? text : "unknown"));
}

/// Owner of a PETSc handle.
template <class T, auto Destroy>
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
        if (handle_ && loaded_petsc().PetscFinalized(&over) == 0 && !over) (loaded_petsc().*Destroy)(&handle_);
    }
    operator T() const { return handle_; }
    T* out() { return &handle_; }

 private:
    T handle_ = nullptr;
};

using OwnedMat = Owned<Mat, &Petsc::MatDestroy>;
using OwnedVec = Owned<Vec, &Petsc::VecDestroy>;
using OwnedEps = Owned<EPS, &Petsc::EPSDestroy>;

/// A PETSc view of an Eigen block: no copy, valid while the block is.
OwnedMat view(Eigen::MatrixXd& local, const Rows& rows);

}  // namespace faying::sparse
