#pragma once
// Nothing but the command line and the files it names decides what a run does (docs/trust.md). The libraries underneath
// would also obey variables of the environment: those are taken out of it.

namespace faying::core {

/// Whether a launcher (mpirun, srun, ..) started this process. Its own variables are then left in place: they say which
/// rank this is.
bool launched_by_mpi();

/// Takes out of this process's environment what PETSc, MPI, BLAS, HDF5, hwloc, SQLite, glog or oneTBB would obey. To be
/// called before there are threads.
void forget_foreign_variables();
/// The same in the environment that a program is started with, in place: some libraries read theirs as they are loaded,
/// before main (apps/faying/main.cpp).
void forget_foreign_variables(char** environment);

}  // namespace faying::core
