#pragma once
// Nodes of a mesh pressed on rigid ground: penalty contact with Coulomb friction, beside a Solid.
//
//     g = (X + u - P) . n,   N = kn A max(0, -g)
//     T = kt A (s - s_p), its length at most mu N (backward Euler over a step);   open: T = 0, s_p = s
//
// s is the displacement along the ground. Three kinds of contact: without friction (preload), with friction, and tied:
// what is closed stays so, and sticks ([S1]'s "stuck").
//
//     GroundedSolid panel(solid, sites);
//     const Rest rest = panel.preload(load, {centre});                 // held while the load is put on
//     panel.set(GroundedSolid::Kind::tied, rest.u);                    // or friction, from there without traction

#include <array>
#include <vector>

#include "faying/geometric/modal_path.hpp"
#include "faying/geometric/solid.hpp"

namespace faying::geometric {

struct ContactSite {
    fe::Index node = fe::none;
    std::array<Index, 3> rows{-1, -1, -1};  ///< of the free DOF; -1 where there is none
    Eigen::Vector3d place, point, normal;   ///< X, P, n
    double area = 0, normal_stiffness = 0, tangential_stiffness = 0, friction = 0;  ///< A, kn, kt (per area), mu
};

struct ContactState {
    Eigen::Vector3d plastic = Eigen::Vector3d::Zero();  ///< s_p
    bool tied = false;
    double dissipated = 0;
};

/// What a site does at some displacement.
struct SiteForces {
    double gap = 0, normal = 0;  ///< g, N
    Eigen::Vector3d traction = Eigen::Vector3d::Zero();
    bool closed = false, slipping = false;
};

class GroundedSolid final : public System {
 public:
    enum class Kind { frictionless, friction, tied };
    GroundedSolid(const Solid& solid, std::vector<ContactSite> sites);

    Index size() const override { return solid_.size(); }
    const Sparse& mass() const override { return solid_.mass(); }
    VectorXd force(const VectorXd& u) const override;
    Sparse tangent(const VectorXd& u) const override;
    bool symmetric() const override { return kind_ != Kind::friction; }
    double energy(const VectorXd& u) const override;
    VectorXd series(const MatrixXd& u, int order) const override;
    void commit(const VectorXd& u) override;
    std::any save() const override { return states_; }
    void restore(const std::any& past) override { states_ = std::any_cast<const std::vector<ContactState>&>(past); }
    double dissipated() const override;

    /// Equilibrium under the load without friction; `held` DOF have springs to ground meanwhile.
    Rest preload(const VectorXd& load, const std::vector<Index>& held);
    /// Equilibrium with friction active from the start, in `increments` equal steps.
    Rest preload_with_friction(const VectorXd& load, const std::vector<Index>& held, int increments);
    /// From here on, with no traction at u.
    void set(Kind kind, const VectorXd& u);

    const std::vector<ContactSite>& sites() const { return sites_; }
    SiteForces at(std::size_t site, const VectorXd& u) const;
    int closed(const VectorXd& u) const;
    int slipping(const VectorXd& u) const;
    double normal_sum(const VectorXd& u) const;

 private:
    const Solid& solid_;
    std::vector<ContactSite> sites_;
    std::vector<ContactState> states_;
    Kind kind_ = Kind::frictionless;
    std::vector<Index> held_;
    double spring_ = 0;

    Eigen::Vector3d moved(const ContactSite& site, const VectorXd& u) const;
    Eigen::Matrix3d stiffness(std::size_t site, const VectorXd& u) const;
};

}  // namespace faying::geometric
