#include "faying/core/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace faying::core {

namespace {

constexpr std::array<std::string_view, 14> of_libraries = {"PETSC_", "SLEPC_", "OPENBLAS_", "GOTO_", "OMP_",
                                                           "GOMP_",  "KMP_",   "MKL_",      "HDF5_", "HWLOC_",
                                                           "GLOG_",  "TBB_",   "SQLITE_",   "MUMPS_"};
constexpr std::array<std::string_view, 9> of_mpi = {"OMPI_", "PMIX_",  "OPAL_",  "ORTE_", "PRTE_",
                                                    "UCX_",  "ROMIO_", "MPICH_", "FI_"};

bool begins_with_any(std::string_view name, const auto& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
}

bool launched(char** environment) {
    constexpr std::array<std::string_view, 3> of_launchers = {"OMPI_COMM_WORLD_SIZE=", "PMIX_RANK=", "PMI_RANK="};
    for (char** entry = environment; entry && *entry; ++entry)
        if (begins_with_any(*entry, of_launchers)) return true;
    return false;
}

}  // namespace

bool launched_by_mpi() {
    static const bool once = launched(environ);  // MPI sets some of these itself when it starts
    return once;
}

void forget_foreign_variables(char** environment) {
    if (!environment) return;
    const bool by_launcher = launched(environment);
    char** kept = environment;
    for (char** entry = environment; *entry; ++entry)
        if (!begins_with_any(*entry, of_libraries) && (by_launcher || !begins_with_any(*entry, of_mpi)))
            *kept++ = *entry;
    *kept = nullptr;
}

void forget_foreign_variables() { forget_foreign_variables(environ); }

}  // namespace faying::core
