// Nonlinear normal modes by harmonic balance on every degree of freedom.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "bordered.hpp"
#include "faying/core/error.hpp"
#include "faying/geometric/nnm.hpp"
#include "step.hpp"

namespace faying::geometric {

namespace {

/// Equations <f(u) - f_s, cos k t> = (k w)^2 <cos^2 k t> M U_k, brackets the mean over a period: with these weights the
/// Jacobian is symmetric. Unknown U_k(i) is number i (H + 1) + k.
class HarmonicMotion {
 public:
    HarmonicMotion(const System& system, const Rest& rest, const Mode& mode, int harmonics)
        : system_(system),
          rest_(rest),
          mode_(mode),
          n_(rest.u.size()),
          h_(harmonics),
          samples_(2 * harmonics + 2),
          cosine_(samples_, h_ + 1),
          weight_(samples_),
          solver_(sparse::DirectSolver::Kind::symmetric) {
        const Index last = samples_ - 1;  // half a period, ends included
        for (Index s = 0; s < samples_; ++s) {
            weight_(s) = (s == 0 || s == last ? 0.5 : 1.0) / double(last);
            for (Index k = 0; k <= h_; ++k)
                cosine_(s, k) = std::cos(std::numbers::pi * double((s * k) % (2 * last)) / double(last));
        }
        border_ = VectorXd::Zero(n_ * (h_ + 1));
        for (Index i = 0; i < n_; ++i) border_(i * (h_ + 1) + 1) = mode_.inertia(i);
    }

    /// Residuals as columns; relative to the inertia of the first harmonic.
    double residual(const MatrixXd& u, double omega, MatrixXd& r) const {
        r.setZero(n_, h_ + 1);
        for (Index s = 0; s < samples_; ++s) {
            const VectorXd f = system_.force(rest_.u + u * cosine_.row(s).transpose()) - rest_.load;
            r += weight_(s) * f * cosine_.row(s);
        }
        const MatrixXd m = system_.mass() * u;
        for (Index k = 1; k <= h_; ++k) r.col(k) -= 0.5 * std::pow(double(k) * omega, 2) * m.col(k);
        return r.norm() / (0.5 * omega * omega * m.col(1).norm());
    }

    /// Newton's step at fixed phi^T M U_1 = q.
    bool step(const MatrixXd& u, double omega, double q, const MatrixXd& r, MatrixXd& du, double& d_omega) {
        const Sparse j = jacobian(u, omega);
        const double scale = border_scale_ = border_scale(j, border_);
        if (!solver_.factor(bordered(j, border_, scale))) return false;
        const Index size = n_ * (h_ + 1);
        MatrixXd right = MatrixXd::Zero(size + 1, 2);
        const MatrixXd m = system_.mass() * u;
        for (Index i = 0; i < n_; ++i)
            for (Index k = 0; k <= h_; ++k) right(i * (h_ + 1) + k, 0) = -r(i, k);
        put_slope(m, omega, right.col(1));
        right(size, 0) = scale * (q - mode_.inertia.dot(u.col(1)));
        const MatrixXd x = solver_.solve(right);
        d_omega = x(size, 0) / x(size, 1);
        du.resize(n_, h_ + 1);
        for (Index i = 0; i < n_; ++i)
            for (Index k = 0; k <= h_; ++k) du(i, k) = x(i * (h_ + 1) + k, 0) - d_omega * x(i * (h_ + 1) + k, 1);
        return du.allFinite() && std::isfinite(d_omega) && omega + d_omega > 0;
    }

    /// Action (1/(2 pi) of momentum over displacement around a period) and frequency, and how they change with
    /// phi^T M U_1: along a branch dE = omega d(action). By the factor of the last step.
    End action(const MatrixXd& u, double omega) const {
        const MatrixXd m = system_.mass() * u;
        const Index size = n_ * (h_ + 1);
        MatrixXd right = MatrixXd::Zero(size + 1, 2);
        right(size, 0) = border_scale_;
        put_slope(m, omega, right.col(1));
        const MatrixXd x = solver_.solve(right);
        const double d_omega = x(size, 0) / x(size, 1);
        double kinetic = 0, change = 0;  // Sum k^2 U^T M U and U^T M dU
        for (Index i = 0; i < n_; ++i)
            for (Index k = 1; k <= h_; ++k) {
                const double weight = double(k * k) * m(i, k);
                kinetic += weight * u(i, k);
                change += weight * (x(i * (h_ + 1) + k, 0) - d_omega * x(i * (h_ + 1) + k, 1));
            }
        return {0.5 * omega * kinetic, omega, 0.5 * d_omega * kinetic + omega * change, d_omega};
    }

    /// Of the equations at the last step: modes below the harmonics, but for the one that is held.
    int modes_below() const { return solver_.negative_pivots(); }

    NnmPoint point(const MatrixXd& u, double omega) const {
        NnmPoint p;
        p.omega = omega;
        p.motion = u;
        const VectorXd q = u.transpose() * mode_.inertia;
        p.harmonics.assign(q.begin(), q.end());
        for (Index k = 0; k <= h_; ++k) {
            p.q_plus += q(k);
            p.q_minus += k % 2 == 0 ? q(k) : -q(k);
        }
        const VectorXd moved = u.rowwise().sum();
        p.energy = system_.energy(rest_.u + moved) - system_.energy(rest_.u) - rest_.load.dot(moved);
        return p;
    }

 private:
    const System& system_;
    const Rest& rest_;
    const Mode& mode_;
    Index n_, h_, samples_;
    double border_scale_ = 1;
    MatrixXd cosine_;
    VectorXd weight_, border_;
    sparse::DirectSolver solver_;

    /// d residual / d omega, of M U.
    void put_slope(const MatrixXd& m, double omega, Eigen::Ref<VectorXd> right) const {
        for (Index i = 0; i < n_; ++i)
            for (Index k = 0; k <= h_; ++k) right(i * (h_ + 1) + k) = -omega * double(k * k) * m(i, k);
    }

    Sparse jacobian(const MatrixXd& u, double omega) const {
        const Index width = h_ + 1;
        // All samples' tangents have one pattern; the mass lies within it.
        std::vector<Sparse> tangents;
        for (Index s = 0; s < samples_; ++s)
            tangents.push_back(system_.tangent(rest_.u + u * cosine_.row(s).transpose()));
        const Sparse zero = 0.0 * tangents[0];
        const Sparse mass = zero + system_.mass();  // union of both patterns
        for (auto& t : tangents) t = t + 0.0 * mass;
        const Sparse& k = tangents[0];
        const auto entries = static_cast<std::size_t>(k.nonZeros()) * static_cast<std::size_t>(width * width);
        if (entries > static_cast<std::size_t>(INT32_MAX))
            throw core::BadInput(
                "--harmonics",
                fmt::format("{} on {} degrees of freedom is more than a matrix can hold; take fewer", h_, n_));
        Sparse j(n_ * width, n_ * width);
        j.resizeNonZeros(static_cast<Index>(entries));
        int at = 0;
        std::vector<double> sum(static_cast<std::size_t>(2 * h_ + 1));
        std::vector<std::vector<double>> block(static_cast<std::size_t>(width));
        for (Index c = 0; c < n_; ++c) {
            const int first = k.outerIndexPtr()[c], last = k.outerIndexPtr()[c + 1];
            const int base = at;
            for (Index l = 0; l <= width - 1; ++l)
                j.outerIndexPtr()[c * width + l] = base + static_cast<int>(l * width * (last - first));
            for (int e = first; e < last; ++e) {
                // <K cos k cos l> = (A_(k-l) + A_(k+l))/2 with A_m = <K cos m>.
                for (Index m = 0; m <= 2 * h_; ++m) {
                    double a = 0;
                    for (Index s = 0; s < samples_; ++s) {
                        const Index turn = (s * m) % (2 * (samples_ - 1));
                        a += weight_(s) * tangents[static_cast<std::size_t>(s)].valuePtr()[e] * cosine_of(turn);
                    }
                    sum[static_cast<std::size_t>(m)] = a;
                }
                const double inertia = mass.valuePtr()[e] * omega * omega;
                for (Index l = 0; l < width; ++l)
                    for (Index m = 0; m < width; ++m) {
                        double value = 0.5 * (sum[static_cast<std::size_t>(std::abs(m - l))] +
                                              sum[static_cast<std::size_t>(m + l)]);
                        if (m == l && l > 0) value -= 0.5 * double(l * l) * inertia;
                        const int to = base + static_cast<int>(l * width * (last - first) + (e - first) * width + m);
                        j.innerIndexPtr()[to] = static_cast<int>(k.innerIndexPtr()[e] * width + m);
                        j.valuePtr()[to] = value;
                    }
            }
            at = base + static_cast<int>(width * width * (last - first));
        }
        j.outerIndexPtr()[n_ * width] = at;
        return j;
    }

    double cosine_of(Index turn) const { return cosines_[static_cast<std::size_t>(turn)]; }
    std::vector<double> cosines_ = [this] {
        std::vector<double> c;
        for (Index t = 0; t < 2 * (samples_ - 1); ++t)
            c.push_back(std::cos(std::numbers::pi * double(t) / double(samples_ - 1)));
        return c;
    }();
};

constexpr double another_branch = 5e-3;  ///< energy and action of a step part by, relative

/// A motion of one amplitude.
struct MotionAt {
    HarmonicMotion& motion;
    double q, tolerance;
    MatrixXd u;
    double omega;
    MatrixXd r = {}, du = {};
    double d_omega = 0, correction = 1;
    bool converged = false;

    double evaluate() { return motion.residual(u, omega, r); }
    bool direction() {
        if (!motion.step(u, omega, q, r, du, d_omega)) return false;
        correction = std::max(du.norm() / u.norm(), std::abs(d_omega / omega));
        return true;
    }
    void move(double from, double to) {
        u += (to - from) * du;
        omega += (to - from) * d_omega;
    }
    bool settled(double before, double after, double) {
        converged = after < tolerance && correction < 1e-8 && !(after < 0.5 * before);
        return converged || after >= 1e12;
    }
};

/// Shapes of higher harmonics grow with amplitude smoothly, unless another mode answers them.
std::string resonance(const NnmPoint& p, const Sparse& mass, double share) {
    const MatrixXd m = mass * p.motion;
    const double first = std::sqrt(p.motion.col(1).dot(m.col(1)));
    for (Index k = 2; k < p.motion.cols(); ++k) {
        const double size = std::sqrt(p.motion.col(k).dot(m.col(k))),
                     own = std::abs(p.harmonics[static_cast<std::size_t>(k)]);
        const double other = std::sqrt(std::max(size * size - own * own, 0.0));
        if (other > share * first && other > 3 * own)
            return fmt::format("harmonic {} moves in another mode by {:.3g} of the first: internal resonance {}:1", k,
                               other / first, k);
    }
    return {};
}

/// A harmonic and a mode whose frequency it went over, by the linear frequencies.
NnmPoint::Passed passed_between(double q, double next, double omega, double next_omega, const Mode& mode,
                                int harmonics) {
    NnmPoint::Passed passed{q, next, 0, 0};
    double nearest = 0.15;  // beyond this share the linear frequency says little
    for (int k = 2; k <= harmonics; ++k)
        for (Index r = 0; r < mode.all_omega.size(); ++r) {
            if (std::abs(mode.all_omega(r) / mode.omega - 1) < 1e-9) continue;
            const double low = k * std::min(omega, next_omega), high = k * std::max(omega, next_omega);
            const double away = std::max({0.0, mode.all_omega(r) - high, low - mode.all_omega(r)}) / high;
            if (away < nearest) {
                nearest = away;
                passed.harmonic = k;
                passed.mode = static_cast<int>(r) + 1;
            }
        }
    return passed;
}

}  // namespace

std::vector<NnmPoint> nnm(const System& system, const Rest& rest, const Mode& mode,
                          const std::vector<double>& amplitudes, const NnmOptions& options) {
    core::require(options.harmonics >= 1 && options.harmonics <= 99, "nnm", "1 <= harmonics <= 99");
    HarmonicMotion motion(system, rest, mode, options.harmonics);
    std::vector<NnmPoint> points;
    MatrixXd u = MatrixXd::Zero(rest.u.size(), options.harmonics + 1), before = u;
    double omega = mode.omega, q = 0, before_omega = omega, before_q = 0, energy = 0;
    End action{0, omega, 0, 0};  // slopes per phi^T M U_1
    bool lost = false;
    int below = -1;
    for (std::size_t a = 0; a < amplitudes.size(); ++a) {
        NnmPoint found;
        std::vector<NnmPoint::Passed> passed;
        double reach = amplitudes[a] - q;
        int halvings = 0, iterations = 0;
        while (!lost && q < amplitudes[a]) {
            const double next = amplitudes[a] - q <= reach * (1 + 1e-12) ? amplitudes[a] : q + reach;
            MatrixXd x = u;
            double w = omega;
            if (q == 0) {
                x.col(1) = next * mode.shape;
            } else if (before_q > 0) {
                const double ahead = (next - q) / (q - before_q);
                x += ahead * (u - before);
                w += ahead * (omega - before_omega);
            } else {
                for (Index k = 0; k < x.cols(); ++k) x.col(k) *= std::pow(next / q, k == 0 ? 2.0 : double(k));
            }
            MotionAt at{motion, next, options.tolerance, std::move(x), w};
            const auto end = core::newton(at, until_settled(25));
            iterations += end.iterations;
            if (at.converged) {
                x = std::move(at.u);
                w = at.omega;
                if (below >= 0 && motion.modes_below() != below)
                    passed.push_back(passed_between(q, next, omega, w, mode, options.harmonics));
                below = motion.modes_below();
                const End there = motion.action(x, w);
                const double h = next - q;
                before = u;
                before_omega = omega;
                before_q = q;
                u = x;
                omega = w;
                q = next;
                found = motion.point(u, omega);
                found.residual = end.residual;
                found.converged = true;
                found.reason = resonance(found, system.mass(), options.tongue);
                const Work work = work_between({action.q, action.alpha, h * action.dq, h * action.dalpha},
                                               {there.q, there.alpha, h * there.dq, h * there.dalpha});
                const double apart = std::abs(found.energy - energy - work.done) / work.size;
                if (apart > another_branch) {
                    if (!found.reason.empty()) found.reason += "; ";
                    found.reason += fmt::format(
                        "another branch than at phi^T M U_1 = {:g}, which turned back (energy and action part by "
                        "{:.2g} %)",
                        before_q, 100 * apart);
                }
                energy = found.energy;
                action = there;
                continue;
            }
            reach = 0.5 * (next - q);
            if (++halvings > options.most_halvings) lost = true;
        }
        if (lost) {
            found.converged = false;
            found.residual = std::numeric_limits<double>::quiet_NaN();
            found.reason = fmt::format("the branch was lost after phi^T M U_1 = {:g}: it may turn back there", q);
            found.harmonics = {0, amplitudes[a]};
        }
        found.iterations = iterations;
        found.passed = std::move(passed);
        points.push_back(std::move(found));
        if (options.done) options.done(double(a + 1) / double(amplitudes.size()));
    }
    return points;
}

}  // namespace faying::geometric
