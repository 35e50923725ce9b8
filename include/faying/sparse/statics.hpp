#pragma once
// Statics of a structure that may be free to move, under linear constraints:
//
//     K x + C^T l = f,   C x = v,   R^T M x = 0
//
// Bodies without support, and halves of a joint that only its constraints hold together, make K singular. Rigid motions
// of each connected body that cost no energy are found first; those that C does not stop, R, are the rigid motions of
// the whole. One factorisation of
//
//     A = K + springs on the rows of C + springs to ground on as many degrees of freedom as R has columns
//
// serves every solve, exactly: with f freed of the part that would accelerate the whole, the springs to ground carry
// nothing, and those on rows of C are absorbed by the multipliers l.
//
//     const Statics statics({k, m, motions, c});
//     x = statics.solve(f);                    // v = 0
//     psi = statics.constraint_modes();        // f = 0, v = each unit vector

#include "faying/sparse/sparse.hpp"

namespace faying::sparse {

class Statics {
 public:
    struct Problem {
        Sparse stiffness, mass;
        Eigen::MatrixXd motions;                ///< the six (three) rigid motions of the whole, as columns
        Sparse constraints;                     ///< C, a row a constraint; may have no rows
        bool mechanisms = false;                ///< loose parts and hinges are allowed: their motions count as rigid
        std::function<void(double)> done = {};  ///< told how far it is
    };

    /// Throws BadInput when something is loose that no constraint holds, or two constraints say the same.
    explicit Statics(const Problem& problem);

    const Rows& rows() const { return k_.rows(); }
    const Operator& stiffness() const { return k_; }
    const Operator& mass() const { return m_; }
    /// R, M-orthonormal; own rows.
    const Eigen::MatrixXd& rigid() const { return rigid_; }

    enum class Precision { plain, refined };
    /// Own rows in, own rows out. Is K's pseudo-inverse on C x = 0.
    Eigen::MatrixXd solve(const Eigen::MatrixXd& f, Precision precision = Precision::refined) const;
    Eigen::MatrixXd constraint_modes() const;
    /// Lowest elastic modes with C x = 0, and their residuals (without what the multipliers l take). Throws
    /// NotConverged for one above 1e-6.
    Eigenpairs modes(Eigen::Index count, double tolerance = 1e-12, const std::function<void(double)>& done = {}) const;

 private:
    Operator k_, m_;
    Eigen::MatrixXd rigid_;
    Eigen::MatrixXd c_transposed_, response_;   ///< C^T and A^-1 C^T, own rows
    Eigen::LDLT<Eigen::MatrixXd> flexibility_;  ///< C A^-1 C^T
    std::shared_ptr<const Operator> held_;      ///< A
    std::shared_ptr<const Factor> factor_;

    void check_held(double k_mean) const;
    Eigen::MatrixXd refined(const Eigen::MatrixXd& b) const;

    /// `free`: the motions that cost no energy.
    void hold(const Problem& problem, const Eigen::MatrixXd& free);
    Eigen::MatrixXd without_rigid(Eigen::MatrixXd x) const;
    Eigenpairs dense_modes(Eigen::Index count) const;
    void check_modes(Eigenpairs& pairs) const;
    Eigenpairs purified(const Eigenpairs& pairs) const;
};

/// Of each row of a symmetric matrix: which connected body it belongs to, counted from 0 in the order of first rows.
std::vector<Eigen::Index> bodies(const Sparse& symmetric);

}  // namespace faying::sparse
