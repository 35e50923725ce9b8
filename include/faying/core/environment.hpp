#pragma once
// Nothing but the command line and the files it names decides what a run does (docs/trust.md). The libraries underneath
// would also obey variables of the environment: those are taken out of it.

#include <string>
#include <vector>

namespace faying::core {

/// Whether a launcher (mpirun, srun, ..) started this process. Its own variables are then left in place: they say which
/// rank this is.
bool launched_by_mpi();

/// The variables in this process's environment that PETSc, MPI, BLAS, HDF5, hwloc, SQLite, glog or oneTBB would obey.
std::vector<std::string> foreign_variables();

/// Takes them out. To be called before there are threads.
void forget_foreign_variables();

/// Starts this program again without them, if there are any: some libraries read them before main.
void start_without_foreign_variables(char** arguments);

}  // namespace faying::core
