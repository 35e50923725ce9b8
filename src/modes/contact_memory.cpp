#include "contact_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faying::modes {

namespace {

using Vector2 = ContactMemory::Vector2;

constexpr double little = 1e-6;  ///< of the largest limit: a direction need not turn there, its traction is as small

Vector2 across(const Vector2& e) { return {-e(1), e(0)}; }
Vector2 direction_of(double theta) { return {std::cos(theta), std::sin(theta)}; }

}  // namespace

ContactMemory::ContactMemory(const HarmonicSystem::Site& site, Axes axes, int along, bool straight)
    : site_(site), law_(*site.contact), which_(axes), along_(along), straight_(straight || axes != Axes::both) {
    std::vector<core::Dual> u(3), f(3), k(9);
    for (std::size_t c = 0; c < 3; ++c) u[c] = core::Dual(site.base(Eigen::Index(c)));
    site.begun->trace(0, u, f, k);
    const bool alone = axes != Axes::both;
    const auto own = [&](double x, double y, double n) -> Vector3 {
        return {along_ == 0 ? x : y, alone ? 0.0 : (along_ == 0 ? y : x), n};
    };
    base_ = own(site.base(0), site.base(1), site.base(2));
    if (!site.base.isZero(0.0)) rest_ = own(f[0].a, f[1].a, f[2].a);
}

laws::ContactHeld ContactMemory::held_in(const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                                         double t) const {
    const bool both = which_ == Axes::both;
    auto held = laws::contact_held(law_, *site_.begun, site_.base, harmonics, motion, t, both ? -1 : along_);
    if (both && along_ == 1) {
        held.traction.reverseInPlace();
        held.slack.reverseInPlace();
    }
    return held;
}

void ContactMemory::expect(const laws::ContactHeld& held, const Vector3& u, Eigen::Index first) {
    expected_ = held;
    first_ = first;
    kept_ = held.traction - law_.kt * u.head<2>();
    values_.resize(held.moves ? axes() * (slack_moves() ? 2 : 1) : 0);
    if (!held.moves) return;
    values_.head(axes()) = held.traction.head(axes()) / law_.kt;
    if (slack_moves()) values_.tail(axes()) = held.slack.head(axes());
}

/// Where the pressure is.
void ContactMemory::look(const Place& p) {
    pressed_ = p.u(2) > 0;
    capped_ = fades() && p.u(2) > cap();
}

double ContactMemory::limit_of(const Place& p) const {
    if (!grips()) return 0;
    return sloped() ? std::max(0.0, law_.mu * law_.kn * p.u(2)) : law_.fs;
}

double ContactMemory::limit_rate(const Place& p) const {
    return grips() && sloped() ? law_.mu * law_.kn * p.v(2) : 0.0;
}

Eigen::RowVectorXd ContactMemory::vary_limit(const Variation& d) const {
    if (!grips() || !sloped()) return Eigen::RowVectorXd::Zero(d.u.cols());
    return law_.mu * law_.kn * d.u.row(2);
}

bool ContactMemory::holds_little(const Place& p) const { return !(limit_of(p) > little * scale_); }

Vector2 ContactMemory::traction(const Place& p) const {
    if (phase_ == Phase::open) return Vector2::Zero();
    if (phase_ == Phase::stick) return s_ + law_.kt * p.u.head<2>();
    return limit_of(p) * direction_of(p.theta);
}

Eigen::MatrixXd ContactMemory::vary_traction(const Place& p, const Variation& d) const {
    if (phase_ == Phase::open) return Eigen::MatrixXd::Zero(2, d.u.cols());
    if (phase_ == Phase::stick) return ds_ + law_.kt * d.u.topRows(2);
    const Vector2 e = direction_of(p.theta);
    return e * vary_limit(d) + limit_of(p) * across(e) * d.theta;
}

void ContactMemory::start(const Eigen::VectorXd& states, Place& p) {
    look(p);
    values_ = states;
    Vector2 tau = expected_.traction;
    slack_ = expected_.slack;
    if (count() > 0) {
        tau.head(axes()) = law_.kt * states.head(axes());
        if (slack_moves()) slack_.head(axes()) = states.tail(axes());
    }
    scale_ = std::isfinite(law_.fs) ? law_.fs : law_.mu * law_.kn * std::max(std::abs(p.u(2)), std::abs(base_(2)));
    if (!(scale_ > 0)) scale_ = std::max(law_.kt * p.v.norm(), std::numeric_limits<double>::min());
    phase_ = !touches() || !grips() ? Phase::open : (expected_.slips ? Phase::slip : Phase::stick);
    moved_ = phase_ != Phase::stick;
    p.theta = std::atan2(tau(1), tau(0));
    s_ = count() > 0 ? Vector2(tau - law_.kt * p.u.head<2>()) : kept_;
}

Eigen::RowVectorXd ContactMemory::vary_alone(const Place& p, const Eigen::MatrixXd& u) {
    const Eigen::Index columns = u.cols();
    ds_.setZero(2, columns);
    dslack_.setZero(2, columns);
    Eigen::RowVectorXd dtheta = Eigen::RowVectorXd::Zero(columns);
    if (count() == 0) return dtheta;
    Eigen::MatrixXd dtau = Eigen::MatrixXd::Zero(2, columns);
    dtau.block(0, first_, axes(), axes()) = law_.kt * Eigen::MatrixXd::Identity(axes(), axes());
    if (slack_moves()) dslack_.block(0, first_ + axes(), axes(), axes()).setIdentity();
    if (phase_ == Phase::stick) ds_ = dtau - law_.kt * u.topRows(2);
    if (phase_ == Phase::slip && !straight_ && !holds_little(p))
        dtheta = across(direction_of(p.theta)).transpose() * dtau / limit_of(p);
    return dtheta;
}

void ContactMemory::collect(const Place& p, const Variation& d, Eigen::Ref<Eigen::MatrixXd> rows) const {
    if (count() == 0) return;
    rows.topRows(axes()) = vary_traction(p, d).topRows(axes()) / law_.kt;
    if (slack_moves()) rows.bottomRows(axes()) = dslack_.topRows(axes());
}

void ContactMemory::end(const Place& p) {
    traction_ = traction(p);
    if (count() == 0) return;
    values_.head(axes()) = traction_.head(axes()) / law_.kt;
    if (slack_moves()) values_.tail(axes()) = slack_.head(axes());
}

ContactMemory::Vector3 ContactMemory::force(const Place& p, double& turn) const {
    Vector3 f = -rest_;
    f.head<2>() += traction(p);
    if (touches()) {
        f(2) += law_.kn * p.u(2);
        if (law_.kp > 0) f.head<2>() += law_.kp * (p.u.head<2>() - slack_);
    }
    turn = 0;
    if (phase_ == Phase::slip && !straight_ && !holds_little(p))
        turn = law_.kt / limit_of(p) * across(direction_of(p.theta)).dot(p.v.head<2>());
    if (straight_) f(1) = 0;
    if (which_ == Axes::second) f(2) = 0;
    return f;
}

Eigen::MatrixXd ContactMemory::vary_force(const Place& p, const Variation& d, Eigen::RowVectorXd& turn) const {
    Eigen::MatrixXd f = Eigen::MatrixXd::Zero(3, d.u.cols());
    f.topRows(2) = vary_traction(p, d);
    if (touches()) {
        f.row(2) = law_.kn * d.u.row(2);
        if (law_.kp > 0) f.topRows(2) += law_.kp * (d.u.topRows(2) - dslack_);
    }
    turn.setZero(d.u.cols());
    if (phase_ == Phase::slip && !straight_ && !holds_little(p)) {
        const Vector2 e = direction_of(p.theta), c = across(e);
        const double limit = limit_of(p);
        turn = law_.kt / limit * (c.transpose() * d.v.topRows(2) - e.dot(p.v.head<2>()) * d.theta) -
               law_.kt * c.dot(p.v.head<2>()) / (limit * limit) * vary_limit(d);
    }
    if (straight_) f.row(1).setZero();
    if (which_ == Axes::second) f.row(2).setZero();
    return f;
}

bool ContactMemory::awaits(Event event) const {
    switch (event) {
        case Event::slip_begins: return phase_ == Phase::stick;
        case Event::slip_ends: return phase_ == Phase::slip;
        default: return law_.coulomb || law_.penalty;
    }
}

double ContactMemory::margin(Event event, const Place& p) const {
    if (event == Event::slip_begins) return limit_of(p) - traction(p).norm();
    if (event == Event::slip_ends) return direction_of(p.theta).dot(p.v.head<2>()) - limit_rate(p) / law_.kt;
    const double to_zero = (pressed_ ? 1 : -1) * p.u(2);
    if (!fades()) return to_zero;
    return std::min(to_zero, (capped_ ? 1 : -1) * (p.u(2) - cap()));
}

double ContactMemory::noise(Event event, const Place& p) const {
    constexpr double rounding = 1e-13;
    if (event == Event::slip_begins) return rounding * scale_;
    if (event == Event::slip_ends) return rounding * (p.v.head<2>().norm() + std::abs(limit_rate(p)) / law_.kt);
    return rounding * (std::abs(base_(2)) + scale_ / law_.kn);
}

void ContactMemory::pass(Event event, Place& p, const Vector3& acceleration, Variation& d, Eigen::RowVectorXd& later) {
    later.setZero(d.u.cols());
    if (event == Event::mark) return open_or_close(p, acceleration, d, later);
    moved_ = true;
    if (event == Event::slip_begins) return begin_slip(p, d);
    end_slip(p, d);
}

void ContactMemory::begin_slip(Place& p, Variation& d) {
    const Vector2 tau = traction(p);
    p.theta = std::atan2(tau(1), tau(0));
    const double limit = std::max(limit_of(p), std::numeric_limits<double>::min());
    d.theta = straight_ ? Eigen::RowVectorXd::Zero(d.u.cols())
                        : Eigen::RowVectorXd(across(direction_of(p.theta)).transpose() * vary_traction(p, d) / limit);
    phase_ = Phase::slip;
}

void ContactMemory::end_slip(const Place& p, const Variation& d) {
    const Vector2 tau = traction(p);
    ds_ = vary_traction(p, d) - law_.kt * d.u.topRows(2);
    s_ = tau - law_.kt * p.u.head<2>();
    phase_ = Phase::stick;
}

/// The normal displacement passes zero, or the level from which the limit no longer grows.
void ContactMemory::open_or_close(Place& p, const Vector3& acceleration, Variation& d, Eigen::RowVectorXd& later) {
    if (fades() && std::abs(p.u(2) - cap()) < std::abs(p.u(2))) {
        capped_ = !capped_;
        if (phase_ == Phase::slip && margin(Event::slip_ends, p) < 0) end_slip(p, d);
        return;
    }
    moved_ = true;
    const Eigen::RowVectorXd time = p.v(2) != 0 ? Eigen::RowVectorXd(-d.u.row(2) / p.v(2))
                                                : Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(d.u.cols()));
    if (pressed_) {
        later = time;  // what springs still hold is gone at once
        pressed_ = false;
        if (!grips()) phase_ = Phase::open;
        ds_.setZero();
        if (slack_moves()) dslack_.setZero();
        return;
    }
    pressed_ = true;
    const Eigen::MatrixXd moved = d.u.topRows(2) + p.v.head<2>() * time;
    if (law_.penalty) {
        slack_ = p.u.head<2>();
        dslack_ = moved;
    }
    if (phase_ != Phase::open) return;  // it never let go
    s_ = -law_.kt * p.u.head<2>();
    ds_ = -law_.kt * moved;
    phase_ = Phase::stick;
    const double speed = p.v.head<2>().norm();
    if (!grips() || !sloped() || !(law_.kt * speed > limit_rate(p))) return;
    // It slips from the start, the way it moves; from there on theta' is that of the solution that stays finite.
    const Vector2 e = p.v.head<2>() / speed;
    p.theta = std::atan2(e(1), e(0));
    const double swerve = across(e).dot(acceleration.head<2>());
    const double turn = law_.kt * swerve / (limit_rate(p) + law_.kt * speed);
    d.theta = straight_
                  ? Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(d.u.cols()))
                  : Eigen::RowVectorXd(across(e).transpose() * d.v.topRows(2) / speed + (swerve / speed - turn) * time);
    phase_ = Phase::slip;
}

}  // namespace faying::modes
