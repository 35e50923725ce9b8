#include "faying/solve/ranks.hpp"

#include <cstdlib>
#include <vector>

#include "faying/solve/dense.hpp"
#include "petsc.hpp"

namespace faying::solve {

void start() {
    static const bool started = [] {
        one_blas_thread();
        // Threads may pass messages, one at a time (messages.hpp).
        int initialised = 0, given = 0;
        MPI_Initialized(&initialised);
        if (!initialised) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
        static const bool ours = !initialised;
        // Our own handlers stay in charge of signals.
        ask(PetscOptionsSetValue(nullptr, "-no_signal_handler", nullptr), "PetscOptionsSetValue");
        ask(SlepcInitializeNoArguments(), "SlepcInitialize");
        ask(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "PetscPushErrorHandler");
        std::atexit([] {
            SlepcFinalize();
            if (ours) MPI_Finalize();
        });
        return true;
    }();
    (void)started;
}

bool launched() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
        if (std::getenv(name)) return true;
    return false;
}

int rank() {
    start();
    int r = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &r);
    return r;
}

int ranks() {
    start();
    int n = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &n);
    return n;
}

Rows Rows::of(Eigen::Index n) {
    const Eigen::Index r = rank(), all = ranks();
    return {n * r / all, n * (r + 1) / all, n};
}

Eigen::MatrixXd Rows::whole(const Eigen::MatrixXd& own) const {
    if (ranks() == 1) return own;
    // Row by row of the transpose: each rank's share is then contiguous.
    const Eigen::MatrixXd sent = own.transpose();
    std::vector<int> counts, places;
    const auto all = ranks();
    for (Eigen::Index r = 0; r < all; ++r) {
        places.push_back(static_cast<int>(total * r / all * own.cols()));
        counts.push_back(static_cast<int>((total * (r + 1) / all - total * r / all) * own.cols()));
    }
    Eigen::MatrixXd received(own.cols(), total);
    MPI_Allgatherv(sent.data(), static_cast<int>(sent.size()), MPI_DOUBLE, received.data(), counts.data(),
                   places.data(), MPI_DOUBLE, PETSC_COMM_WORLD);
    return received.transpose();
}

void sum_over_ranks(Eigen::MatrixXd& a) {
    if (ranks() > 1)
        MPI_Allreduce(MPI_IN_PLACE, a.data(), static_cast<int>(a.size()), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
}

Eigen::MatrixXd inner(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    Eigen::MatrixXd product = a.transpose() * b;
    sum_over_ranks(product);
    return product;
}

OwnedMat view(Eigen::MatrixXd& own, const Rows& rows) {
    OwnedMat m;
    ask(MatCreateDense(PETSC_COMM_WORLD, static_cast<PetscInt>(rows.count()), PETSC_DECIDE,
                       static_cast<PetscInt>(rows.total), static_cast<PetscInt>(own.cols()), own.data(), m.out()),
        "MatCreateDense");
    return m;
}

}  // namespace faying::solve
