#pragma once
// What the motions kept leave out, followed beside them: driven by the same joints and loads, without acting back. How
// far it would have moved the joints is the error of leaving it out, to first order.

#include <Eigen/Dense>
#include <vector>

#include "stepper.hpp"

namespace faying::transient::detail {

class LeftOutMotion {
 public:
    LeftOutMotion(const System& system, const Loads& loads);

    /// From a displacement and velocity of the structure (empty: zero); `rest` is where q is at rest.
    void begin(const Motion& motion, const Start& start, const Eigen::VectorXd& rest);
    /// After a step: forces are taken as linear in between.
    void follow(const Motion& motion);
    Truncation found() const;

    /// What a restart needs.
    template <class Visit>
    void visit(Visit&& each) {
        for (double* x : {&time_, &joints_, &joints_reach_, &motion_, &motion_reach_}) each(*x);
        for (auto* v : {&z_, &speed_, &force_})
            for (double& x : *v) each(x);
    }

 private:
    const System& system_;
    const Loads& loads_;
    Eigen::MatrixXd pull_;  ///< of the joints: map^T
    Eigen::VectorXd z_, speed_, force_, rest_, rest_y_;
    double time_ = 0;
    double joints_ = 0, joints_reach_ = 0, motion_ = 0, motion_reach_ = 0;  ///< greatest so far: left out, and all

    Eigen::VectorXd force_at(const Motion& motion) const;
    void measure(const Motion& motion);
};

}  // namespace faying::transient::detail
