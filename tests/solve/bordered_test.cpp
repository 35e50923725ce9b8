// Linear systems of a branch, whose columns are partly the identity's, against the whole matrix.

#include "faying/solve/bordered.hpp"

#include <gtest/gtest.h>

namespace {

using namespace faying::solve;

Slopes some_slopes(Eigen::Index n, std::vector<Eigen::Index> columns) {
    std::srand(1);
    Slopes slopes{std::move(columns), {}, Eigen::VectorXd::Random(n)};
    slopes.to_x = Eigen::MatrixXd::Random(n, Eigen::Index(slopes.columns.size()));
    return slopes;
}

/// Of all, of a few, of none, and of more than the sizes at which LAPACK takes over.
class BorderedCases : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(BorderedCases, AreTheWholeMatrix) {
    const auto [n, every] = GetParam();
    std::vector<Eigen::Index> columns;
    for (Eigen::Index i = 0; i < n; ++i)
        if (every > 0 && i % every == 0) columns.push_back(i);
    const Slopes slopes = some_slopes(n, columns);
    const Eigen::VectorXd scale = Eigen::VectorXd::Random(n + 1).cwiseAbs().array() + 0.1,
                          row = Eigen::VectorXd::Random(n + 1);
    const Eigen::MatrixXd side = Eigen::MatrixXd::Random(n + 1, 3);
    Eigen::MatrixXd whole(n + 1, n + 1);
    whole.topLeftCorner(n, n) = slopes.whole() * scale.head(n).asDiagonal();
    whole.col(n).head(n) = slopes.to_p * scale(n);
    whole.row(n) = row.transpose();
    BorderedLu lu;
    EXPECT_FALSE(lu.ready());
    lu.compute(slopes, scale, row);
    EXPECT_LT((whole * lu.solve(side) - side).norm(), 1e-9 * side.norm());
    EXPECT_EQ(lu.sign(), whole.determinant() < 0 ? -1.0 : 1.0);
    BorderedLu plain;
    plain.compute(slopes);
    const Eigen::MatrixXd below = side.topRows(n);
    EXPECT_LT((slopes.whole() * plain.solve(below) - below).norm(), 1e-9 * side.norm());
}

INSTANTIATE_TEST_SUITE_P(Solve, BorderedCases,
                         testing::Values(std::pair(7, 1), std::pair(20, 3), std::pair(5, 0), std::pair(260, 2),
                                         std::pair(150, 1)));

}  // namespace
