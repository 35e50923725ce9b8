#include "contact_path.hpp"

#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include "faying/core/quadrature.hpp"
#include "gauss_legendre.hpp"

namespace faying::laws::detail {

HarmonicForce ContactPath::find(const ContactStart& start, const HarmonicOptions& options) {
    begin(start);
    HarmonicForce out;
    const int most = std::min(options.most_periods, 200);
    for (int period = 0; period < most; ++period) {
        const State before = now_;
        force_ = Eigen::MatrixXd::Zero(3, functions_);
        slope_ = Eigen::MatrixXd::Zero(3 * functions_, columns_);
        for (std::size_t i = 0; i + 1 < marks_.size(); ++i) go(marks_[i], marks_[i + 1]);
        out.residual = apart(before, now_);
        const double slack = (before.ds - now_.ds).norm() + (before.dtheta - now_.dtheta).norm();
        if (out.residual <= 1e-13 && slack <= 1e-12 * (1 + now_.ds.norm() + now_.dtheta.norm())) break;
    }
    out.force.resize(3 * functions_);
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

void ContactPath::crossings(double level) {
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
            marks_.push_back(std::fmod(core::time_of(harmonics_, n, level - base_(2), turns[i], turns[i + 1]), turn));
}

void ContactPath::mark_times() {
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

void ContactPath::begin(const ContactStart& start) {
    const Place p = at(0.0, 1e-9);
    now_.ds = now_.dreference = Eigen::MatrixXd::Zero(2, columns_);
    now_.dtheta = Eigen::RowVectorXd::Zero(columns_);
    now_.s = start.tau - law_.kt * p.u.head<2>();
    now_.reference = p.u.head<2>() - start.stretch;
    if (slopes_) {
        now_.ds = start.dtau - pulled(p);
        now_.dreference = moved(p) - start.dstretch;
    }
    now_.phase = !p.touches || !p.grips ? Phase::open : Phase::stick;
    const double held_now = start.tau.norm();
    if (now_.phase == Phase::stick && held_now >= p.limit * (1 - 1e-12) && held_now > 0) start_slip(p, start.tau);
}

void ContactPath::pass_mark(double t, double middle) {
    const Place p = at(t, middle);
    const bool held = now_.phase != Phase::open;
    const bool loses = held && (!p.touches || !p.grips);
    if (loses) {
        const Place before = at(t, t - 1e-9);
        if (!p.touches) {  // what the springs still hold is gone at once
            const Eigen::RowVectorXd later = -pressed(p) / p.v(2);
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
        p.v(2) != 0 ? Eigen::RowVectorXd(-pressed(p) / p.v(2)) : Eigen::RowVectorXd::Zero(columns_);
    const Eigen::MatrixXd du = moved(p) + p.v.head<2>() * later;
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
        now_.phase = Phase::slip;
    }
}

double ContactPath::first_slip(double from, double to, double middle) const {
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

double ContactPath::slip_ends(double from, double to, double middle) {
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

void ContactPath::turn_to(double from, double to, double middle, bool varies) {
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
        Eigen::RowVectorXd d =
            law_.kt / limit * (c.transpose() * hastened(p)) - (law_.kt * sideways / (limit * limit)) * held(p);
        if (slopes_) d += sideways / limit * slopes_->kt;
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

void ContactPath::straight_variation(double from, double to, double middle) {
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
        Eigen::Vector3d pace;  // kt u'.e/limit
        Eigen::MatrixXd side(3, columns_);
        for (int i = 0; i < 3; ++i) {
            const double share = i == 0 ? (4 - root) / 10 : i == 1 ? (4 + root) / 10 : 1.0;
            const Place p = at(t + share * step, middle);
            const double pull = law_.kt / std::max(p.limit, nothing * scale_);
            pace(i) = pull * e * p.v(0);
            side.row(i) = pull * e * hastened(p).row(1) - pace(i) * now_.dtheta;
        }
        const Eigen::Matrix3d left = Eigen::Matrix3d::Identity() + step * (pace.asDiagonal() * a);
        const Eigen::MatrixXd rates = left.partialPivLu().solve(side);
        now_.dtheta += step * (a.row(2) * rates);
        t += step;
    }
}

void ContactPath::integrate(double from, double to, double middle) {
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

void ContactPath::add(double t, double middle, double weight) {
    const Place p = at(t, middle);
    Eigen::Vector3d f = Eigen::Vector3d::Zero();
    Eigen::MatrixXd df = Eigen::MatrixXd::Zero(3, columns_);
    f.head<2>() = traction(p);
    if (now_.phase == Phase::stick) df.topRows(2) = now_.ds + pulled(p);
    if (now_.phase == Phase::slip) {
        const Vector2d e(std::cos(now_.theta), std::sin(now_.theta));
        df.topRows(2) = e * held(p) + p.limit * across(e) * now_.dtheta;
    }
    if (p.touches) {
        f(2) = law_.kn * p.u(2);
        df.row(2) = law_.kn * pressed(p);
        if (slopes_) df.row(2) += p.u(2) * slopes_->kn;
        if (law_.kp > 0) {
            f.head<2>() += law_.kp * (p.u.head<2>() - now_.reference);
            df.topRows(2) += law_.kp * (moved(p) - now_.dreference);
            if (slopes_) df.topRows(2) += (p.u.head<2>() - now_.reference) * slopes_->kp;
        }
    }
    force_.noalias() += weight * f * p.h.transpose();
    for (Eigen::Index b = 0; b < functions_; ++b) slope_.middleRows(3 * b, 3) += (weight * p.h(b)) * df;
}

}  // namespace faying::laws::detail
