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
#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "faying/core/trigonometric.hpp"
#include "faying/harmonic/force.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/modes/interface.hpp"
#include "faying/modes/output_amplitude.hpp"

namespace faying::modes {

/// Where the first order stands among them. Throws BadInput where it does not.
std::size_t first_order(const core::Harmonics& harmonics);

struct HarmonicOptions {
    core::Harmonics harmonics = core::Harmonics::up_to(3);
    harmonic::HarmonicOptions joints = {};  ///< exact pieces, or samples
    double tolerance = 1e-10;               ///< relative residual that counts as converged
    int most_points = 2000;                 ///< on a branch, beside those asked for
    /// To every law parameter. EPMC: of omega and zeta; responses at given forces: of what `ResponseTask::watched` sees,
    /// at the frequencies that are met exactly.
    bool derivatives = false;
    bool stability = false;  ///< responses: multipliers of every point, bifurcations located
    /// With more modes stability is not looked for: a period map's time grows with the third power of their number.
    int most_stability_modes = 60;

    void check() const;
};

/// Whether small disturbances of a periodic motion die out.
struct Stability {
    std::optional<bool> stable;                     ///< none where it is not known, and `reason` says why
    std::vector<std::complex<double>> multipliers;  ///< per period, the largest first, those that are zero left out
    int forgotten = 0;                              ///< states of joints that a period forgets: zeros among them
    /// Of the exact orbit next to the harmonics, or of their motion itself (where shooting found none), or Hill's.
    std::string method;
    double orbit_residual = std::numeric_limits<double>::quiet_NaN();  ///< of the exact orbit: |X' - X|, relative
    double orbit_distance = std::numeric_limits<double>::quiet_NaN();  ///< from the harmonics' motion, relative
    std::string reason = {};
};

/// Derivatives of an output's first harmonic to one law parameter.
struct WatchedDerivative {
    std::size_t joint = 0, parameter = 0;
    double cosine = 0, sine = 0;
};

enum class Bifurcation { none, fold, period_doubling, neimark_sacker, other };
/// "fold", "period doubling", .. ; empty for none.
std::string name_of(Bifurcation bifurcation);

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
    std::vector<ParameterDerivative> derivatives = {};
    std::vector<WatchedDerivative> watched = {};
    int branch = 0;  ///< responses: 0 is the one from the first frequency
    Stability stability = {};
    Bifurcation bifurcation = Bifurcation::none;  ///< the point was located as one
};

/// Mode `mode` (from 1, by frequency about rest) at ascending amplitudes a > 0.
std::vector<HarmonicPoint> epmc(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                const HarmonicOptions& options = {});
std::vector<HarmonicPoint> epmc(const structure::Model& model, const Interface& interface, int mode,
                                const std::vector<double>& amplitudes, const HarmonicOptions& options = {});

/// The same where the first harmonic of an output has these amplitudes, ascending.
std::vector<HarmonicPoint> epmc_at_output(const structure::Model& model, const Interface& interface, int mode,
                                          const OutputAmplitudes& wanted, const HarmonicOptions& options = {});
/// Amplitude of the first harmonic of an output.
double amplitude_of(const HarmonicPoint& point, const core::Harmonics& harmonics, const Eigen::VectorXd& row,
                    Quantity quantity);

/// Motions that need neither a force nor help: where the damping of a mode passes zero between two of its points.
/// Self-excited vibration (a negative damping in C, as of flutter) that friction limits; the damping of the linear mode
/// is zero where they are born (Hopf). With the stability of each.
std::vector<HarmonicPoint> limit_cycles(const structure::Model& model, const Interface& interface, int mode,
                                        const std::vector<HarmonicPoint>& points, HarmonicOptions options = {});

/// The same points as those of a backbone: damping split into friction's and the rest, the shape that of the first
/// harmonic's cosine, and every site's displacements where it turns (contact: at both tips of the first harmonic).
std::vector<BackbonePoint> backbone_points(const structure::Model& model, const Interface& interface,
                                           const std::vector<HarmonicPoint>& points, const core::Harmonics& harmonics);

/// p f cos w t on the structure.
struct HarmonicLoad {
    Eigen::VectorXd shape;  ///< f, by DOF
    double force = 1;       ///< p
};

/// Which motions are followed, and along what.
struct ResponseTask {
    HarmonicLoad load;
    enum class Along { frequency, force } along = Along::frequency;
    double from = 0, to = 0;      ///< of the frequency, or of p
    std::vector<double> at = {};  ///< values in between that are met exactly
    /// Along frequency: the first harmonic of `row` keeps its amplitude, and the force follows.
    struct Hold {
        Eigen::VectorXd row;
        double amplitude = 0;
        bool acceleration = false;  ///< else displacement
    };
    std::optional<Hold> hold = {};
    /// Along force: at this frequency ..
    double omega = 0;
    /// .. or where the load's own displacement lags by a quarter of a period, from this mode on: the backbone by phase.
    int phase_mode = 0;
    /// .. or, above 1, where this order of the motion is in resonance with that mode: a quarter of a period behind the
    /// joints' forces that drive it (variable phase resonance, Porter and Brake 2024).
    int superharmonic = 1;
    /// Whose first harmonic is to have derivatives, by DOF (along frequency at a given force).
    Eigen::VectorXd watched = {};
    /// Along frequency: from the other end too, where another branch ends there.
    bool both_ends = false;
    /// Along frequency: and branches that reach neither end, through motions of this force at phase resonance of
    /// `phase_mode`.
    bool isolas = false;
};
std::vector<HarmonicPoint> response(const structure::Model& model, const Interface& interface, const ResponseTask& task,
                                    const HarmonicOptions& options = {});

/// The response from one frequency to another (either way), with all points of the branch; frequencies in `at` are met
/// exactly.
std::vector<HarmonicPoint> response(const structure::Model& model, const HarmonicLoad& load, double from, double to,
                                    const std::vector<double>& at = {}, const HarmonicOptions& options = {});
std::vector<HarmonicPoint> response(const structure::Model& model, const Interface& interface, const HarmonicLoad& load,
                                    double from, double to, const std::vector<double>& at = {},
                                    const HarmonicOptions& options = {});

}  // namespace faying::modes
