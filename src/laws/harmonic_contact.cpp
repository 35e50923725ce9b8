#include "faying/laws/harmonic_contact.hpp"

#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <numbers>

#include "faying/core/quadrature.hpp"
#include "gauss_legendre.hpp"

namespace faying::laws {

namespace {

using core::Dual;
using Eigen::Vector2d;
constexpr double turn = 2 * std::numbers::pi;
constexpr double nothing = 1e-12;  ///< of the largest limit: a limit that small holds nothing

Vector2d across(const Vector2d& e) { return {-e(1), e(0)}; }

/// What a contact does over a period.
class ContactPath {
 public:
    ContactPath(const ContactPieces& law, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                const Eigen::VectorXd& motion)
        : law_(law),
          base_(base),
          harmonics_(harmonics),
          u_(Eigen::Map<const Eigen::MatrixXd>(motion.data(), 3, harmonics.size())),
          functions_(harmonics.size()),
          columns_(3 * functions_) {
        straight_ = u_.row(1).isZero(0.0);
        double reach = std::abs(base(2));
        for (Eigen::Index b = 0; b < functions_; ++b) reach += std::abs(u_(2, b));
        scale_ = std::min(law.fs, law.mu * law.kn * reach);
        if (!law.coulomb && !std::isfinite(law.mu)) scale_ = law.fs;
        mark_times();
    }

    HarmonicForce find(const JointOf<Dual>& begun, const HarmonicOptions& options) {
        begin(begun);
        HarmonicForce out;
        const int most = std::min(options.most_periods, 200);
        for (int period = 0; period < most; ++period) {
            const State before = now_;
            force_ = Eigen::MatrixXd::Zero(3, functions_);
            slope_ = Eigen::MatrixXd::Zero(columns_, columns_);
            for (std::size_t i = 0; i + 1 < marks_.size(); ++i) go(marks_[i], marks_[i + 1]);
            out.residual = apart(before, now_);
            const double slack = (before.ds - now_.ds).norm() + (before.dtheta - now_.dtheta).norm();
            if (out.residual <= 1e-13 && slack <= 1e-12 * (1 + now_.ds.norm() + now_.dtheta.norm())) break;
        }
        out.force.resize(columns_);
        out.slope = slope_;
        for (Eigen::Index b = 0; b < functions_; ++b) {
            const double norm = (b == 0 && harmonics_.has_mean() ? 1.0 : 2.0) / turn;
            out.force.segment(3 * b, 3) = norm * force_.col(b);
            out.slope.middleRows(3 * b, 3) *= norm;
        }
        for (std::size_t i = 0; i < harmonics_.orders().size(); ++i) {
            const double k = harmonics_.orders()[i];
            const Eigen::Index b = harmonics_.at(i);
            if (k > 0)
                out.dissipated +=
                    0.5 * turn * k *
                    (out.force.segment(3 * b, 3).dot(u_.col(b + 1)) - out.force.segment(3 * b + 3, 3).dot(u_.col(b)));
        }
        return out;
    }

 private:
    enum class Phase { open, stick, slip };
    struct State {
        Phase phase = Phase::open;
        Vector2d s = Vector2d::Zero();  ///< stick: tau = s + kt u
        double theta = 0;               ///< slip: direction
        Vector2d reference = Vector2d::Zero();
        Eigen::MatrixXd ds, dreference;  ///< to the motion's harmonics
        Eigen::RowVectorXd dtheta;
    };
    struct Place {  ///< of the motion at a time
        Eigen::VectorXd h, rate, bend;
        Eigen::Vector3d u, v, a;
        double limit = 0, limit_rate = 0, pressed = 0;  ///< its derivative to un
        bool touches = true, grips = true;
    };

    const ContactPieces& law_;
    const Eigen::VectorXd& base_;
    const core::Harmonics& harmonics_;
    Eigen::MatrixXd u_;
    Eigen::Index functions_, columns_;
    bool straight_ = false;
    double scale_ = 1;
    std::vector<double> marks_;  ///< 0, where the limit has kinks, 2 pi
    State now_;
    Eigen::MatrixXd force_, slope_;

    Place at(double t) const { return at(t, t); }
    /// `inside` tells on which side of an event the time is.
    Place at(double t, double inside) const {
        Place p;
        p.h.resize(functions_);
        p.rate = p.bend = Eigen::VectorXd::Zero(functions_);
        harmonics_.values(t, p.h.data());
        for (std::size_t i = 0; i < harmonics_.orders().size(); ++i) {
            const double k = harmonics_.orders()[i];
            const Eigen::Index b = harmonics_.at(i);
            if (k == 0) continue;
            p.rate(b) = -k * p.h(b + 1);
            p.rate(b + 1) = k * p.h(b);
            p.bend.segment(b, 2) = -k * k * p.h.segment(b, 2);
        }
        p.u = base_ + u_ * p.h;
        p.v = u_ * p.rate;
        p.a = u_ * p.bend;
        double n = p.u(2);
        if (inside != t) {
            Eigen::VectorXd h(functions_);
            harmonics_.values(inside, h.data());
            n = base_(2) + u_.row(2).dot(h);
        }
        p.touches = !law_.penalty || n > 0;
        p.grips = law_.coulomb ? n > 0 : p.touches;
        if (!p.grips) return p;
        const double sloped = law_.mu * law_.kn;
        if (law_.coulomb || (std::isfinite(law_.mu) && sloped * n < law_.fs)) {
            p.limit = std::max(sloped * p.u(2), 0.0);
            p.limit_rate = sloped * p.v(2);
            p.pressed = sloped;
        } else {
            p.limit = law_.fs;
        }
        return p;
    }

    Eigen::MatrixXd tangential(const Eigen::VectorXd& h) const {  // d(ux, uy)/d harmonics
        Eigen::MatrixXd d = Eigen::MatrixXd::Zero(2, columns_);
        for (Eigen::Index b = 0; b < functions_; ++b) d(0, 3 * b) = d(1, 3 * b + 1) = h(b);
        return d;
    }
    Eigen::RowVectorXd normal(const Eigen::VectorXd& h) const {
        Eigen::RowVectorXd d = Eigen::RowVectorXd::Zero(columns_);
        for (Eigen::Index b = 0; b < functions_; ++b) d(3 * b + 2) = h(b);
        return d;
    }

    /// Times at which the normal displacement takes a value.
    void crossings(double level) {
        const Eigen::VectorXd n = u_.row(2).transpose();
        auto turns = core::turning_points(harmonics_, n);
        if (turns.empty()) return;
        turns.push_back(turns.front() + turn);
        Eigen::VectorXd h(functions_);
        const auto value = [&](double t) {
            harmonics_.values(t, h.data());
            return base_(2) + n.dot(h) - level;
        };
        for (std::size_t i = 0; i + 1 < turns.size(); ++i)
            if (value(turns[i]) * value(turns[i + 1]) < 0)
                marks_.push_back(
                    std::fmod(core::time_of(harmonics_, n, level - base_(2), turns[i], turns[i + 1]), turn));
    }

    void mark_times() {
        marks_ = {0, turn};
        const bool kinked = law_.coulomb || law_.penalty;
        if (kinked) crossings(0.0);
        if (!law_.coulomb && std::isfinite(law_.mu)) crossings(law_.fs / (law_.mu * law_.kn));
        std::sort(marks_.begin(), marks_.end());
        marks_.erase(std::unique(marks_.begin(), marks_.end(), [](double a, double b) { return b - a < 1e-13; }),
                     marks_.end());
        marks_.back() = turn;
        // and often enough for the quadrature
        std::vector<double> all;
        const double most = turn / (4.0 * (harmonics_.highest() + 1));
        for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
            const int parts = std::max(1, int(std::ceil((marks_[i + 1] - marks_[i]) / most)));
            for (int k = 0; k < parts; ++k) all.push_back(marks_[i] + k * (marks_[i + 1] - marks_[i]) / parts);
        }
        all.push_back(turn);
        marks_ = all;
    }

    /// Straight from where the joint is to the motion at t = 0.
    void begin(const JointOf<Dual>& begun) {
        JointOf<Dual> joint = begun;
        const Place p = at(0.0, 1e-9);
        std::vector<Dual> u{Dual(p.u(0)), Dual(p.u(1)), Dual(p.u(2))}, f(3), k(9), memory(joint.memory_size());
        joint.evaluate(u, f, k);
        joint.commit();
        joint.memory(memory);
        now_.ds = now_.dreference = Eigen::MatrixXd::Zero(2, columns_);
        now_.dtheta = Eigen::RowVectorXd::Zero(columns_);
        const Vector2d tau(memory[0].a, memory[1].a);
        now_.s = tau - law_.kt * p.u.head<2>();
        if (memory.size() == 4) now_.reference = p.u.head<2>() - Vector2d(memory[2].a, memory[3].a);
        now_.phase = !p.touches || !p.grips ? Phase::open : Phase::stick;
        if (now_.phase == Phase::stick && tau.norm() >= p.limit * (1 - 1e-12) && tau.norm() > 0) start_slip(p, tau);
    }

    double apart(const State& a, const State& b) const {
        if (a.phase != b.phase) return 1.0;
        const double size = std::max(scale_, 1e-300);
        const double springs = law_.kp > 0 ? law_.kp * (a.reference - b.reference).norm() / size : 0.0;
        if (a.phase == Phase::stick) return (a.s - b.s).norm() / size + springs;
        if (a.phase == Phase::slip) return std::abs(std::remainder(a.theta - b.theta, turn)) + springs;
        return springs;
    }

    void start_slip(const Place& p, const Vector2d& tau) {
        const Vector2d e = tau.norm() > nothing * scale_ ? Vector2d(tau.normalized()) : direction(p);
        now_.theta = std::atan2(e(1), e(0));
        if (p.limit > nothing * scale_)
            now_.dtheta = across(e).transpose() * (now_.ds + law_.kt * tangential(p.h)) / p.limit;
        else
            now_.dtheta = turned(p, e);
        now_.phase = Phase::slip;
    }
    /// Where nothing is held, slip goes with the velocity.
    static Vector2d direction(const Place& p) {
        const double speed = p.v.head<2>().norm();
        return speed > 0 ? Vector2d(p.v.head<2>() / speed) : Vector2d(1, 0);
    }
    Eigen::RowVectorXd turned(const Place& p, const Vector2d& e) const {
        const double speed = p.v.head<2>().norm();
        if (!(speed > 0)) return Eigen::RowVectorXd::Zero(columns_);
        return across(e).transpose() * tangential(p.rate) / speed;
    }

    void start_stick(const Place& p) {
        const Vector2d e(std::cos(now_.theta), std::sin(now_.theta));
        now_.s = p.limit * e - law_.kt * p.u.head<2>();
        now_.ds = e * (p.pressed * normal(p.h)) + p.limit * across(e) * now_.dtheta - law_.kt * tangential(p.h);
        now_.phase = Phase::stick;
    }

    /// At a mark: contact may open, close, or get another limit.
    void pass_mark(double t, double middle) {
        const Place p = at(t, middle);
        const bool held = now_.phase != Phase::open;
        const bool loses = held && (!p.touches || !p.grips);
        if (loses) {
            const Place before = at(t, t - 1e-9);
            if (!p.touches) {  // what the springs still hold is gone at once
                const Eigen::RowVectorXd later = -normal(p.h) / p.v(2);
                Vector2d torn = traction(before);
                if (law_.kp > 0) torn += law_.kp * (p.u.head<2>() - now_.reference);
                for (Eigen::Index b = 0; b < functions_; ++b) slope_.middleRows(3 * b, 2) += p.h(b) * torn * later;
            }
            now_.phase = Phase::open;
            return;
        }
        if (held || !p.grips) return;
        // closing: from here on nothing is held yet
        const Eigen::RowVectorXd later =
            p.v(2) != 0 ? Eigen::RowVectorXd(-normal(p.h) / p.v(2)) : Eigen::RowVectorXd::Zero(columns_);
        const Eigen::MatrixXd du = tangential(p.h) + p.v.head<2>() * later;
        if (law_.penalty) {
            now_.reference = p.u.head<2>();
            now_.dreference = du;
        }
        now_.s = -law_.kt * p.u.head<2>();
        now_.ds = -law_.kt * du;
        now_.phase = Phase::stick;
        if (p.limit <= nothing * scale_ && law_.kt * p.v.head<2>().norm() > p.limit_rate) {
            const Vector2d e = direction(p);
            now_.theta = std::atan2(e(1), e(0));
            now_.dtheta = turned(p, e) + (across(e).dot(p.a.head<2>()) / p.v.head<2>().norm()) * later;
            now_.phase = Phase::slip;
        }
    }

    Vector2d traction(const Place& p) const {
        if (now_.phase == Phase::open) return Vector2d::Zero();
        if (now_.phase == Phase::stick) return now_.s + law_.kt * p.u.head<2>();
        return p.limit * Vector2d(std::cos(now_.theta), std::sin(now_.theta));
    }

    /// Positive while it may go on as it is.
    double margin(double t, double middle) const {
        const Place p = at(t, middle);
        if (now_.phase == Phase::stick) return p.limit * p.limit - traction(p).squaredNorm();
        const Vector2d e(std::cos(now_.theta), std::sin(now_.theta));
        return e.dot(p.v.head<2>()) - p.limit_rate / law_.kt;
    }

    void go(double from, double to) {
        const double middle = 0.5 * (from + to);
        pass_mark(from, middle);
        for (int events = 0; from < to && events < 1000; ++events) from = piece(from, to, middle);
    }

    /// From a time on, until an event or `to`; returns where it ended.
    double piece(double from, double to, double middle) {
        if (now_.phase == Phase::open) {
            integrate(from, to, middle);
            return to;
        }
        if (now_.phase == Phase::stick) {
            const double end = first_slip(from, to, middle);
            integrate(from, end, middle);
            if (end < to) {
                const Place p = at(end, middle);
                start_slip(p, traction(p));
            }
            return end;
        }
        const double end = slip_ends(from, to, middle);
        integrate(from, end, middle);
        if (end < to) start_stick(at(end, middle));
        return end;
    }

    /// When a stuck site first reaches its limit.
    double first_slip(double from, double to, double middle) const {
        constexpr int looks = 8;
        const double floor = -1e-13 * scale_ * scale_;
        double low = from;
        for (int k = 1; k <= looks; ++k) {
            double high = from + (to - from) * k / looks;
            if (margin(high, middle) >= floor) {
                low = high;
                continue;
            }
            for (int i = 0; i < 100 && high - low > 1e-16 * turn; ++i) {
                const double between = 0.5 * (low + high);
                (margin(between, middle) >= 0 ? low : high) = between;
            }
            return high;
        }
        return to;
    }

    /// When slip stops, `now_` being at `from`; the direction turns on the way.
    double slip_ends(double from, double to, double middle) {
        constexpr int looks = 8;
        const State start = now_;
        double last = from;
        State at_last = now_;
        double end = to;
        for (int k = 1; k <= looks; ++k) {
            const double next = from + (to - from) * k / looks;
            turn_to(last, next, middle, false);
            if (margin(next, middle) < 0) {
                double low = last, high = next;
                State at_low = at_last;
                for (int i = 0; i < 100 && high - low > 1e-15; ++i) {
                    const double between = 0.5 * (low + high);
                    now_ = at_low;
                    turn_to(low, between, middle, false);
                    if (margin(between, middle) >= 0)
                        low = between, at_low = now_;
                    else
                        high = between;
                }
                end = high;
                break;
            }
            last = next;
            at_last = now_;
        }
        now_ = start;
        return end;
    }

    /// theta (and how it varies) from one time to another.
    void turn_to(double from, double to, double middle, bool varies) {
        if (straight_ && std::abs(std::sin(now_.theta)) < 1e-14) {
            if (varies) straight_variation(from, to, middle);
            return;
        }
        const Eigen::Index many = varies ? columns_ : 0;
        std::vector<double> x(std::size_t(1 + many)), dx(x.size());
        x[0] = now_.theta;
        for (Eigen::Index i = 0; i < many; ++i) x[std::size_t(i + 1)] = now_.dtheta(i);
        boost::numeric::odeint::runge_kutta_fehlberg78<std::vector<double>> stepper;
        const auto rate = [&](const std::vector<double>& at_x, std::vector<double>& out, double t) {
            const Place p = at(t, middle);
            const Vector2d e(std::cos(at_x[0]), std::sin(at_x[0])), c = across(e);
            const double limit = std::max(p.limit, nothing * scale_);
            const double sideways = c.dot(p.v.head<2>()), along = e.dot(p.v.head<2>());
            out[0] = law_.kt * sideways / limit;
            if (many == 0) return;
            const Eigen::RowVectorXd d = law_.kt / limit * (c.transpose() * tangential(p.rate)) -
                                         (law_.kt * sideways / (limit * limit) * p.pressed) * normal(p.h);
            for (Eigen::Index i = 0; i < many; ++i)
                out[std::size_t(i + 1)] = d(i) - law_.kt * along / limit * at_x[std::size_t(i + 1)];
        };
        for (double t = from; t < to;) {
            const Place p = at(t, middle);
            const double stiff = law_.kt * p.v.head<2>().norm() / std::max(p.limit, nothing * scale_);
            double step = std::min({to - t, 0.02, 0.5 / std::max(stiff, 1e-30)});
            if (step < 1e-13 || p.limit <= 1e-9 * scale_) {  // nothing is held: the direction is the velocity's
                step = std::min(to - t, std::max(step, 1e-9));
                const Place q = at(t + step, middle);
                const Vector2d e = direction(q);
                x[0] = std::atan2(e(1), e(0));
                if (many > 0) {
                    const Eigen::RowVectorXd d = turned(q, e);
                    for (Eigen::Index i = 0; i < many; ++i) x[std::size_t(i + 1)] = d(i);
                }
            } else {
                stepper.do_step(rate, x, t, step);
            }
            t += step;
            if (to - t < 1e-15) break;
        }
        now_.theta = x[0];
        for (Eigen::Index i = 0; i < many; ++i) now_.dtheta(i) = x[std::size_t(i + 1)];
    }
    /// On a straight path only a motion across it turns the direction: linear, and stiff where little is held, so
    /// Radau's method (three stages, order 5).
    void straight_variation(double from, double to, double middle) {
        const double root = std::sqrt(6.0);
        Eigen::Matrix3d a;
        a << (88 - 7 * root) / 360, (296 - 169 * root) / 1800, (-2 + 3 * root) / 225, (296 + 169 * root) / 1800,
            (88 + 7 * root) / 360, (-2 - 3 * root) / 225, (16 - root) / 36, (16 + root) / 36, 1.0 / 9;
        const double e = std::cos(now_.theta) > 0 ? 1.0 : -1.0;
        for (double t = from; to - t > 1e-15;) {
            const Place start = at(t, middle);
            double step = std::min(to - t, 0.01);
            if (start.limit <= 1e-9 * scale_) {  // nothing is held: the direction is the velocity's
                step = std::min(step, 1e-9);
                now_.dtheta = turned(at(t + step, middle), Vector2d(e, 0));
                t += step;
                continue;
            }
            if (start.limit_rate != 0) step = std::min(step, 0.1 * start.limit / std::abs(start.limit_rate));
            Eigen::Vector3d held;  // kt u'.e/limit
            Eigen::MatrixXd side(3, columns_);
            for (int i = 0; i < 3; ++i) {
                const double share = i == 0 ? (4 - root) / 10 : i == 1 ? (4 + root) / 10 : 1.0;
                const Place p = at(t + share * step, middle);
                const double pull = law_.kt / std::max(p.limit, nothing * scale_);
                held(i) = pull * e * p.v(0);
                side.row(i) = pull * e * tangential(p.rate).row(1) - held(i) * now_.dtheta;
            }
            const Eigen::Matrix3d left = Eigen::Matrix3d::Identity() + step * (held.asDiagonal() * a);
            const Eigen::MatrixXd rates = left.partialPivLu().solve(side);
            now_.dtheta += step * (a.row(2) * rates);
            t += step;
        }
    }

    /// Adds a piece without events; `now_` goes along to its end.
    void integrate(double from, double to, double middle) {
        if (!(to > from)) return;
        const auto& rule = gauss_legendre(16);
        double last = from;
        for (std::size_t i = 0; i < rule.x.size(); ++i) {
            const double t = from + (to - from) * rule.x[i];
            if (now_.phase == Phase::slip) turn_to(last, t, middle, true);
            last = t;
            add(t, middle, (to - from) * rule.w[i]);
        }
        if (now_.phase == Phase::slip) turn_to(last, to, middle, true);
    }

    void add(double t, double middle, double weight) {
        const Place p = at(t, middle);
        Eigen::Vector3d f = Eigen::Vector3d::Zero();
        Eigen::MatrixXd df = Eigen::MatrixXd::Zero(3, columns_);
        f.head<2>() = traction(p);
        if (now_.phase == Phase::stick) df.topRows(2) = now_.ds + law_.kt * tangential(p.h);
        if (now_.phase == Phase::slip) {
            const Vector2d e(std::cos(now_.theta), std::sin(now_.theta));
            df.topRows(2) = e * (p.pressed * normal(p.h)) + p.limit * across(e) * now_.dtheta;
        }
        if (p.touches) {
            f(2) = law_.kn * p.u(2);
            df.row(2) = law_.kn * normal(p.h);
            if (law_.kp > 0) {
                f.head<2>() += law_.kp * (p.u.head<2>() - now_.reference);
                df.topRows(2) += law_.kp * (tangential(p.h) - now_.dreference);
            }
        }
        force_.noalias() += weight * f * p.h.transpose();
        for (Eigen::Index b = 0; b < functions_; ++b) slope_.middleRows(3 * b, 3) += (weight * p.h(b)) * df;
    }
};

}  // namespace

std::optional<ContactPieces> contact_pieces(const Law& law) {
    if (law.components() != 3 || law.parts().size() != 1) return std::nullopt;
    const std::string& name = law.name();
    ContactPieces c;
    const bool dry = name.starts_with("elastic-dry-friction"), plain = name.starts_with("jenkins");
    if ((!dry && !plain) || name.find("decoupled") != std::string::npos) return std::nullopt;
    c.coulomb = dry;
    c.penalty = dry ? name.find("-linear") == std::string::npos : name.find("-penalty") != std::string::npos;
    if (!dry) c.mu = core::infinity;
    for (std::size_t i = 0; i < law.parameters().size(); ++i) {
        const auto& key = law.parameters()[i].key;
        const double value = law.values()[i];
        if (key == "kt") c.kt = value;
        if (key == "kp") c.kp = value;
        if (key == "kn") c.kn = value;
        if (key == "fs") c.fs = value;
        if (key == "mu" || (key == "mu_max" && std::isfinite(value))) c.mu = value;
    }
    return c;
}

HarmonicForce harmonic_contact(const ContactPieces& law, const JointOf<core::Dual>& begun, const Eigen::VectorXd& base,
                               const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                               const HarmonicOptions& options) {
    return ContactPath(law, base, harmonics, motion).find(begun, options);
}

}  // namespace faying::laws
