#pragma once
// The stiffness with some sliders' equations solved for their velocities: for the set S of them the symmetric matrix
//
//     T = [ -K_SS^-1            K_SS^-1 K_SN              ]
//         [  K_NS K_SS^-1       K_NN - K_NS K_SS^-1 K_SN  ]
//
// (principal pivoting, the statisticians' sweep). A column of it says what happens to every velocity and every friction
// force when one more slider begins to move. Taking a slider in or out changes T by a matrix of rank one,
//
//     T <- T - c c^T/d -+ 2 e e^T,     c = column with its own entry d replaced by d -+ 1,
//
// and these are gathered and applied many at a time to the lower triangle, where the machine is fast; until then a
// column is put together from the triangle and what is pending.

#include <Eigen/Dense>
#include <vector>

namespace faying::network {

class Tableau {
 public:
    explicit Tableau(const Eigen::MatrixXd& K);

    /// Back to no slider in S.
    void restart();
    void column(Eigen::Index j, Eigen::VectorXd& out) const;
    /// Slider j joins S (or leaves it); `c` is its column as it is now.
    void take_in(Eigen::Index j, const Eigen::VectorXd& c) { pivot(j, c, 1.0); }
    void take_out(Eigen::Index j, const Eigen::VectorXd& c) { pivot(j, c, -1.0); }

 private:
    const Eigen::MatrixXd* start_;
    Eigen::Index n_, padded_, block_, pending_ = 0;
    bool moved_ = false;          ///< `matrix_` differs from K
    Eigen::MatrixXd matrix_;      ///< without the pending changes: its lower triangle, rows padded
    Eigen::MatrixXd left_;        ///< c, a column each
    Eigen::MatrixXd over_pivot_;  ///< c/d, a column each
    Eigen::VectorXd shift_;       ///< of the diagonal, pending

    void pivot(Eigen::Index j, const Eigen::VectorXd& c, double sign);
    void apply();
};

}  // namespace faying::network
