#include "contact_path.hpp"

#include <algorithm>
#include <utility>

namespace faying::harmonic::detail {

ContactPath::ContactPath(const ContactPieces& law, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                         const Eigen::VectorXd& motion, const ContactSlopes* slopes, Axes axes)
    : law_(law),
      given_(slopes ? Eigen::Index(core::directions) : 3 * harmonics.size()),
      base_(base),
      harmonics_(harmonics),
      u_(Eigen::Map<const Eigen::MatrixXd>(motion.data(), 3, harmonics.size())),
      functions_(harmonics.size()),
      columns_(given_ + (axes == Axes::both ? 2 : 0)),
      one_axis_(axes == Axes::first),
      integrals_(harmonics) {
    if (slopes) slopes_.emplace(*slopes, columns_);
    double reach = std::abs(base(2));
    for (Eigen::Index b = 0; b < functions_; ++b) reach += std::abs(u_(2, b));
    scale_ = std::min(law.fs, law.mu * law.kn * reach);
    if (!law.coulomb && !std::isfinite(law.mu)) scale_ = law.fs;
    mean_ = base;
    if (harmonics.has_mean()) mean_ += u_.col(0);
    for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
        const double k = harmonics.orders()[i];
        if (k == 0) continue;
        const auto pair = u_.middleCols(harmonics.at(i), 2);
        double along = pair.topRows(2).norm(), normal = pair.row(2).norm();
        for (std::size_t d = 0; d < along_.size(); ++d, along *= k, normal *= k) {
            along_[d] += along;
            normal_[d] += normal;
        }
    }
    mark_times();
}

ContactPath::Slopes::Slopes(const ContactSlopes& given, Eigen::Index columns) {
    const auto wide = [&](const auto& rows) {
        Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows.rows(), columns);
        out.leftCols(rows.cols()) = rows;
        return out;
    };
    kt = wide(given.kt);
    kp = wide(given.kp);
    kn = wide(given.kn);
    mu = wide(given.mu);
    fs = wide(given.fs);
    base = wide(given.base);
}

ContactPath::Regime ContactPath::regime_at(double t) const {
    const double n = base_(2) + u_.row(2).dot(values(t));
    Regime r;
    r.touches = !law_.penalty || n > 0;
    r.grips = law_.coulomb ? n > 0 : r.touches;
    r.sloped = law_.coulomb || (std::isfinite(law_.mu) && law_.mu * law_.kn * n < law_.fs);
    return r;
}

void ContactPath::motion_at(double t, Place& p) const {
    p.t = t;
    p.u = base_;
    p.v.setZero();
    p.a.setZero();
    const double c1 = std::cos(t), s1 = std::sin(t);
    double c = 1, s = 0;
    int k = 0;
    Eigen::Index b = 0;
    for (const int order : harmonics_.orders()) {
        for (; k < order; ++k) {
            const double next = c * c1 - s * s1;
            s = s * c1 + c * s1;
            c = next;
        }
        if (order == 0) {
            p.u += u_.col(b++);
            continue;
        }
        const Eigen::Vector3d along = u_.col(b) * c + u_.col(b + 1) * s;
        p.u += along;
        p.v += double(order) * (u_.col(b + 1) * c - u_.col(b) * s);
        p.a -= double(order) * double(order) * along;
        b += 2;
    }
}

void ContactPath::limit_of(Place& p) const {
    if (!regime_.grips) return;
    if (regime_.sloped) {
        const double sloped = law_.mu * law_.kn;
        p.limit = std::max(sloped * p.u(2), 0.0);
        p.limit_rate = sloped * p.v(2);
    } else {
        p.limit = law_.fs;
    }
}

Eigen::VectorXd ContactPath::values(double t) const {
    Eigen::VectorXd h(functions_);
    harmonics_.values(t, h.data());
    return h;
}

Eigen::VectorXd ContactPath::rates(const Eigen::VectorXd& values) const {
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(functions_);
    for (std::size_t i = 0; i < harmonics_.orders().size(); ++i) {
        const double k = harmonics_.orders()[i];
        const Eigen::Index b = harmonics_.at(i);
        if (k == 0) continue;
        rate(b) = -k * values(b + 1);
        rate(b + 1) = k * values(b);
    }
    return rate;
}

Eigen::MatrixXd ContactPath::tangential(const Eigen::VectorXd& h) const {
    Eigen::MatrixXd d = Eigen::MatrixXd::Zero(2, columns_);
    for (Eigen::Index b = 0; b < functions_; ++b) d(0, 3 * b) = d(1, 3 * b + 1) = h(b);
    return d;
}

Eigen::RowVectorXd ContactPath::pressed(double t) const {
    if (slopes_) return slopes_->base.row(2);
    const Eigen::VectorXd h = values(t);
    Eigen::RowVectorXd d = Eigen::RowVectorXd::Zero(columns_);
    for (Eigen::Index b = 0; b < functions_; ++b) d(3 * b + 2) = h(b);
    return d;
}

Eigen::MatrixXd ContactPath::pulled(const Place& p) const {
    Eigen::MatrixXd d = law_.kt * moved(p.t);
    if (slopes_) d += p.u.head<2>() * slopes_->kt;
    return d;
}

Eigen::RowVectorXd ContactPath::held_by_law(double un) const {
    if (!slopes_ || !regime_.grips) return Eigen::RowVectorXd::Zero(columns_);
    if (regime_.sloped) return un * (law_.kn * slopes_->mu + law_.mu * slopes_->kn);
    return slopes_->fs;
}

Eigen::RowVectorXd ContactPath::held(const Place& p) const {
    Eigen::RowVectorXd d = held_by_law(p.u(2));
    if (regime_.grips && regime_.sloped) d += law_.mu * law_.kn * pressed(p.t);
    return d;
}

Eigen::RowVectorXd ContactPath::turned(const Place& p, const Vector2d& e) const {
    const double speed = p.v.head<2>().norm();
    if (!(speed > 0)) return Eigen::RowVectorXd::Zero(columns_);
    return across(e).transpose() * hastened(p.t) / speed;
}

void ContactPath::crossings(double level) {
    const Eigen::VectorXd n = u_.row(2).transpose();
    auto turns = core::turning_points(harmonics_, n);
    if (turns.empty()) return;
    turns.push_back(turns.front() + turn);
    const auto value = [&](double t) { return base_(2) + n.dot(values(t)) - level; };
    for (std::size_t i = 0; i + 1 < turns.size(); ++i)
        if (value(turns[i]) * value(turns[i + 1]) < 0)
            marks_.push_back(std::fmod(core::time_of(harmonics_, n, level - base_(2), turns[i], turns[i + 1]), turn));
}

void ContactPath::mark_times() {
    marks_ = {0, turn};
    const auto look = [&](double level) {
        if (std::abs(mean_(2) - level) <= normal_[0]) crossings(level);  // most contacts stay closed
    };
    if (law_.coulomb || law_.penalty) look(0.0);
    if (!law_.coulomb && std::isfinite(law_.mu)) look(law_.fs / (law_.mu * law_.kn));
    std::sort(marks_.begin(), marks_.end());
    marks_.erase(std::unique(marks_.begin(), marks_.end(), [](double a, double b) { return b - a < 1e-13; }),
                 marks_.end());
    marks_.back() = turn;
}

void ContactPath::begin(const ContactStart& start) {
    regime_ = regime_at(0.5 * (marks_[0] + marks_[1]));
    const Place p = at(0.0);
    now_.ds = now_.dreference = Eigen::MatrixXd::Zero(2, columns_);
    now_.dtheta = Eigen::RowVectorXd::Zero(columns_);
    now_.s = start.tau - law_.kt * p.u.head<2>();
    now_.reference = p.u.head<2>() - start.stretch;
    if (slopes_) {
        now_.ds = -pulled(p);
        now_.ds.leftCols(given_) += start.dtau;
        now_.dreference = moved(0.0);
        now_.dreference.leftCols(given_) -= start.dstretch;
    }
    now_.phase = !regime_.touches || !regime_.grips ? Phase::open : Phase::stick;
    const double held_now = start.tau.norm();
    if (now_.phase == Phase::stick && held_now >= p.limit * (1 - 1e-12) && held_now > 0) start_slip(p, start.tau);
}

void ContactPath::start_slip(const Place& p, const Vector2d& tau) {
    quiet_ = false;
    const Vector2d e = tau.norm() > nothing * scale_ ? Vector2d(tau.normalized()) : direction(p);
    now_.theta = std::atan2(e(1), e(0));
    if (one_axis_)
        now_.dtheta.setZero();
    else if (p.limit > nothing * scale_)
        now_.dtheta = across(e).transpose() * (now_.ds + pulled(p)) / p.limit;
    else
        now_.dtheta = turned(p, e);
    now_.phase = Phase::slip;
}

void ContactPath::start_stick(const Place& p) {
    const Vector2d e = direction_of(now_.theta);
    now_.s = p.limit * e - law_.kt * p.u.head<2>();
    now_.ds = e * held(p) + p.limit * across(e) * now_.dtheta - pulled(p);
    now_.phase = Phase::stick;
}

void ContactPath::pass_mark(double t, const Regime& next) {
    const bool held = now_.phase != Phase::open;
    if (held && (!next.touches || !next.grips)) {
        const Place p = at(t);  // with what it held before
        if (!next.touches) {    // what the springs still hold is gone at once
            const Eigen::RowVectorXd later = -pressed(t) / p.v(2);
            Vector2d torn = traction(p);
            if (law_.kp > 0) torn += law_.kp * (p.u.head<2>() - now_.reference);
            const Eigen::VectorXd h = values(t);
            for (Eigen::Index axis = 0; axis < 2; ++axis)
                slope_[std::size_t(axis)].noalias() += (torn(axis) * h) * later;
        }
        now_.phase = Phase::open;
        regime_ = next;
        return;
    }
    regime_ = next;
    if (held || !next.grips) return;
    // closing: from here on nothing is held yet
    const Place p = at(t);
    const Eigen::RowVectorXd later =
        p.v(2) != 0 ? Eigen::RowVectorXd(-pressed(t) / p.v(2)) : Eigen::RowVectorXd::Zero(columns_);
    const Eigen::MatrixXd du = moved(t) + p.v.head<2>() * later;
    if (law_.penalty) {
        now_.reference = p.u.head<2>();
        now_.dreference = du;
    }
    now_.s = -law_.kt * p.u.head<2>();
    now_.ds = -pulled(p) - law_.kt * p.v.head<2>() * later;
    now_.phase = Phase::stick;
    if (p.limit <= nothing * scale_ && law_.kt * p.v.head<2>().norm() > p.limit_rate) {
        const Vector2d e = direction(p);
        now_.theta = std::atan2(e(1), e(0));
        now_.dtheta = turned(p, e) + (across(e).dot(p.a.head<2>()) / p.v.head<2>().norm()) * later;
        if (one_axis_) now_.dtheta.setZero();
        now_.phase = Phase::slip;
    }
}

void ContactPath::go(double from, double to) {
    pass_mark(from, regime_at(0.5 * (from + to)));
    if (regime_.touches) add_springs(from, to);
    for (int events = 0; from < to && events < 1000; ++events) {
        from = piece(from, to);
        if (from < to) events_.push_back(from);
    }
    unfinished_ = unfinished_ || from < to;
}

double ContactPath::piece(double from, double to) {
    if (now_.phase == Phase::open) return to;
    if (now_.phase == Phase::stick) {
        const double end = first_event(from, to);
        add_stick(from, end);
        if (end < to) {
            const Place p = at(end);
            start_slip(p, traction(p));
        }
        return end;
    }
    if (!one_axis_) return turning_slip(from, to);
    const double end = first_event(from, to);
    add_straight_slip(from, end);
    if (end < to) start_stick(at(end));
    return end;
}

std::array<double, 4> ContactPath::limit_bounds() const {
    if (!regime_.grips) return {};
    if (!regime_.sloped) return {law_.fs, 0, 0, 0};
    const double sloped = law_.mu * law_.kn;
    return {sloped * (std::abs(mean_(2)) + normal_[0]), sloped * normal_[1], sloped * normal_[2], sloped * normal_[3]};
}

double ContactPath::first_event(double from, double to) const {
    return now_.phase == Phase::stick ? stick_ends(from, to) : straight_slip_ends(from, to);
}

/// limit^2 - |tau|^2 falls below zero. Slip shorter than rounding shows is none.
double ContactPath::stick_ends(double from, double to) const {
    const double level = -1e-13 * scale_ * scale_, kt = law_.kt;
    const auto most = limit_bounds();
    const double middle = (now_.s + kt * mean_.head<2>()).norm(), pulled = middle + kt * along_[0];
    const double least_held = regime_.sloped ? law_.mu * law_.kn * (mean_(2) - normal_[0]) : law_.fs;
    if (least_held >= pulled) return to;
    const auto margin_at = [&](double t) {
        const Place p = at(t);
        const Vector2d tau = traction(p), rate = kt * p.v.head<2>();
        const double bend = regime_.sloped ? law_.mu * law_.kn * p.a(2) : 0.0;
        return Local{
            p.limit * p.limit - tau.squaredNorm(), 2 * (p.limit * p.limit_rate - tau.dot(rate)),
            2 * (p.limit_rate * p.limit_rate + p.limit * bend - rate.squaredNorm() - kt * tau.dot(p.a.head<2>()))};
    };
    const Bounds bounds{
        2 * (most[1] * most[1] + most[0] * most[2] + kt * kt * along_[1] * along_[1] + pulled * kt * along_[2]),
        2 * (3 * most[1] * most[2] + most[0] * most[3] + 3 * kt * kt * along_[1] * along_[2] +
             pulled * kt * along_[3])};
    const auto found = FirstBelow(margin_at, bounds, level).find(from, to);
    if (!found) return to;
    const auto going = [&](double t) { return margin_at(t).value; };
    const double before = going(found->before), below = going(found->below);
    if (before > 0) return falls_to_zero(going, found->before, found->below, before, below);
    if (!(before > level)) return found->before;
    return falls_to_zero([&](double t) { return going(t) - level; }, found->before, found->below, before - level,
                         below - level);
}

/// e.u' - limit'/kt, a sum of the harmonics, falls below zero.
double ContactPath::straight_slip_ends(double from, double to) const {
    const double way = std::cos(now_.theta) > 0 ? 1.0 : -1.0, sloped = regime_.sloped ? law_.mu * law_.kn / law_.kt : 0;
    const Eigen::VectorXd path = (way * u_.row(0) - sloped * u_.row(2)).transpose();
    const auto margin_at = [&](double t) {
        double value = 0, slope = 0, bend = 0;
        harmonics_.motion(path, t, value, slope, bend);
        return Local{slope, bend, 0};
    };
    const auto found = FirstBelow(margin_at, {along_[3] + sloped * normal_[3]}, 0.0).find(from, to);
    if (!found) return to;
    const double before = margin_at(found->before).value, below = margin_at(found->below).value;
    if (!(before > 0 && below < 0)) return found->before;
    return falls_to_zero([&](double t) { return margin_at(t).value; }, found->before, found->below, before, below);
}

}  // namespace faying::harmonic::detail
