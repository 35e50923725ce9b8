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

#include "faying/structure/model.hpp"

namespace faying::modes {

class Interface {
 public:
    using SiteMap = Eigen::SparseMatrix<double, Eigen::RowMajor>;

    explicit Interface(const structure::Model& model);

    Eigen::Index width() const { return k_y_.rows(); }  ///< of y
    Eigen::Index modes() const { return omega2_.size(); }
    Eigen::Index size() const { return width() + modes(); }

    /// S, the rows of all joints one below the other.
    const SiteMap& site_map() const { return sites_; }

    const Eigen::MatrixXd& stiffness() const { return k_y_; }           ///< K_y
    const Eigen::MatrixXd& mass() const { return m_y_; }                ///< M_y
    const Eigen::MatrixXd& stiffness_coupling() const { return k_c_; }  ///< K_c, a column a mode
    const Eigen::MatrixXd& mass_coupling() const { return m_c_; }       ///< M_c
    const Eigen::VectorXd& omega2() const { return omega2_; }
    bool couples_by_stiffness(Eigen::Index mode) const { return omega2_(mode) <= rigid_below_; }

    Eigen::VectorXd full(const Eigen::VectorXd& y, const Eigen::VectorXd& xi) const { return psi_ * y + phi_ * xi; }
    /// Forces on x as forces on (y, xi).
    Eigen::VectorXd force_on_y(const Eigen::VectorXd& f) const { return psi_.transpose() * f; }
    Eigen::VectorXd force_on_modes(const Eigen::VectorXd& f) const { return phi_.transpose() * f; }
    /// M x for x = (y, xi), as forces on (y, xi).
    void apply_mass(const Eigen::VectorXd& y, const Eigen::VectorXd& xi, Eigen::VectorXd& on_y,
                    Eigen::VectorXd& on_modes) const;

 private:
    SiteMap sites_;
    Eigen::MatrixXd psi_, phi_;
    Eigen::MatrixXd k_y_, m_y_, k_c_, m_c_;
    Eigen::VectorXd omega2_;
    double rigid_below_ = 0;
};

}  // namespace faying::modes
