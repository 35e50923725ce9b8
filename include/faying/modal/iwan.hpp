#pragma once
// The modal Iwan model ([S2] Eq. 7): one mode as an oscillator with a spring, a dashpot and an Iwan element,
//
//     q'' + 2 zeta0 w0 q' + Kinf q + F_Iwan(q) = F,   w0^2 = Kinf + KT
//
//     const IwanFit fit = fit_modal_iwan(points);              // points: (q, omega, zeta) from ring-downs
//     fit.mode.KT, fit.error.KT;                               // parameters and their standard errors
//     fit.mode.at(2.0).zeta;                                   // the fitted curve
//     const structure::Model oscillator = fit.mode.model();    // to be simulated
//
// Curves are those of the steady loop, free of the jump of [S2] Eqs. 8-9 at macroslip: omega^2 = Kinf + K_h(q) with the
// harmonic stiffness K_h (a ring-down's Hilbert amplitude and frequency are those of the fundamental), or the secant of
// the paper; zeta = zeta0 w0/omega + D(q)/(2 pi (omega q)^2).

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "faying/structure/model.hpp"

namespace faying::modal {

enum class Stiffness { harmonic, secant };

struct ModalPoint {
    double q = 0, omega = 0, zeta = 0;
    /// Standard errors of the point itself, relative, where they are known: such a point counts less in a fit.
    double omega_error = 0, zeta_error = 0;
};

struct ModalIwan {
    double k_infinity = 0, zeta0 = 0, FS = 0, KT = 0, chi = 0, beta = 0;

    double omega0() const;
    /// Amplitude at which the last slider slips.
    double macroslip() const;
    ModalPoint at(double q, Stiffness stiffness = Stiffness::harmonic) const;
    /// A unit mass.
    structure::Model model() const;
};

struct FitOptions {
    Stiffness stiffness = Stiffness::harmonic;
    /// Weights of the two kinds of data: a relative error of omega and of zeta count the same when they are
    /// these. 0: the scatter found. The errors of a point are added, as variances.
    double omega_error = 0, zeta_error = 0;
    /// Cauchy's loss: points far off (a segment of a ring-down that spans the onset of macroslip) hardly count.
    bool robust = true;
    double zeta0 = 0;  ///< known and held; 0: fitted
    int most_iterations = 500;
};

/// A parameter that the points do not determine, and the 95 % bounds they do give (from the profile of the cost).
struct IwanBound {
    std::string key;  ///< Kinf, zeta0, FS, KT, chi, beta
    std::optional<double> low, high;
};

struct IwanFit {
    ModalIwan mode;
    ModalIwan error;                     ///< standard errors; infinite where the data do not determine a parameter
    ModalIwan start;                     ///< the log-slope estimate the fit began with
    double omega_rms = 0, zeta_rms = 0;  ///< relative misfit
    int iterations = 0;
    bool converged = false;
    std::vector<IwanBound> not_determined = {};
};

/// Log-slope start, then least squares (Ceres, derivatives by dual numbers through the law). Throws core::BadInput for
/// fewer than six points, or values that are not positive.
IwanFit fit_modal_iwan(const std::vector<ModalPoint>& points, const FitOptions& options = {});

/// The log-slope estimate alone.
ModalIwan log_slope_start(std::vector<ModalPoint> points);

}  // namespace faying::modal
