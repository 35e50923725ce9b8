#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "bordered.hpp"
#include "faying/core/error.hpp"
#include "faying/sparse/direct.hpp"
#include "faying/sparse/sparse.hpp"

namespace faying::geometric {

namespace {

LowModes dense_low_modes(const Sparse& k, const Sparse& m, Index count) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen{MatrixXd(k), MatrixXd(m)};
    if (eigen.info() != Eigen::Success)
        throw core::NotConverged("the eigenvalue problem did not converge", std::numeric_limits<double>::quiet_NaN());
    return {eigen.eigenvalues().head(count), eigen.eigenvectors().leftCols(count)};
}

void require_stable(const Sparse& k) {
    sparse::DirectSolver solver(sparse::DirectSolver::Kind::symmetric);
    const bool regular = solver.factor(k);
    if (regular && solver.negative_pivots() == 0) {
        // A motion that costs next to nothing shows as a tiny Rayleigh quotient.
        VectorXd x(k.rows());
        for (Index i = 0; i < x.size(); ++i) x(i) = std::sin(1.0 + 3.7 * double(i));
        for (int step = 0; step < 3; ++step) x = VectorXd(solver.solve(x)).normalized();
        if (x.dot(k * x) > 1e-14 * k.diagonal().mean()) return;
    }
    if (regular && solver.negative_pivots() > 0)
        throw core::BadInput("structure",
                             fmt::format("is buckled where its modes are asked for: {} directions in which "
                                         "its stiffness is negative",
                                         solver.negative_pivots()));
    throw core::BadInput("structure", "is free to move: some motion costs no energy; support it, or its joints");
}

}  // namespace

LowModes low_modes(const Sparse& k, const Sparse& m, int number, int least_count) {
    const Index n = k.rows();
    if (number < 1 || number > n)
        throw core::BadInput("mode", fmt::format("there is no mode {}; allowed are 1 to {}", number, n));
    require_stable(k);
    const Index count = std::min<Index>(n, std::max(number + 2, least_count));
    if (3 * count > n || n < 60) return dense_low_modes(k, m, count);
    const sparse::Operator stiffness(k), mass(m);
    const sparse::Factor factor(stiffness, "stiffness");
    const auto pairs = sparse::lowest(stiffness, mass, count, [&](const MatrixXd& b) { return factor.solve(b); });
    return {pairs.values, stiffness.rows().whole(pairs.vectors)};
}

}  // namespace faying::geometric
