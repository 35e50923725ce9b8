#pragma once
// Two-state ([S3] ch. 3-5): K = alpha I, A = mu diag(sigma, 1), b = (b1, b2); f = (1 + ks) u - b.q.
//
// The slip rule "minimise sqrt(eta.A eta) + eta.c" is the support function of the ellipse E = {z: z.A^-1 z <= 1}, so
// the law is a sweeping process for z = b u - alpha q: it sticks while z stays inside E and slips along the normal of E
// otherwise. On the ellipse write z = A^(1/2) (cos th, sin th); along a straight path th runs to th* (the direction of
// A^(1/2) b) and with psi = th - th*, t = log tan(|psi|/2),
//
//     R |du| = -Delta G,   G(t) = (m + d C) t - 2 d C tanh t -+ 2 d S / cosh t,   C = cos 2th*, S = sin 2th*,
//
// m, d = (1/a1 +- 1/a2)/2, a = diag A, R = |(b2/(sqrt(a2) a1), b1/(sqrt(a1) a2))|. dG/dt lies between 1/a2 and 1/a1:
// one scalar Newton solve a path, exact to round-off; no eigenproblem, no increment. Dissipation is closed form too.
//
// Normalised family (initial slope 1, saturated slope 0, gap 2): b1 = sqrt(alpha(1-alpha)/(1-sigma)),
// b2 = sqrt(alpha(alpha-sigma)/(1-sigma)); one-bolt lap joints: alpha = 2/3, sigma = 1/16 ([S3] Eq. 4.20).

#include <array>
#include <cmath>
#include <numbers>

#include "faying/core/parameter.hpp"
#include "faying/laws/law.hpp"

namespace faying::laws {

template <class T>
struct TwoStateParameters {
    using Scalar = T;
    T alpha, sigma, b1, b2, ks, mu;

    static const core::ParameterTable<TwoStateParameters>& table() {
        using core::Scale;
        using P = TwoStateParameters;
        static const core::ParameterTable<P> t = {
            core::parameter<&P::alpha>("alpha", "\\bar\\alpha", "", core::positive, Scale::logarithmic,
                                       "stiffness of the hidden states"),
            core::parameter<&P::sigma>("sigma", "\\sigma", "", core::positive, Scale::logarithmic,
                                       "squared ratio of the two friction strengths"),
            core::parameter<&P::b1>("b1", "b_1", "", core::any_real, Scale::linear, "coupling to the first state"),
            core::parameter<&P::b2>("b2", "b_2", "", core::any_real, Scale::linear, "coupling to the second state"),
            core::parameter<&P::ks>("ks", "k_s", "", core::any_real, Scale::linear, "parallel spring", 0.0),
            core::parameter<&P::mu>("mu", "\\bar\\mu", "", core::positive, Scale::logarithmic,
                                    "scale of friction; 1 without loss of generality", 1.0)};
        return t;
    }
    std::string complaint() const {
        return value(b1) != 0.0 || value(b2) != 0.0 ? "" : "b1 and b2 must not both be zero";
    }
};

template <class T = double>
class TwoState {
 public:
    using Scalar = T;
    using Parameters = TwoStateParameters<T>;
    using Vector = std::array<T, 2>;
    template <class U>
    using rebind = TwoState<U>;
    static constexpr std::string_view key = "two-state";
    static constexpr Claims claims{};
    static const auto& table() { return Parameters::table(); }
    static std::string complaint(const Parameters& p) { return p.complaint(); }

    explicit TwoState(const Parameters& p) : p_(p), root_a_{root(p.mu * p.sigma), root(p.mu)}, b_{p.b1, p.b2} {
        using std::atan2;
        using std::cos;
        using std::sin;
        const T inverse1 = 1.0 / (root_a_[0] * root_a_[0]), inverse2 = 1.0 / (root_a_[1] * root_a_[1]);
        mean_ = 0.5 * (inverse1 + inverse2);
        half_difference_ = 0.5 * (inverse1 - inverse2);
        rest_angle_ = atan2(T(root_a_[1] * b_[1]), T(root_a_[0] * b_[0]));
        cos2_ = cos(2.0 * rest_angle_);
        sin2_ = sin(2.0 * rest_angle_);
        const T r1 = b_[1] / root_a_[1] * inverse1, r2 = b_[0] / root_a_[0] * inverse2;
        rate_ = root(r1 * r1 + r2 * r2);
        saturated_slope_ = 1.0 + p.ks - (b_[0] * b_[0] + b_[1] * b_[1]) / p.alpha;
        const T s1 = root_a_[0] * b_[0], s2 = root_a_[1] * b_[1];
        pull_ = root(s1 * s1 + s2 * s2);  // sqrt(b.A b)
    }
    Parameters parameters() const { return p_; }

    struct State {
        T u{};
        Vector z{};  ///< b u - alpha q, inside the ellipse
        T dissipated{};
    };
    State virgin() const { return {}; }
    Vector memory(const State& s) const { return s.z; }
    State with_memory(State s, const Vector& z) const {
        s.z = z;
        return s;
    }
    /// The thesis' state q.
    Vector hidden_state(const State& s) const {
        return {(b_[0] * s.u - s.z[0]) / p_.alpha, (b_[1] * s.u - s.z[1]) / p_.alpha};
    }

    Step<T, State> step(const State& from, const T& u) const {
        const T run = u - from.u;
        const double s = value(run) < 0 ? -1.0 : 1.0;
        const T distance = s * run;
        State next = from;
        next.u = u;
        const T free_run = distance_to_ellipse(from.z, s);
        if (distance <= free_run) {
            next.z = {from.z[0] + b_[0] * run, from.z[1] + b_[1] * run};
            return finish(next, 1.0 + p_.ks);
        }
        const Vector contact{from.z[0] + s * b_[0] * free_run, from.z[1] + s * b_[1] * free_run};
        return slip(next, contact, distance - free_run, s);
    }

 private:
    Parameters p_;
    Vector root_a_, b_;
    T mean_, half_difference_, rest_angle_, cos2_, sin2_, rate_, saturated_slope_, pull_;

    static T root(const T& x) {
        using std::sqrt;
        return value(x) > 0.0 ? T(sqrt(x)) : T(0.0);
    }

    /// How far u may go before z meets the ellipse.
    T distance_to_ellipse(const Vector& z, double s) const {
        using std::sqrt;
        const Vector e{z[0] / root_a_[0], z[1] / root_a_[1]};
        const Vector g{s * b_[0] / root_a_[0], s * b_[1] / root_a_[1]};
        const T gg = g[0] * g[0] + g[1] * g[1];
        const T eg = e[0] * g[0] + e[1] * g[1];
        T room = 1.0 - (e[0] * e[0] + e[1] * e[1]);
        if (value(room) <= 0.0 && value(eg) >= 0.0) return T(0.0);
        if (value(room) < 0.0) room = T(0.0);
        const T spread = sqrt(T(eg * eg + gg * room));
        return value(eg) > 0.0 ? T(room / (eg + spread)) : T((spread - eg) / gg);
    }

    /// Along the ellipse from `contact`.
    Step<T, State> slip(State next, const Vector& contact, const T& distance, double s) const {
        using std::atan2;
        using std::cos;
        using std::cosh;
        using std::log;
        using std::sin;
        using std::tan;
        // In the frame where u rises: mirrored z when it falls.
        T psi = atan2(T(s * contact[1] / root_a_[1]), T(s * contact[0] / root_a_[0])) - rest_angle_;
        if (value(psi) > std::numbers::pi) psi -= 2.0 * std::numbers::pi;
        if (value(psi) < -std::numbers::pi) psi += 2.0 * std::numbers::pi;
        const double side = value(psi) < 0 ? -1.0 : 1.0;
        constexpr double saturated = -40.0;  // psi below 1e-17: nothing a double can tell from zero
        const T half = tan(0.5 * side * psi);
        const T t0 = value(half) > 1e-17 ? T(log(half)) : T(saturated);
        const T goal = turn(t0, side) - rate_ * distance;
        const double t = solve_turn(value(t0), value(goal), side, value(distance));
        const T t1 = core::implicit_root<T>(
            t, [&](const T& x) { return std::pair<T, T>(turn(x, side) - goal, turn_slope(x, side)); });
        const T angle = rest_angle_ + angle_of(t1, side);
        next.z = {s * root_a_[0] * cos(angle), s * root_a_[1] * sin(angle)};
        // Int z.dq = (Int b.z du - (z1^2 - z0^2)/2)/alpha
        const T area = pull_ / rate_ * (swept(t0, side) - swept(t1, side));
        const T before = contact[0] * contact[0] + contact[1] * contact[1];
        const T after = next.z[0] * next.z[0] + next.z[1] * next.z[1];
        next.dissipated += (area - 0.5 * (after - before)) / p_.alpha;
        // d(b.z)/du = pull R sin^2(psi)/(cos^2 th/a1 + sin^2 th/a2)
        const T sine = 1.0 / cosh(t1);
        return finish(next, saturated_slope_ + pull_ * rate_ * sine * sine / (turn_slope(t1, side) * p_.alpha));
    }

    static T angle_of(const T& t, double side) {  // psi
        using std::atan;
        using std::exp;
        return 2.0 * side * atan(T(exp(t)));
    }

    /// G(t) for psi of the given side.
    T turn(const T& t, double side) const {
        using std::cosh;
        using std::tanh;
        return (mean_ + half_difference_ * cos2_) * t - 2.0 * half_difference_ * cos2_ * tanh(t) -
               side * 2.0 * half_difference_ * sin2_ / cosh(t);
    }
    T turn_slope(const T& t, double side) const {
        using std::cosh;
        using std::tanh;
        const T sech = 1.0 / cosh(t);
        return mean_ + half_difference_ * cos2_ * (1.0 - 2.0 * sech * sech) +
               side * 2.0 * half_difference_ * sin2_ * sech * tanh(t);
    }

    /// t with G(t) = goal, below t0. The slope of G is bounded both ways, which brackets the root.
    double solve_turn(double t0, double goal, double side, double distance) const {
        const TwoState<double> plain = as_double();
        const double steep = plain.mean_ + std::abs(plain.half_difference_);
        const double flat = plain.mean_ - std::abs(plain.half_difference_);
        double low = t0 - plain.rate_ * distance / flat, high = t0 - plain.rate_ * distance / steep;
        double t = 0.5 * (low + high);
        for (int i = 0; i < 100; ++i) {
            const double miss = plain.turn(t, side) - goal;
            (miss > 0 ? high : low) = t;
            double next = t - miss / plain.turn_slope(t, side);
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            const double change = next - t;
            t = next;
            if (std::abs(change) <= 1e-15 * (1.0 + std::abs(t))) break;
        }
        return t;
    }

    TwoState<double> as_double() const {
        if constexpr (is_dual<T>)
            return TwoState<double>(
                {value(p_.alpha), value(p_.sigma), value(p_.b1), value(p_.b2), value(p_.ks), value(p_.mu)});
        else
            return *this;
    }
    template <class>
    friend class TwoState;

    /// Antiderivative over psi of cos(psi)(cos^2 th/a1 + sin^2 th/a2)/sin(psi), at psi(t).
    T swept(const T& t, double side) const {
        using std::cosh;
        using std::exp;
        using std::log1p;
        using std::tanh;
        const T size = value(t) < 0 ? T(-t) : t;
        const T log_sine = std::log(2.0) - size - log1p(T(exp(-2.0 * size)));
        const T sine = side / cosh(t);
        return (mean_ + half_difference_ * cos2_) * log_sine - half_difference_ * cos2_ * sine * sine -
               half_difference_ * sin2_ * (angle_of(t, side) - sine * tanh(t));
    }

    Step<T, State> finish(const State& next, const T& tangent) const {
        const T bz = b_[0] * next.z[0] + b_[1] * next.z[1];
        const T zz = next.z[0] * next.z[0] + next.z[1] * next.z[1];
        const T stored = 0.5 * (saturated_slope_ * next.u * next.u + zz / p_.alpha);
        return {saturated_slope_ * next.u + bz / p_.alpha, tangent, next.dissipated + stored, next.dissipated, next};
    }
};

}  // namespace faying::laws
