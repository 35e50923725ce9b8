#pragma once
// Sites of a mesh that touch rigid ground or one another: penalty contact with Coulomb friction, beside a Solid.
//
//     g = g_0 + d . n,   N = kn A max(0, -g)
//     T = kt A (s - s_p), its length at most mu N (backward Euler over a step);   open: T = 0, s_p = s
//
// d is the displacement of one side against the other (against ground: its own), s its part along the surface. Small
// sliding: a site keeps its normal and what it faces, as both are at rest. Three kinds of contact: without friction
// (preload), with friction, and tied: what is closed stays so, and sticks ([S1]'s "stuck").
//
//     ContactSolid panel(solid, sites);
//     const Rest rest = panel.preload(load, {centre});                 // held while the load is put on
//     panel.set(ContactSolid::Kind::tied, rest.u);                     // or friction, from there without traction

#include <vector>

#include "faying/fe/contact_pair.hpp"
#include "faying/geometric/modal_path.hpp"
#include "faying/geometric/solid.hpp"

namespace faying::geometric {

/// Per area: kn, kt, mu.
struct ContactProperties {
    double normal_stiffness = 0, tangential_stiffness = 0, friction = 0;
};

struct ContactSite {
    struct Term {
        Index row;                ///< of the free DOF
        Eigen::Vector3d columns;  ///< what it moves the site by
    };
    std::vector<Term> motion;                           ///< d = Sum columns u(row)
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< out of the ground or of the other side
    double gap = 0, area = 0;                           ///< g_0, A
    ContactProperties properties;
};

/// A node at `place` over ground through `point`.
ContactSite on_ground(const Solid& solid, fe::Index node, const Eigen::Vector3d& place, const Eigen::Vector3d& point,
                      const Eigen::Vector3d& normal, double area, const ContactProperties& properties);
/// Where two surfaces of the deck face each other, as they do once the structure has moved by u: normals are those
/// there.
std::vector<ContactSite> between(const Solid& solid, const fe::Deck& deck, const fe::PairOptions& pair,
                                 const ContactProperties& properties, const VectorXd& u);

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

class ContactSolid final : public System {
 public:
    enum class Kind { frictionless, friction, tied };
    ContactSolid(const Solid& solid, std::vector<ContactSite> sites);

    Index size() const override { return solid_.size(); }
    const Sparse& mass() const override { return solid_.mass(); }
    VectorXd force(const VectorXd& u) const override;
    Sparse tangent(const VectorXd& u) const override;
    bool symmetric() const override { return kind_ != Kind::friction; }
    bool conservative() const override { return kind_ != Kind::friction; }
    double energy(const VectorXd& u) const override;
    VectorXd series(const MatrixXd& u, int order) const override;
    void commit(const VectorXd& u) override;
    std::any save() const override { return states_; }
    void restore(const std::any& past) override { states_ = std::any_cast<const std::vector<ContactState>&>(past); }
    double dissipated() const override;

    /// Equilibrium under the load without friction, from near there if given; `held` DOF have springs to ground
    /// meanwhile.
    Rest preload(const VectorXd& load, const std::vector<Index>& held, const VectorXd& from = {});
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

    Eigen::Matrix3d stiffness(std::size_t site, const VectorXd& u) const;
};

}  // namespace faying::geometric
