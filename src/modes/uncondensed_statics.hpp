#pragma once
// Driven statics of a structure that is not condensed: y are all its DOF, its stiffness is sparse, and there are no
// modes. How Newton's steps are found is another matter: sparse_statics.hpp, scattered_statics.hpp.

#include "driven_statics.hpp"

namespace faying::modes {

class UncondensedStatics : public StiffnessStatics {
 public:
    UncondensedStatics(const SparseStructure& structure, Sites& sites);

    void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& j) override;

 protected:
    using Sparse = Eigen::SparseMatrix<double>;
    const SparseStructure& structure_;
    Sites stuck_;  ///< every joint stuck and closed

    void begin(const Sites& closed);  ///< that, and the stiffness scale
    /// Whether `solve_stuck` answers a load of one by a displacement that is not beyond all measure: what a
    /// factorisation does not call singular may be a mechanism all the same.
    bool holds();

 private:
    Eigen::VectorXd times_stiffness(const Eigen::Ref<const Eigen::VectorXd>& y) const override {
        return structure_.stiffness * y;
    }
    Eigen::VectorXd on_y(const Eigen::VectorXd& f) const override { return f; }
    Eigen::VectorXd on_modes(const Eigen::VectorXd&) const override { return {}; }
    Eigen::VectorXd shape(const Eigen::VectorXd& y, const Eigen::VectorXd&) const override { return y; }
    std::pair<Eigen::VectorXd, Eigen::VectorXd> inside(const structure::Model& model, const Eigen::VectorXd& x,
                                                       const Eigen::VectorXd& joints) const override;
};

}  // namespace faying::modes
