// Equilibrium under a dead load, and modes about it.

#include <fmt/format.h>

#include <cmath>

#include "bordered.hpp"
#include "faying/core/error.hpp"
#include "faying/geometric/modal_path.hpp"
#include "step.hpp"

namespace faying::geometric {

namespace {

/// K x for the linear part about rest, from strains.
VectorXd stiffness_times(const System& system, const Rest& rest, const VectorXd& x) {
    MatrixXd both(x.size(), 2);
    both << rest.u, x;
    return system.series(both, 1);
}

/// How much of a step of Newton to take: all of it, unless the potential energy rises on the way, as where contact opens
/// on the first guess and leaves a part with nothing to hold it.
double share_of_step(const System& system, const VectorXd& load, const VectorXd& x, const VectorXd& r,
                     const VectorXd& change) {
    const double fall = r.dot(change);  // of the energy, for a small step
    if (!system.symmetric() || !(fall > 0)) return 1;
    const auto potential = [&](const VectorXd& u) { return system.energy(u) - load.dot(u); };
    const double here = potential(x);
    if (fall < 1e-9 * std::abs(here)) return 1;  // below what the energy can tell
    double share = 1;
    for (int i = 0; i < 40 && !(potential(x - share * change) < here - 1e-4 * share * fall); ++i) share *= 0.5;
    return share;
}

/// Equilibrium under a dead load.
struct Equilibrium {
    System& system;
    sparse::DirectSolver& solver;
    const VectorXd& load;
    double size;  ///< of loads, which residuals are compared with
    VectorXd x, r = {}, change = {};
    int steps = 0;
    bool converged = false;

    double evaluate() {
        r = system.force(x) - load;
        return r.norm() / size;
    }
    bool direction() {
        if (!solver.factor(system.tangent(x))) return false;
        change = solver.solve(r);
        change *= share_of_step(system, load, x, r, change);
        return true;
    }
    void move(double from, double to) { x -= (to - from) * change; }
    bool settled(double before, double after, double) {
        const double correction = relative(change.norm(), x.norm());
        converged = after < loosest && correction < geometric::settled && !(after < 0.5 * before);
        return converged || (++steps > 10 && after > 1e6);
    }
};

}  // namespace

Rest at_rest(System& system, const VectorXd& load, const VectorXd& from, Steps steps) {
    Rest rest{from.size() > 0 ? from : VectorXd(VectorXd::Zero(system.size())), load, 0, 0};
    if (load.isZero()) return rest;
    sparse::DirectSolver solver(system.symmetric() ? sparse::DirectSolver::Kind::symmetric
                                                   : sparse::DirectSolver::Kind::general);
    const double size = load.norm();
    const VectorXd first = from.size() > 0 ? system.force(from) : VectorXd(VectorXd::Zero(load.size()));
    const VectorXd rise = load - first;
    double done = 0, step = 1;
    VectorXd u = rest.u;
    VectorXd along;  // du / d share
    if (steps == Steps::follow && solver.factor(system.tangent(u))) along = solver.solve(rise);
    constexpr double least = 1e-5;
    while (done < 1) {
        const double next = std::min(1.0, done + step);
        const std::any before = system.save();
        const VectorXd target = first + next * rise;
        Equilibrium equilibrium{system, solver, target, next * size, u};
        const auto end = core::newton(equilibrium, until_settled(80));
        const VectorXd& x = equilibrium.x;
        bool converged = equilibrium.converged;
        if (converged && system.symmetric()) {
            converged = solver.factor(system.tangent(x)) && solver.negative_pivots() == 0;
        }
        if (converged && along.size() > 0) {
            const VectorXd slope = solver.solve(rise);
            const double over = next - done, energy = system.energy(x);
            converged = on_one_branch({rise.dot(u), done, over * rise.dot(along), over},
                                      {rise.dot(x), next, over * rise.dot(slope), over},
                                      energy - system.energy(u) - first.dot(x - u), energy);
            if (converged) along = slope;
        }
        if (converged) {
            u = x;
            done = next;
            system.commit(u);
            rest.residual = end.residual;
            ++rest.steps;
            if (end.iterations < 12) step *= 2;
            continue;
        }
        system.restore(before);
        step = 0.5 * (next - done);
        if (step < least)
            throw core::NotConverged(
                fmt::format("the preload cannot be put on: equilibrium is lost at {:.4g} of it (does it buckle?)",
                            done),
                end.residual);
    }
    rest.u = u;
    return rest;
}

Mode linear_mode(const System& system, const Rest& rest, int number, int least_count) {
    const LowModes low = low_modes(system.tangent(rest.u), system.mass(), number, least_count);
    const Index at = number - 1;
    Mode mode;
    mode.shape = low.shapes.col(at);
    double lambda = low.values(at);
    // Newton on (K - lambda M) phi = 0, phi^T M phi = 1 with K phi from strains; a close neighbour would make it
    // singular, and then the quotient alone has to do.
    double apart = 1;
    for (Index j = 0; j < low.values.size(); ++j)
        if (j != at) apart = std::min(apart, std::abs(low.values(j) / lambda - 1));
    sparse::DirectSolver solver(sparse::DirectSolver::Kind::symmetric);
    for (int step = 0; step < 3; ++step) {
        VectorXd m = system.mass() * mode.shape;
        mode.shape /= std::sqrt(mode.shape.dot(m));
        m = system.mass() * mode.shape;
        const VectorXd k = stiffness_times(system, rest, mode.shape);
        lambda = mode.shape.dot(k);
        const VectorXd r = k - lambda * m;
        mode.residual = r.norm() / (lambda * m.norm());
        if (step == 2 || apart < 1e-5 || mode.residual < 1e-15) break;
        const Sparse shifted = system.tangent(rest.u) - Sparse(lambda * system.mass());
        const double scale = border_scale(shifted, m);
        if (!solver.factor(bordered(shifted, m, scale))) break;
        VectorXd right(r.size() + 1);
        right << -r, 0;
        mode.shape += VectorXd(solver.solve(right)).head(r.size());
    }
    const double largest = mode.shape.cwiseAbs().maxCoeff();
    Index first = 0;
    while (std::abs(mode.shape(first)) < largest * (1 - 1e-6)) ++first;
    if (mode.shape(first) < 0) mode.shape = -mode.shape;
    mode.inertia = system.mass() * mode.shape;
    mode.omega = std::sqrt(lambda);
    mode.all_omega = low.values.cwiseSqrt();
    for (Index j = 0; j < low.values.size(); ++j) {
        const VectorXd phi = low.shapes.col(j);
        mode.all_omega(j) = std::sqrt(phi.dot(stiffness_times(system, rest, phi)) / phi.dot(system.mass() * phi));
    }
    mode.all_omega(at) = mode.omega;
    return mode;
}

}  // namespace faying::geometric
