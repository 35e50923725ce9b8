#pragma once
// Driven statics of a structure condensed to its joints: dense, one inverse and what has changed since.

#include "driven_statics.hpp"

namespace faying::modes {

class CondensedStatics final : public StiffnessStatics {
 public:
    CondensedStatics(const Interface& interface, Sites& sites);

    void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& j) override;
    /// Many sites, few of which have changed since the Jacobian was last inverted: by the Woodbury identity.
    bool step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) override;

 private:
    const Interface& interface_;
    Eigen::MatrixXd stuck_;  ///< the Jacobian with every joint stuck and closed
    /// The inverse of a Jacobian some steps ago.
    struct Inverse {
        Eigen::MatrixXd matrix;
        std::vector<double> tangents;  ///< of all sites at that time
        Eigen::Index spent = 0;        ///< products with it in iterations since
        long used = 0;                 ///< when it last was
    };
    std::vector<Inverse> known_;  ///< a few: what is open one way of a cycle is closed the other
    long clock_ = 0;

    Eigen::VectorXd times_stiffness(const Eigen::Ref<const Eigen::VectorXd>& y) const override {
        return interface_.stiffness() * y;
    }
    Eigen::VectorXd on_y(const Eigen::VectorXd& f) const override { return interface_.force_on_y(f); }
    Eigen::VectorXd on_modes(const Eigen::VectorXd& f) const override { return interface_.force_on_modes(f); }
    Eigen::VectorXd shape(const Eigen::VectorXd& y, const Eigen::VectorXd& xi) const override {
        return interface_.full(y, xi);
    }
    std::pair<Eigen::VectorXd, Eigen::VectorXd> inside(const structure::Model& model, const Eigen::VectorXd& x,
                                                       const Eigen::VectorXd& joints) const override;
    bool prepare(const Sites& closed) override;
    Eigen::VectorXd solve_stuck(const Eigen::VectorXd& r) override;

    /// The step J0^-1 r in `change` made one of the Jacobian with the tangents as they are now.
    void by_few_sites(const Eigen::MatrixXd& inverse, const ChangedTangents& now, Eigen::VectorXd& change) const;
    bool by_iteration(Inverse& inverse, const ChangedTangents& now, Eigen::VectorXd& change) const;
    void linear_part(Eigen::MatrixXd& j) const;
};

}  // namespace faying::modes
