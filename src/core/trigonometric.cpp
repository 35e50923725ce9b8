#include "faying/core/trigonometric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "faying/core/error.hpp"

namespace faying::core {

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// A zero of an increasing or decreasing function of t between two times of opposite sign; `f` gives value and slope.
template <class F>
double bracketed_zero(F&& f, double from, double to, double at_from) {
    double t = 0.5 * (from + to);
    for (int k = 0; k < 200; ++k) {
        const auto [value, slope] = f(t);
        if (value == 0) return t;
        ((value > 0) == (at_from > 0) ? from : to) = t;
        double next = slope != 0 ? t - value / slope : from;
        if (!(next > from && next < to)) next = 0.5 * (from + to);
        if (std::abs(next - t) <= 2e-16 * (1 + std::abs(t)) || to - from <= 4e-16) return next;
        t = next;
    }
    return t;
}

/// Zeros of u' by halving.
class Zeros {
 public:
    Zeros(const Harmonics& harmonics, const Eigen::VectorXd& u) : harmonics_(harmonics), u_(u) {
        for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
            const double k = harmonics.orders()[i];
            if (k == 0) continue;
            const double size = std::hypot(u(harmonics.at(i)), u(harmonics.at(i) + 1));
            curvature_ += k * k * size;
            jerk_ += k * k * k * size;
        }
    }

    std::vector<double> find() {
        if (!(curvature_ > 0) || !std::isfinite(jerk_)) return {};
        const int parts = 2 * harmonics_.highest() + 2;
        const double at_zero = slope(0);
        double from = 0, at_from = at_zero;
        for (int i = 1; i <= parts; ++i) {
            const double to = two_pi * i / parts, at_to = i < parts ? slope(to) : at_zero;  // the same instant
            search(from, to, at_from, at_to);
            from = to;
            at_from = at_to;
        }
        return zeros_;
    }

 private:
    const Harmonics& harmonics_;
    const Eigen::VectorXd& u_;
    double curvature_ = 0, jerk_ = 0;  ///< bounds of |u''|, |u'''|
    std::vector<double> zeros_;

    double slope(double t) const {
        double value = 0, slope = 0, curvature = 0;
        harmonics_.motion(u_, t, value, slope, curvature);
        return slope;
    }

    void search(double from, double to, double at_from, double at_to) {
        const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
        double value = 0, at_middle = 0, bend = 0;
        harmonics_.motion(u_, middle, value, at_middle, bend);
        if (std::abs(at_middle) > curvature_ * half) return;
        const bool one_at_most = std::abs(bend) > jerk_ * half || half < 1e-9;
        if (!one_at_most) {
            search(from, middle, at_from, at_middle);
            search(middle, to, at_middle, at_to);
        } else if ((at_from < 0) != (at_to < 0)) {
            const auto slope_and_bend = [&](double t) {
                double u = 0, slope = 0, curvature = 0;
                harmonics_.motion(u_, t, u, slope, curvature);
                return std::pair(slope, curvature);
            };
            // At an end of zero slope the sign counts as positive, so that neighbours do not both claim it.
            zeros_.push_back(at_from == 0 ? from : at_to == 0 ? to : bracketed_zero(slope_and_bend, from, to, at_from));
            if (zeros_.back() >= two_pi) zeros_.back() = 0;
        }
    }
};

}  // namespace

Harmonics Harmonics::up_to(int highest) {
    if (highest < 0) throw BadInput("harmonics", fmt::format("the highest harmonic {} is below zero", highest));
    std::vector<int> orders(std::size_t(highest) + 1);
    std::iota(orders.begin(), orders.end(), 0);
    return Harmonics(orders);
}

Harmonics::Harmonics(std::vector<int> orders) : orders_(std::move(orders)) {
    if (orders_.empty()) throw BadInput("harmonics", "none is given");
    for (std::size_t i = 0; i < orders_.size(); ++i)
        if (orders_[i] < 0 || (i > 0 && orders_[i] <= orders_[i - 1]))
            throw BadInput("harmonics", "orders must be whole numbers from 0, ascending, each once");
    size_ = 2 * Eigen::Index(orders_.size()) - (has_mean() ? 1 : 0);
}

void Harmonics::values(double t, double* h) const {
    const double c1 = std::cos(t), s1 = std::sin(t);
    double c = 1, s = 0;
    int k = 0;
    for (const int order : orders_) {
        for (; k < order; ++k) {
            const double next = c * c1 - s * s1;
            s = s * c1 + c * s1;
            c = next;
        }
        *h++ = c;
        if (order > 0) *h++ = s;
    }
}

void Harmonics::motion(const Eigen::VectorXd& u, double t, double& value, double& slope, double& curvature) const {
    const double c1 = std::cos(t), s1 = std::sin(t);
    double c = 1, s = 0;
    int k = 0;
    value = slope = curvature = 0;
    Eigen::Index b = 0;
    for (const int order : orders_) {
        for (; k < order; ++k) {
            const double next = c * c1 - s * s1;
            s = s * c1 + c * s1;
            c = next;
        }
        if (order == 0) {
            value += u(b++);
            continue;
        }
        const double along = u(b) * c + u(b + 1) * s, across = u(b + 1) * c - u(b) * s;
        value += along;
        slope += order * across;
        curvature -= double(order) * order * along;
        b += 2;
    }
}

std::vector<double> turning_points(const Harmonics& harmonics, const Eigen::VectorXd& u) {
    auto zeros = Zeros(harmonics, u).find();
    std::sort(zeros.begin(), zeros.end());
    // What is left of two zeros closer than rounding is no reversal: the slope has one sign on both sides.
    std::vector<double> turns;
    const auto rises_after = [&](std::size_t i) {
        const double next = i + 1 < zeros.size() ? zeros[i + 1] : zeros.front() + two_pi;
        double value = 0, slope = 0, curvature = 0;
        harmonics.motion(u, 0.5 * (zeros[i] + next), value, slope, curvature);
        return slope > 0;
    };
    for (std::size_t i = 0; i < zeros.size(); ++i)
        if (rises_after(i) != rises_after(i > 0 ? i - 1 : zeros.size() - 1)) turns.push_back(zeros[i]);
    return turns;
}

double time_of(const Harmonics& harmonics, const Eigen::VectorXd& u, double value, double from, double to) {
    double at_from = 0, slope = 0, curvature = 0;
    harmonics.motion(u, from, at_from, slope, curvature);
    const auto miss = [&](double t) {
        double at = 0, rate = 0, bend = 0;
        harmonics.motion(u, t, at, rate, bend);
        return std::pair(at - value, rate);
    };
    return bracketed_zero(miss, from, to, at_from - value);
}

}  // namespace faying::core
