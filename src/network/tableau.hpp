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
// where 1 is nothing to lose beside d only if d is about 1: K is scaled for it, K_ij s_i s_j with s a power of two and a
// diagonal between 1/2 and 2, whatever the units (velocities count in s, friction forces in 1/s). These changes are gathered and applied many at a time; until then a column is put together from T and what is pending.
// Only the lower triangle is kept, in panels of a few rows, column after column within a panel: what the machine works on
// together lies together, whatever n (columns a power of two apart would push each other out of its cache).

#include <Eigen/Dense>
#include <vector>

namespace faying::network {

class Tableau {
 public:
    explicit Tableau(const Eigen::MatrixXd& K);
    const Eigen::VectorXd& scale() const { return scale_; }  ///< s

    /// Back to no slider in S.
    void restart();
    /// `out` is as long as `padded`: zeros follow its entries.
    void column(Eigen::Index j, Eigen::VectorXd& out) const;
    /// Slider j joins S (or leaves it); `c` is its column as it is now.
    void take_in(Eigen::Index j, const Eigen::VectorXd& c) { pivot(j, c, 1.0); }
    void take_out(Eigen::Index j, const Eigen::VectorXd& c) { pivot(j, c, -1.0); }

 private:
    const Eigen::MatrixXd* start_;
    Eigen::Index n_, panels_, block_, pending_ = 0;
    bool moved_ = false;  ///< `lower_` differs from K
    Eigen::VectorXd scale_;
    Eigen::VectorXd lower_;       ///< without the pending changes: panels of the lower triangle, one after the other
    Eigen::VectorXd left_;        ///< c of each pending change, in panels: rows of one change, then of the next
    Eigen::VectorXd over_pivot_;  ///< c/d in the same order
    Eigen::VectorXd shift_;       ///< of the diagonal, pending
    mutable Eigen::VectorXd factors_;

    void pivot(Eigen::Index j, const Eigen::VectorXd& c, double sign);
    void apply();
};

}  // namespace faying::network
