#pragma once
// Driven statics of a structure that is not condensed: y are all its DOF, its stiffness is sparse, and Newton's steps
// come from one sparse factorisation with the tangents of some steps ago and GMRES for what has changed since.

#include "driven_statics.hpp"

namespace faying::modes {

class SparseStatics final : public DrivenStatics {
 public:
    SparseStatics(const SparseStructure& structure, Sites& sites);

    void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& j) override;
    bool step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) override;

 private:
    using Sparse = Eigen::SparseMatrix<double>;
    const SparseStructure& structure_;
    Sparse map_by_columns_;
    std::unique_ptr<SparseFactor> factor_;  ///< of the Jacobian at
    std::vector<double> tangents_;          ///< these tangents
    Sites stuck_;                           ///< every joint stuck and closed
    std::vector<double> stuck_tangents_;
    int worn_ = 0;  ///< products that the last step needed

    Eigen::VectorXd times_stiffness(const Eigen::Ref<const Eigen::VectorXd>& y) const override {
        return structure_.stiffness * y;
    }
    Eigen::VectorXd on_y(const Eigen::VectorXd& f) const override { return f; }
    Eigen::VectorXd on_modes(const Eigen::VectorXd&) const override { return {}; }
    Eigen::VectorXd shape(const Eigen::VectorXd& y, const Eigen::VectorXd&) const override { return y; }
    std::pair<Eigen::VectorXd, Eigen::VectorXd> inside(const structure::Model& model, const Eigen::VectorXd& x,
                                                       const Eigen::VectorXd& joints) const override;
    bool prepare(const Sites& closed) override;
    Eigen::VectorXd solve_stuck(const Eigen::VectorXd& r) override;

    /// With the tangents of these sites; always of one pattern.
    Sparse jacobian_with(const Sites& sites) const;
    bool refactor(const Sites& sites);
    /// (J0 + S^T (k - k0) S) x = r by GMRES over the factor of J0.
    bool by_iteration(const ChangedTangents& changed, const Eigen::VectorXd& r, Eigen::VectorXd& change);
};

}  // namespace faying::modes
