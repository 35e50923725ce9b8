#pragma once
// The linear structure as its joints see it, for one lambda = omega^2 at a time.
//
// Coordinates: y on the joints' columns, u = Psi y + Phi xi, Phi the fixed-interface modes (omega_k, y = 0). With
// c_k(lambda) = k_k - lambda m_k the coupling of mode k to y, everything linear is
//
//     D(lambda) = K_y - lambda M_y - Sum_k c_k c_k^T/(omega_k^2 - lambda),   xi_k = -c_k.y/(omega_k^2 - lambda),
//
// and u^T M u = -y^T D'(lambda) y. One pass over the kept modes gives D, D' and D''; no cost grows with the linear DOF
// beyond that. Its poles are the fixed-interface frequencies; modes close to lambda are kept among the unknowns.

#include <Eigen/Dense>

#include "faying/structure/model.hpp"

namespace faying::modes {

class Interface {
 public:
    explicit Interface(const structure::Model& model);

    Eigen::Index sites() const { return sites_.rows(); }
    /// Site displacements are sites() * y.
    const Eigen::MatrixXd& site_map() const { return sites_; }

    /// D, D', D'' on (y, xi of the modes kept near lambda).
    struct Dynamics {
        Eigen::MatrixXd stiffness, slope, curvature;
        std::vector<Eigen::Index> kept;  ///< modes among the unknowns, after y
    };
    Dynamics at(double lambda, const std::vector<Eigen::Index>& kept) const;

    /// Modes within `share` of lambda, to be kept.
    std::vector<Eigen::Index> near(double lambda, double share = 0.05) const;

    /// (y, kept xi) of a full shape, and back.
    Eigen::VectorXd project(const Eigen::VectorXd& u, const std::vector<Eigen::Index>& kept) const;
    Eigen::VectorXd recover(const Eigen::VectorXd& unknowns, double lambda,
                            const std::vector<Eigen::Index>& kept) const;
    Eigen::Index width() const { return k_y_.rows(); }

 private:
    Eigen::MatrixXd basis_;  ///< orthonormal columns spanning the joints' directions: y = basis^T u
    Eigen::MatrixXd sites_;  ///< sites x y
    Eigen::MatrixXd psi_, phi_, mass_;
    Eigen::MatrixXd k_y_, m_y_;
    Eigen::MatrixXd k_c_, m_c_;  ///< couplings k_k, m_k as columns
    Eigen::VectorXd omega2_;
};

}  // namespace faying::modes
