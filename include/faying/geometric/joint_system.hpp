#pragma once
// A model file's structure as a System: K u and its joints. Springs (`polynomial`) as they are; what has friction
// stuck, at its virgin tangent, or slipping with its past.
//
//     JointSystem stuck(model, JointSystem::Friction::stuck);

#include <vector>

#include "faying/geometric/system.hpp"
#include "faying/laws/joint.hpp"
#include "faying/structure/model.hpp"

namespace faying::geometric {

class JointSystem final : public System {
 public:
    enum class Friction { stuck, slipping };
    /// Throws BadInput for a static load: amplitudes are counted from the undeformed structure here.
    JointSystem(const structure::Model& model, Friction friction);

    Index size() const override { return mass_.rows(); }
    const Sparse& mass() const override { return mass_; }
    VectorXd force(const VectorXd& u) const override;
    Sparse tangent(const VectorXd& u) const override;
    bool symmetric() const override { return symmetric_; }
    bool conservative() const override;
    double energy(const VectorXd& u) const override;
    VectorXd series(const MatrixXd& u, int order) const override;
    void commit(const VectorXd& u) override;
    std::any save() const override { return parts_; }
    void restore(const std::any& past) override;
    double dissipated() const override;

    bool has_friction() const { return friction_; }

 private:
    struct Part {
        std::size_t group;  ///< of `groups_`
        laws::Joint joint;
        std::vector<double> polynomial;  ///< k_1, k_2, ..; empty where it is none
        bool spring = false;
    };
    struct Group {
        MatrixXd map;
        VectorXd weight;
        int components = 1;
    };
    MatrixXd stiffness_;  ///< stuck joints included where friction is stuck
    Sparse mass_;
    std::vector<Group> groups_;
    mutable std::vector<Part> parts_;
    bool symmetric_ = true, friction_ = false;

    void evaluate(Part& part, const VectorXd& u, VectorXd& force, std::vector<double>& tangent) const;
};

}  // namespace faying::geometric
