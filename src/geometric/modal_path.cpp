#include "faying/geometric/modal_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bordered.hpp"
#include "faying/core/error.hpp"
#include "faying/core/newton.hpp"
#include "faying/core/parameter.hpp"
#include "step.hpp"

namespace faying::geometric {

namespace {

constexpr int most_iterations = 60;  ///< contact needs many where sites open and close

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
    tangent_ = {mode_.shape, 1, here_.slope};
    travelled_ = 0;
    way_ = 0;
    rest_energy_ = system_.energy(rest_.u);
}

void ModalPath::back_to(const PathPoint& point) {
    here_ = point;
    find_tangent(here_);
    if ((tangent_.q > 0) != (point.sense > 0)) {
        tangent_ = {-tangent_.u, -tangent_.q, -tangent_.alpha};
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
    at.sense = x.head(n).dot(tangent_.u) < 0 ? -1 : 1;
    tangent_ = {at.sense * x.head(n), double(at.sense), at.sense * at.slope};
    at.unstable = system_.symmetric() ? solver_.negative_pivots() - (at.slope > 0 ? 1 : 0) : 0;
    return true;
}

double ModalPath::value_of(const Control& control, const PathPoint& at) const {
    return control.row.dot(at.u - rest_.u) + control.of_load * at.alpha;
}

/// How it changes along the tangent.
double ModalPath::along_tangent(const Control& control) const {
    return control.row.dot(tangent_.u) + control.of_load * tangent_.alpha;
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
PathPoint ModalPath::newton(PathPoint from, const Control& control) {
    struct Problem {
        ModalPath& path;
        const Control& control;
        PathPoint at;
        VectorXd r = {}, du = {};
        double g = 0, d_alpha = 0;
        double start = core::infinity, best = core::infinity;  // residuals
        int steps = 0, without_gain = 0;

        double evaluate() {
            path.measure(at, control, r, g);
            if (steps == 0) start = std::min(start, at.residual);
            return at.residual;
        }
        bool direction() {
            const Index n = at.u.size();
            double scale = 1;
            if (!path.factor(at, scale)) return false;
            MatrixXd right = MatrixXd::Zero(n + 1, 2);
            right.col(0).head(n) = -r;
            right(n, 1) = scale;
            const MatrixXd x = path.solver_.solve(right);
            const VectorXd along = x.col(1).head(n);
            const double alpha_0 = -scale * x(n, 0), alpha_1 = -scale * x(n, 1);
            const double per_t = control.row.dot(along) + control.of_load * alpha_1;
            const double t = (-g - control.row.dot(x.col(0).head(n)) - control.of_load * alpha_0) / per_t;
            du = x.col(0).head(n) + t * along;
            d_alpha = alpha_0 + t * alpha_1;
            return du.allFinite() && std::isfinite(d_alpha);
        }
        void move(double done, double to) {
            at.u += (to - done) * du;
            at.alpha += (to - done) * d_alpha;
        }
        bool settled(double, double after, double) {
            ++steps;
            at.correction = std::max(relative(du.norm(), (at.u - path.rest_.u).norm()),
                                     relative(std::abs(d_alpha), path.load_size(at)));
            without_gain = after < 0.5 * best ? 0 : without_gain + 1;
            if (without_gain == 0) best = after;
            // On to rounding: the residual falls no more.
            at.converged = after < loosest && at.correction < geometric::settled && (after < 1e-13 || without_gain > 0);
            return at.converged || without_gain > 25 || (steps > 9 && after > 1e8 * std::max(start, 1.0));
        }
    } problem{*this, control, std::move(from)};
    problem.at.converged = false;
    const auto end = core::newton(problem, until_settled(most_iterations));
    problem.at.iterations = end.iterations;
    return problem.at;
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
        double per_t = along_tangent(control);
        const int way = ahead * per_t < 0 ? -1 : 1;
        // Back the way it came, friction that slipped sticks: the tangent that led here is not that of the return.
        if (!system_.conservative() && way * way_ < 0) {
            PathPoint turned = here_;
            if (find_tangent(turned)) per_t = along_tangent(control);
        }
        way_ = way;
        const double t = ahead / per_t;
        PathPoint guess = here_;
        guess.u += t * tangent_.u;
        guess.alpha += t * tangent_.alpha;
        control.value = ahead == left ? target : value + ahead;
        const std::any before = system_.save();
        const End begin{mode_.inertia.dot(here_.u - rest_.u), here_.alpha, t * tangent_.q, t * tangent_.alpha};
        const Tangent tangent = tangent_;
        PathPoint next = newton(guess, control);
        iterations += next.iterations;
        // A correction as large as the step may be a jump to another branch.
        const double jump =
            relative((next.u - guess.u).norm(), std::min((guess.u - here_.u).norm(), (next.u - here_.u).norm()));
        next.converged = next.converged && (jump < 0.5 || ahead == 0) && find_tangent(next);
        if (next.converged) {
            next.q = mode_.inertia.dot(next.u - rest_.u);
            const double energy = system_.energy(next.u);
            next.energy = energy - rest_energy_ - rest_.load.dot(next.u - rest_.u);
            const double on = ahead / along_tangent(control);
            next.converged = !system_.conservative() ||
                             on_one_branch(begin, {next.q, next.alpha, on * tangent_.q, on * tangent_.alpha},
                                           next.energy - here_.energy, energy);
        }
        if (next.converged) {
            value = control.value;
            here_ = next;
            system_.commit(here_.u);
            if (halvings > 0 && next.iterations < 8) {
                reach = std::min(2 * reach, step);
                --halvings;
            }
            if (value == target) break;
            continue;
        }
        tangent_ = tangent;
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
    const double size = std::hypot(tangent_.q, tangent_.alpha * per_load);
    Control control{mode_.inertia * (tangent_.q / size), tangent_.alpha * per_load * per_load / size, 0};
    control.value = value_of(control, here_) + length;
    return to(control);
}

/// Of the path in (q, alpha / omega^2).
double ModalPath::heading() const { return std::atan2(tangent_.alpha / (mode_.omega * mode_.omega), tangent_.q); }

PathPoint ModalPath::along(double length) {
    constexpr double too_far = 0.5, little = 0.15;  // turns, rad
    const double least = 1e-7 * std::abs(length - travelled_);
    double reach = std::abs(length - travelled_);
    int iterations = 0;
    while (travelled_ != length) {
        const double left = length - travelled_;
        const double ahead = std::abs(left) <= reach ? left : std::copysign(reach, left);
        const PathPoint start = here_;
        const Tangent tangent = tangent_;
        const double before = heading();
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

}  // namespace faying::geometric
