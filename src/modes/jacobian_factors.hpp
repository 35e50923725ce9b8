#pragma once
// Matrices of an interface with the joints' tangents k in them, and systems bordered by a symmetric row and column,
//
//     A = A0(lambda) + S^T k S,        [ A   b ] [ x ]   [ r ]
//                                      [ b^T c ] [ l ] = [ s ],
//
// solved through what few sites have changed since one such matrix was inverted. With D = S^T (k - k0) S on the rows i
// and columns j of y that those sites touch (Woodbury):
//
//     A^-1 r = x - X_i (1 + D X_ji)^-1 D x_j,     X the inverse with tangents k0, x = X r
//
// A factorisation costs as much as there are sites that slip, open or close. Where lambda differs from the one that X
// was made for, a step is only nearly Newton's, and exact solutions take a few such steps.

#include <memory>

#include "faying/solve/dense.hpp"
#include "sites.hpp"

namespace faying::modes {

/// Of the sites' last evaluation: tangents one after the other, and S^T k S.
struct JointTangents {
    std::vector<double> sites;
    Eigen::SparseMatrix<double> on_y;

    JointTangents(const Interface& interface, const Sites& sites);
    bool are_those_of(const Sites& sites) const;  ///< of their last evaluation
};

/// The inverse of one such matrix, and what belongs to it.
class KnownInverse {
 public:
    KnownInverse(const Interface& interface, double lambda, std::vector<Eigen::Index> kept,
                 std::shared_ptr<const JointTangents> tangents);
    /// Of K_y + S^T k S, without any mode.
    KnownInverse(const Interface& interface, std::shared_ptr<const JointTangents> tangents);

    const Interface& interface() const { return interface_; }
    double lambda() const { return lambda_; }
    const std::vector<Eigen::Index>& kept() const { return kept_; }
    const JointTangents& tangents() const { return *tangents_; }
    const Eigen::MatrixXd& matrix() const { return matrix_; }
    bool finite() const { return finite_; }
    bool positive() const { return positive_; }  ///< definite
    /// A(lambda of the inverse) - A(lambda) times every column.
    Eigen::MatrixXd shifted(double lambda, const Eigen::MatrixXd& x) const;

 private:
    const Interface& interface_;
    double lambda_ = 0;
    std::vector<Eigen::Index> kept_;
    std::shared_ptr<const JointTangents> tangents_;
    Eigen::MatrixXd matrix_;
    bool finite_ = true, positive_ = true;

    void invert();
};

/// A with the tangents of now.
class UpdatedInverse {
 public:
    /// False where so much has changed that a factorisation from nothing is as cheap.
    bool compute(std::shared_ptr<const KnownInverse> known, const Sites& sites);
    const KnownInverse& known() const { return *known_; }
    void add_change(Eigen::MatrixXd& matrix) const;  ///< D
    /// A^-1 of every column.
    void solve(Eigen::Ref<Eigen::MatrixXd> columns) const;

 private:
    std::shared_ptr<const KnownInverse> known_;
    std::vector<Eigen::Index> rows_, columns_;             ///< of y that D has
    Eigen::SparseMatrix<double, Eigen::RowMajor> change_;  ///< D on them
    solve::DenseLu lu_;                                    ///< of (1 + D X_ji)^T
};

class JacobianFactors {
 public:
    /// From nothing: the whole matrix, border last.
    void compute(const Eigen::MatrixXd& jacobian);
    /// By what has changed; false where that is too much. Border and corner are those at `lambda`.
    bool compute(std::shared_ptr<const KnownInverse> known, const Sites& sites, double lambda,
                 const Eigen::VectorXd& border, double corner);

    Eigen::Index size() const { return size_; }
    /// A step of Newton: exact but for the lambda of the inverse.
    void step(const Eigen::VectorXd& r, Eigen::VectorXd& x) const;
    /// Every column exactly: by steps, or from nothing where these do not lead there.
    Eigen::MatrixXd solve(const Eigen::MatrixXd& r) const;

 private:
    Eigen::Index size_ = 0;
    bool updated_ = false;
    mutable solve::DenseLu lu_;  ///< of the whole, when it was needed
    UpdatedInverse update_;
    double lambda_ = 0, corner_ = 0;
    Eigen::VectorXd border_, across_;  ///< b and A^-1 b

    void step_all(Eigen::MatrixXd& x) const;
    Eigen::MatrixXd whole() const;
};

}  // namespace faying::modes
