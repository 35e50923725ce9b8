#include "faying/sparse/sparse.hpp"

#include "faying/core/error.hpp"
#include "operator.hpp"
#include "watched.hpp"

namespace faying::sparse {

namespace {

/// Operations a second of a product of dense matrices, as large as the fronts of a factor that takes a while.
double measured_rate() {
    constexpr int n = 320;
    const Eigen::MatrixXd a = Eigen::MatrixXd::Constant(n, n, 0.5);
    Eigen::MatrixXd product(n, n);
    double best = 0;
    for (int run = 0; run < 3; ++run) {
        const auto start = std::chrono::steady_clock::now();
        product.noalias() = a * a;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::max(best, 2.0 * n * n * n / std::max(seconds, 1e-9));
    }
    return best;
}

/// Of what was expected to take `expected`: nearly in proportion, and never all of it.
double share_of(double seconds, double expected) {
    constexpr double trusted = 0.8;
    const double share = seconds / expected;
    return share < trusted ? share : 1 - (1 - trusted) / (1 + (share - trusted) / (1 - trusted));
}

constexpr double ordering_share = 0.2;          // of the whole, about, where it is worth looking at
constexpr double ordering_seconds = 4e-7;       // for an entry of the matrix, about
constexpr double share_of_product_rate = 0.35;  // that a sparse factor gets, about: small fronts, moving things about

}  // namespace

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
    const auto local = static_cast<PetscInt>(rows.count()), all = static_cast<PetscInt>(rows.total);
    ask(petsc().MatCreateMPIAIJWithArrays(world(), local, local, all, all, starts.data(), columns.data(), values.data(),
                                          handle->matrix.out()),
        "MatCreateMPIAIJWithArrays");
    ask(petsc().MatSetOption(handle->matrix, MAT_SPD, PETSC_TRUE), "MatSetOption");
    handle_ = std::move(handle);
}

const Rows& Operator::rows() const { return handle_->rows; }

Eigen::MatrixXd Operator::times(const Eigen::MatrixXd& x) const {
    if (x.cols() == 0) return x;
    Eigen::MatrixXd in = x, out(x.rows(), x.cols());
    const OwnedMat b = view(in, rows());
    OwnedMat c;
    ask(petsc().MatMatMult(handle_->matrix, b, MAT_INITIAL_MATRIX, PETSC_DEFAULT, c.out()), "MatMatMult");
    const PetscScalar* data = nullptr;
    PetscInt stride = 0;
    ask(petsc().MatDenseGetLDA(c, &stride), "MatDenseGetLDA");
    ask(petsc().MatDenseGetArrayRead(c, &data), "MatDenseGetArrayRead");
    out = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(data, x.rows(), x.cols(),
                                                                     Eigen::OuterStride<>(stride));
    ask(petsc().MatDenseRestoreArrayRead(c, &data), "MatDenseRestoreArrayRead");
    return out;
}

Eigen::MatrixXd Operator::residual(const Eigen::MatrixXd& b, const Eigen::MatrixXd& x) const {
    // By rows of the transpose: the columns of x lie side by side in the inner loop.
    const Eigen::MatrixXd whole = rows().whole(x).transpose();
    const auto& [local, matrix, starts, columns, values, factorised] = *handle_;
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

/// MUMPS says nothing of how far it is: what is told are the operations that its analysis counts, over the rate of a
/// matrix product measured here.
Factor::Factor(const Operator& a, const std::string& name) {
    const auto& done = a.handle().factorised;
    auto handle = std::make_shared<Handle>();
    handle->rows = a.rows();
    const Mat matrix = a.handle().matrix;
    ask(petsc().MatGetFactor(matrix, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, handle->factor.out()), "MatGetFactor");
    const Mat factor = handle->factor;
    ask(petsc().MatMumpsSetIcntl(factor, 14, 50), "MatMumpsSetIcntl");  // percent more workspace than MUMPS estimates
    MatFactorInfo info;
    ask(petsc().MatFactorInfoInitialize(&info), "MatFactorInfoInitialize");
    using Tick = std::function<void(double)>;
    {
        const double expected = ordering_seconds * double(a.handle().values.size());
        const Watched ordering(done ? Tick([&](double seconds) { done(ordering_share * share_of(seconds, expected)); })
                                    : Tick());
        ask(petsc().MatCholeskyFactorSymbolic(factor, matrix, nullptr, &info), "MatCholeskyFactorSymbolic");
    }
    PetscErrorCode code = 0;
    {
        PetscReal operations = 0;
        ask(petsc().MatMumpsGetRinfog(factor, 1, &operations), "MatMumpsGetRinfog");
        const double expected =
            done ? std::max(1e-6, operations / (share_of_product_rate * measured_rate() * ranks())) : 1.0;
        const Watched factorising(done ? Tick([&](double seconds) {
            done(ordering_share + (1 - ordering_share) * share_of(seconds, expected));
        })
                                       : Tick());
        code = petsc().MatCholeskyFactorNumeric(factor, matrix, &info);
    }
    PetscInt status = 0, negative = 0;
    petsc().MatMumpsGetInfog(factor, 1, &status);
    petsc().MatMumpsGetInfog(factor, 12, &negative);
    MatFactorError error = MAT_FACTOR_NOERROR;
    petsc().MatFactorGetError(factor, &error);
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
        ask(petsc().MatMatSolve(handle_->factor, in, out), "MatMatSolve");
        x.middleCols(j, width) = left;
    }
    return x;
}

}  // namespace faying::sparse
