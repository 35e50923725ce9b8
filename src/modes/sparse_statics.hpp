#pragma once
// Driven statics of a structure that is not condensed, with sites of contact in few large groups: Newton's steps come
// from one sparse factorisation with the tangents of some steps ago and GMRES for what has changed since.

#include "uncondensed_statics.hpp"

namespace faying::modes {

class SparseStatics final : public UncondensedStatics {
 public:
    SparseStatics(const SparseStructure& structure, Sites& sites);

    bool step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) override;

 private:
    Sparse map_by_columns_;
    std::unique_ptr<SparseFactor> factor_;  ///< of the Jacobian at
    std::vector<double> tangents_;          ///< these tangents
    std::vector<double> stuck_tangents_;
    int worn_ = 0;  ///< products that the last step needed

    bool prepare(const Sites& closed) override;
    Eigen::VectorXd solve_stuck(const Eigen::VectorXd& r) override;

    /// With the tangents of these sites; always of one pattern.
    Sparse jacobian_with(const Sites& sites) const;
    bool refactor(const Sites& sites);
    /// (J0 + S^T (k - k0) S) x = r by GMRES over the factor of J0.
    bool by_iteration(const ChangedTangents& changed, const Eigen::VectorXd& r, Eigen::VectorXd& change);
};

}  // namespace faying::modes
