#include "faying/sparse/sparse.hpp"

#include "faying/core/error.hpp"
#include "operator.hpp"

namespace faying::sparse {

Operator::Operator(const Sparse& symmetric) {
    auto handle = std::make_shared<Handle>();
    handle->rows = Rows::of(symmetric.rows());
    const Rows& rows = handle->rows;
    // The columns of a symmetric matrix are its rows.
    auto &starts = handle->starts, &columns = handle->columns;
    auto& values = handle->values;
    for (Eigen::Index i = rows.begin; i < rows.end; ++i) {
        for (Sparse::InnerIterator it(symmetric, i); it; ++it) {
            columns.push_back(static_cast<PetscInt>(it.row()));
            values.push_back(it.value());
        }
        starts.push_back(static_cast<PetscInt>(columns.size()));
    }
    const auto own = static_cast<PetscInt>(rows.count()), all = static_cast<PetscInt>(rows.total);
    ask(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, own, own, all, all, starts.data(), columns.data(), values.data(),
                                  handle->matrix.out()),
        "MatCreateMPIAIJWithArrays");
    ask(MatSetOption(handle->matrix, MAT_SPD, PETSC_TRUE), "MatSetOption");
    handle_ = std::move(handle);
}

const Rows& Operator::rows() const { return handle_->rows; }

Eigen::MatrixXd Operator::times(const Eigen::MatrixXd& x) const {
    if (x.cols() == 0) return x;
    Eigen::MatrixXd in = x, out(x.rows(), x.cols());
    const OwnedMat b = view(in, rows());
    OwnedMat c;
    ask(MatMatMult(handle_->matrix, b, MAT_INITIAL_MATRIX, PETSC_DEFAULT, c.out()), "MatMatMult");
    const PetscScalar* data = nullptr;
    PetscInt stride = 0;
    ask(MatDenseGetLDA(c, &stride), "MatDenseGetLDA");
    ask(MatDenseGetArrayRead(c, &data), "MatDenseGetArrayRead");
    out = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(data, x.rows(), x.cols(),
                                                                     Eigen::OuterStride<>(stride));
    ask(MatDenseRestoreArrayRead(c, &data), "MatDenseRestoreArrayRead");
    return out;
}

Eigen::MatrixXd Operator::residual(const Eigen::MatrixXd& b, const Eigen::MatrixXd& x) const {
    // By rows of the transpose: the columns of x lie side by side in the inner loop.
    const Eigen::MatrixXd whole = rows().whole(x).transpose();
    const auto& [own, matrix, starts, columns, values] = *handle_;
    Eigen::MatrixXd r(b.rows(), b.cols());
    std::vector<long double> sum(static_cast<std::size_t>(b.cols()));
    for (Eigen::Index i = 0; i < b.rows(); ++i) {
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = b(i, static_cast<Eigen::Index>(j));
        for (PetscInt e = starts[static_cast<std::size_t>(i)]; e < starts[static_cast<std::size_t>(i) + 1]; ++e) {
            const long double a = values[static_cast<std::size_t>(e)];
            const double* with = whole.col(columns[static_cast<std::size_t>(e)]).data();
            for (std::size_t j = 0; j < sum.size(); ++j) sum[j] -= a * with[j];
        }
        for (std::size_t j = 0; j < sum.size(); ++j) r(i, static_cast<Eigen::Index>(j)) = static_cast<double>(sum[j]);
    }
    return r;
}

struct Factor::Handle {
    Rows rows;
    OwnedMat factor;
};

Factor::Factor(const Operator& a, const std::string& name) {
    auto handle = std::make_shared<Handle>();
    handle->rows = a.rows();
    const Mat matrix = a.handle().matrix;
    ask(MatGetFactor(matrix, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, handle->factor.out()), "MatGetFactor");
    const Mat factor = handle->factor;
    ask(MatMumpsSetIcntl(factor, 14, 50), "MatMumpsSetIcntl");  // percent more workspace than MUMPS estimates
    MatFactorInfo info;
    ask(MatFactorInfoInitialize(&info), "MatFactorInfoInitialize");
    ask(MatCholeskyFactorSymbolic(factor, matrix, nullptr, &info), "MatCholeskyFactorSymbolic");
    const PetscErrorCode code = MatCholeskyFactorNumeric(factor, matrix, &info);
    PetscInt status = 0, negative = 0;
    MatMumpsGetInfog(factor, 1, &status);
    MatMumpsGetInfog(factor, 12, &negative);
    MatFactorError error = MAT_FACTOR_NOERROR;
    MatFactorGetError(factor, &error);
    if (code != 0 || error != MAT_FACTOR_NOERROR || status < 0 || negative > 0)
        throw core::BadInput(
            name, fmt::format("is not positive definite (MUMPS status {}, {} negative pivots): something is not held, "
                              "or a matrix is wrong",
                              status, negative));
    handle_ = std::move(handle);
}

Eigen::MatrixXd Factor::solve(const Eigen::MatrixXd& b) const {
    constexpr Eigen::Index block = 64;  // right-hand sides at a time: MUMPS' workspace grows with them
    Eigen::MatrixXd x(b.rows(), b.cols());
    for (Eigen::Index j = 0; j < b.cols(); j += block) {
        const Eigen::Index width = std::min(block, b.cols() - j);
        Eigen::MatrixXd right = b.middleCols(j, width), left(b.rows(), width);
        OwnedMat in = view(right, handle_->rows), out = view(left, handle_->rows);
        ask(MatMatSolve(handle_->factor, in, out), "MatMatSolve");
        x.middleCols(j, width) = left;
    }
    return x;
}

}  // namespace faying::sparse
