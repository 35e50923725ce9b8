#pragma once
// What a contact on three displacements does over a period, from event to event (harmonic_contact.hpp), with derivatives.

#include <cmath>
#include <numbers>

#include "faying/laws/harmonic_contact.hpp"

namespace faying::laws::detail {

using core::Dual;
using Eigen::Vector2d;
constexpr double turn = 2 * std::numbers::pi;
constexpr double nothing = 1e-12;  ///< of the largest limit: a limit that small holds nothing

inline Vector2d across(const Vector2d& e) { return {-e(1), e(0)}; }

/// What a contact holds at t = 0, when it has gone there straight from where it was: friction, and how far the springs
/// beside it are stretched.
struct ContactStart {
    Vector2d tau = Vector2d::Zero(), stretch = Vector2d::Zero();
    Eigen::Matrix<double, 2, core::directions> dtau = {}, dstretch = {};  ///< where parameters are seeded
};

/// What a contact does over a period.
class ContactPath {
 public:
    /// Derivatives are to the motion's harmonics; or, where there are `slopes`, to parameters, with which the base
    /// moves too.
    ContactPath(const ContactPieces& law, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                const Eigen::VectorXd& motion, const ContactSlopes* slopes = nullptr)
        : law_(law),
          slopes_(slopes),
          base_(base),
          harmonics_(harmonics),
          u_(Eigen::Map<const Eigen::MatrixXd>(motion.data(), 3, harmonics.size())),
          functions_(harmonics.size()),
          columns_(slopes ? core::directions : 3 * functions_) {
        straight_ = u_.row(1).isZero(0.0);
        double reach = std::abs(base(2));
        for (Eigen::Index b = 0; b < functions_; ++b) reach += std::abs(u_(2, b));
        scale_ = std::min(law.fs, law.mu * law.kn * reach);
        if (!law.coulomb && !std::isfinite(law.mu)) scale_ = law.fs;
        mark_times();
    }

    HarmonicForce find(const ContactStart& start, const HarmonicOptions& options);

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
    const ContactSlopes* slopes_;
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

    // What varies: tangential displacement and velocity, normal displacement, and what the law makes of them.
    Eigen::MatrixXd moved(const Place& p) const { return slopes_ ? slopes_->base.topRows(2) : tangential(p.h); }
    Eigen::MatrixXd hastened(const Place& p) const {
        return slopes_ ? Eigen::MatrixXd::Zero(2, columns_) : tangential(p.rate);
    }
    Eigen::MatrixXd tangential(const Eigen::VectorXd& h) const {
        Eigen::MatrixXd d = Eigen::MatrixXd::Zero(2, columns_);
        for (Eigen::Index b = 0; b < functions_; ++b) d(0, 3 * b) = d(1, 3 * b + 1) = h(b);
        return d;
    }
    Eigen::RowVectorXd pressed(const Place& p) const {
        if (slopes_) return slopes_->base.row(2);
        Eigen::RowVectorXd d = Eigen::RowVectorXd::Zero(columns_);
        for (Eigen::Index b = 0; b < functions_; ++b) d(3 * b + 2) = p.h(b);
        return d;
    }
    /// kt u, with its own parameter.
    Eigen::MatrixXd pulled(const Place& p) const {
        Eigen::MatrixXd d = law_.kt * moved(p);
        if (slopes_) d += p.u.head<2>() * slopes_->kt;
        return d;
    }
    Eigen::RowVectorXd held(const Place& p) const {
        Eigen::RowVectorXd d = p.pressed * pressed(p);
        if (!slopes_ || !p.grips) return d;
        if (p.pressed > 0) return d + p.u(2) * (law_.kn * slopes_->mu + law_.mu * slopes_->kn);
        return d + slopes_->fs;
    }

    /// Times at which the normal displacement takes a value.
    void crossings(double level);

    void mark_times();

    void begin(const ContactStart& start);

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
            now_.dtheta = across(e).transpose() * (now_.ds + pulled(p)) / p.limit;
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
        return across(e).transpose() * hastened(p) / speed;
    }

    void start_stick(const Place& p) {
        const Vector2d e(std::cos(now_.theta), std::sin(now_.theta));
        now_.s = p.limit * e - law_.kt * p.u.head<2>();
        now_.ds = e * held(p) + p.limit * across(e) * now_.dtheta - pulled(p);
        now_.phase = Phase::stick;
    }

    /// At a mark: contact may open, close, or get another limit.
    void pass_mark(double t, double middle);

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
    double first_slip(double from, double to, double middle) const;

    /// When slip stops, `now_` being at `from`; the direction turns on the way.
    double slip_ends(double from, double to, double middle);

    /// theta (and how it varies) from one time to another.
    void turn_to(double from, double to, double middle, bool varies);
    /// On a straight path only a motion across it turns the direction: linear, and stiff where little is held, so
    /// Radau's method (three stages, order 5).
    void straight_variation(double from, double to, double middle);

    /// Adds a piece without events; `now_` goes along to its end.
    void integrate(double from, double to, double middle);

    void add(double t, double middle, double weight);
};

}  // namespace faying::laws::detail
