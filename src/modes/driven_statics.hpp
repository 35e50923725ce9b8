#pragma once
// Static equilibrium under loads and prescribed displacements, condensed to the joints: unknowns z = (y, xi of rigid
// fixed-interface modes, reactions).
//
//     K_y y + K_c xi + S^T F(S y) = f_y + (R Psi)^T reaction
//     K_c^T y + diag(omega^2) xi  = f_xi + (R Phi)^T reaction          (elastic xi are eliminated)
//     R (Psi y + Phi xi)          = u

#include "faying/modes/quasistatic.hpp"
#include "faying/solve/newton.hpp"
#include "sites.hpp"

namespace faying::modes {

struct DrivenLoad {
    double share = 1;       ///< of the static force
    Eigen::VectorXd value;  ///< of the drives
};

class DrivenStatics final : public solve::Equations {
 public:
    DrivenStatics(const Interface& interface, Sites& sites);

    /// Throws BadInput where a prescribed row cannot move or stuck joints do not hold the structure.
    void drive(const structure::Model& model, const std::vector<Drive>& drives);
    void set(const DrivenLoad& load);
    /// A point was reached: from now on residuals count against a thousandth of what acted there at least, so that a
    /// load that goes back to nothing is not asked for more than rounding allows.
    void reached(const Eigen::VectorXd& z, const Eigen::VectorXd& joints);

    Eigen::Index size() const { return width() + Eigen::Index(rigid_.size()) + held_; }
    Eigen::Index held() const { return held_; }  ///< prescribed rows
    double static_force() const { return static_norm_; }
    /// One step from z as if every joint were stuck and closed: where to start when contact is all that holds a body.
    Eigen::VectorXd stuck_start(const DrivenLoad& load, const Eigen::VectorXd& z);

    double evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) override;
    void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& j) override;
    /// Many sites, few of which have changed since the Jacobian was last inverted: by the Woodbury identity.
    bool step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) override;

    Eigen::VectorXd displacements(const Eigen::VectorXd& z) const { return interface_.site_map() * z.head(width()); }
    Eigen::VectorXd full(const Eigen::VectorXd& z) const;
    /// Along the row of every drive, from outside.
    Eigen::VectorXd driving_forces(const Eigen::VectorXd& z) const;
    /// |K x + f_nl - f - R^T reaction| relative to the largest of these, on all DOF.
    double full_residual(const structure::Model& model, const Eigen::VectorXd& z, const Eigen::VectorXd& joints) const;

 private:
    const Interface& interface_;
    Sites& sites_;
    std::vector<Eigen::Index> rigid_, elastic_;
    std::vector<Drive> drives_;
    std::vector<Eigen::Index> row_;  ///< reaction of a drive; -1 of a load
    Eigen::Index held_ = 0;
    Eigen::VectorXd static_y_, static_xi_;
    Eigen::MatrixXd drive_y_, drive_xi_;  ///< rows of the drives on y and on the modes, a column per drive
    Eigen::MatrixXd held_y_, held_xi_;    ///< of the prescribed ones
    Eigen::MatrixXd flexibility_;         ///< of the elastic modes between prescribed rows
    double static_norm_ = 0, stiffness_scale_ = 1;
    double farthest_ = 0;                     ///< that a joint has gone
    double least_force_ = 0, least_way_ = 0;  ///< that residuals count against
    DrivenLoad load_;
    Eigen::VectorXd force_y_, force_xi_, target_;
    Eigen::MatrixXd stuck_;  ///< the Jacobian with every joint stuck and closed
    /// The inverse of a Jacobian some steps ago.
    struct Inverse {
        Eigen::MatrixXd matrix;
        std::vector<double> tangents;  ///< of all sites at that time
        Eigen::Index spent = 0;        ///< products with it in iterations since
        long used = 0;                 ///< when it last was
    };
    /// Sites whose tangents are not what they were: rows, and by how much, block by block.
    struct Changed {
        std::vector<Eigen::Index> rows;
        std::vector<Eigen::MatrixXd> blocks;
    };
    std::vector<Inverse> known_;  ///< a few: what is open one way of a cycle is closed the other
    long clock_ = 0;

    Eigen::Index width() const { return interface_.width(); }
    Changed changed_since(const Inverse& then) const;
    /// The step J0^-1 r in `change` made one of the Jacobian with the tangents as they are now.
    void by_few_sites(const Eigen::MatrixXd& inverse, const Changed& now, Eigen::VectorXd& change) const;
    bool by_iteration(Inverse& inverse, const Changed& now, Eigen::VectorXd& change) const;
    Eigen::VectorXd inner(const Eigen::VectorXd& z) const;
    void linear_part(Eigen::MatrixXd& j) const;
    double rounding() const;
};

}  // namespace faying::modes
