#pragma once
// A model in the coordinates of its stuck modes, u = Phi q, with the joints as what they differ from stuck springs by:
//
//     q'' + C q' + diag(omega^2) q + P^T g(y) = Phi^T F,   y = P q,   P = B Phi,   g(y) = f(y) - T y
//
// T are the stuck tangents (of contacts that are closed at rest). With modal damping ratios C is diagonal as well, so
// that a linear solve for any step size costs one pass over the modes and everything nonlinear lives on the joints'
// displacements y. Linear springs (kp, or a polynomial of degree one) are in omega and Phi already: g has none of them,
// and a joint that is nothing else has no y.
//
// With fewer modes than all, Phi are the first stuck modes and, beside them, the static shapes of the joints (and of
// the static force) in what these modes leave out, turned so that mass and stiffness stay diagonal: joints are as
// compliant as with all modes, and the whole structure's equilibrium is among the motions left.

#include <Eigen/Dense>
#include <vector>

#include "faying/structure/model.hpp"

namespace faying::transient {

/// What the motions that are kept leave out, in modes of its own: with r the static shapes' coordinates,
///
///     z'' + .. + diag(omega^2) z = shapes^T (F - B^T g) - coupling r,   which would add  map z  to y.
///
/// Quasi-static forces of the joints do not move it.
struct LeftOut {
    Eigen::VectorXd omega;
    Eigen::MatrixXd shapes;
    Eigen::MatrixXd coupling, map;
    Eigen::MatrixXd projection;  ///< z = projection u
    Eigen::VectorXd damping;     ///< diagonal
    Eigen::VectorXd static_force;
};

class System {
 public:
    /// The first `modes` stuck modes (all when 0) and the static shapes; contacts that are open at `rest` (a
    /// displacement of the structure; none when it is empty) have no tangent in them. Throws BadInput for laws driven
    /// by force or dependent on time, and when rigid motions would be left out.
    explicit System(const structure::Model& model, Eigen::Index modes = 0, const Eigen::VectorXd& rest = {});

    Eigen::Index size() const { return omega_.size(); }
    Eigen::Index kept() const { return kept_; }  ///< of `size()`, those that are modes; the rest are static shapes
    const LeftOut& left_out() const { return left_out_; }
    Eigen::Index width() const { return map_.rows(); }  ///< displacements y of joints that are no linear springs
    const Eigen::VectorXd& omega() const { return omega_; }
    const Eigen::MatrixXd& shapes() const { return shapes_; }
    const Eigen::MatrixXd& map() const { return map_; }  ///< P
    bool diagonal_damping() const { return damping_matrix_.size() == 0; }
    const Eigen::VectorXd& damping() const { return damping_; }  ///< diagonal of C
    const Eigen::MatrixXd& damping_matrix() const { return damping_matrix_; }
    Eigen::VectorXd damping_force(const Eigen::VectorXd& velocity) const;

    Eigen::VectorXd modal_force(const Eigen::VectorXd& force) const { return shapes_.transpose() * force; }
    Eigen::VectorXd modal(const Eigen::VectorXd& displacement) const { return projection_ * displacement; }
    Eigen::VectorXd physical(const Eigen::VectorXd& modal) const { return shapes_ * modal; }
    const Eigen::VectorXd& static_force() const { return static_; }  ///< modal

    /// Trial from the committed state: g and its tangent, of which only the diagonal blocks are written (the rest is to
    /// be zero before).
    void evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& g, Eigen::MatrixXd& tangent);
    /// Displacements of the sites whose tangent, as `evaluate` gave it, is not the stuck one; ascending.
    void find_loose(const Eigen::MatrixXd& tangent, std::vector<Eigen::Index>& rows) const;
    /// Whether a joint displacement, in the model's order, is that of a linear spring and no y.
    bool is_spring(Eigen::Index displacement) const { return is_spring_[std::size_t(displacement)]; }
    const Eigen::VectorXd& stuck() const { return stuck_; }  ///< diagonal of T, so that forces are g + T y
    Eigen::Index widest() const { return widest_; }          ///< displacements of a site at most
    void commit() { joints_.commit(); }
    double dissipated() const { return joints_.dissipated(); }
    double strain_energy(const Eigen::VectorXd& q) const;  ///< of the linear structure, without joints
    double spring_energy(const Eigen::VectorXd& q) const;  ///< of joints that are linear springs

    /// Displacements and forces of all joints, in the model's order.
    Eigen::VectorXd joint_displacement(const Eigen::VectorXd& q, const Eigen::VectorXd& y) const;
    Eigen::VectorXd joint_force(const Eigen::VectorXd& q, const Eigen::VectorXd& y, const Eigen::VectorXd& g) const;

 private:
    laws::JointSet<double> joints_;  ///< without linear springs
    Eigen::Index widest_ = 1;
    Eigen::Index kept_ = 0;
    LeftOut left_out_;
    Eigen::VectorXd omega_, damping_, static_;
    Eigen::VectorXd stuck_, slipping_;  ///< T, and the part of it that `joints_` have
    Eigen::MatrixXd shapes_, projection_, map_, damping_matrix_;
    Eigen::MatrixXd spring_map_;  ///< displacements of joints that are linear springs
    Eigen::VectorXd spring_stiffness_;
    std::vector<bool> is_spring_;  ///< of every joint displacement, in the model's order

    Eigen::VectorXd in_order(const Eigen::VectorXd& active, const Eigen::VectorXd& springs) const;
};

}  // namespace faying::transient
