#pragma once
// Nonlinear modes: frequency and damping against amplitude, quasi-static.
//
// RQNMA ([S0] Eq. 33), d = u - u_s from the prestressed state:
//
//     K d + f_nl(u_s + d) - f_nl(u_s) - lambda M d = 0,   d^T M d = q^2;   omega = sqrt(lambda), shape d/q
//
// QSMA:  K d + f_nl(u_s + d) - f_nl(u_s) = a M phi_r,  q = phi_r^T M d;   lambda = a/q, phi_r the linearised mode.
//
// Masing framework: f_nl are virgin curves about the prestressed state. Loops framework: +q, -q, +q .. are followed
// with every joint's own history until the loop has closed; omega is the mean of both reversals.
//
//     zeta = D/(2 pi (omega q)^2) + zeta_viscous,     D by four routes:
//
//                 local                                       modal
//     masing      Sum 4 d0 of every site's virgin curve       8 Int_0^q (lambda(s) - lambda(q)) s ds
//     loops       what the sites dissipate in the loop        the loads' work around the loop, Legendre-Gauss-Lobatto
//
// Contact sites do not move straight between reversals: their part of `local` is their tangential work on the path
// that `modal` takes (docs/theory/nonlinear-modes.md).
//
//     const auto points = backbone(model, 1, {1, 10, 100});      // mode 1 at three modal amplitudes

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "faying/modes/interface.hpp"
#include "faying/modes/prestress.hpp"

namespace faying::modes {

enum class Method { rqnma, qsma };
enum class Framework { masing, loops };
enum class Dissipation { local, modal };

/// Derivatives to one law parameter.
struct ParameterDerivative {
    std::size_t joint = 0, parameter = 0;
    double omega = 0, zeta = 0, dissipation = 0;
    laws::Derivatives law = laws::Derivatives::exact;  ///< how the law was differentiated
};

struct BackbonePoint {
    double q = 0;
    double omega = 0;
    double zeta = 0;  ///< friction and viscous together
    double zeta_friction = 0, zeta_viscous = 0;
    double dissipation = 0;  ///< friction, a cycle
    std::vector<double> dissipation_by_joint;
    Eigen::VectorXd shape;  ///< d/q at +q; empty when not asked for
    /// |K d + f_nl - lambda M d| / |lambda q M phi| on all DOF, phi the linearised mode; the larger of both reversals.
    /// Where none was found, that of the last solution of the branch taken to this amplitude; NaN when that is none.
    double residual = 0;
    std::string reason;  ///< why it did not converge; empty when it did
    /// Masing framework, contact laws: by how much their forces at -d fail to be those at +d mirrored, as a share of
    /// the energy that damping takes. Beyond `masing_tolerance` the rule that gives the dissipation does not hold.
    double masing_error = 0;
    int branch = 0;            ///< turning points in q passed on the way here
    int iterations = 0;        ///< Newton steps
    int loops = 0;             ///< half loops traced until the loop closed; 0 in the Masing framework
    double closure_error = 0;  ///< by how much the last loop fails to close, relative
    bool converged = false;
    std::vector<Eigen::VectorXd> site_displacement, site_force;  ///< by joint, at +q: components of each site
    /// By joint: displacements of each site at rest, and at +q and -q of the loop that closed (site_loop.hpp).
    std::vector<Eigen::VectorXd> site_rest, site_plus, site_minus;
    std::vector<Eigen::VectorXd> site_dissipation;  ///< by joint and site, times its weight; local route
    std::vector<ParameterDerivative> derivatives;   ///< all law parameters, if asked for
};

struct BackboneOptions {
    Method method = Method::rqnma;
    Framework framework = Framework::masing;
    Dissipation dissipation = Dissipation::local;
    Friction prestress = Friction::active;
    double tolerance = 1e-10;       ///< relative residual that counts as converged
    bool polish = true;             ///< Newton goes on to rounding; else only to a hundredth of the tolerance
    int most_iterations = 40;       ///< of Newton
    int most_steps = 100000;        ///< of Newton in all at one amplitude, however it is approached
    int most_halvings = 14;         ///< of a step in log q
    int most_failures = 3;          ///< amplitudes in a row that fail before the branch is given up
    int most_loops = 100;           ///< whole loops traced at one amplitude
    double loop_tolerance = 1e-4;   ///< loops end when all of zeta is expected to change by less, relative ([S0] 3.4)
    double masing_tolerance = 0.1;  ///< of masing_error
    bool close_loops = true;        ///< accelerate the tracing until the loop has closed, for laws that allow it
    int quadrature = 12;            ///< Lobatto points per half loop, or panel
    bool shapes = true;             ///< on all DOF, whose cost grows with their number; nothing else's does
    /// Where the branch turns back in q and up again, one amplitude has several points: all are given, along the branch
    /// (`branch` counts the turns), so that points may be more than amplitudes. Else the first that is met.
    bool folds = false;
    bool derivatives = false;  ///< of omega, zeta and dissipation, by implicit differentiation

    void check() const;
};

/// Least and largest modal amplitude: squares of others are not normal numbers.
inline constexpr double least_amplitude = 1e-150, largest_amplitude = 1e150;

/// Mode `mode` (from 1, by frequency of the linearised structure) at ascending modal amplitudes. Points that did
/// not converge are marked. Throws BadInput for a law that the framework cannot take, a mode that is not there,
/// amplitudes out of order; NotConverged when there is no prestressed state.
std::vector<BackbonePoint> backbone(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                    const BackboneOptions& options = {});
/// The same with an interface made once for many sets of law parameters.
std::vector<BackbonePoint> backbone(const structure::Model& model, const Interface& interface, int mode,
                                    const std::vector<double>& amplitudes, const BackboneOptions& options = {});

}  // namespace faying::modes
