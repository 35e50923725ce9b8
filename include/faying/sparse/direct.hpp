#pragma once
// Sparse linear systems that need not be definite, solved many times with one pattern: Newton's steps. MUMPS with
// pivoting over all ranks; vectors are whole on each rank.
//
//     DirectSolver solver(DirectSolver::Kind::symmetric);
//     if (!solver.factor(k)) ..                          // singular
//     x = solver.solve(b);   solver.negative_pivots();   // inertia: how many ways it buckles

#include <Eigen/Sparse>
#include <memory>

namespace faying::sparse {

class DirectSolver {
 public:
    enum class Kind { symmetric, general };
    explicit DirectSolver(Kind kind);
    DirectSolver(DirectSolver&&) noexcept;
    DirectSolver& operator=(DirectSolver&&) noexcept;
    ~DirectSolver();

    /// The ordering of the last factorisation is kept while the pattern stays. False where the matrix is singular.
    bool factor(const Eigen::SparseMatrix<double>& a);
    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;
    int negative_pivots() const;  ///< of a symmetric matrix

 private:
    struct Handle;
    std::unique_ptr<Handle> handle_;
};

}  // namespace faying::sparse
