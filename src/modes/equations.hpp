#pragma once
// The equations of one point of a backbone, condensed to the interface, and Newton on them.
//
// Unknowns: z = d/q on (y, xi of the modes kept near lambda) and lambda; q may be negative (the other reversal).
//
//     RQNMA   D(lambda) z + S^T F(q S z)/q = 0,    (z^T D'(lambda) z + 1)/2 = 0
//             D = K_y - lambda M_y - C diag(1/(omega_k^2 - lambda)) C^T,   C = K_c - lambda M_c,   z^T D' z = -d^T M
//             d/q^2
//     QSMA    K_y z + S^T F/q - lambda p = 0,      1 - p.z - lambda s = 0
//             p = M phi_r on y,  s = Sum over the other modes of (phi_k^T M phi_r)^2/omega_k^2
//
// D has poles at the fixed-interface frequencies: modes within 5 % of lambda stay among the unknowns. Both Jacobians
// are bordered and symmetric when the joints' tangents are; the factorisation is kept and reused while it serves.

#include <Eigen/LU>

#include "faying/modes/backbone.hpp"
#include "sites.hpp"

namespace faying::modes {

/// A solution, or a guess at one.
struct Branch {
    double q = 0;
    Eigen::VectorXd z;
    double lambda = 0;
    std::vector<Eigen::Index> kept;  ///< modes among z, after y
    Eigen::VectorXd slope;           ///< d(z, lambda)/d ln q; empty when not known
};

class Equations {
 public:
    Equations(const structure::Model& model, const Interface& interface, Sites& sites, const BackboneOptions& options);

    /// The linearised mode: where branches start, and what QSMA loads.
    void set_mode(const Eigen::VectorXd& y, const Eigen::VectorXd& xi, double lambda);
    Branch start(double q) const;

    /// Newton from the guess, joints from their committed states; false when it does not get there.
    bool solve(Branch& b, int& iterations, bool damped = true);
    /// d(z, lambda)/d ln q at a solution just found.
    void find_slope(Branch& b);
    /// Solves J x = right (a column each) with the Jacobian of the solution just found, refreshed.
    void refresh_factors(const Branch& b);
    void back_substitute(Eigen::VectorXd& right) const { right = lu_.solve(right).eval(); }

    /// Modes near lambda join the unknowns, others leave; the shape is carried over.
    void refresh_kept(Branch& b) const;

    /// Relative residual on all DOF, at the increments of the last evaluation.
    double full_residual(const Branch& b) const;
    Eigen::VectorXd full_shape(const Branch& b) const;
    Eigen::VectorXd inner(const Branch& b) const;  ///< xi of all modes
    /// phi_a^T M phi_b, signed, of two solutions (shapes need not be normalised).
    double overlap(const Branch& a, const Branch& b) const;

    Eigen::Index width() const { return interface_.width(); }
    const Interface& interface() const { return interface_; }
    Sites& sites() { return sites_; }
    const BackboneOptions& options() const { return options_; }
    /// Site increments q S z of a branch.
    void increments(const Branch& b, Eigen::VectorXd& out) const;

 private:
    const structure::Model& model_;
    const Interface& interface_;
    Sites& sites_;
    const BackboneOptions& options_;
    Eigen::VectorXd mode_y_, mode_xi_, load_y_, load_modes_;  ///< linearised mode and M times it
    double mode_lambda_ = 0, compliance_ = 0;
    std::vector<Eigen::Index> rigid_;

    // Work space, sized once for a set of kept modes.
    mutable Eigen::MatrixXd jacobian_, coupling_, scaled_;
    mutable Eigen::VectorXd residual_, border_, increments_, on_y_, change_, t_, s_, gap_;
    double corner_ = 0, scale_ = 1;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
    bool have_factors_ = false;

    double evaluate(const Branch& b);
    void linear_rqnma(const Branch& b);
    void linear_qsma(const Branch& b);
    void factorise(const Branch& b);
    std::vector<Eigen::Index> near(double lambda) const;
};

/// The r-th mode (from 1) of the structure with the joints' tangents of the last evaluation.
struct StartMode {
    Eigen::VectorXd y, xi;
    double lambda = 0;
};
StartMode start_mode(const structure::Model& model, const Interface& interface, const Sites& sites, int mode);

}  // namespace faying::modes
