#include "faying/solve/dense.hpp"

#include <cblas.h>

#include <limits>

extern "C" {
void dgetrf_(const int* rows, const int* columns, double* a, const int* stride, int* pivots, int* info);
void dgetrs_(const char* form, const int* n, const int* columns, const double* a, const int* stride, const int* pivots,
             double* b, const int* b_stride, int* info);
void dgetri_(const int* n, double* a, const int* stride, const int* pivots, double* work, const int* work_size,
             int* info);
void dpotrf_(const char* half, const int* n, double* a, const int* stride, int* info);
void dpotri_(const char* half, const int* n, double* a, const int* stride, int* info);
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
        const int n = int(large_.cols()), one = 1;
        int info = 0;
        dgetrs_("N", &n, &one, large_.data(), &n, pivots_.data(), x.data(), &n, &info);
    }
}

Eigen::MatrixXd DenseLu::solve(const Eigen::MatrixXd& b) const {
    if (large_.cols() == 0) return small_.solve(b);
    Eigen::MatrixXd x = b;
    solve_large("N", x);
    return x;
}

Eigen::MatrixXd DenseLu::solve_transposed(const Eigen::MatrixXd& b) const {
    if (large_.cols() == 0) return small_.transpose().solve(b);
    Eigen::MatrixXd x = b;
    solve_large("T", x);
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

void DenseLu::solve_large(const char* form, Eigen::MatrixXd& b) const {
    const int n = int(large_.cols()), count = int(b.cols());
    int info = 0;
    dgetrs_(form, &n, &count, large_.data(), &n, pivots_.data(), b.data(), &n, &info);
}

SymmetricInverse symmetric_inverse(const Eigen::MatrixXd& a) {
    one_blas_thread();
    const int n = int(a.cols());
    int info = 0;
    Eigen::MatrixXd half = a;
    dpotrf_("L", &n, half.data(), &n, &info);
    if (info == 0) {
        dpotri_("L", &n, half.data(), &n, &info);
        return {half.selfadjointView<Eigen::Lower>(), true};
    }
    half = a.selfadjointView<Eigen::Lower>();
    std::vector<int> pivots(std::size_t(a.cols()));
    dgetrf_(&n, &n, half.data(), &n, pivots.data(), &info);
    if (info != 0) return {half.setConstant(std::numeric_limits<double>::quiet_NaN()), false};
    const int work_size = 64 * n;
    std::vector<double> work(static_cast<std::size_t>(work_size));
    dgetri_(&n, half.data(), &n, pivots.data(), work.data(), &work_size, &info);
    return {half, false};
}

void multiply_symmetric(const Eigen::MatrixXd& a, Eigen::Ref<const Eigen::VectorXd> x, Eigen::Ref<Eigen::VectorXd> y) {
    if (a.cols() <= small_size) {
        y.noalias() = a * x;
        return;
    }
    one_blas_thread();
    const int n = int(a.cols());
    cblas_dsymv(CblasColMajor, CblasLower, n, 1.0, a.data(), n, x.data(), 1, 0.0, y.data(), 1);
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

bool divide_by_root(const Eigen::MatrixXd& a, Eigen::MatrixXd& b) {
    one_blas_thread();
    const int n = int(a.cols()), count = int(b.cols());
    int info = 0;
    if (n == 0) return true;
    Eigen::MatrixXd root = a;
    dpotrf_("L", &n, root.data(), &n, &info);
    if (info != 0) return false;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, count, 1.0, root.data(), n,
                b.data(), n);
    return true;
}

void add_gram(Eigen::MatrixXd& c, const Eigen::MatrixXd& a) {
    if (a.rows() == 0) return;
    one_blas_thread();
    const int n = int(c.cols()), k = int(a.rows());
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, k, 1.0, a.data(), k, 1.0, c.data(), n);
    c.triangularView<Eigen::StrictlyUpper>() = c.transpose();
}

Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    one_blas_thread();
    Eigen::MatrixXd c = Eigen::MatrixXd::Zero(a.rows(), b.cols());
    if (c.size() == 0 || a.cols() == 0) return c;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, int(a.rows()), int(b.cols()), int(a.cols()), 1.0, a.data(),
                int(a.rows()), b.data(), int(b.rows()), 0.0, c.data(), int(c.rows()));
    return c;
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
