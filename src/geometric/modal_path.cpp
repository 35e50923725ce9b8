#include "faying/geometric/modal_path.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "bordered.hpp"
#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"

namespace faying::geometric {

namespace {

constexpr double loosest = 1e-5;     ///< residual of a point that counts
constexpr double settled = 1e-8;     ///< and its last correction
constexpr int most_iterations = 60;  ///< contact needs many where sites open and close

double relative(double part, double whole) { return whole > 0 ? part / whole : part; }

}  // namespace

Sparse bordered(const Sparse& k, const MatrixXd& border, double scale) {
    const Index n = k.rows(), m = border.cols();
    Sparse b(n + m, n + m);
    b.resizeNonZeros(k.nonZeros() + 2 * n * m + m);
    int at = 0;
    const auto put = [&](Index row, double value) {
        b.innerIndexPtr()[at] = static_cast<int>(row);
        b.valuePtr()[at++] = value;
    };
    for (Index c = 0; c < n; ++c) {
        b.outerIndexPtr()[c] = at;
        for (Sparse::InnerIterator it(k, c); it; ++it) put(it.row(), it.value());
        for (Index j = 0; j < m; ++j) put(n + j, scale * border(c, j));
    }
    for (Index j = 0; j < m; ++j) {
        b.outerIndexPtr()[n + j] = at;
        for (Index r = 0; r < n; ++r) put(r, scale * border(r, j));
        put(n + j, 0);
    }
    b.outerIndexPtr()[n + m] = at;
    return b;
}

double border_scale(const Sparse& k, const MatrixXd& border) {
    return k.diagonal().cwiseAbs().mean() / border.cwiseAbs().maxCoeff();
}

ModalPath::ModalPath(System& system, const Rest& rest, const Mode& mode)
    : system_(system),
      rest_(rest),
      mode_(mode),
      past_(system.save()),
      solver_(system.symmetric() ? sparse::DirectSolver::Kind::symmetric : sparse::DirectSolver::Kind::general) {
    restart();
}

void ModalPath::restart() {
    system_.restore(past_);
    here_ = {};
    here_.u = rest_.u;
    here_.residual = rest_.residual;
    here_.slope = mode_.omega * mode_.omega;
    here_.converged = true;
    tangent_ = mode_.shape;
    tangent_q_ = 1;
    tangent_alpha_ = here_.slope;
    travelled_ = 0;
}

void ModalPath::back_to(const PathPoint& point) {
    here_ = point;
    find_tangent(here_);
    if ((tangent_q_ > 0) != (point.sense > 0)) {
        tangent_ = -tangent_;
        tangent_q_ = -tangent_q_;
        tangent_alpha_ = -tangent_alpha_;
    }
    here_.sense = point.sense;
}

/// du along the path, on in the sense it had; with it the slope and the stability of the point.
bool ModalPath::find_tangent(PathPoint& at) {
    const Index n = at.u.size();
    double scale = 1;
    if (!factor(at, scale)) return false;
    VectorXd right = VectorXd::Zero(n + 1);
    right(n) = scale;
    const VectorXd x = solver_.solve(right);
    at.slope = -scale * x(n);
    at.sense = x.head(n).dot(tangent_) < 0 ? -1 : 1;
    tangent_ = at.sense * x.head(n);
    tangent_q_ = at.sense;
    tangent_alpha_ = at.sense * at.slope;
    at.unstable = system_.symmetric() ? solver_.negative_pivots() - (at.slope > 0 ? 1 : 0) : 0;
    return true;
}

double ModalPath::value_of(const Control& control, const PathPoint& at) const {
    return control.row.dot(at.u - rest_.u) + control.of_load * at.alpha;
}

void ModalPath::measure(PathPoint& p, const Control& control, VectorXd& r, double& g) const {
    r = system_.force(p.u) - rest_.load - p.alpha * mode_.inertia;
    g = value_of(control, p) - control.value;
    p.residual = relative(r.norm(), std::max(load_size(p) * mode_.inertia.norm(), rest_.load.norm()));
}

/// What loads are measured by: where a snap passes through no load at all, that of the linear mode.
double ModalPath::load_size(const PathPoint& at) const {
    return std::max(std::abs(at.alpha), mode_.omega * mode_.omega * std::abs(mode_.inertia.dot(at.u - rest_.u)));
}

/// [K, s m; s m^T, 0], m = M phi.
bool ModalPath::factor(const PathPoint& at, double& scale) {
    const Sparse k = system_.tangent(at.u);
    scale = border_scale(k, mode_.inertia);
    return solver_.factor(bordered(k, mode_.inertia, scale));
}

/// Corrections of K du - m da = -r are x + t y: x with m.x = 0, and y along the path with m.y = 1. The control says
/// which t.
PathPoint ModalPath::newton(PathPoint at, const Control& control) {
    const Index n = rest_.u.size();
    VectorXd r;
    double g = 0;
    at.converged = false;
    measure(at, control, r, g);
    const double start = at.residual;
    double best = std::numeric_limits<double>::infinity();
    int without_gain = 0;
    for (at.iterations = 0; at.iterations < most_iterations; ++at.iterations) {
        core::stop_point();
        double scale = 1;
        if (!std::isfinite(at.residual) || !factor(at, scale)) return at;
        MatrixXd right = MatrixXd::Zero(n + 1, 2);
        right.col(0).head(n) = -r;
        right(n, 1) = scale;
        const MatrixXd x = solver_.solve(right);
        const VectorXd along = x.col(1).head(n);
        const double alpha_0 = -scale * x(n, 0), alpha_1 = -scale * x(n, 1);
        const double per_t = control.row.dot(along) + control.of_load * alpha_1;
        const double t = (-g - control.row.dot(x.col(0).head(n)) - control.of_load * alpha_0) / per_t;
        const VectorXd du = x.col(0).head(n) + t * along;
        const double d_alpha = alpha_0 + t * alpha_1;
        if (!du.allFinite() || !std::isfinite(d_alpha)) return at;
        at.u += du;
        at.alpha += d_alpha;
        const double moved = (at.u - rest_.u).norm();
        at.correction = std::max(relative(du.norm(), moved), relative(std::abs(d_alpha), load_size(at)));
        measure(at, control, r, g);
        if (at.residual < 0.5 * best) {
            best = at.residual;
            without_gain = 0;
        } else {
            ++without_gain;
        }
        // On to rounding: the residual falls no more.
        if (at.residual < loosest && at.correction < settled && (at.residual < 1e-13 || without_gain > 0)) {
            at.converged = true;
            break;
        }
        if (without_gain > 25 || (at.iterations > 8 && at.residual > 1e8 * std::max(start, 1.0))) break;
    }
    ++at.iterations;
    return at;
}

PathPoint ModalPath::to(double q, double step) { return to(by_amplitude(q), step); }

PathPoint ModalPath::to(Control control, double step) {
    const double target = control.value;
    constexpr int most_halvings = 14;
    int halvings = 0, iterations = 0;
    double value = value_of(control, here_), reach = std::min(step, std::abs(target - value));
    PathPoint failed;
    while (value != target || !(here_.iterations > 0)) {
        const double left = target - value;
        const double ahead = std::abs(left) <= reach * (1 + 1e-12) ? left : std::copysign(reach, left);
        const double per_t = control.row.dot(tangent_) + control.of_load * tangent_alpha_;
        PathPoint guess = here_;
        guess.u += ahead / per_t * tangent_;
        guess.alpha += ahead / per_t * tangent_alpha_;
        control.value = ahead == left ? target : value + ahead;
        const std::any before = system_.save();
        PathPoint next = newton(guess, control);
        iterations += next.iterations;
        // A correction as large as the step may be a jump to another branch.
        const double jump = relative((next.u - guess.u).norm(), (guess.u - here_.u).norm());
        if (next.converged && (jump < 0.5 || ahead == 0)) {
            value = control.value;
            next.converged = find_tangent(next);
            next.q = mode_.inertia.dot(next.u - rest_.u);
            here_ = next;
            system_.commit(here_.u);
            here_.energy = system_.energy(here_.u) - system_.energy(rest_.u) - rest_.load.dot(here_.u - rest_.u);
            if (halvings > 0 && next.iterations < 8) {
                reach = std::min(2 * reach, step);
                --halvings;
            }
            if (value == target) break;
            continue;
        }
        system_.restore(before);
        failed = next;
        if (++halvings > most_halvings) {
            failed.q = control.row == mode_.inertia ? target : mode_.inertia.dot(failed.u - rest_.u);
            failed.converged = false;
            failed.iterations = iterations;
            return failed;
        }
        reach = 0.5 * std::abs(ahead);
    }
    here_.iterations = iterations;
    if (control.row == mode_.inertia && control.of_load == 0) here_.q = target;
    return here_;
}

PathPoint ModalPath::advance(double length) {
    const double per_load = 1 / (mode_.omega * mode_.omega);
    // The control is the tangent itself, in (q, alpha / omega^2).
    const double size = std::hypot(tangent_q_, tangent_alpha_ * per_load);
    Control control{mode_.inertia * (tangent_q_ / size), tangent_alpha_ * per_load * per_load / size, 0};
    control.value = value_of(control, here_) + length;
    return to(control);
}

/// Of the path in (q, alpha / omega^2).
double ModalPath::heading() const { return std::atan2(tangent_alpha_ / (mode_.omega * mode_.omega), tangent_q_); }

PathPoint ModalPath::along(double length) {
    constexpr double too_far = 0.5, little = 0.15;  // turns, rad
    const double least = 1e-7 * std::abs(length - travelled_);
    double reach = std::abs(length - travelled_);
    int iterations = 0;
    while (travelled_ != length) {
        const double left = length - travelled_;
        const double ahead = std::abs(left) <= reach ? left : std::copysign(reach, left);
        const PathPoint start = here_;
        const VectorXd tangent = tangent_;
        const double tangent_q = tangent_q_, tangent_alpha = tangent_alpha_, before = heading();
        const std::any past = system_.save();
        const PathPoint next = advance(ahead);
        iterations += next.iterations;
        const double turn = std::abs(std::remainder(heading() - before, 2 * std::numbers::pi));
        if (next.converged && turn < too_far) {
            travelled_ = ahead == left ? length : travelled_ + ahead;
            if (turn < little) reach *= 2;
            continue;
        }
        system_.restore(past);
        here_ = start;
        tangent_ = tangent;
        tangent_q_ = tangent_q;
        tangent_alpha_ = tangent_alpha;
        reach = 0.5 * std::abs(ahead);
        if (reach < least) {
            PathPoint failed = next;
            failed.converged = false;
            failed.iterations = iterations;
            return failed;
        }
    }
    here_.iterations = iterations;
    return here_;
}

namespace {

/// K x for the linear part about rest, from strains.
VectorXd stiffness_times(const System& system, const Rest& rest, const VectorXd& x) {
    MatrixXd both(x.size(), 2);
    both << rest.u, x;
    return system.series(both, 1);
}

}  // namespace

namespace {

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

}  // namespace

Rest at_rest(System& system, const VectorXd& load, const VectorXd& from) {
    Rest rest{from.size() > 0 ? from : VectorXd(VectorXd::Zero(system.size())), load, 0, 0};
    if (load.isZero()) return rest;
    sparse::DirectSolver solver(system.symmetric() ? sparse::DirectSolver::Kind::symmetric
                                                   : sparse::DirectSolver::Kind::general);
    const double size = load.norm();
    const VectorXd first = from.size() > 0 ? system.force(from) : VectorXd(VectorXd::Zero(load.size()));
    double done = 0, step = 1;
    VectorXd u = rest.u;
    constexpr double least = 1e-5;
    while (done < 1) {
        const double next = std::min(1.0, done + step);
        const std::any before = system.save();
        VectorXd x = u;
        double residual = 0, correction = 1, last = std::numeric_limits<double>::infinity();
        bool converged = false;
        int iterations = 0;
        const VectorXd target = first + next * (load - first);
        for (; iterations < 80; ++iterations) {
            core::stop_point();
            const VectorXd r = system.force(x) - target;
            residual = r.norm() / (next * size);
            if (!std::isfinite(residual) || (iterations > 10 && residual > 1e6)) break;
            if (residual < loosest && correction < settled && !(residual < 0.5 * last)) {
                converged = true;
                break;
            }
            last = residual;
            if (!solver.factor(system.tangent(x))) break;
            VectorXd change = solver.solve(r);
            change *= share_of_step(system, target, x, r, change);
            x -= change;
            correction = relative(change.norm(), x.norm());
        }
        if (converged && system.symmetric()) {
            converged = solver.factor(system.tangent(x)) && solver.negative_pivots() == 0;
        }
        if (converged) {
            u = x;
            done = next;
            system.commit(u);
            rest.residual = residual;
            ++rest.steps;
            if (iterations < 12) step *= 2;
            continue;
        }
        system.restore(before);
        step = 0.5 * (next - done);
        if (step < least)
            throw core::NotConverged(
                fmt::format("the preload cannot be put on: equilibrium is lost at {:.4g} of it (does it buckle?)",
                            done),
                residual);
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
