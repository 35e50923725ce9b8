#pragma once
// Forced response near a resonance from a nonlinear mode alone (nonlinear modal synthesis, Szemplinska-Stupnicka 1979,
// Krack 2013): one oscillator whose frequency, damping and shape go with amplitude,
//
//     (omega^2 - w^2 + 2 i zeta omega w) a e^(i theta) = p phi^H f,
//
// solved for w at every amplitude of the mode: two frequencies below the peak, none above it.
//
//     const auto mode = modal_points(epmc(model, 1, amplitudes, options), options.harmonics, f);
//     for (const auto& point : synthesis(mode, 30.0).points) ..       // up the left flank, down the right one

#include <Eigen/Dense>
#include <vector>

#include "faying/modes/backbone.hpp"
#include "faying/modes/harmonic_balance.hpp"

namespace faying::modes {

/// A mode at one amplitude.
struct ModalPoint {
    double a = 0, omega = 0, zeta = 0;
    double force = 0;  ///< |phi^H f|, phi of mass one
};

/// Converged points only.
std::vector<ModalPoint> modal_points(const std::vector<HarmonicPoint>& mode, const core::Harmonics& harmonics,
                                     const Eigen::VectorXd& load);
/// Of a quasi-static backbone: phi = (x - x_s)/q.
std::vector<ModalPoint> modal_points(const std::vector<BackbonePoint>& mode, const Eigen::VectorXd& load);

struct SynthesisPoint {
    double omega = 0, a = 0;  ///< of the excitation; of the mode
    double lag = 0;           ///< of the motion behind the force, radians
    int branch = 0;           ///< 0 from small amplitudes on; others are closed curves above it
};

struct Synthesis {
    std::vector<SynthesisPoint> points;  ///< branch by branch
    bool complete = false;               ///< every branch has its peak; else the mode's last amplitude is too small
};
/// From a mode at ascending amplitudes, between which it is interpolated over ln a.
Synthesis synthesis(const std::vector<ModalPoint>& mode, double force);

}  // namespace faying::modes
