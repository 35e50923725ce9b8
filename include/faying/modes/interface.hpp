#pragma once
// The linear structure as its joints see it.
//
// Coordinates: y = T x, independent rows that every joint's displacements are made of (site displacements = S y, S
// sparse), and the fixed-interface modes Phi (omega_k, T Phi = 0, mass 1):
//
//     x = Psi y + Phi xi,   K -> [K_y  K_c; K_c^T  diag omega^2],   M -> [M_y  M_c; M_c^T  I].
//
// Psi are static answers, so K_c = 0 but for fixed-interface modes that are rigid. Everything below is made once from
// M, K and the joints' maps; parameters of laws do not enter, so that a fit makes it once.
//
// T is taken from the joints themselves where their rows are independent (patches: S is then a permutation), from the
// interface's nodes where a joint brings them, else an orthonormal basis of the rows (S is then dense, and slower).

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <vector>

#include "faying/structure/model.hpp"

namespace faying::modes {

class Interface {
 public:
    using SiteMap = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    /// y against the modes; by rows, so that a pass over many modes reads memory in order.
    using Coupling = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    explicit Interface(const structure::Model& model);

    Eigen::Index width() const { return k_y_.rows(); }  ///< of y
    Eigen::Index modes() const { return omega2_.size(); }
    Eigen::Index size() const { return width() + modes(); }

    /// S, the rows of all joints one below the other.
    const SiteMap& site_map() const { return sites_; }

    /// T: y = T x.
    const Eigen::MatrixXd& rows() const { return t_; }

    const Eigen::MatrixXd& stiffness() const { return k_y_; }    ///< K_y
    const Eigen::MatrixXd& mass() const { return m_y_; }         ///< M_y
    const Coupling& stiffness_coupling() const { return k_c_; }  ///< K_c, a column per mode
    const Coupling& mass_coupling() const { return m_c_; }       ///< M_c
    const Eigen::VectorXd& omega2() const { return omega2_; }
    bool couples_by_stiffness(Eigen::Index mode) const { return omega2_(mode) <= rigid_below_; }

    /// The dynamic stiffness that the joints see at lambda = omega^2,
    ///
    ///     K_y - lambda M_y - C diag(1/(omega_k^2 - lambda)) C^T,   C = K_c - lambda M_c,
    ///
    /// with a pole at every fixed-interface frequency. Modes `kept` (ascending) are not condensed: their rows and
    /// columns stand after those of y, and their poles are gone.
    Eigen::MatrixXd dynamic_stiffness(double lambda, const std::vector<Eigen::Index>& kept = {}) const;
    /// The same into the leading block of `out`, which is zero before; `scratch` saves its storage from call to call.
    struct Scratch {
        Coupling coupling, scaled;
        Eigen::VectorXd flexible;
    };
    void dynamic_stiffness(double lambda, const std::vector<Eigen::Index>& kept, Scratch& scratch,
                           Eigen::MatrixXd& out) const;

    /// x of (y, xi); a column per shape where there are several, which costs little more than one.
    Eigen::MatrixXd full(const Eigen::MatrixXd& y, const Eigen::MatrixXd& xi) const { return psi_ * y + phi_ * xi; }
    /// Forces on x as forces on (y, xi).
    Eigen::VectorXd force_on_y(const Eigen::VectorXd& f) const { return psi_.transpose() * f; }
    Eigen::VectorXd force_on_modes(const Eigen::VectorXd& f) const { return phi_.transpose() * f; }
    /// M x for x = (y, xi), as forces on (y, xi).
    void apply_mass(const Eigen::VectorXd& y, const Eigen::VectorXd& xi, Eigen::VectorXd& on_y,
                    Eigen::VectorXd& on_modes) const;
    /// |f| on x of forces given on (y, xi): f = T^T (f_y - M_c f_xi) + M Phi f_xi, the second part bounded by
    /// |M|^(1/2) |f_xi|, so that it costs no more than a pass over the modes.
    double force_norm(const Eigen::VectorXd& on_y, const Eigen::VectorXd& on_modes) const;

 private:
    SiteMap sites_;
    Eigen::MatrixXd t_, psi_, phi_;
    Eigen::MatrixXd k_y_, m_y_;
    Coupling k_c_, m_c_;
    Eigen::MatrixXd rows_;  ///< T T^T
    Eigen::VectorXd omega2_;
    double rigid_below_ = 0;
    double heaviest_ = 0;  ///< bound of |M|
};

}  // namespace faying::modes
