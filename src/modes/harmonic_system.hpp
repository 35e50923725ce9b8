#pragma once
// A structure with joints under periodic motion, condensed to the joints, order by order.
//
// About rest (the prestressed state, joints at their tangents there) the linear part has modes Phi with frequencies
// omega_r, and the joints see y = P q, P = T Phi. With g(y) the joints' forces less those tangents, every order k has
//
//     d_r q_r + (P^T G_k)_r = f_r,    d_r = omega_r^2 - (k w)^2 + i k w (c_r - 2 zeta w),    y_k = P q
//
// (zeta = 0 but for self-driven motions, EPMC). One pass over the modes turns it into equations for y_k alone,
//
//     y_k + P diag(1/d) P^T G_k = P diag(1/d) f:
//
// modes whose own frequency is near k w stay among the unknowns, where their d may vanish; and all of them do when the
// damping matrix couples them. Unknowns are those over a scale a, which carries amplitudes of any size.
//
// Linear springs are part of the linear rest: y are the displacements that other laws see. Sites that move as they do
// at rest (stuck, closed) have g = 0, so that the columns of their displacements in the Jacobian are those of the identity
// (solve/bordered.hpp): only sites that slip or open cost a factorisation.

#include <complex>
#include <string>
#include <vector>

#include "faying/core/trigonometric.hpp"
#include "faying/harmonic/contact.hpp"
#include "faying/harmonic/force.hpp"
#include "faying/modes/interface.hpp"
#include "faying/modes/prestress.hpp"

namespace faying::modes {

using Complex = std::complex<double>;
inline constexpr Complex i_unit{0.0, 1.0};

class HarmonicSystem {
 public:
    HarmonicSystem(const structure::Model& model, const Interface& interface, const core::Harmonics& harmonics,
                   const harmonic::HarmonicOptions& options);

    const core::Harmonics& harmonics() const { return harmonics_; }
    Eigen::Index modes() const { return omega_.size(); }
    Eigen::Index width() const { return width_; }
    const Eigen::VectorXd& omega() const { return omega_; }  ///< of the modes about rest
    const Eigen::MatrixXd& shapes() const { return shapes_; }
    double damping_ratio(Eigen::Index mode) const;  ///< of a mode about rest
    /// A mode with all joints stuck, and its modal coordinates: one of the above, but where a joint is so stiff that the
    /// linear part has less of it.
    double stuck_omega(Eigen::Index mode) const { return (capped_ ? stuck_omega_ : omega_)(mode); }
    Eigen::VectorXd stuck_shape(Eigen::Index mode) const {
        return capped_ ? Eigen::VectorXd(stuck_shapes_.col(mode)) : Eigen::VectorXd::Unit(modes(), mode);
    }
    const Prestress& at_rest() const { return at_rest_; }
    /// The order 1 among the harmonics.
    std::size_t first_order() const { return first_; }

    /// Which modes are unknowns at a frequency; the unknowns are y of every function, then q of these.
    void choose(double w);
    Eigen::Index size() const { return size_; }
    /// Unknowns of a motion given by its modal harmonics (modes x functions).
    Eigen::VectorXd unknowns(const Eigen::MatrixXd& q, double a) const;
    /// Modal harmonics of force on the structure: modes x functions.
    void set_force(const Eigen::MatrixXd& force) {
        evaluated_ = evaluated_ && force == force_;
        force_ = force;
    }
    const Eigen::MatrixXd& force() const { return force_; }

    // What a period map takes over.
    const Eigen::VectorXd& damping() const { return damping_; }                ///< c_r
    const Eigen::MatrixXd& damping_matrix() const { return damping_matrix_; }  ///< empty where it is diagonal
    const Eigen::MatrixXd& map() const { return map_; }                        ///< P
    const Eigen::MatrixXd& tangent() const { return tangent_; }                ///< of the joints at rest, on y
    const Interface::SiteMap& site_map() const { return sites_on_y_; }         ///< from y to all joints' rows
    /// y, of displacements of the whole interface (linear springs' too).
    Eigen::MatrixXd of_interface(const Eigen::MatrixXd& all) const { return all(active_, Eigen::all); }
    /// One site of one part of a law, in its state at rest.
    struct Site {
        const laws::JointOf<core::Dual>* begun = nullptr;
        Eigen::Index row = 0;  ///< its first displacement among all sites'
        int width = 1;
        double weight = 1;
        Eigen::VectorXd base;  ///< displacement at rest, less its gap
        bool spring = false, continuous = true, return_point = false;
        std::optional<harmonic::ContactPieces> contact;  ///< of three displacements
        std::string name;                                ///< of the joint, for people
    };
    std::vector<Site> sites() const;

    /// Residual at unknowns x times a; returns its size, relative to the motion. Everything below is at that point.
    double evaluate(const Eigen::Ref<const Eigen::VectorXd>& x, double a, double w, double zeta,
                    Eigen::Ref<Eigen::VectorXd> r);
    /// Columns of dr/dx that are not the identity's, and those, from row and column `offset` on.
    void jacobian(Eigen::Index offset, std::vector<Eigen::Index>& columns, Eigen::MatrixXd& to_x) const;
    void slopes(Eigen::Ref<Eigen::VectorXd> to_w, Eigen::Ref<Eigen::VectorXd> to_zeta,
                Eigen::Ref<Eigen::VectorXd> to_log_a) const;

    /// Modal harmonics q/a, modes x functions.
    const Eigen::MatrixXd& modal() const { return q_; }
    /// d(weights . q of a function)/d(x), /dw, /dzeta, /dlog a: weights over the modes, of the order's cosine and sine.
    struct Row {
        Eigen::RowVectorXd to_x;
        double to_w = 0, to_zeta = 0, to_log_a = 0;
    };
    Row modal_row(std::size_t order, const Eigen::VectorXd& cosine, const Eigen::VectorXd& sine) const;
    /// The same to a force on the cosine of the first order: of the residual, and of weights . q of that order.
    void force_slope(const Eigen::VectorXd& force, Eigen::Ref<Eigen::VectorXd> to) const;
    double force_row(const Eigen::VectorXd& force, const Eigen::VectorXd& cosine, const Eigen::VectorXd& sine) const;
    /// Derivatives at fixed unknowns to a law parameter: of the residual, and of q of the first order.
    struct ParameterSlope {
        std::size_t joint = 0, parameter = 0;
        Eigen::VectorXd residual, cosine, sine;
    };
    /// To all that are varied, at the last evaluation.
    std::vector<ParameterSlope> parameter_slopes() const;
    /// Harmonics of the joints' forces at a motion y, less their tangents at rest and from their forces there.
    struct SiteSlope {  ///< of a site's force, less its tangent at rest, times its weight
        Eigen::Index row = 0;
        int width = 1;
        Eigen::MatrixXd block;  ///< by function and component
    };
    struct JointForces {
        Eigen::MatrixXd force;          ///< G, coordinates x functions
        std::vector<SiteSlope> moving;  ///< dG/dy, of the sites where it is not zero
        double dissipated = 0;          ///< per period
        std::vector<double> dissipated_by_joint;
        double unsettled = 0;  ///< worst of the joints' memories
    };
    JointForces joints_at(const Eigen::MatrixXd& y) const;
    /// dG/dy y and (dG/dy)^T y, coordinates x functions.
    Eigen::MatrixXd slope_times(const JointForces& joints, const Eigen::MatrixXd& y) const;
    Eigen::MatrixXd slope_transposed_times(const JointForces& joints, const Eigen::MatrixXd& y) const;
    /// y/a of the last evaluation, coordinates x functions.
    const Eigen::MatrixXd& joint_motion() const { return y_; }
    /// dG/dy of the last evaluation, by function and coordinate.
    Eigen::MatrixXd joint_slope() const;
    /// Harmonics of every DOF about rest, of modal ones (of several motions beside one another: cheaper).
    Eigen::MatrixXd physical(const Eigen::MatrixXd& modal) const;
    const JointForces& joints() const { return joints_; }  ///< of the last evaluation

 private:
    struct Part {
        laws::JointOf<core::Dual> begun;  ///< one site, virgin
        std::size_t joint = 0;
        Eigen::Index row = 0, sites = 0;
        int width = 1;
        bool spring = false, continuous = true, return_point = false, linear = false;
        std::optional<harmonic::ContactPieces> contact = {};  ///< where its forces are exact pieces
        Eigen::MatrixXd stiffness = {};                       ///< tangents at rest, components x sites (or one for all)
        Eigen::MatrixXd force = {};                           ///< forces at rest
    };
    struct Order {
        int k = 0;
        Eigen::Index at = 0;             ///< its first function
        std::vector<Eigen::Index> kept;  ///< modes among the unknowns
        Eigen::Index kept_at = 0;        ///< their first unknown: cosines, then sines
        Eigen::VectorXcd d, flexible;    ///< of every mode; 1/d of those not kept, else 0
        Eigen::VectorXcd d_w;
        Complex d_zeta;  ///< of every mode the same
    };

    const structure::Model& model_;
    const Interface& interface_;
    core::Harmonics harmonics_;
    harmonic::HarmonicOptions options_;
    Prestress at_rest_;
    Eigen::VectorXd apart_, base_;  ///< what gaps add to all sites' displacements; these at rest, as laws see them
    std::vector<Part> parts_;
    std::size_t first_ = 0;
    Eigen::VectorXd omega_, damping_;   ///< c_r
    Eigen::MatrixXd damping_matrix_;    ///< in the modes, where it is not diagonal
    Eigen::MatrixXd shapes_, map_;      ///< Phi, P
    Eigen::MatrixXd interface_map_;     ///< P of the whole interface
    std::vector<Eigen::Index> active_;  ///< which of its displacements are y
    Interface::SiteMap sites_on_y_;
    bool capped_ = false;           ///< a joint's tangent at rest is not all in the linear part
    Eigen::VectorXd stuck_omega_;   ///< where it is not
    Eigen::MatrixXd stuck_shapes_;  ///< modal coordinates, by mode
    Eigen::MatrixXd tangent_;       ///< of the joints at rest, on y
    Eigen::MatrixXd force_;
    std::vector<Order> orders_;
    Eigen::Index size_ = 0, width_ = 0, functions_ = 0;
    std::vector<std::vector<laws::JointOf<core::Dual>>> begun_;  ///< by part and site, where preload makes them differ

    // of the last evaluation
    double a_ = 1, w_ = 0, zeta_ = 0, size_of_residual_ = 0;
    Eigen::VectorXd x_, r_;
    bool evaluated_ = false;  ///< x_, with the force and the unknowns as they are
    JointForces joints_;
    Eigen::MatrixXd y_, g_, q_, load_;  ///< y/a, G/a, q/a, P^T G/a - f/a

    void start_joints();
    void find_active();
    void cap_stiffness();
    Eigen::MatrixXd tangent_on_interface() const;  ///< of all joints
    void add_site(JointForces& out, std::size_t part, Eigen::Index site, const Eigen::MatrixXd& u) const;
    harmonic::HarmonicOptions options_of(const Part& part) const;
    struct JointSlopes {  ///< by direction
        std::vector<Eigen::MatrixXd> force;
        std::vector<Eigen::VectorXd> stiffness;
    };
    JointSlopes joint_slopes(const std::vector<std::vector<int>>& seeds) const;
    Eigen::MatrixXd jumping_slopes(std::size_t part, std::size_t of_law, Eigen::Index site,
                                   const Eigen::VectorXd& motion, const std::vector<int>& seeds,
                                   const Eigen::MatrixXd& rest) const;
    ParameterSlope parameter_slope(const Eigen::MatrixXd& g, const Eigen::VectorXd& stiffness) const;
    void fill_order(Order& order);
    Eigen::MatrixXd pushed_by_joints() const;
    Complex coupled_damping(Eigen::Index mode, const Eigen::VectorXcd& q) const;
    Eigen::VectorXcd complex_of(const Eigen::MatrixXd& m, const Order& order) const;
};

}  // namespace faying::modes
