#pragma once
// Static equilibrium under loads and prescribed displacements: unknowns z = (y, xi of rigid fixed-interface modes,
// reactions).
//
//     K_y y + K_c xi + S^T F(S y) = f_y + (R Psi)^T reaction
//     K_c^T y + diag(omega^2) xi  = f_xi + (R Phi)^T reaction          (elastic xi are eliminated)
//     R (Psi y + Phi xi)          = u
//
// Three kinds of structure: condensed to its joints (condensed_statics.hpp), as it is, its stiffness sparse, y all its
// DOF and no xi (uncondensed_statics.hpp), and known by its flexibility (flexible_statics.hpp). The first two multiply
// with K_y, the last has none; they differ in how Newton's steps are found.

#include "faying/modes/quasistatic.hpp"
#include "faying/solve/newton.hpp"
#include "sites.hpp"

namespace faying::modes {

struct DrivenLoad {
    double share = 1;       ///< of the static force
    Eigen::VectorXd value;  ///< of the drives
};

class DrivenStatics : public solve::Equations {
 public:
    DrivenStatics(const Interface::SiteMap& map, Sites& sites);
    virtual ~DrivenStatics() = default;

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

    /// How many steps of Newton to try whole before any is cut: where steps know more than the slope of the residual,
    /// a residual that grows is no sign that they lead astray.
    virtual int whole_steps() const { return 0; }

    Eigen::VectorXd displacements(const Eigen::VectorXd& z) const { return map_ * z.head(width()); }
    Eigen::VectorXd full(const Eigen::VectorXd& z) const { return shape(z.head(width()), inner(z)); }
    /// Along the row of every drive, from outside.
    Eigen::VectorXd driving_forces(const Eigen::VectorXd& z) const;
    /// |K x + f_nl - f - R^T reaction| relative to the largest of these, on all DOF.
    virtual double full_residual(const structure::Model& model, const Eigen::VectorXd& z,
                                 const Eigen::VectorXd& joints) = 0;

 protected:
    const Interface::SiteMap& map_;  ///< S
    Sites& sites_;
    Eigen::VectorXd omega2_;        ///< of the modes beside y; none of a sparse structure
    Interface::Coupling coupling_;  ///< K_c
    std::vector<Eigen::Index> rigid_, elastic_;
    Eigen::Index held_ = 0;
    Eigen::MatrixXd held_y_, held_xi_;  ///< rows of the prescribed drives on y and on the modes, a column per drive
    Eigen::MatrixXd flexibility_;       ///< of the elastic modes between prescribed rows
    double stiffness_scale_ = 1;
    double least_force_ = 0, least_way_ = 0;  ///< that residuals count against
    Eigen::VectorXd force_y_, force_xi_, target_;

    Eigen::Index width() const { return map_.cols(); }
    double rounding() const;
    /// The static force and the drives', on x.
    Eigen::VectorXd outside(const Eigen::VectorXd& z, Eigen::Index size) const;

    virtual Eigen::VectorXd on_y(const Eigen::VectorXd& f) const = 0;
    virtual Eigen::VectorXd on_modes(const Eigen::VectorXd& f) const = 0;
    virtual Eigen::VectorXd shape(const Eigen::VectorXd& y, const Eigen::VectorXd& xi) const = 0;
    /// Makes ready to solve with the Jacobian of stuck and closed joints, whose tangents `closed` has, and sets the
    /// stiffness scale. False where it is singular.
    virtual bool prepare(const Sites& closed) = 0;
    virtual Eigen::VectorXd solve_stuck(const Eigen::VectorXd& r) = 0;

 private:
    std::vector<Drive> drives_;
    std::vector<Eigen::Index> row_;  ///< reaction of a drive; -1 of a load
    Eigen::VectorXd static_y_, static_xi_, static_force_;
    Eigen::MatrixXd drive_y_, drive_xi_;  ///< rows of the drives
    double static_norm_ = 0;
    double farthest_ = 0;  ///< that a joint has gone
    DrivenLoad load_;

    Eigen::VectorXd inner(const Eigen::VectorXd& z) const;
};

/// With residuals from a product with the stiffness.
class StiffnessStatics : public DrivenStatics {
 public:
    using DrivenStatics::DrivenStatics;

    double evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) override;
    double full_residual(const structure::Model& model, const Eigen::VectorXd& z,
                         const Eigen::VectorXd& joints) override;

 protected:
    virtual Eigen::VectorXd times_stiffness(const Eigen::Ref<const Eigen::VectorXd>& y) const = 0;  ///< K_y y
    /// K x + f_nl on all DOF: the first, the second, each a vector.
    virtual std::pair<Eigen::VectorXd, Eigen::VectorXd> inside(const structure::Model& model, const Eigen::VectorXd& x,
                                                               const Eigen::VectorXd& joints) const = 0;
};

/// Tangents of all sites, one after the other, and which of them have changed since: rows, and by how much, block by
/// block.
std::vector<double> tangents_of(const Sites& sites);
struct ChangedTangents {
    std::vector<Eigen::Index> rows;
    std::vector<Eigen::MatrixXd> blocks;

    ChangedTangents() = default;
    ChangedTangents(const Sites& sites, const std::vector<double>& then);
    /// S^T D S x
    Eigen::VectorXd times(const Interface::SiteMap& map, const Eigen::VectorXd& x) const;
};

}  // namespace faying::modes
