#pragma once
// The two arcs a Bouc-Wen path is made of, for the force magnitude F over the distance d travelled:
//
//     loading    dF/dd =   A - c F^n    c = alpha - beta >= 0
//     unloading  dF/dd = -(A + c F^n)   c = alpha + beta >= 0, until F = 0
//
// n = 1: exponentials. n = 2: tanh and tan. Any other n: the distance is a hypergeometric function of the force,
//
//     d = (F/A) 2F1(1, 1/n; 1 + 1/n; X),   Int F dd = (F^2/2A) 2F1(1, 2/n; 1 + 2/n; X),   X = +-c F^n/A,
//
// summed to round-off and inverted by Newton: no integrator, no step size, no tolerance to choose. At n = 1 and n = 2
// the derivative to n is a closed form of its own (bouc_wen_exponent.hpp).

#include <cmath>
#include <numbers>

#include "faying/core/quadrature.hpp"
#include "faying/core/special.hpp"
#include "faying/laws/bouc_wen_exponent.hpp"
#include "faying/laws/law.hpp"

namespace faying::laws {

template <class T>
struct Arc {
    T force{};  ///< F at the end
    T area{};   ///< Int F dd, always >= 0
};

namespace hypergeometric {

/// 2F1(1, b; 1+b; X) = Sum_k X^k b/(b+k), |X| <= 1/2.
template <class T>
T series(const T& b, const T& X) {
    T power(1.0), sum(1.0);
    for (int k = 1; k < 80; ++k) {
        power = power * X;
        sum += power * (b / (b + double(k)));
        if (std::abs(value(power)) < 1e-18) break;
    }
    return sum;
}

/// The same for 1/2 < X < 1, about its logarithmic singularity; v = -log(1-X).
template <class T>
T near_one(const T& b, const T& v) {
    using std::exp;
    const T small = exp(-v);
    T bracket = -std::numbers::egamma - core::digamma(b) + v;  // psi(1) - psi(b) - log(1-X)
    T weight(1.0);
    T sum = bracket;
    for (int k = 1; k < 200; ++k) {
        weight = weight * ((b + double(k - 1)) / double(k)) * small;
        bracket += 1.0 / double(k) - 1.0 / (b + double(k - 1));
        const T term = weight * bracket;
        sum += term;
        if (std::abs(value(term)) < 1e-18 * std::abs(value(sum))) break;
    }
    return b * sum;
}

/// For X < -1/2: b (-X)^-b Int_0^-X y^(b-1)/(1+y) dy, the part beyond y = 1/2 by Gauss panels in log y.
template <class T>
T negative(const T& b, const T& X) {
    using std::exp;
    using std::log;
    constexpr double split = 0.5;
    const T far = log(-X);
    const double near = std::log(split);
    const int panels = 1 + static_cast<int>((value(far) - near) / 2.0);
    const T width = (far - near) / double(panels);
    T sum(0.0);
    for (int i = 0; i < panels; ++i) {
        sum += core::gauss_panel(
            [&](double r) {
                const T s = near + (double(i) + r) * width;
                return T(exp(b * s) / (1.0 + exp(s)));
            },
            0.0, 1.0);
    }
    const T head = core::power(T(split), b) / b * series(b, T(-split));
    return b * core::power(-X, -b) * (head + sum * width);
}

/// 2F1(1, b; 1+b; X) for X < 1.
template <class T>
T one_b(const T& b, const T& X) {
    using std::log1p;
    if (std::abs(value(X)) <= 0.5) return series(b, X);
    return value(X) > 0 ? near_one(b, T(-log1p(-X))) : negative(b, X);
}

}  // namespace hypergeometric

/// Arcs for one (A, c, n).
template <class T>
class BoucWenFlow {
 public:
    BoucWenFlow(const T& A, const T& c, const T& n) : A_(A), c_(c), n_(n), n_moves_(!core::is_constant(n)) {
        if (value(n) == 1.0) kind_ = Kind::exponential;
        if (value(n) == 2.0) kind_ = Kind::tangent;
    }

    T loading_slope(const T& F) const { return A_ - c_ * power(F); }
    T unloading_slope(const T& F) const { return A_ + c_ * power(F); }

    Arc<T> load(const T& F0, const T& d) const {
        switch (kind_) {
            case Kind::exponential: {
                const auto phi = core::phi_functions<2>(T(-c_ * d));
                const T rate = A_ - c_ * F0;
                Arc<T> arc{F0 + rate * d * phi[1], d * (F0 + rate * d * phi[2])};
                if (n_moves()) move_exponent(arc, F0, 1, value(d * phi[1]), value(-c_ * d));
                return arc;
            }
            case Kind::tangent: return load_tanh(F0, d);
            default: return load_general(F0, d);
        }
    }

    /// Distance from F0 down to zero force.
    T distance_to_zero(const T& F0) const {
        switch (kind_) {
            case Kind::exponential: return F0 / A_ * core::log1p_over(T(c_ * F0 / A_)) + distance_moved(F0);
            case Kind::tangent: return F0 / A_ * core::atan_over_root(T(c_ * F0 * F0 / A_)) + distance_moved(F0);
            default: return F0 / A_ * hypergeometric::one_b(T(1.0 / n_), T(-c_ * power(F0) / A_));
        }
    }

    /// Down from F0 by a distance that does not reach zero.
    Arc<T> unload(const T& F0, const T& d) const {
        switch (kind_) {
            case Kind::exponential: {
                const auto phi = core::phi_functions<2>(T(-c_ * d));
                const T rate = A_ + c_ * F0;
                Arc<T> arc{F0 - rate * d * phi[1], d * (F0 - rate * d * phi[2])};
                if (n_moves()) move_exponent(arc, F0, -1, -value(d * phi[1]), value(-c_ * d));
                return arc;
            }
            case Kind::tangent: {
                const T run = A_ * d * core::tanh_over_root(T(-A_ * c_ * d * d));  // sqrt(A/c) tan(sqrt(A c) d)
                return unloaded(F0, (F0 - run) / (1.0 + c_ * F0 * run / A_));
            }
            default: return unload_general(F0, d);
        }
    }

    /// All the way from F0 down to zero, which takes the distance d.
    Arc<T> unload_to_zero(const T& F0, const T& d) const {
        switch (kind_) {
            case Kind::exponential: return {T(0.0), unload(F0, d).area};
            case Kind::tangent: return {T(0.0), unloaded(F0, T(0.0)).area};
            default: return {T(0.0), area_general(F0)};
        }
    }

    // Friction keeps (c/A) Int F^(n+1) dd of an arc: the area less what the spring A stores or gives back. Where that
    // difference would cancel, (F^2/A) Sum_k X^k/(k n + 2) from zero force says the same.
    T loading_dissipation(const T& F0, const Arc<T>& arc) const {
        const T X = c_ * power(arc.force) / A_;
        if (value(X) > 0.5) return arc.area - 0.5 * (arc.force * arc.force - F0 * F0) / A_;
        return kept(arc.force, X) - kept(F0, T(c_ * power(F0) / A_));
    }
    T unloading_dissipation(const T& F0, const Arc<T>& arc) const {
        const T X = c_ * power(F0) / A_;
        if (value(X) > 0.5) return 0.5 * (F0 * F0 - arc.force * arc.force) / A_ - arc.area;
        return kept(arc.force, T(-c_ * power(arc.force) / A_)) - kept(F0, T(-X));
    }

    /// d0 = 2 Int F dd - d F on the virgin curve that ends at F after d: what Masing memory asks for, free of
    /// cancellation: (F^2/A) Sum_k X^k k n/((k n + 1)(k n + 2)).
    T virgin_dissipation(const T& F, const T& d, const T& area) const {
        const T X = c_ * power(F) / A_;
        if (value(X) > 0.5) return 2.0 * area - d * F;
        T term(1.0), sum(0.0);
        for (int k = 1; k < 80; ++k) {
            term = term * X;
            const T kn = double(k) * n_;
            sum += term * kn / ((kn + 1.0) * (kn + 2.0));
            if (std::abs(value(term)) < 1e-18) break;
        }
        return F * F / A_ * sum;
    }

 private:
    /// (F^2/A) Sum_k X^k/(k n + 2), with its slopes to X and n: cheaper than the sum of dual numbers.
    T kept(const T& F, const T& X) const {
        const double x = value(X), n = value(n_);
        double term = 1.0, sum = 0.0, by_X = 0.0, by_n = 0.0;
        for (int k = 1; k < 80; ++k) {
            const double part = 1.0 / (k * n + 2.0);
            if (is_dual<T>) by_X += k * term * part;
            term = term * x;
            sum += term * part;
            if (is_dual<T>) by_n -= k * term * part * part;
            if (std::abs(term) < 1e-18) break;
        }
        return F * F / A_ * (core::chain(X, sum, by_X) + core::chain(n_, 0.0, by_n));
    }

    enum class Kind { exponential, tangent, general };
    T A_, c_, n_;
    Kind kind_ = Kind::general;
    bool n_moves_;

    bool n_moves() const { return is_dual<T> && n_moves_; }  ///< n carries a derivative

    T power(const T& F) const {
        if (kind_ == Kind::general) return value(F) == 0.0 ? T(0.0) : T(core::power(F, n_));
        T closed = kind_ == Kind::exponential ? F : T(F * F);
        if (n_moves() && value(F) != 0.0) closed += core::chain(n_, 0.0, value(closed) * std::log(value(F)));
        return closed;
    }

    ArcPoint point(double F, double side) const {
        const double X = side * value(c_) * (kind_ == Kind::exponential ? F : F * F) / value(A_);
        const double room = std::max(1.0 - X, 1e-16);  // saturated to round-off
        return {F, X, room, X < 0.5 ? std::log1p(-X) : std::log(room)};
    }
    ExponentSlope slope_at(const ArcPoint& at) const {
        return exponent_slope(kind_ == Kind::exponential ? 1 : 2, value(A_), at);
    }

    /// Adds what n does to an arc of n = 1 or 2, loading (side 1) or unloading (-1), that starts with the slope g0 and
    /// ends with g1 = g0 exp(log_decay); span = (F1 - F0)/g0.
    void move_exponent(Arc<T>& arc, const T& F0, double side, double span, double log_decay) const {
        const ArcPoint from = point(value(F0), side);
        ArcPoint to = point(std::max(value(arc.force), 0.0), side);  // an arc down to zero ends there to round-off
        const double decay = std::exp(log_decay);
        if (side > 0) {  // in saturation only the ratio of the rooms is well known
            to.room = from.room * decay;
            to.log_room = from.log_room + log_decay;
        }
        const ExponentSlope start = slope_at(from), end = slope_at(to);
        arc.force += core::chain(n_, 0.0, -side * (end.W - decay * start.W));
        arc.area += core::chain(n_, 0.0, end.E - start.E + span * start.W);
    }
    T distance_moved(const T& F0) const {
        if (!n_moves()) return T(0.0);
        const ArcPoint at = point(value(F0), -1);
        return core::chain(n_, 0.0, -slope_at(at).W / (value(A_) * at.room));
    }

    Arc<T> unloaded(const T& F0, const T& F1) const {  // n = 2
        const T bottom = A_ + c_ * F1 * F1;
        const T drop = F0 * F0 - F1 * F1;
        Arc<T> arc{F1, drop / (2.0 * bottom) * core::log1p_over(T(c_ * drop / bottom))};
        if (n_moves()) {
            const double top = value(A_) + value(c_) * value(F0) * value(F0);
            move_exponent(arc, F0, -1, (value(F1) - value(F0)) / top, std::log(value(bottom) / top));
        }
        return arc;
    }

    Arc<T> load_tanh(const T& F0, const T& d) const {
        const T y = A_ * c_ * d * d;
        const T run = A_ * d * core::tanh_over_root(y);  // sqrt(A/c) tanh(sqrt(A c) d)
        const T gain = 1.0 + c_ * F0 * run / A_;
        const T F1 = (F0 + run) / gain;
        Arc<T> arc{F1, loaded_area(F0, F1, run, gain, y)};
        if (n_moves()) {  // g1/g0 = 1/(cosh^2 x gain^2)
            const double x = std::sqrt(value(y));
            const double log_cosh = x + std::log1p(std::exp(-2.0 * x)) - std::numbers::ln2;
            move_exponent(arc, F0, 1, value(run) / (value(A_) * value(gain)),
                          -2.0 * (log_cosh + std::log(value(gain))));
        }
        return arc;
    }

    /// Int F dd of loading at n = 2.
    T loaded_area(const T& F0, const T& F1, const T& run, const T& gain, const T& y) const {
        using std::exp;
        using std::log;
        using std::log1p;
        using std::sqrt;
        const T left = A_ - c_ * F1 * F1;
        if (value(y) < 1.0 && value(left) > 0.1 * value(A_)) {
            const T rise = F1 * F1 - F0 * F0;
            return rise / (2.0 * left) * core::log1p_over(T(c_ * rise / left));
        }
        // Int F dd = (log cosh x + log gain)/c, x = sqrt(y), and cosh^2 x = 1/(1 - tanh^2 x)
        if (value(y) < 1.0) return (log1p(T(c_ * F0 * run / A_)) - 0.5 * log1p(T(-c_ * run * run / A_))) / c_;
        const T x = sqrt(y);
        return (x + log1p(exp(-2.0 * x)) - std::numbers::ln2 + log(gain)) / c_;
    }

    /// Distance from zero force, general n.
    T distance_general(const T& F) const { return F / A_ * hypergeometric::one_b(T(1.0 / n_), T(-c_ * power(F) / A_)); }
    T area_general(const T& F) const {
        return F * F / (2.0 * A_) * hypergeometric::one_b(T(2.0 / n_), T(-c_ * power(F) / A_));
    }

    Arc<T> unload_general(const T& F0, const T& d) const {
        const double target = value(distance_general(F0)) - value(d);
        const BoucWenFlow<double> plain(value(A_), value(c_), value(n_));
        double F = value(A_) * std::max(target, 0.0);  // below the root: Newton climbs to it
        for (int i = 0; i < 60; ++i) {
            const double change = (target - plain.distance_general(F)) * plain.unloading_slope(F);
            F += change;
            if (std::abs(change) <= 4e-16 * std::abs(F)) break;
        }
        if constexpr (is_dual<T>) {
            const T goal = distance_general(F0) - d;
            const T F1 = F + (goal - distance_general(T(F))) * plain.unloading_slope(F);
            return {F1, area_general(F0) - area_general(F1)};
        } else {
            return {F, area_general(F0) - area_general(F)};
        }
    }
    friend class BoucWenFlow<double>;
    template <class>
    friend class BoucWenFlow;

    // Loading at general n works in F below X = 1/2, and in v = -log(1-X) above, where d is nearly linear in v.
    struct Position {
        bool near_saturation = false;
        T coordinate{};  ///< F, or v
    };

    T saturation() const { return core::power(A_ / c_, 1.0 / n_); }

    Position position(const T& F) const {
        using std::log;
        const T X = c_ * power(F) / A_;
        if (value(X) <= 0.5) return {false, F};
        const double room = 1.0 - value(X);
        if (room <= 1e-15) return {true, T(35.0)};  // saturated to round-off
        return {true, T(-log(1.0 - X))};
    }

    T force_at(const Position& p) const {
        using std::expm1;
        if (!p.near_saturation) return p.coordinate;
        return saturation() * core::power(T(-expm1(-p.coordinate)), 1.0 / n_);
    }

    T distance_at(const Position& p) const {
        using std::expm1;
        const T b = 1.0 / n_;
        if (!p.near_saturation) return p.coordinate / A_ * hypergeometric::series(b, T(c_ * power(p.coordinate) / A_));
        return saturation() / A_ * core::power(T(-expm1(-p.coordinate)), b) * hypergeometric::near_one(b, p.coordinate);
    }

    T area_at(const Position& p) const {
        using std::expm1;
        const T b = 2.0 / n_;
        if (!p.near_saturation)
            return p.coordinate * p.coordinate / (2.0 * A_) *
                   hypergeometric::series(b, T(c_ * power(p.coordinate) / A_));
        const T top = saturation();
        return top * top / (2.0 * A_) * core::power(T(-expm1(-p.coordinate)), b) *
               hypergeometric::near_one(b, p.coordinate);
    }

    T distance_slope(const Position& p) const {
        using std::expm1;
        if (!p.near_saturation) return 1.0 / loading_slope(p.coordinate);
        const T b = 1.0 / n_;
        return saturation() / A_ * b * core::power(T(-expm1(-p.coordinate)), b - 1.0);
    }

    Arc<T> load_general(const T& F0, const T& d) const {
        if (value(c_) == 0.0 && core::is_constant(c_)) return {F0 + A_ * d, d * (F0 + 0.5 * A_ * d)};
        const BoucWenFlow<double> plain(value(A_), value(c_), value(n_));
        const Position start = position(F0);
        const T goal = distance_at(start) + d;
        const double target = value(goal);
        // Which side of X = 1/2 the end lies on.
        typename BoucWenFlow<double>::Position end;
        const double half_force = value(c_) > 0 ? std::pow(0.5 * value(A_) / value(c_), 1.0 / value(n_)) : INFINITY;
        const double half_distance =
            value(c_) > 0 ? half_force / value(A_) * hypergeometric::series(1.0 / value(n_), 0.5) : INFINITY;
        end.near_saturation = target > half_distance;
        end.coordinate = end.near_saturation
                             ? std::log(2.0) + (target - half_distance) * value(n_) * value(A_) / plain.saturation()
                             : std::min(target * value(A_), half_force);
        for (int i = 0; i < 60; ++i) {
            const double change = (target - plain.distance_at(end)) / plain.distance_slope(end);
            const double before = end.coordinate;
            end.coordinate += change;
            if (end.near_saturation)
                end.coordinate = std::max(end.coordinate, 0.5);
            else
                end.coordinate = std::clamp(end.coordinate, 0.0, 1.2 * half_force);
            if (std::abs(end.coordinate - before) <= 4e-16 * std::abs(end.coordinate)) break;
        }
        Position last{end.near_saturation, T(end.coordinate)};
        if constexpr (is_dual<T>) last.coordinate += (goal - distance_at(last)) / T(plain.distance_slope(end));
        T force = force_at(last);
        if (value(force) < value(F0)) force = F0;  // saturated to round-off
        return {force, area_at(last) - area_at(start)};
    }
};

}  // namespace faying::laws
