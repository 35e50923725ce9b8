#include "faying/sparse/direct.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

#include "faying/sparse/ranks.hpp"
#include "petsc.hpp"

namespace faying::sparse {

struct DirectSolver::Handle {
    static constexpr Eigen::Index few = 60;  ///< rows that a dense factor is faster for, and needs no PETSc
    bool dense = false;
    Eigen::MatrixXd matrix_of_few;
    Eigen::FullPivLU<Eigen::MatrixXd> factor_of_few;

    Kind kind;
    Rows rows;
    std::vector<PetscInt> starts, columns;
    std::vector<double> values;
    OwnedMat matrix, factor;
    int negative = 0;

    bool symmetric() const { return kind == Kind::symmetric; }

    /// This rank's rows of a, and whether their pattern is that of the last time.
    bool take(const Eigen::SparseMatrix<double>& a) {
        const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = a;
        const Rows local = Rows::of(a.rows());
        const int* outer = by_row.outerIndexPtr();
        const int* inner = by_row.innerIndexPtr();
        const int first = outer[local.begin];
        std::vector<PetscInt> new_starts, new_columns(inner + first, inner + outer[local.end]);
        for (Eigen::Index i = local.begin; i <= local.end; ++i) new_starts.push_back(outer[i] - first);
        Eigen::MatrixXd changed(1, 1);
        changed(0) = !(matrix && rows.total == local.total && new_starts == starts && new_columns == columns);
        sum_over_ranks(changed);
        rows = local;
        starts = std::move(new_starts);
        columns = std::move(new_columns);
        values.assign(by_row.valuePtr() + first, by_row.valuePtr() + outer[local.end]);
        return changed(0) == 0;
    }
};

DirectSolver::DirectSolver(Kind kind) : handle_(std::make_unique<Handle>()) { handle_->kind = kind; }
DirectSolver::DirectSolver(DirectSolver&&) noexcept = default;
DirectSolver& DirectSolver::operator=(DirectSolver&&) noexcept = default;
DirectSolver::~DirectSolver() = default;

bool DirectSolver::factor(const Eigen::SparseMatrix<double>& a) {
    Handle& h = *handle_;
    if (!std::all_of(a.valuePtr(), a.valuePtr() + a.nonZeros(), [](double x) { return std::isfinite(x); }))
        return false;
    h.dense = a.rows() <= Handle::few;
    if (h.dense) {
        h.matrix_of_few = a;
        h.factor_of_few.compute(h.matrix_of_few);
        return h.factor_of_few.isInvertible();
    }
    const bool same = h.take(a);
    const auto local = static_cast<PetscInt>(h.rows.count()), all = static_cast<PetscInt>(h.rows.total);
    if (same) {
        ask(petsc().MatUpdateMPIAIJWithArrays(h.matrix, local, local, all, all, h.starts.data(), h.columns.data(),
                                              h.values.data()),
            "MatUpdateMPIAIJWithArrays");
    } else {
        h.matrix = OwnedMat();
        ask(petsc().MatCreateMPIAIJWithArrays(world(), local, local, all, all, h.starts.data(), h.columns.data(),
                                              h.values.data(), h.matrix.out()),
            "MatCreateMPIAIJWithArrays");
    }
    if (h.symmetric()) ask(petsc().MatSetOption(h.matrix, MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
    MatFactorInfo info;
    ask(petsc().MatFactorInfoInitialize(&info), "MatFactorInfoInitialize");
    if (!same || !h.factor) {
        h.factor = OwnedMat();
        ask(petsc().MatGetFactor(h.matrix, MATSOLVERMUMPS, h.symmetric() ? MAT_FACTOR_CHOLESKY : MAT_FACTOR_LU,
                                 h.factor.out()),
            "MatGetFactor");
        ask(petsc().MatMumpsSetIcntl(h.factor, 14, 80),
            "MatMumpsSetIcntl");  // percent more workspace than MUMPS estimates
        ask(h.symmetric() ? petsc().MatCholeskyFactorSymbolic(h.factor, h.matrix, nullptr, &info)
                          : petsc().MatLUFactorSymbolic(h.factor, h.matrix, nullptr, nullptr, &info),
            "symbolic factorisation");
    }
    const PetscErrorCode code = h.symmetric() ? petsc().MatCholeskyFactorNumeric(h.factor, h.matrix, &info)
                                              : petsc().MatLUFactorNumeric(h.factor, h.matrix, &info);
    PetscInt status = 0, negative = 0;
    petsc().MatMumpsGetInfog(h.factor, 1, &status);
    petsc().MatMumpsGetInfog(h.factor, 12, &negative);
    MatFactorError error = MAT_FACTOR_NOERROR;
    petsc().MatFactorGetError(h.factor, &error);
    h.negative = static_cast<int>(negative);
    if (code == 0 && error == MAT_FACTOR_NOERROR && status >= 0) return true;
    h.factor = OwnedMat();
    if (status == -9 || status == -13 || status == -17)
        throw std::runtime_error(fmt::format("MUMPS: not enough memory (status {})", status));
    return false;
}

Eigen::MatrixXd DirectSolver::solve(const Eigen::MatrixXd& b) const {
    if (handle_->dense) return handle_->factor_of_few.solve(b);
    Eigen::MatrixXd right = handle_->rows.part(b), left(right.rows(), right.cols());
    OwnedMat in = view(right, handle_->rows), out = view(left, handle_->rows);
    ask(petsc().MatMatSolve(handle_->factor, in, out), "MatMatSolve");
    return handle_->rows.whole(left);
}

int DirectSolver::negative_pivots() const {
    if (!handle_->dense) return handle_->negative;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(handle_->matrix_of_few, Eigen::EigenvaluesOnly);
    return static_cast<int>((eigen.eigenvalues().array() < 0).count());
}

}  // namespace faying::sparse
