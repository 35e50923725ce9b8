#include "contact_memory.hpp"

#include <cmath>
#include <limits>

namespace faying::modes {

namespace {

using core::Dual;
using Eigen::Vector2d;
constexpr double holds_nothing = 1e-9;  ///< of the largest limit: there slip's direction does not matter
constexpr double rounding = 1e-13;

Vector2d direction_of(double angle) { return {std::cos(angle), std::sin(angle)}; }
Vector2d across(const Vector2d& e) { return {-e(1), e(0)}; }

}  // namespace

ContactMemory::ContactMemory(const HarmonicSystem::Site& site, Axes axes)
    : site_(site), axes_(axes), mask_(axes != Axes::second, axes != Axes::first) {
    std::vector<Dual> u(3), f(3), k(9);
    for (std::size_t c = 0; c < 3; ++c) u[c] = Dual(base()(Eigen::Index(c)));
    site.begun->trace(0, u, f, k);
    for (std::size_t c = 0; c < 3; ++c) rest_(Eigen::Index(c)) = f[c].a;
    rest_.head<2>() = along(rest_);
    if (axes == Axes::second) rest_(2) = 0;
}

void ContactMemory::expect(const State& state, double normal, double reach, Eigen::Index first) {
    expected_ = state;
    moves_ = !state.events.empty() || state.phase == Phase::slip;
    started_pressed_ = normal > 0;
    started_capped_ = std::isfinite(law().mu) && law().mu * law().kn * normal > law().fs;
    reach_ = std::max(reach, std::numeric_limits<double>::min());
    scale_ = std::min(law().fs, law().mu * law().kn * reach_);
    if (!law().coulomb && !std::isfinite(law().mu)) scale_ = law().fs;
    scale_ = std::max(scale_, std::numeric_limits<double>::min());
    first_ = first;
    start(Eigen::VectorXd());
}

Eigen::VectorXd ContactMemory::values(double angle) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(count());
    if (out.size() == 0) return out;
    const int n = components();
    for (Eigen::Index i = 0; i < n; ++i) {
        if (phase_ == Phase::stick) out(i) = s_(component(i));
        if (restarts() && phase_ != Phase::open) out(n + i) = reference_(component(i));
    }
    if (slips_around()) out(0) = angle;
    return out;
}

Eigen::VectorXd ContactMemory::sizes() const {
    Eigen::VectorXd out = Eigen::VectorXd::Constant(count(), scale_ / law().kt);
    if (out.size() == 0) return out;
    out.head(components()).setConstant(expected_.phase == Phase::slip ? 1.0 : scale_);
    return out;
}

void ContactMemory::start(const Eigen::VectorXd& values) {
    phase_ = expected_.phase;
    pressed_ = started_pressed_;
    capped_ = started_capped_;
    moved_ = phase_ == Phase::slip;
    s_ = expected_.held;
    reference_ = expected_.reference;
    start_angle_ = expected_.angle;
    if (values.size() == 0) return;
    const int n = components();
    for (Eigen::Index i = 0; i < n; ++i) {
        if (phase_ == Phase::stick) s_(component(i)) = values(i);
        if (restarts() && phase_ != Phase::open) reference_(component(i)) = values(n + i);
    }
    if (slips_around()) start_angle_ = values(0);
}

ContactMemory::State ContactMemory::state(double angle) const {
    State out = expected_;
    out.phase = phase_;
    out.held = s_;
    out.angle = angle;
    out.reference = reference_;
    out.events.resize(moved_ ? 1 : 0);
    return out;
}

double ContactMemory::limit(const Place& p) const {
    return sloped() ? std::max(law().mu * law().kn * p.u(2), 0.0) : law().fs;
}

Eigen::RowVectorXd ContactMemory::limit_variation(const Variation& varied) const {
    if (!sloped()) return Eigen::RowVectorXd::Zero(varied.u.cols());
    return law().mu * law().kn * varied.u.row(2);
}

Vector2d ContactMemory::traction(const Place& p) const {
    if (phase_ == Phase::open) return Vector2d::Zero();
    if (phase_ == Phase::stick) return mask_.cwiseProduct(s_) + law().kt * along(p.u);
    return limit(p) * direction_of(p.angle);
}

ContactMemory::Answer ContactMemory::respond(const Place& p) const {
    Answer out;
    const auto& c = law();
    out.force.head<2>() = traction(p);
    if (phase_ == Phase::stick) out.tangent.topLeftCorner<2, 2>() = c.kt * mask_.asDiagonal();
    if (phase_ == Phase::slip) {
        const Vector2d e = direction_of(p.angle), side = across(e);
        const double held = limit(p);
        if (sloped() && p.u(2) > 0) out.tangent.block<2, 1>(0, 2) = c.mu * c.kn * e;
        if (axes_ == Axes::both) {
            out.to_angle.head<2>() = held * side;
            if (held > holds_nothing * scale_) {
                const double pull = c.kt / held, sideways = side.dot(p.v.head<2>());
                out.pace = pull * sideways;
                out.pace_to_angle = -pull * e.dot(p.v.head<2>());
                out.pace_to_v.head<2>() = pull * side.transpose();
                if (sloped()) out.pace_to_u(2) = -pull * sideways * c.mu * c.kn / held;
            }
        }
    }
    if (touches() && c.kp > 0) {
        out.force.head<2>() += c.kp * mask_.cwiseProduct(p.u.head<2>() - reference_);
        out.tangent.topLeftCorner<2, 2>() += c.kp * mask_.asDiagonal();
    }
    if (touches() && axes_ != Axes::second) {
        out.force(2) = c.kn * p.u(2);
        out.tangent(2, 2) = c.kn;
    }
    out.force -= rest_;
    return out;
}

void ContactMemory::add_memory(Eigen::Ref<Eigen::MatrixXd> force) const {
    if (phase_ == Phase::stick) force.topRows(2) += ds_;
    if (restarts() && phase_ != Phase::open) force.topRows(2) -= law().kp * dreference_;
}

std::optional<ContactMemory::Ahead> ContactMemory::ahead(Kind kind, const Place& p) const {
    const auto& c = law();
    if (kind == Kind::normal || kind == Kind::cap) {
        if (kind == Kind::normal ? !c.coulomb && !c.penalty : c.coulomb || !std::isfinite(c.mu)) return std::nullopt;
        const double level = kind == Kind::normal ? 0.0 : c.fs / (c.mu * c.kn);
        const double side = (kind == Kind::normal ? pressed_ : capped_) ? 1.0 : -1.0;
        return Ahead{side * (p.u(2) - level), side * p.v(2), rounding * reach_};
    }
    const double held = limit(p), rate = limit_rate(p);
    if (kind == Kind::slip) {
        if (phase_ != Phase::stick) return std::nullopt;
        const Vector2d tau = traction(p);
        return Ahead{held * held - tau.squaredNorm(), 2 * (held * rate - c.kt * tau.dot(along(p.v))),
                     rounding * scale_ * scale_};
    }
    if (phase_ != Phase::slip) return std::nullopt;
    const Vector2d e = direction_of(p.angle), v = along(p.v);
    const double bend = sloped() ? c.mu * c.kn * p.a(2) : 0.0, turning = slips_around() ? p.turning : 0.0;
    return Ahead{e.dot(v) - rate / c.kt, turning * across(e).dot(v) + e.dot(along(p.a)) - bend / c.kt,
                 rounding * (v.norm() + std::abs(rate) / c.kt + scale_ / c.kt)};
}

/// Where nothing is held slip goes with the velocity.
void ContactMemory::slip_with_velocity(const Place& p, Variation& varied, double& angle) const {
    const Vector2d v = along(p.v);
    angle = std::atan2(v(1), v(0));
    varied.angle.setZero();
    if (axes_ == Axes::both && v.norm() > 0)
        varied.angle = across(direction_of(angle)).transpose() * varied.v.topRows(2) / v.norm();
}

void ContactMemory::begin_slip(const Place& p, Variation& varied, double& angle) {
    const Vector2d tau = traction(p);
    if (tau.norm() > holds_nothing * scale_) {
        angle = std::atan2(tau(1), tau(0));
        varied.angle.setZero();
        if (axes_ == Axes::both)
            varied.angle = across(tau.normalized()).transpose() * (ds_ + law().kt * all_along(varied.u)) / tau.norm();
    } else {
        slip_with_velocity(p, varied, angle);
    }
    phase_ = Phase::slip;
}

std::optional<ContactMemory::Jump> ContactMemory::open(const Place& p, Variation& varied) {
    Jump jump;
    jump.later = -varied.u.row(2) / p.v(2);
    jump.force.head<2>() = -traction(p);
    if (restarts()) jump.force.head<2>() -= law().kp * mask_.cwiseProduct(p.u.head<2>() - reference_);
    phase_ = Phase::open;
    pressed_ = false;
    ds_.setZero();
    dreference_.setZero();
    varied.angle.setZero();
    return jump;
}

void ContactMemory::close(const Place& p, Variation& varied, double& angle) {
    pressed_ = true;
    const Eigen::RowVectorXd later = -varied.u.row(2) / p.v(2);
    const Vector2d v = along(p.v);
    const Eigen::MatrixXd moved = all_along(varied.u) + v * later;
    if (law().penalty) {
        reference_ = along(p.u);
        dreference_ = moved;
    }
    phase_ = Phase::stick;
    s_ = -law().kt * along(p.u);
    ds_ = -law().kt * moved;
    if (sloped() && law().kt * v.norm() > limit_rate(p)) {
        slip_with_velocity(p, varied, angle);
        phase_ = Phase::slip;
    }
}

std::optional<ContactMemory::Jump> ContactMemory::pass(Kind kind, const Place& p, Variation& varied, double& angle) {
    if (kind != Kind::cap) moved_ = true;
    switch (kind) {
        case Kind::normal:
            if (pressed_) return open(p, varied);
            close(p, varied, angle);
            break;
        case Kind::cap: capped_ = !capped_; break;
        case Kind::slip: begin_slip(p, varied, angle); break;
        case Kind::stick: {
            const Vector2d e = direction_of(p.angle);
            s_ = mask_.cwiseProduct(limit(p) * e) - law().kt * along(p.u);
            ds_ = mask_.asDiagonal() * (e * limit_variation(varied) + limit(p) * across(e) * varied.angle);
            ds_ -= law().kt * all_along(varied.u);
            varied.angle.setZero();
            phase_ = Phase::stick;
            break;
        }
    }
    return std::nullopt;
}

Eigen::RowVectorXd ContactMemory::vary(const Eigen::Ref<const Eigen::MatrixXd>& rows) {
    ds_ = dreference_ = Eigen::MatrixXd::Zero(2, rows.cols());
    Eigen::RowVectorXd angle = Eigen::RowVectorXd::Zero(rows.cols());
    if (rows.rows() == 0) return angle;
    const int n = components();
    for (Eigen::Index i = 0; i < n; ++i) {
        if (phase_ == Phase::stick) ds_.row(component(i)) = rows.row(i);
        if (restarts() && phase_ != Phase::open) dreference_.row(component(i)) = rows.row(n + i);
    }
    if (slips_around()) angle = rows.row(0);
    return angle;
}

void ContactMemory::collect(const Eigen::Ref<const Eigen::RowVectorXd>& angle, Eigen::Ref<Eigen::MatrixXd> rows) const {
    rows.setZero();
    if (rows.rows() == 0) return;
    const int n = components();
    for (Eigen::Index i = 0; i < n; ++i) {
        if (phase_ == Phase::stick) rows.row(i) = ds_.row(component(i));
        if (restarts() && phase_ != Phase::open) rows.row(n + i) = dreference_.row(component(i));
    }
    if (slips_around()) rows.row(0) = angle;
}

}  // namespace faying::modes
