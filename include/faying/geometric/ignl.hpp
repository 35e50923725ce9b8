#pragma once
// Friction beside geometric stiffness, [S1] 3: an Iwan model with geometric nonlinearity (IGNL).
//
//     stuck:  alpha_stick(q), its polynomial's free motion omega_gnl(q)
//     slip:   alpha_slip(q);  theta(q) = alpha_slip - alpha_stick
//     K = omega_gnl^2 + theta/q,   omega = sqrt K                                                      (Eq. 30, 31)
//     D by Masing from either side, 8 Int_0^q theta - 4 q theta;  or around the loop +q, -q, +q, traced
//     zeta = D/(2 pi q^2 omega^2) + zeta_0                                                             (eq32)
//     zeta = (D + 2 pi q^2 zeta_0 omega_0 omega)/(2 pi q^2 K'),  K' = alpha_stick/q + d theta/dq       (tangent)
//
// Where contact opens, theta holds opening as well as friction and Masing's rule has no ground: both sides are
// reported, and the traced loop beside them.
//
//     const IgnlResult r = ignl(opened, mode, {1e-4, 1e-3}, {});

#include <functional>
#include <string>
#include <vector>

#include "faying/geometric/condensation.hpp"
#include "faying/geometric/nnm.hpp"
#include "faying/geometric/sice.hpp"
#include "faying/geometric/structure_file.hpp"

namespace faying::geometric {

struct IgnlOptions {
    int order = 7;              ///< of the polynomial fitted to the stuck curve, where it has none of its own
    bool loops = true;          ///< trace them
    int loop_steps = 20;        ///< from 0 to q; four times as many around
    int grid = 0;               ///< points of the curves between amplitudes; 0: as the structure affords
    double disagreement = 0.1;  ///< of Masing's dissipation from both sides, beyond which it is flagged
    std::function<void(double, const std::string&)> done = {};
};

/// Four parameters of an Iwan model (laws/iwan4.hpp), modal units, whose backbone less KT q is theta.
struct IwanFit {
    double slip_force = 0, stiffness = 0, chi = 0, beta = 0;  ///< FS, KT
    double rms = 0;                                           ///< of theta, relative
    bool macroslip = false;                                   ///< seen in the points: else only chi is told by them
    double coefficient = 0, largest_slider = 0;               ///< theta = -c q^(chi+2) up to phi_max
    std::string reason = {};                                  ///< why there is none, or what was assumed
    double dissipation(double q) const;                       ///< per cycle
};
/// Through points of one side, q ascending.
IwanFit fit_iwan(const std::vector<double>& q, const std::vector<double>& theta);

struct Curve {
    std::vector<double> q, stuck, slip, stuck_slope, slip_slope;  ///< |q|, and alpha times the side's sign
    std::vector<double> friction_loss;                            ///< from rest to each
    /// From rest, of the degree of freedom that moves most in the mode.
    std::vector<double> stuck_displacement, slip_displacement;
    std::vector<int> slipping, closed;              ///< sites, where there are such
    std::vector<double> stuck_normal, slip_normal;  ///< sum of the forces that press there, N
};

struct IgnlPoint {
    double q = 0;
    double alpha_stuck = 0, alpha_slip = 0;  ///< at +q
    double alpha_stuck_negative = 0, alpha_slip_negative = 0;
    double omega_gnl = 0, omega = 0, omega_negative = 0;  ///< the last with theta from the other side
    double stiffness_loss = 0;                            ///< theta/q
    double zeta_eq32 = 0, zeta_tangent = 0;               ///< from the dissipation that counts
    double masing_positive = 0, masing_negative = 0;      ///< D
    /// From rest to +q and to -q: what friction took, and by how much more the structure holds than a stuck one (less
    /// where contact opened), which comes back.
    double friction_positive = 0, friction_negative = 0, opening_positive = 0, opening_negative = 0;
    double iwan = 0;                     ///< D of the Iwan model fitted
    double loop = 0, loop_friction = 0;  ///< work around the loop; what sites dissipate in it; NaN: not traced
    double closure = 0;                  ///< how far the loop fails to close, of alpha
    double alpha_minus = 0;              ///< at the loop's other end, -q
    std::string dissipation_used;        ///< "loop", "masing"
    double residual = 0;
    bool converged = false;
    std::string reason;
};

struct IgnlResult {
    Curve positive, negative;
    std::vector<Fit> fits;                      ///< of the stuck curve, orders 3 to `order`
    VectorXd polynomial;                        ///< what omega_gnl is of
    std::vector<Fold> stuck_folds, slip_folds;  ///< limit points of the load, cubic between points of the curves
    IwanFit iwan;                               ///< of the positive side
    std::vector<IgnlPoint> points;
    bool masing_holds = true;  ///< both sides agree
};

/// At ascending amplitudes q > 0.
IgnlResult ignl(Opened& structure, const Mode& mode, const std::vector<double>& amplitudes,
                const IgnlOptions& options = {});

}  // namespace faying::geometric
