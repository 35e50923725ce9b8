#pragma once
// Linear systems of a branch r(x, p) = 0: dr/dx, perhaps with the column dr/dp and a row beside it,
//
//     [ J W    J_p w ] [dx]   [ r ]
//     [ t_x^T   t_p  ] [dp] = [ s ],     W, w: lengths that count as one.
//
// Columns of J that are those of the identity are eliminated first, so that only the others are factorised.

#include <Eigen/Dense>
#include <vector>

#include "faying/solve/dense.hpp"

namespace faying::solve {

/// dr/dx and dr/dp. `to_x` has the columns named, ascending; all others are those of the identity.
struct Slopes {
    std::vector<Eigen::Index> columns;
    Eigen::MatrixXd to_x;
    Eigen::VectorXd to_p;

    Eigen::MatrixXd whole() const;  ///< dr/dx
};

class BorderedLu {
 public:
    /// With border: `scale` and `row` of (x, p).
    void compute(const Slopes& slopes, const Eigen::VectorXd& scale, const Eigen::VectorXd& row);
    /// dr/dx alone.
    void compute(const Slopes& slopes);
    bool ready() const { return lu_.size() > 0; }
    /// A column per right-hand side; not finite where the matrix is singular.
    Eigen::MatrixXd solve(const Eigen::MatrixXd& side) const;
    double sign() const { return sign_; }  ///< of the determinant

 private:
    DenseLu lu_;
    std::vector<Eigen::Index> mixed_, plain_;  ///< unknowns that are factorised, and the others
    Eigen::MatrixXd lower_;                    ///< rows of the plain ones, in the mixed
    Eigen::VectorXd scale_;                    ///< of the plain ones
    Eigen::RowVectorXd row_;                   ///< border on the plain ones
    Eigen::Index size_ = 0;
    double sign_ = 1;

    void factorise(const Slopes& slopes, const Eigen::VectorXd* scale, const Eigen::VectorXd* row);
};

}  // namespace faying::solve
