// Slip whose direction turns: theta' = kt (u'.e_across)/limit, by collocation that does not mind how stiff it is where
// little is held; its stages are the nodes of the force's harmonics.

#include <algorithm>

#include "contact_path.hpp"

namespace faying::harmonic::detail {

namespace {
constexpr double smooth = 1e-7;  ///< of the highest coefficient of a step; its end and its integrals are far better
}

ContactPath::Step ContactPath::step_from(double from, double length) const {
    const Radau& rule = Radau::rule();
    Step step;
    step.length = length;
    double most = 0;
    for (int i = 0; i < Radau::stages; ++i) {
        auto& p = step.places[std::size_t(i)];
        p = at(from + rule.c(i) * length);
        most = std::max(most, p.limit);
        p.limit = std::max(p.limit, nothing * scale_);
    }
    step.theta.setConstant(now_.theta);
    Radau::Vector rate;
    const auto look = [&] {
        for (int i = 0; i < Radau::stages; ++i) {
            const auto& p = step.places[std::size_t(i)];
            const Vector2d e = direction_of(step.theta(i));
            const double pull = law_.kt / p.limit;
            rate(i) = pull * across(e).dot(p.v.head<2>());
            step.pace(i) = pull * e.dot(p.v.head<2>());
        }
    };
    for (int k = 0; k < 20; ++k) {
        look();
        const Radau::Matrix left = Radau::Matrix::Identity() + length * (rule.a * step.pace.asDiagonal());
        const Radau::Vector miss = (step.theta.array() - now_.theta).matrix() - length * (rule.a * rate);
        const Radau::Vector change = left.partialPivLu().solve(miss);
        const double size = change.cwiseAbs().maxCoeff();
        if (!(size < 3.0)) return step;  // not this way round
        step.theta -= change;
        if (size < 1e-14 || (k > 3 && size < 1e-12)) {
            step.converged = true;
            break;
        }
    }
    look();
    step.rough = std::abs(rule.top.dot(step.theta)) * std::min(1.0, most / std::max(scale_, 1e-300));
    step.turning = rule.coefficients * rate;
    return step;
}

/// On the step's polynomial, a length after `from`.
Local ContactPath::slip_margin_in(double from, const Step& step, double length) const {
    constexpr int n = Radau::stages;
    std::array<double, n + 1> p{}, dp{};  // P_j(x) and its derivative
    const double x = 2 * length / step.length - 1;
    p[0] = 1;
    p[1] = x;
    dp[1] = 1;
    for (std::size_t j = 2; j <= n; ++j) {
        p[j] = (double(2 * j - 1) * x * p[j - 1] - double(j - 1) * p[j - 2]) / double(j);
        dp[j] = dp[j - 2] + double(2 * j - 1) * p[j - 1];
    }
    double angle = now_.theta, rate = 0;
    for (std::size_t j = 0; j < n; ++j) {
        const double c = step.turning(Eigen::Index(j));
        rate += c * p[j];
        angle += 0.5 * step.length * c * (j == 0 ? x + 1 : (p[j + 1] - p[j - 1]) / double(2 * j + 1));
    }
    const Place here = at(from + length);
    const Vector2d e = direction_of(angle);
    const double bend = regime_.sloped ? law_.mu * law_.kn * here.a(2) : 0.0;
    return {slip_margin(here, angle), rate * across(e).dot(here.v.head<2>()) + e.dot(here.a.head<2>()) - bend / law_.kt,
            0};
}

ContactPath::SlipEnd ContactPath::slip_ends(double from, const Step& step) const {
    double pace = 0, hurry = 0;  // bounds of theta' and theta''
    for (int j = 0; j < Radau::stages; ++j) {
        pace += std::abs(step.turning(j));
        hurry += std::abs(step.turning(j)) * j * (j + 1) / step.length;
    }
    const auto most = limit_bounds();
    const double speed = along_[1] + most[1] / law_.kt;
    const Bounds bounds{(hurry + pace * pace) * along_[1] + 2 * pace * along_[2] + along_[3] + most[3] / law_.kt};
    const double doubt = std::max(4 * step.rough, 1e-14) * speed;
    const auto margin_in = [&](double length) { return slip_margin_in(from, step, length); };
    const auto doubtful = FirstBelow(margin_in, bounds, doubt).find(0, step.length);
    if (!doubtful) return {};
    const auto over = FirstBelow(margin_in, bounds, -doubt).find(doubtful->before, step.length);
    if (!over) return {doubt > 1e-12 * speed ? SlipEnd::unclear : SlipEnd::none};
    const auto margin_after = [&](double length) {
        if (!(length > 0)) return margin(at(from));
        return slip_margin(at(from + length), step_from(from, length).theta(Radau::stages - 1));
    };
    const double at_low = margin_after(doubtful->before), at_high = margin_after(over->below);
    if (!(at_high < 0)) return {SlipEnd::unclear};
    if (!(at_low > 0)) return {SlipEnd::inside, doubtful->before};
    return {SlipEnd::inside, falls_to_zero(margin_after, doubtful->before, over->below, at_low, at_high)};
}

double ContactPath::turning_slip(double from, double to) {
    const double longest = turn / (4.0 * (harmonics_.highest() + 1));
    double length = std::min(longest, to - from);
    while (from < to) {
        if (to - from < 1e-9) {  // a rest that small cannot stiffen or turn anything
            const Place p = at(to);
            if (p.limit <= 1e-9 * scale_) {
                const Vector2d e = direction(p);
                now_.theta = std::atan2(e(1), e(0));
                now_.dtheta = turned(p, e);
            }
            return to;
        }
        length = std::min({length, longest, to - from});
        Step step = step_from(from, length);
        const bool rough = !step.converged || step.rough > smooth;
        if (rough && length > 1e-9) {
            length *= step.converged ? std::clamp(0.8 * std::pow(smooth / step.rough, 1.0 / 8), 0.2, 0.7) : 0.4;
            continue;
        }
        const SlipEnd end = slip_ends(from, step);
        if (end.found == SlipEnd::unclear && length > 1e-9) {
            length *= 0.5;
            continue;
        }
        if (end.found == SlipEnd::inside) {
            if (end.length > 0) take(step_from(from, end.length));
            start_stick(at(from + end.length));
            return from + end.length;
        }
        take(step);
        from += length;
        length *= std::clamp(0.8 * std::pow(smooth / std::max(step.rough, 1e-30), 1.0 / 8), 1.0, 3.0);
        if (to - from < 1e-14) return to;
    }
    return to;
}

/// Adds a step's friction and how it varies; `now_` goes to its end.
void ContactPath::take(const Step& step) {
    const Radau& rule = Radau::rule();
    constexpr int n = Radau::stages;
    using Columns = Eigen::Matrix<double, n, Eigen::Dynamic>;
    Eigen::MatrixXd h(functions_, n);
    Columns side = Columns::Zero(n, columns_), limits = Columns::Zero(n, columns_);
    const double sloped = regime_.sloped ? law_.mu * law_.kn : 0.0;
    for (int i = 0; i < n; ++i) {
        const auto& p = step.places[std::size_t(i)];
        const Vector2d c = across(direction_of(step.theta(i)));
        const Eigen::VectorXd value = values(p.t);
        h.col(i) = value;
        const double pull = law_.kt / p.limit, sideways = c.dot(p.v.head<2>());
        if (slopes_) {
            limits.row(i) = held(p);
            side.row(i) = sideways / p.limit * slopes_->kt;
        } else {
            const Eigen::VectorXd rate = rates(value);
            for (Eigen::Index b = 0; b < functions_; ++b) {
                side(i, 3 * b) = pull * c(0) * rate(b);
                side(i, 3 * b + 1) = pull * c(1) * rate(b);
                limits(i, 3 * b + 2) = sloped * value(b);
            }
        }
        side.row(i) -= pull * sideways / p.limit * limits.row(i);
    }
    const Radau::Matrix left = Radau::Matrix::Identity() + step.length * (rule.a * step.pace.asDiagonal());
    Columns start = step.length * (rule.a * side);
    start.rowwise() += now_.dtheta;
    const Columns angle = left.partialPivLu().solve(start);
    std::array<Columns, 2> varied{Columns(n, columns_), Columns(n, columns_)};
    Eigen::Matrix<double, n, 2> friction;
    for (int i = 0; i < n; ++i) {
        const auto& p = step.places[std::size_t(i)];
        const Vector2d e = direction_of(step.theta(i)), c = across(e);
        const double weight = step.length * rule.a(n - 1, i);
        friction.row(i) = weight * p.limit * e.transpose();
        for (int axis = 0; axis < 2; ++axis)
            varied[std::size_t(axis)].row(i) = weight * (e(axis) * limits.row(i) + p.limit * c(axis) * angle.row(i));
    }
    force_.leftCols(2).noalias() += h * friction;
    for (std::size_t axis = 0; axis < 2; ++axis) slope_[axis].noalias() += h * varied[axis];
    now_.theta = step.theta(n - 1);
    now_.dtheta = angle.row(n - 1);
}

}  // namespace faying::harmonic::detail
