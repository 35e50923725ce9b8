// Chains of masses and springs, free, in two bodies, or held: dense algebra answers the same.

#include "faying/sparse/statics.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"

namespace faying::sparse {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Sparse sparse(const MatrixXd& a) { return a.sparseView(); }

/// n masses in a row; spring i joins i and i+1; a zero stiffness cuts the chain.
MatrixXd chain(const std::vector<double>& springs) {
    const auto n = static_cast<Eigen::Index>(springs.size()) + 1;
    MatrixXd k = MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i + 1 < n; ++i) {
        VectorXd b = VectorXd::Zero(n);
        b(i) = -1;
        b(i + 1) = 1;
        k += springs[static_cast<std::size_t>(i)] * b * b.transpose();
    }
    return k;
}

MatrixXd masses(Eigen::Index n) {
    MatrixXd m = MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) m(i, i) = 1 + 0.3 * double(i % 3);
    return m;
}

/// The dense answer: minimise over x = N y with C N = 0 after a particular solution, M-orthogonal to the rigid motion.
TEST(Statics, ConstraintModesMinimiseTheEnergyOfTwoLooseBodies) {
    const MatrixXd k = chain({3, 2, 0, 5, 1}), m = masses(6);
    MatrixXd c = MatrixXd::Zero(1, 6);
    c(0, 2) = -1;
    c(0, 3) = 1;
    const Statics statics({sparse(k), sparse(m), MatrixXd::Ones(6, 1), sparse(c)});
    EXPECT_EQ(statics.rigid().cols(), 1);
    const MatrixXd psi = statics.constraint_modes();
    // The bodies part rigidly: no energy, unit gap, centre of mass at rest.
    EXPECT_NEAR((psi.transpose() * k * psi)(0), 0, 1e-13);
    EXPECT_NEAR((c * psi)(0), 1, 1e-13);
    EXPECT_NEAR((VectorXd::Ones(6).transpose() * m * psi)(0), 0, 1e-13);
}

TEST(Statics, SolvesAFreeChainAsThePseudoInverseDoes) {
    const MatrixXd k = chain({3, 2, 4, 5, 1}), m = masses(6);
    const Statics statics({sparse(k), sparse(m), MatrixXd::Ones(6, 1), Sparse(0, 6)});
    VectorXd f(6);
    f << 1, -2, 0.5, 3, 0, 1;
    const VectorXd x = statics.solve(f);
    const VectorXd one = VectorXd::Ones(6);
    const VectorXd balanced = f - m * one * (one.dot(f) / one.dot(m * one));
    EXPECT_LT((k * x - balanced).norm(), 1e-12);
    EXPECT_NEAR(one.dot(m * x), 0, 1e-13);
}

TEST(Statics, ModesUnderAConstraintAreThoseOfTheDenseProblem) {
    const MatrixXd k = chain({3, 2, 0, 5, 1, 2, 2.5}), m = masses(8);
    MatrixXd c = MatrixXd::Zero(1, 8);  // middle averages of both bodies move together
    c.row(0) << 0, 0.5, 0.5, -0.25, -0.75, 0, 0, 0;
    const Statics statics({sparse(k), sparse(m), MatrixXd::Ones(8, 1), sparse(c)});
    const auto modes = statics.modes(4);

    const Eigen::FullPivLU<MatrixXd> lu(c);
    const MatrixXd n = lu.kernel();
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> dense(n.transpose() * k * n, n.transpose() * m * n);
    for (Eigen::Index i = 0; i < 4; ++i) {
        EXPECT_NEAR(modes.values(i), dense.eigenvalues()(i + 1), 1e-11 * dense.eigenvalues()(i + 1)) << i;
        EXPECT_NEAR((c * modes.vectors.col(i))(0), 0, 1e-12);
    }
    EXPECT_LT((modes.vectors.transpose() * m * modes.vectors - MatrixXd::Identity(4, 4)).norm(), 1e-11);
}

TEST(Statics, ASupportedChainHasNoRigidMotion) {
    MatrixXd k = chain({3, 2, 4});
    k(0, 0) += 7;
    const Statics statics({sparse(k), sparse(masses(4)), MatrixXd::Ones(4, 1), Sparse(0, 4)});
    EXPECT_EQ(statics.rigid().cols(), 0);
    const VectorXd f = VectorXd::LinSpaced(4, 1, -2);
    EXPECT_LT((k * statics.solve(f) - f).norm(), 1e-12);
}

TEST(Statics, RefusesAPartThatNothingHolds) {
    EXPECT_THROW(Statics({sparse(chain({3, 0, 4})), sparse(masses(4)), MatrixXd::Ones(4, 1), Sparse(0, 4)}),
                 core::BadInput);
}

TEST(Statics, RefusesTheSameConstraintTwice) {
    MatrixXd c = MatrixXd::Zero(2, 4);
    c.row(0) << 1, -1, 0, 0;
    c.row(1) << 2, -2, 0, 0;
    EXPECT_THROW(Statics({sparse(chain({3, 1, 4})), sparse(masses(4)), MatrixXd::Ones(4, 1), sparse(c)}),
                 core::BadInput);
}

}  // namespace
}  // namespace faying::sparse
