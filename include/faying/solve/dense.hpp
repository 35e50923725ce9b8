#pragma once
// Dense algebra on hundreds of unknowns, as fast as the machine allows: LAPACK beyond the sizes where Eigen's own
// kernels are as good. One thread, so that the bits do not depend on how many there are.
//
//     DenseLu lu;
//     lu.compute(a);
//     lu.solve(b, x);

#include <Eigen/LU>
#include <vector>

namespace faying::solve {

/// P A = L U.
class DenseLu {
 public:
    void compute(const Eigen::MatrixXd& a);
    Eigen::Index size() const { return large_.cols() > 0 ? large_.cols() : small_.cols(); }
    /// x = A^-1 b, not finite where A is singular; x keeps its storage.
    void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;
    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;
    /// A^-T b.
    Eigen::MatrixXd solve_transposed(const Eigen::MatrixXd& b) const;
    double sign() const;  ///< of the determinant

 private:
    Eigen::PartialPivLU<Eigen::MatrixXd> small_;
    Eigen::MatrixXd large_;  ///< L and U, where LAPACK made them
    std::vector<int> pivots_;

    void solve_large(const char* form, Eigen::MatrixXd& b) const;
};

/// A^-1 of a symmetric matrix, of which the lower half is read; not finite where it is singular.
struct SymmetricInverse {
    Eigen::MatrixXd matrix;
    bool positive = true;  ///< definite
};
SymmetricInverse symmetric_inverse(const Eigen::MatrixXd& a);
/// y = A x, A symmetric; y keeps its storage.
void multiply_symmetric(const Eigen::MatrixXd& a, Eigen::Ref<const Eigen::VectorXd> x, Eigen::Ref<Eigen::VectorXd> y);

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// The leading block of c loses a b^T.
void subtract_product(Eigen::MatrixXd& c, const RowMajor& a, const RowMajor& b);

/// b <- L^-1 b with a = L L^T, a symmetric, of which the lower half is read; false, and b is lost, where a is not
/// positive definite.
bool divide_by_root(const Eigen::MatrixXd& a, Eigen::MatrixXd& b);
/// The symmetric c gains a^T a.
void add_gram(Eigen::MatrixXd& c, const Eigen::MatrixXd& a);
/// a b.
Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// a b^T.
Eigen::MatrixXd times_transposed(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// One BLAS thread: more change the order of sums, and so the last bits, and spin between small products.
void one_blas_thread();

}  // namespace faying::solve
