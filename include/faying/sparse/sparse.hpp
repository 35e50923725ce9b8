#pragma once
// Symmetric sparse matrices over all ranks: products, factorisation by MUMPS, lowest eigenpairs by SLEPc. One code path
// for one process and for mpirun; blocks of vectors are each rank's own rows (ranks.hpp).
//
//     const Operator k(stiffness), m(mass);              // from the whole matrix, each rank keeps its rows
//     const Factor factor(k, "stiffness");
//     x = factor.solve(b);
//     const Eigenpairs low = lowest(k, m, 10, [&](const auto& b) { return factor.solve(b); });

#include <Eigen/Sparse>
#include <functional>
#include <memory>
#include <string>

#include "faying/sparse/ranks.hpp"

namespace faying::sparse {

using Sparse = Eigen::SparseMatrix<double>;

class Operator {
 public:
    explicit Operator(const Sparse& symmetric);

    const Rows& rows() const;
    Eigen::MatrixXd times(const Eigen::MatrixXd& x) const;
    /// b - A x with sums in extended precision: correct to the last bits of b, however large the terms are.
    Eigen::MatrixXd residual(const Eigen::MatrixXd& b, const Eigen::MatrixXd& x) const;

    struct Handle;  ///< PETSc's matrix
    const Handle& handle() const { return *handle_; }

 private:
    std::shared_ptr<const Handle> handle_;
};

/// Cholesky factor of a positive definite matrix. `name` is what messages call it. Throws BadInput when the matrix is
/// not positive definite.
class Factor {
 public:
    Factor(const Operator& a, const std::string& name);

    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;

 private:
    struct Handle;
    std::shared_ptr<const Handle> handle_;
};

struct Eigenpairs {
    Eigen::VectorXd values;         ///< ascending
    Eigen::MatrixXd vectors;        ///< own rows, M-orthonormal columns, the largest component of each positive
    Eigen::VectorXd residual = {};  ///< |K x - lambda M x| / |lambda M x|, where it was asked for
};

/// Turns each column so that its largest component is positive; the first of those within a hair of the largest
/// decides.
void fix_signs(Eigen::MatrixXd& local, const Rows& rows);

/// The `count` lowest of K x = lambda M x on the range of `inverse`, which applies the inverse of K there (constraints
/// and rigid motions are its business). `done` is told an estimate of how far it is. Throws NotConverged.
Eigenpairs lowest(const Operator& k, const Operator& m, Eigen::Index count,
                  const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& inverse, double tolerance = 1e-12,
                  const std::function<void(double)>& done = {});

}  // namespace faying::sparse
