#pragma once
// The equations of one point of a backbone, condensed to the interface, and Newton on them.
//
// Unknowns: z = d/q on (y, xi of the modes kept near a pole) and lambda; q may be negative (the other reversal). The
// inertia that loads the structure is its own, of a given shape phi, or a share `own` of each:
//
//     K z + S^T F(q S z)/q = lambda M ((1 - own) phi + own z),     (1 - own) phi^T M z + own (z^T M z + 1)/2 = target
//
// RQNMA is own = 1, QSMA own = 0 with phi the linearised mode (target = 1 in both); what lies between leads from one to
// the other. Condensed, with mu = own lambda, C = K_c - mu M_c and l = M ((1 - own) phi + own z):
//
//     xi_k = ((1 - own) lambda (M phi)_k - C_k.z)/(omega_k^2 - mu)
//     d residual/d lambda = -l_y + C diag(l_k/(omega_k^2 - mu))
//
// mu has poles at the fixed-interface frequencies: modes within 5 % stay among the unknowns. The Jacobian is bordered,
// and symmetric when the joints' tangents are. Small ones are factorised at every step; of large ones the inverse at
// rest is made once for a branch and only what has slipped, opened or closed since is factorised (jacobian_factors.hpp).

#include <array>

#include "faying/modes/backbone.hpp"
#include "jacobian_factors.hpp"
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

/// A displacement field on all coordinates.
struct Shape {
    Eigen::VectorXd y, xi;
};

class Equations {
 public:
    Equations(const structure::Model& model, const Interface& interface, Sites& sites, const BackboneOptions& options);

    /// The tangents of the sites' last evaluation are those at rest.
    void set_rest();
    /// Whether every site has the tangent of its last evaluation at rest too: none slips, opens or closes.
    bool as_at_rest() const { return tangents_ && tangents_->are_those_of(sites_); }
    /// K_y + S^T k S at rest inverted; none of few unknowns, or where fixed-interface modes are rigid.
    const KnownInverse* at_rest() const { return rigid_.empty() ? at_rest_[0].get() : nullptr; }
    /// The linearised mode: where branches start, and what QSMA loads.
    void set_mode(const Eigen::VectorXd& y, const Eigen::VectorXd& xi, double lambda);
    Branch start(double q) const;

    /// Newton from the guess, joints from their committed states; false when it does not get there.
    bool solve(Branch& b, int& iterations, bool damped = true) {
        return solve(b, iterations, damped, options_.most_iterations);
    }
    bool solve(Branch& b, int& iterations, bool damped, int most_iterations);
    /// One full Newton step.
    void step(Branch& b, int& iterations);
    /// How far a guess is from a solution, relative.
    double residual_size(const Branch& b) { return evaluate(b); }
    /// d(z, lambda)/d ln q at a solution just found.
    void find_slope(Branch& b);
    /// Of the last evaluation: residual, its Jacobian, both with the amplitude equation last, and d residual/d ln q.
    const Eigen::VectorXd& residual() const { return residual_; }
    const Eigen::MatrixXd& jacobian(const Branch& b);
    Eigen::VectorXd amplitude_slope(const Branch& b) const;
    /// Evaluates and factorises the Jacobian at a solution.
    void refresh_factors(const Branch& b);
    const JacobianFactors& factors() const { return factors_[side_].of; }
    /// Each reversal keeps a factorisation of its own: the last loop's serves the next.
    void set_side(bool plus) { side_ = plus ? 0 : 1; }

    /// Modes near lambda join the unknowns, others leave; the shape is carried over.
    void refresh_kept(Branch& b) const;

    /// What loads the structure from now on: `own` inertia only (1), none of it (0).
    void set_loading(double own, double target);
    /// The shape phi of the given inertia.
    void set_load(const Shape& phi);
    Shape shape(const Branch& b) const { return {b.z.head(width()), inner(b)}; }
    /// Its derivative, for d(z, lambda) and what the given inertia M phi gains on the modes (none when empty).
    Shape shape_slope(const Branch& b, const Eigen::VectorXd& slope, const Eigen::VectorXd& load_modes = {}) const;
    /// d residual, for what the given inertia M phi gains; under given inertia only.
    Eigen::VectorXd load_slope(const Branch& b, const Eigen::VectorXd& on_y, const Eigen::VectorXd& on_modes) const;
    /// A guess of that shape under the present loading.
    Branch guess(const Shape& shape, double lambda, double q) const;
    /// Cosine of two shapes in the mass metric.
    double alike(const Shape& a, const Shape& b) const;

    /// |K d + f_nl - lambda M d| / |lambda q M phi|, phi the linearised mode, at the increments of the last evaluation.
    double full_residual(const Branch& b) const;
    Eigen::VectorXd full_shape(const Branch& b) const { return interface_.full(b.z.head(width()), inner(b)); }
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
    Eigen::VectorXd mode_y_, mode_xi_;     ///< linearised mode
    Eigen::VectorXd load_y_, load_modes_;  ///< M phi
    double mode_lambda_ = 0, mode_inertia_ = 1, own_ = 1, target_ = 1;
    std::vector<Eigen::Index> rigid_;

    // Work space, sized once for a set of kept modes.
    mutable Eigen::MatrixXd jacobian_;
    Interface::Scratch scratch_;
    mutable Eigen::VectorXd residual_, border_, increments_, on_y_, change_, xi_, s_, shift_;
    double corner_ = 0, scale_ = 1;
    struct Factors {
        JacobianFactors of;
        double own = 1;  ///< inertia that it was made for
    };
    std::array<Factors, 2> factors_;
    std::size_t side_ = 0;
    std::shared_ptr<const JointTangents> tangents_;               ///< at rest
    std::array<std::shared_ptr<const KnownInverse>, 2> at_rest_;  ///< under given inertia, under own

    struct Point;
    double evaluate(const Branch& b);
    void linear_part(const Branch& b);
    double add_modes(const Branch& b);
    void factorise(const Branch& b);
    bool factorise_changes(const Branch& b);
    bool have_factors() const { return factors_[side_].of.size() == residual_.size() && factors_[side_].own == own_; }
    std::vector<Eigen::Index> near_a_pole(double lambda) const;
};

/// The r-th mode (from 1) of the structure with the joints' tangents of the last evaluation; `tolerance`: of its
/// relative residual; `known`: the inverse with these tangents, where there is one.
struct StartMode {
    Eigen::VectorXd y, xi;
    double lambda = 0;
};
StartMode start_mode(const structure::Model& model, const Interface& interface, const Sites& sites, int mode,
                     double tolerance, const KnownInverse* known);

}  // namespace faying::modes
