// Nonlinear normal modes of small structures by shooting: from rest at u(0) to rest half a period later.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/geometric/nnm.hpp"

namespace faying::geometric {

namespace {

using State = std::vector<double>;  ///< u, v, then their derivatives to the start, by columns

/// u'' = M^-1 (f_s - f(u)), and its derivatives to u(0), v(0).
class FreeMotion {
 public:
    FreeMotion(const System& system, const Rest& rest)
        : system_(system), rest_(rest), n_(rest.u.size()), mass_(MatrixXd(system.mass())) {}

    Index size() const { return n_; }

    /// u and v after `time`, and d(u, v)/d(u, v)(0).
    VectorXd march(const VectorXd& u, double time, MatrixXd& to_start) const {
        const Index n = n_, all = 2 * n;
        State y(static_cast<std::size_t>(all + all * all), 0.0);
        for (Index i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] = u(i);
        for (Index i = 0; i < all; ++i) y[static_cast<std::size_t>(all + i * all + i)] = 1;
        const auto rate = [&](const State& at, State& out, double) {
            const Eigen::Map<const VectorXd> x(at.data(), n);
            const VectorXd f = mass_.solve(VectorXd(rest_.load - system_.force(rest_.u + x)));
            const MatrixXd a = -mass_.solve(MatrixXd(system_.tangent(rest_.u + x)));
            const Eigen::Map<const MatrixXd> s(at.data() + all, all, all);
            Eigen::Map<VectorXd>(out.data(), n) = Eigen::Map<const VectorXd>(at.data() + n, n);
            Eigen::Map<VectorXd>(out.data() + n, n) = f;
            Eigen::Map<MatrixXd> ds(out.data() + all, all, all);
            ds.topRows(n) = s.bottomRows(n);
            ds.bottomRows(n) = a * s.topRows(n);
        };
        namespace ode = boost::numeric::odeint;
        const double scale = u.cwiseAbs().maxCoeff();
        ode::integrate_adaptive(ode::make_controlled<ode::runge_kutta_fehlberg78<State>>(1e-13 * scale, 1e-13), rate, y,
                                0.0, time, time / 50);
        to_start = Eigen::Map<const MatrixXd>(y.data() + all, all, all);
        return Eigen::Map<const VectorXd>(y.data(), all);
    }

    VectorXd acceleration(const VectorXd& u) const {
        return mass_.solve(VectorXd(rest_.load - system_.force(rest_.u + u)));
    }

 private:
    const System& system_;
    const Rest& rest_;
    Index n_;
    Eigen::LLT<MatrixXd> mass_;
};

constexpr Index most_degrees = 40;

double largest_of(const MatrixXd& map) {
    return Eigen::EigenSolver<MatrixXd>(map, false).eigenvalues().cwiseAbs().maxCoeff();
}
/// Multipliers of the period map all on the unit circle. Two are 1; of those an error e shows as sqrt(e).
bool on_the_circle(double largest) { return largest < 1 + 1e-4; }

}  // namespace

std::optional<double> largest_multiplier_by_shooting(const System& system, const Rest& rest, const VectorXd& start,
                                                     double period) {
    if (start.size() > most_degrees) return {};
    MatrixXd map;
    FreeMotion(system, rest).march(start, period, map);
    return largest_of(map);
}

std::vector<NnmPoint> nnm_by_shooting(const System& system, const Rest& rest, const Mode& mode,
                                      const std::vector<double>& amplitudes, const NnmOptions& options) {
    const Index n = rest.u.size();
    if (n > most_degrees)
        throw core::BadInput("--method",
                             fmt::format("shooting is for {} degrees of freedom at most; there are {}: take "
                                         "harmonic-balance",
                                         most_degrees, n));
    const FreeMotion motion(system, rest);
    std::vector<NnmPoint> points;
    VectorXd u = VectorXd::Zero(n), before = u;
    double half = std::numbers::pi / mode.omega, q = 0, before_half = half, before_q = 0;
    bool lost = false;
    for (const double amplitude : amplitudes) {
        NnmPoint point;
        point.q_plus = amplitude;
        point.residual = std::numeric_limits<double>::quiet_NaN();
        double reach = amplitude - q;
        int halvings = 0;
        while (!lost && q < amplitude) {
            const double next = amplitude - q <= reach * (1 + 1e-12) ? amplitude : q + reach;
            VectorXd x = q == 0 ? VectorXd(next * mode.shape) : VectorXd(u * (next / q));
            double t = half;
            if (before_q > 0) {
                x = u + (next - q) / (q - before_q) * (u - before);
                t = half + (next - q) / (q - before_q) * (half - before_half);
            }
            double residual = 1, last = std::numeric_limits<double>::infinity();
            bool converged = false;
            MatrixXd s;
            VectorXd end;
            for (int i = 0; i < 20; ++i) {
                core::stop_point();
                end = motion.march(x, t, s);
                residual = end.tail(n).norm() / (mode.omega * x.norm()) + std::abs(mode.inertia.dot(x) / next - 1);
                ++point.iterations;
                if (!std::isfinite(residual)) break;
                if (residual < 1e-9 && !(residual < 0.5 * last)) {
                    converged = true;
                    break;
                }
                last = residual;
                MatrixXd j(n + 1, n + 1);
                j.topLeftCorner(n, n) = s.block(n, 0, n, n);
                j.col(n).head(n) = motion.acceleration(end.head(n));
                j.row(n).head(n) = mode.inertia.transpose();
                j(n, n) = 0;
                VectorXd r(n + 1);
                r << end.tail(n), mode.inertia.dot(x) - next;
                const VectorXd d = j.fullPivLu().solve(r);
                x -= d.head(n);
                t -= d(n);
                if (!(t > 0)) break;
            }
            if (!converged) {
                reach = 0.5 * (next - q);
                if (++halvings > options.most_halvings) lost = true;
                continue;
            }
            before = u;
            before_half = half;
            before_q = q;
            u = x;
            half = t;
            q = next;
            MatrixXd whole;
            motion.march(u, 2 * half, whole);
            point.multiplier = largest_of(whole);
            point.stable = on_the_circle(*point.multiplier);
            point.omega = std::numbers::pi / half;
            point.q_minus = mode.inertia.dot(end.head(n));
            point.energy = system.energy(rest.u + u) - system.energy(rest.u) - rest.load.dot(u);
            point.residual = residual;
            point.converged = true;
        }
        if (lost) {
            point.converged = false;
            point.reason = fmt::format("the branch was lost after q+ = {:g}: it may turn back there", q);
        }
        points.push_back(std::move(point));
        if (options.done) options.done(double(points.size()) / double(amplitudes.size()));
    }
    return points;
}

}  // namespace faying::geometric
