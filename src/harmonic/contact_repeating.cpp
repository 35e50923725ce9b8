// Periods of a contact until what it holds repeats.

#include <algorithm>

#include "contact_path.hpp"

namespace faying::harmonic::detail {

void ContactPath::one_period() {
    force_ = Eigen::MatrixXd::Zero(functions_, 3);
    for (auto& slope : slope_) slope = Eigen::MatrixXd::Zero(functions_, columns_);
    quiet_ = marks_.size() == 2;
    events_.assign(marks_.begin() + 1, marks_.end() - 1);
    for (std::size_t i = 0; i + 1 < marks_.size(); ++i) go(marks_[i], marks_[i + 1]);
}

bool ContactPath::repeats(const State& before, double residual) const {
    const auto slack =
        (before.ds - now_.ds).leftCols(given_).norm() + (before.dtheta - now_.dtheta).head(given_).norm();
    return residual <= 1e-13 &&
           slack <= 1e-12 * (1 + now_.ds.leftCols(given_).norm() + now_.dtheta.head(given_).norm());
}

/// Work of the last period's force on the motion.
double ContactPath::dissipated() const {
    double sum = 0;
    for (std::size_t i = 0; i < harmonics_.orders().size(); ++i) {
        const double k = harmonics_.orders()[i];
        const Eigen::Index b = harmonics_.at(i);
        if (k > 0) sum += k * (force_.row(b).dot(u_.col(b + 1)) - force_.row(b + 1).dot(u_.col(b)));
    }
    return sum;
}

HarmonicForce ContactPath::find(const ContactStart& start, const HarmonicOptions& options) {
    constexpr int few = 3;  // a past that fades is soon gone; what is left after that is solved for
    begin(start);
    HarmonicForce out;
    const int most = std::min(options.most_periods, 200);
    for (int period = 0; period < most; ++period) {
        if (!one_axis_) seed_held();
        const State before = now_;
        one_period();
        out.residual = unfinished_ ? 1.0 : apart(before, now_);
        if (unfinished_) break;  // a motion so large that rounding decides: no use going on
        if (repeats(before, out.residual)) break;
        // Not where slip itself dies out (shakedown): what is held in the end is then a matter of the whole past.
        const bool slips_on = out.residual * scale_ * scale_ <= 0.01 * law_.kt * dissipated();
        if (!one_axis_ && period >= few && slips_on) jump_to_repeating(before);
    }
    out.force.resize(3 * functions_);
    out.slope.resize(3 * functions_, given_);
    for (Eigen::Index b = 0; b < functions_; ++b) {
        const double norm = (b == 0 && harmonics_.has_mean() ? 1.0 : 2.0) / turn;
        out.force.segment(3 * b, 3) = norm * force_.row(b).transpose();
        for (Eigen::Index c = 0; c < 3; ++c)
            out.slope.row(3 * b + c) = norm * slope_[std::size_t(c)].row(b).head(given_);
    }
    // Three springs, to the last bit; not where it has slipped on the way here, so that the motion set where they rest.
    if (quiet_ && now_.phase == Phase::stick && regime_.touches && !slopes_ && now_.ds.leftCols(given_).isZero(0.0)) {
        out.slope.setZero();
        for (Eigen::Index i = 0; i < out.slope.rows(); ++i) out.slope(i, i) = i % 3 == 2 ? law_.kn : law_.kt + law_.kp;
        return out;
    }
    out.dissipated = dissipated();
    return out;
}

ContactState ContactPath::state() const {
    ContactState out;
    out.phase = now_.phase == Phase::open    ? ContactState::Phase::open
                : now_.phase == Phase::stick ? ContactState::Phase::stick
                                             : ContactState::Phase::slip;
    out.held = now_.s;
    out.angle = now_.theta;
    out.reference = now_.reference;
    out.events = events_;
    return out;
}

void ContactPath::seed_held() {
    now_.ds.rightCols(2).setZero();
    now_.dreference.rightCols(2).setZero();
    now_.dtheta.tail(2).setZero();
    if (now_.phase == Phase::stick) now_.ds.rightCols(2).setIdentity();
    if (now_.phase == Phase::slip) now_.dtheta(given_) = 1;
}

/// z = (I - A)^-1 (z' - A z) from z -> z' with dz'/dz = A, and the same for its derivatives.
void ContactPath::jump_to_repeating(const State& before) {
    if (quiet_ || before.phase != now_.phase || now_.phase == Phase::open) return;
    const Eigen::Index n = now_.phase == Phase::stick ? 2 : 1;
    const auto held = [&](const State& state) { return n == 2 ? state.ds : Eigen::MatrixXd(state.dtheta); };
    const Eigen::MatrixXd after = held(now_), was = held(before), map = after.middleCols(given_, n);
    const Eigen::FullPivLU<Eigen::MatrixXd> left(Eigen::MatrixXd::Identity(n, n) - map);
    if (!(left.rcond() > 1e-13)) return;  // nothing fades: what it holds is a matter of the past
    const Eigen::MatrixXd varied = left.solve(after.leftCols(given_) - map * was.leftCols(given_));
    State next = now_;
    if (n == 2) {
        next.s = before.s + left.solve(now_.s - before.s);
        next.ds.leftCols(given_) = varied;
    } else {
        const double off = std::remainder(now_.theta - before.theta, turn);
        next.theta = before.theta + left.solve(Eigen::VectorXd::Constant(1, off))(0);
        next.dtheta.head(given_) = varied;
        if (!(std::abs(next.theta - before.theta) < 1)) return;
    }
    const Place p = at(0.0);
    if (n == 2 && !((next.s + law_.kt * p.u.head<2>()).norm() <= p.limit)) return;
    now_ = next;
}

double ContactPath::apart(const State& a, const State& b) const {
    if (a.phase != b.phase) return 1.0;
    const double size = std::max(scale_, 1e-300);
    const double springs = law_.kp > 0 ? law_.kp * (a.reference - b.reference).norm() / size : 0.0;
    if (a.phase == Phase::stick) return (a.s - b.s).norm() / size + springs;
    if (a.phase == Phase::slip) return std::abs(std::remainder(a.theta - b.theta, turn)) + springs;
    return springs;
}

}  // namespace faying::harmonic::detail
