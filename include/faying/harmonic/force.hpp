#pragma once
// Harmonics of a joint's force under a periodic motion, and their derivatives to the harmonics of the motion.
//
//     u(t) = Sum_b U_b h_b(t)   ->   F_b = (1/pi) Int f h_b dt over a period (mean: 1/(2 pi)),   dF_b/dU_c
//
// Exact: between reversals of u a law of one displacement is one function of u, whatever the past, so that the force is
// integrated piece by piece, from reversal to reversal and from kink to kink, by Gauss rules that leave only rounding
// (after t - t_r = r^2 behind a reversal, where power laws begin as |t - t_r|^(2 chi + 4)). Force is continuous at
// reversals, so that their motion drops out of derivatives; what a branch remembers of them does not, and comes from
// dual numbers seeded in the displacements of the reversals. The history starts where |u| is largest and goes on until
// it repeats: laws with return-point memory are there at once, a past of a few numbers is solved for.
// (Multiharmonic friction forces without sampling: Petrov and Ewins 2003.)
//
// Sampled: N displacements per period, two periods of memory, trapezoid (alternating frequency-time, as other codes).
//
//     HarmonicForce answer = harmonic_force(site, rest, core::Harmonics::up_to(7), U);

#include <Eigen/Dense>

#include "faying/core/trigonometric.hpp"
#include "faying/laws/joint.hpp"

namespace faying::harmonic {

struct HarmonicOptions {
    int samples = 0;           ///< per period; 0: exact pieces
    double tolerance = 1e-12;  ///< of the pieces of a law that does not know its kinks, relative to its force
    int most_periods = 1000;   ///< until the motion's memory repeats
    /// The force jumps somewhere. Harmonics are smooth in the motion all the same, but their derivatives have what the
    /// time of the jump adds: by differences.
    bool jumps = false;

    /// Throws BadInput: fewer samples than the harmonics need, ..
    void check(const core::Harmonics& harmonics) const;
};

struct HarmonicForce {
    Eigen::VectorXd force;  ///< by function h_b, and in it by component of the site
    Eigen::MatrixXd slope;  ///< to the motion's harmonics in the same order
    double dissipated = 0;  ///< per period
    double residual = 0;    ///< by how much the force fails to repeat after a period, relative
    int reversals = 0;      ///< per period (laws of one displacement)
};

/// `begun`: one site, in the state from which the motion begins (virgin, or preloaded); it is left as it is.
/// Displacements are `base` plus the motion, whose harmonics stand by function and component.
HarmonicForce harmonic_force(const laws::JointOf<core::Dual>& begun, const Eigen::VectorXd& base,
                             const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                             const HarmonicOptions& options = {});

/// Derivatives of the same harmonics, at a given motion, to the parameters that `seeded` carries: a column per
/// direction. `begun` is the same site without seeds; `base` carries how the state at rest moves with the parameters.
/// (Kinks move with parameters, but force is continuous there.)
Eigen::MatrixXd harmonic_force_parameters(const laws::JointOf<core::Dual>& begun,
                                          const laws::JointOf<core::Dual>& seeded, const std::vector<core::Dual>& base,
                                          const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                                          const HarmonicOptions& options = {});

}  // namespace faying::harmonic
