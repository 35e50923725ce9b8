#include "faying/solve/dense.hpp"

#include <cblas.h>

extern "C" {
void dgetrf_(const int* rows, const int* columns, double* a, const int* stride, int* pivots, int* info);
void dgetrs_(const char* form, const int* n, const int* columns, const double* a, const int* stride, const int* pivots,
             double* b, const int* b_stride, int* info);
}

namespace faying::solve {

namespace {
constexpr Eigen::Index small_size = 100;  ///< up to which Eigen's kernels are as fast
}

void one_blas_thread() {
    static const bool done = (openblas_set_num_threads(1), true);
    (void)done;
}

void DenseLu::compute(const Eigen::MatrixXd& a) {
    if (a.cols() <= small_size) {
        large_.resize(0, 0);
        small_.compute(a);
        return;
    }
    one_blas_thread();
    large_ = a;
    pivots_.resize(std::size_t(a.cols()));
    const int n = int(a.cols());
    int info = 0;  // > 0: singular, which the solution then shows
    dgetrf_(&n, &n, large_.data(), &n, pivots_.data(), &info);
}

void DenseLu::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
    if (large_.cols() == 0) {
        x.noalias() = small_.solve(b);
    } else {
        x = b;
        solve_large(x.data(), 1);
    }
}

Eigen::MatrixXd DenseLu::solve(const Eigen::MatrixXd& b) const {
    if (large_.cols() == 0) return small_.solve(b);
    Eigen::MatrixXd x = b;
    solve_large(x.data(), x.cols());
    return x;
}

double DenseLu::sign() const {
    double sign = 1;
    if (large_.cols() == 0) {
        sign = double(small_.permutationP().determinant());
        for (Eigen::Index i = 0; i < small_.cols(); ++i) sign *= small_.matrixLU()(i, i) < 0 ? -1.0 : 1.0;
        return sign;
    }
    for (Eigen::Index i = 0; i < large_.cols(); ++i)
        if ((large_(i, i) < 0) != (pivots_[std::size_t(i)] != int(i) + 1)) sign = -sign;
    return sign;
}

void DenseLu::solve_large(double* b, Eigen::Index columns) const {
    const int n = int(large_.cols()), count = int(columns);
    int info = 0;
    dgetrs_("N", &n, &count, large_.data(), &n, pivots_.data(), b, &n, &info);
}

void subtract_product(Eigen::MatrixXd& c, const RowMajor& a, const RowMajor& b) {
    if (a.rows() <= small_size) {
        c.topLeftCorner(a.rows(), b.rows()).noalias() -= a * b.transpose();
        return;
    }
    one_blas_thread();
    const int k = int(a.cols());
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, int(a.rows()), int(b.rows()), k, -1.0, a.data(), k, b.data(),
                k, 1.0, c.data(), int(c.rows()));
}

Eigen::MatrixXd times_transposed(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    if (double(a.rows()) * double(b.rows()) * double(a.cols()) < 5e5) return a * b.transpose();
    one_blas_thread();
    Eigen::MatrixXd c(a.rows(), b.rows());
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, int(a.rows()), int(b.rows()), int(a.cols()), 1.0, a.data(),
                int(a.rows()), b.data(), int(b.rows()), 0.0, c.data(), int(c.rows()));
    return c;
}

}  // namespace faying::solve
