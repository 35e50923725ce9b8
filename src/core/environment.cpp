#include "faying/core/environment.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
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

}  // namespace

bool launched_by_mpi() {
    static const bool launched = [] {  // asked once: MPI sets some of these itself when it starts
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
            if (std::getenv(name)) return true;
        return false;
    }();
    return launched;
}

std::vector<std::string> foreign_variables() {
    const bool launched = launched_by_mpi();
    std::vector<std::string> found;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view variable = *entry;
        const auto name = variable.substr(0, variable.find('='));
        if (begins_with_any(name, of_libraries) || (!launched && begins_with_any(name, of_mpi)))
            found.emplace_back(name);
    }
    return found;
}

void forget_foreign_variables() {
    for (const auto& name : foreign_variables()) ::unsetenv(name.c_str());
}

void start_without_foreign_variables(char** arguments) {
    if (foreign_variables().empty()) return;
    forget_foreign_variables();
    ::execv("/proc/self/exe", arguments);  // where that cannot be done, what is read from here on is still gone
}

}  // namespace faying::core
