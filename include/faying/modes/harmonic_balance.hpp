#pragma once
// Periodic motions of a structure with joints by harmonic balance:
//
//     x(t) = x_s + Sum_k c_k cos k w t + s_k sin k w t
//
// Nonlinear modes by the extended periodic motion concept (EPMC):
//
//     M x'' + (C - 2 zeta w M) x' + K x + f_nl = f_s,    a^2 = c_1^T M c_1 + s_1^T M s_1
//
// and forced responses,  M x'' + C x' + K x + f_nl = f_s + p f cos w t,  along frequency and through turning points.
// Unknowns are the harmonics of the joints' displacements; the linear rest enters by one pass over its modes
// (docs/theory/harmonic.md). Joint forces are exact pieces, or N samples per period.
//
//     const auto points = epmc(model, 1, {1e-3, 1e-2}, {.harmonics = core::Harmonics::up_to(7)});

#include <Eigen/Dense>
#include <vector>

#include "faying/core/trigonometric.hpp"
#include "faying/laws/harmonic_force.hpp"
#include "faying/modes/interface.hpp"

namespace faying::modes {

struct HarmonicOptions {
    core::Harmonics harmonics = core::Harmonics::up_to(3);
    laws::HarmonicOptions joints = {};  ///< exact pieces, or samples
    double tolerance = 1e-10;           ///< relative residual that counts as converged
    int most_points = 2000;             ///< on a branch

    void check() const;
};

/// A periodic motion.
struct HarmonicPoint {
    double a = 0;               ///< mass norm of the first harmonic
    double omega = 0;           ///< rad/s
    double zeta = 0;            ///< EPMC: all damping, friction and viscous together
    double force = 0;           ///< responses: p
    Eigen::MatrixXd harmonics;  ///< DOF x functions (mean, cos 1, sin 1, cos 2, ..), from rest
    double dissipation = 0;     ///< friction, per cycle
    std::vector<double> dissipation_by_joint;
    double residual = 0;  ///< NaN where the branch did not get there
    int iterations = 0;
    bool converged = false;
    bool turning_point = false;  ///< the branch turns between this point and the one before
};

/// Mode `mode` (from 1, by frequency about rest) at ascending amplitudes a > 0.
std::vector<HarmonicPoint> epmc(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                const HarmonicOptions& options = {});
std::vector<HarmonicPoint> epmc(const structure::Model& model, const Interface& interface, int mode,
                                const std::vector<double>& amplitudes, const HarmonicOptions& options = {});

/// p f cos w t on the structure.
struct HarmonicLoad {
    Eigen::VectorXd shape;  ///< f, by DOF
    double force = 1;       ///< p
};

/// The response from one frequency to another (either way), with all points of the branch; frequencies in `at` are met
/// exactly.
std::vector<HarmonicPoint> response(const structure::Model& model, const HarmonicLoad& load, double from, double to,
                                    const std::vector<double>& at = {}, const HarmonicOptions& options = {});
std::vector<HarmonicPoint> response(const structure::Model& model, const Interface& interface, const HarmonicLoad& load,
                                    double from, double to, const std::vector<double>& at = {},
                                    const HarmonicOptions& options = {});

}  // namespace faying::modes
