#include "faying/sparse/ranks.hpp"

#include <stdlib.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "faying/core/environment.hpp"
#include "faying/solve/dense.hpp"
#include "petsc.hpp"

namespace faying::sparse {

namespace {

/// While it lives there is no home folder: libraries look there for start-up files, and for components to load
/// (~/.openmpi/mca-params.conf, ~/.openmpi/components, ~/.petscrc). A process of a launcher keeps it: what the launcher
/// read there must hold for its ranks too.
class NoHome {
 public:
    NoHome() {
        if (core::launched_by_mpi()) return;
        if (const char* home = std::getenv("HOME")) home_ = home;
        ::setenv("HOME", "/dev/null", 1);
        gone_ = true;
    }
    NoHome(const NoHome&) = delete;
    NoHome& operator=(const NoHome&) = delete;
    ~NoHome() {
        if (!gone_) return;
        if (home_)
            ::setenv("HOME", home_->c_str(), 1);
        else
            ::unsetenv("HOME");
    }

 private:
    bool gone_ = false;
    std::optional<std::string> home_;
};

/// Only as arguments are these obeyed before PETSc looks for .petscrc, which may load libraries and write files.
/// Our own handlers stay in charge of signals.
void start_petsc() {
    std::array<std::string, 3> words = {"faying", "-skip_petscrc", "-no_signal_handler"};
    std::array<char*, 4> pointers = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    int count = int(words.size());
    char** arguments = pointers.data();
    ask(loaded_petsc().SlepcInitialize(&count, &arguments, nullptr, nullptr), "SlepcInitialize");
}

}  // namespace

void start() {
    static const bool started = [] {
        core::forget_foreign_variables();
        const NoHome no_home;
        solve::one_blas_thread();
        // Threads may pass messages, one at a time (messages.hpp).
        int initialised = 0, given = 0;
        loaded_petsc().MPI_Initialized(&initialised);
        if (!initialised) {
            // By itself, a process needs no daemon of Open MPI beside it, which would outlive a kill.
            if (!launched()) ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
            loaded_petsc().MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
        }
        static const bool ours = !initialised;
        start_petsc();
        ask(loaded_petsc().PetscPushErrorHandler(loaded_petsc().PetscReturnErrorHandler, nullptr),
            "PetscPushErrorHandler");
        std::atexit([] {
            loaded_petsc().SlepcFinalize();
            if (ours) loaded_petsc().MPI_Finalize();
        });
        return true;
    }();
    (void)started;
}

bool launched() { return core::launched_by_mpi(); }

int rank() {
    if (!launched()) return 0;
    int r = 0;
    petsc().MPI_Comm_rank(world(), &r);
    return r;
}

int ranks() {
    if (!launched()) return 1;
    int n = 1;
    petsc().MPI_Comm_size(world(), &n);
    return n;
}

Rows Rows::of(Eigen::Index n) {
    const Eigen::Index r = rank(), all = ranks();
    return {n * r / all, n * (r + 1) / all, n};
}

Eigen::MatrixXd Rows::whole(const Eigen::MatrixXd& local) const {
    if (ranks() == 1) return local;
    // Row by row of the transpose: each rank's share is then contiguous.
    const Eigen::MatrixXd sent = local.transpose();
    std::vector<int> counts, places;
    const auto all = ranks();
    for (Eigen::Index r = 0; r < all; ++r) {
        places.push_back(static_cast<int>(total * r / all * local.cols()));
        counts.push_back(static_cast<int>((total * (r + 1) / all - total * r / all) * local.cols()));
    }
    Eigen::MatrixXd received(local.cols(), total);
    petsc().MPI_Allgatherv(sent.data(), static_cast<int>(sent.size()), petsc().numbers, received.data(), counts.data(),
                           places.data(), petsc().numbers, world());
    return received.transpose();
}

void sum_over_ranks(Eigen::MatrixXd& a) {
    if (ranks() > 1)
        petsc().MPI_Allreduce(MPI_IN_PLACE, a.data(), static_cast<int>(a.size()), petsc().numbers, petsc().sum,
                              world());
}

Eigen::MatrixXd inner(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    Eigen::MatrixXd product = a.transpose() * b;
    sum_over_ranks(product);
    return product;
}

OwnedMat view(Eigen::MatrixXd& local, const Rows& rows) {
    OwnedMat m;
    ask(petsc().MatCreateDense(world(), static_cast<PetscInt>(rows.count()), PETSC_DECIDE,
                               static_cast<PetscInt>(rows.total), static_cast<PetscInt>(local.cols()), local.data(),
                               m.out()),
        "MatCreateDense");
    return m;
}

}  // namespace faying::sparse
