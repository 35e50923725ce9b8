#pragma once
// Rayleigh-quotient nonlinear modal analysis ([S0] Eq. 33), Masing framework:
//
//     K u + f_nl(u) - lambda M u = 0,   u^T M u = q^2;   omega = sqrt(lambda), shape u/q
//     zeta = D/(2 pi (omega q)^2) + zeta0,   D = Sum over joints of the steady loop area at their displacement
//
// f_nl are the joints' virgin curves about the unloaded state (static forces do not enter: with linear normal springs
// they drop out of a Masing backbone). Solved on the interface only (interface.hpp), from amplitude to amplitude with a
// predictor in log q; steps that fail are halved.
//
//     const auto points = backbone(model, 1, {1, 10, 100});      // mode 1 at three modal amplitudes

#include <Eigen/Dense>
#include <vector>

#include "faying/structure/model.hpp"

namespace faying::modes {

struct BackbonePoint {
    double q = 0;
    double omega = 0;
    double zeta = 0;  ///< friction and viscous together
    double zeta_friction = 0;
    double dissipation = 0;  ///< friction, a cycle
    std::vector<double> dissipation_by_joint;
    Eigen::VectorXd shape;  ///< u/q
    double residual = 0;    ///< |K u + f_nl - lambda M u| / |lambda M u|, on all DOF
    int iterations = 0;
    bool converged = false;
};

struct BackboneOptions {
    double tolerance = 1e-12;  ///< relative residual
    int most_iterations = 30;
    int most_halvings = 12;

    void check() const;
};

/// Mode `mode` (from 1, by stuck frequency) at ascending modal amplitudes q > 0. Points that did not converge are
/// marked and end the branch. Throws BadInput for a law that is not Masing, a mode that is not there, amplitudes out of
/// order.
std::vector<BackbonePoint> backbone(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                    const BackboneOptions& options = {});

}  // namespace faying::modes
