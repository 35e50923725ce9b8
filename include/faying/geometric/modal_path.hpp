#pragma once
// Static equilibrium under a load in the shape of a mode, by amplitude:
//
//     f(u) = f_s + alpha M phi,   phi^T M (u - u_0) = q
//
// Newton on the bordered system [K, -M phi; -phi^T M, 0] is regular where alpha has a limit point, which control by
// load cannot pass and arc length has to find its way around. The same two solves serve every other control.
//
//     const Rest rest = at_rest(system, load);                         // u_0 under f_s
//     const Mode mode = linear_mode(system, rest, 1);
//     ModalPath path(system, rest, mode);
//     const PathPoint p = path.to(1e-3);                               // p.alpha, p.u, p.slope, p.converged

#include <vector>

#include "faying/geometric/system.hpp"
#include "faying/sparse/direct.hpp"

namespace faying::geometric {

/// The state that amplitudes are counted from.
struct Rest {
    VectorXd u, load;
    double residual = 0;  ///< |f(u) - load| / |load|
    int steps = 0;        ///< of the load
};

/// Equilibrium under a dead load, by load control from the equilibrium given (none: undeformed) in steps as large as
/// Newton takes. Throws NotConverged where the load cannot be reached: a preload that buckles or snaps through. That is
/// told by work and energy, which contact that closes on the way would confuse: then Newton may leap.
enum class Steps { follow, leap };
Rest at_rest(System& system, const VectorXd& load, const VectorXd& from = {}, Steps steps = Steps::follow);

struct Mode {
    double omega = 0;         ///< rad/s, a Rayleigh quotient of strains
    VectorXd shape;           ///< mass normalised, the largest component positive
    VectorXd inertia;         ///< M phi
    double residual = 0;      ///< |K phi - omega^2 M phi| / |omega^2 M phi|
    VectorXd all_omega = {};  ///< of the first modes, to this one and a few beyond
};

/// Mode `number` (from 1) about rest. Throws BadInput when the structure is free to move or buckled there.
Mode linear_mode(const System& system, const Rest& rest, int number, int least_count = 6);

struct PathPoint {
    double q = 0, alpha = 0;
    VectorXd u;
    double slope = 0;       ///< d alpha / d q
    double energy = 0;      ///< work of the load from rest, elastic systems
    double residual = 0;    ///< |f(u) - f_s - alpha M phi| / max(|alpha M phi|, |omega^2 q M phi|, |f_s|)
    double correction = 0;  ///< the last step of Newton, relative
    int iterations = 0;
    int unstable = 0;  ///< negative eigenvalues of the tangent
    bool converged = false;
    int sense = 1;  ///< of dq along the path: -1 where the amplitude turned back
};

/// What is held during Newton's steps: row . (u - u_0) + of_load alpha = value.
struct Control {
    VectorXd row;
    double of_load = 0;
    double value = 0;
};

class ModalPath {
 public:
    ModalPath(System& system, const Rest& rest, const Mode& mode);

    /// From where the path is to amplitude q, in steps as large as Newton takes and no larger than `step`. Where it
    /// fails the path stays at its last point, and the answer is marked.
    PathPoint to(double q, double step = 1e300);
    /// The same by any control; its value now is where the way begins. By load it ends before limit points.
    PathPoint to(Control control, double step = 1e300);
    Control by_amplitude(double q) const { return {mode_.inertia, 0, q}; }
    Control by_load(double alpha) const { return {VectorXd::Zero(rest_.u.size()), 1, alpha}; }
    Control by_displacement(Index row, double value) const { return {VectorXd::Unit(rest_.u.size(), row), 0, value}; }
    /// One step by arc length (phi^T M du, d alpha / omega^2), `length` of either sign; past limit points of the load.
    PathPoint advance(double length);
    /// To this arc length from rest, in steps along which the path turns little; past limit points of load and
    /// amplitude. Counted along the steps, so a little short of the curve's own.
    PathPoint along(double length);

    const PathPoint& here() const { return here_; }
    /// Back to a point of this path, of a system without a past.
    void back_to(const PathPoint& point);
    /// Back to rest, with the past it had.
    void restart();

 private:
    System& system_;
    Rest rest_;
    const Mode& mode_;
    std::any past_;
    PathPoint here_;
    struct Tangent {
        VectorXd u;
        double q = 1, alpha = 0;
    };
    Tangent tangent_;  ///< along the path, |dq| = 1
    double rest_energy_ = 0;
    double travelled_ = 0;  ///< by `along`
    int way_ = 0;           ///< of the last step: 1 along the tangent, -1 against it
    sparse::DirectSolver solver_;

    double value_of(const Control& control, const PathPoint& at) const;
    double along_tangent(const Control& control) const;
    double load_size(const PathPoint& at) const;
    PathPoint newton(PathPoint at, const Control& control);
    void measure(PathPoint& point, const Control& control, VectorXd& r, double& g) const;
    bool factor(const PathPoint& at, double& scale);
    bool find_tangent(PathPoint& at);
    double heading() const;
};

}  // namespace faying::geometric
