// Dense factors and products on both sides of the size where LAPACK takes over.

#include "faying/solve/dense.hpp"

#include <gtest/gtest.h>

namespace {

using namespace faying::solve;

TEST(Dense, SolvesAtEverySize) {
    DenseLu lu;  // one for all: growing and shrinking
    for (const int n : {3, 100, 101, 240, 7}) {
        const Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n) + 2 * Eigen::MatrixXd::Identity(n, n);
        const Eigen::MatrixXd x = Eigen::MatrixXd::Random(n, 4);
        lu.compute(a);
        ASSERT_EQ(lu.size(), n);
        EXPECT_LT((lu.solve(a * x) - x).norm(), 1e-10 * x.norm()) << n;
        Eigen::VectorXd one;
        lu.solve(Eigen::VectorXd(a * x.col(1)), one);
        EXPECT_LT((one - x.col(1)).norm(), 1e-10 * x.norm()) << n;
    }
}

TEST(Dense, SingularShows) {
    for (const int n : {4, 150}) {
        DenseLu lu;
        lu.compute(Eigen::MatrixXd::Zero(n, n));
        Eigen::VectorXd x;
        lu.solve(Eigen::VectorXd::Ones(n), x);
        EXPECT_FALSE(x.allFinite()) << n;
    }
}

TEST(Dense, ProductsGoIntoTheLeadingBlock) {
    for (const int n : {5, 130}) {
        const RowMajor a = RowMajor::Random(n, 11), b = RowMajor::Random(n, 11);
        Eigen::MatrixXd c = Eigen::MatrixXd::Ones(n + 3, n + 3);
        Eigen::MatrixXd wanted = c;
        wanted.topLeftCorner(n, n) -= a * b.transpose();
        subtract_product(c, a, b);
        EXPECT_LT((c - wanted).norm(), 1e-12 * wanted.norm()) << n;
    }
}

}  // namespace
