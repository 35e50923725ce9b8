#pragma once
// Hurty/Craig-Bampton reduction of a large structure to what its joints see.
//
//     x = Psi v + Phi q,    reduced coordinates (v, q):    K_r = diag(Psi^T K Psi, omega^2),   M_r full
//
// Psi are static answers to unit boundary values, Phi the lowest elastic modes with the boundary at zero. Rigid motions
// of the whole are projected out: every column is M-orthogonal to them. Two kinds of boundary:
//
// - weak: v = C x, averages of patches. Nothing is stiffened: among all x with these averages, Psi v has least energy.
// - strong: some degrees of freedom are the boundary, x_B = W v; W may interpolate from a coarser interface mesh.
//
// Static answers at the boundary are exact in both: Phi is K-orthogonal to Psi.

#include <functional>

#include "faying/sparse/statics.hpp"

namespace faying::fe {

/// Called with the share of the work that is done, 0 to 1.
using Share = std::function<void(double)>;

struct CraigBampton {
    Eigen::MatrixXd mass, stiffness;  ///< reduced, symmetric
    Eigen::MatrixXd basis;            ///< x = basis (v, q); own rows of this rank
    Eigen::VectorXd fixed_omega;      ///< rad/s, of the modes with the boundary at zero
    Eigen::VectorXd fixed_residual;   ///< of each, relative
    Eigen::Index boundary = 0;        ///< how many v there are: the first coordinates
    Eigen::Index rigid = 0;           ///< how many motions of the whole were projected out
    Eigen::Index loose = 0;           ///< motions that only the boundary stops: separation of the joint
    sparse::Rows rows;
};

/// Rows of C beyond the first `kept` are held at zero and have no coordinate.
CraigBampton reduce_weak(
    const sparse::Sparse& stiffness, const sparse::Sparse& mass, const Eigen::MatrixXd& motions,
    const sparse::Sparse& constraints, Eigen::Index kept, Eigen::Index modes, const Share& done = [](double) {});

/// The strong kind in two steps, since what W is good for may depend on the held structure: where its boundary is
/// pressed and how its modes move.
class StrongBoundary {
 public:
    /// `boundary`: degrees of freedom in the order of W's rows.
    StrongBoundary(const sparse::Sparse& stiffness, const sparse::Sparse& mass, const Eigen::MatrixXd& motions,
                   const std::vector<Eigen::Index>& boundary, Eigen::Index modes);

    /// What holds the boundary at zero under a load: the force on each of its degrees of freedom.
    Eigen::VectorXd reaction(const Eigen::VectorXd& load) const;
    /// The first elastic mode of the held structure, all degrees of freedom; empty when no modes were asked for.
    Eigen::VectorXd first_mode() const;

    /// `loads` (columns, all degrees of freedom): answers to them are exact too, whatever the number of modes. What the
    /// modes lack of their static shapes joins them as further modes.
    CraigBampton reduce(
        const Eigen::MatrixXd& w, const Share& done = [](double) {}, const Eigen::MatrixXd& loads = {}) const;

 private:
    sparse::Sparse stiffness_, mass_, inner_to_boundary_;
    std::vector<Eigen::Index> boundary_, inside_;
    std::shared_ptr<const sparse::Statics> statics_;
    sparse::Eigenpairs fixed_;

    Eigen::MatrixXd scatter(const Eigen::MatrixXd& inner_rows, const Eigen::MatrixXd* boundary_rows) const;
    sparse::Eigenpairs with_static_shapes(const Eigen::MatrixXd& loads) const;
};

}  // namespace faying::fe
