#pragma once
// Static equilibrium of a structure and its joints:  K u + f_nl(u) = f_static.
//
//     const auto at_rest = prestress(model);            // throws NotConverged, or when the load opens the joint
//
// Friction is active (the laws followed from their virgin state straight to u), conservative (hysteretic parts off;
// normal and post-slip springs act, [S0] 3.3), or every joint is a linear spring at its stuck stiffness. Newton on the
// interface with backtracking, started from the linear answer; where that fails, continuation in the load.

#include "faying/modes/interface.hpp"

namespace faying::modes {

enum class Friction { active, conservative, linear };

struct PrestressOptions {
    Friction friction = Friction::active;
    double tolerance = 1e-10;  ///< |K u + f_nl - f_static| / |f_static| to be reached (rounding allows less)
    int most_iterations = 60;  ///< Newton steps for one load

    void check() const;
};

struct Prestress {
    Eigen::VectorXd u;                        ///< all DOF
    Eigen::VectorXd y;                        ///< on the interface
    Eigen::VectorXd sites;                    ///< displacements of all joints' rows
    Eigen::VectorXd force;                    ///< of the joints at these rows, times the sites' weights
    std::vector<Eigen::VectorXd> dissipated;  ///< by joint and site on the way there, times its weight; active friction
    double residual = 0;
    int iterations = 0;
    int load_steps = 1;
};

Prestress prestress(const structure::Model& model, const PrestressOptions& options = {});
Prestress prestress(const structure::Model& model, const Interface& interface, const PrestressOptions& options = {});

}  // namespace faying::modes
