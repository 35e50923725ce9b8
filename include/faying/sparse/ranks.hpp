#pragma once
// One process or many: MPI and PETSc, started when first needed.
//
// Tall matrices (a row a degree of freedom) are spread over the ranks by rows. Each rank holds its own rows as an
// Eigen matrix, so that on one process it is the whole:
//
//     const Rows own = Rows::of(n);                      // this rank's share of n rows
//     Eigen::MatrixXd x(own.count(), 3);
//     const Eigen::MatrixXd gram = inner(x, x);          // x^T x over all ranks, the same on each

#include <Eigen/Dense>
#include <string>

namespace faying::sparse {

/// Starts MPI and PETSc unless they run already; they end with the process.
void start();
/// Whether a launcher (mpirun, srun, ..) started this process; without one there is no need to start MPI at all.
bool launched();
int rank();
int ranks();

/// Which rows of n this rank holds: contiguous, in the order of the ranks.
struct Rows {
    Eigen::Index begin = 0, end = 0, total = 0;

    static Rows of(Eigen::Index n);
    Eigen::Index count() const { return end - begin; }
    /// This rank's rows of a whole matrix.
    Eigen::MatrixXd part(const Eigen::MatrixXd& whole) const { return whole.middleRows(begin, count()); }
    /// The whole of what the ranks hold, on every rank.
    Eigen::MatrixXd whole(const Eigen::MatrixXd& local) const;
};

/// a^T b over all ranks.
Eigen::MatrixXd inner(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// The sum of each rank's matrix, on every rank.
void sum_over_ranks(Eigen::MatrixXd& a);

}  // namespace faying::sparse
