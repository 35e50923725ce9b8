#include "petsc.hpp"

#include <dlfcn.h>

#include "faying/core/environment.hpp"
#include "faying/core/error.hpp"

namespace faying::sparse {

namespace {

constexpr const char* library_name = FAYING_SLEPC_LIBRARY;  // it brings PETSc, and that MPI

Petsc load() {
    core::forget_foreign_variables();  // some libraries read theirs as they are loaded
    // Global: the plugins of Open MPI look for its functions there.
    void* library = dlopen(library_name, RTLD_LAZY | RTLD_GLOBAL);
    const auto symbol = [&](const char* name) {
        void* found = library ? dlsym(library, name) : nullptr;
        if (!found)
            throw core::BadInput(library_name,
                                 fmt::format("decks, sparse matrices and many processes need PETSc and SLEPc, "
                                             "which cannot be loaded here: {}",
                                             dlerror()));
        return found;
    };
    Petsc p;
#define FAYING_LOAD(name) p.name = reinterpret_cast<decltype(p.name)>(symbol(#name));
    FAYING_PETSC_FUNCTIONS(FAYING_LOAD)
#undef FAYING_LOAD
    p.world = static_cast<MPI_Comm*>(symbol("PETSC_COMM_WORLD"));
    // What MPI_CHAR and its like stand for in Open MPI, which Debian's PETSc is built with.
    p.characters = static_cast<MPI_Datatype>(symbol("ompi_mpi_char"));
    p.numbers = static_cast<MPI_Datatype>(symbol("ompi_mpi_double"));
    p.sum = static_cast<MPI_Op>(symbol("ompi_mpi_op_sum"));
    return p;
}

}  // namespace

const Petsc& loaded_petsc() {
    static const Petsc once = load();
    return once;
}

}  // namespace faying::sparse
