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
// one scalar solve a path, exact to round-off; no eigenproblem, no increment. Dissipation is closed form too. Angles
// never appear: w = tan(|psi|/2) gives sin psi, cos psi and G rationally.
//
// Normalised family (initial slope 1, saturated slope 0, gap 2): b1 = sqrt(alpha(1-alpha)/(1-sigma)),
// b2 = sqrt(alpha(alpha-sigma)/(1-sigma)); one-bolt lap joints: alpha = 2/3, sigma = 1/16 ([S3] Eq. 4.20).

#include <array>
#include <cmath>
#include <numbers>

#include "faying/laws/loop_features.hpp"
#include "faying/laws/parameters.hpp"
#include "faying/laws/search.hpp"
#include "faying/laws/sweeping.hpp"

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
    /// f = (1 + ks - |b|^2/alpha) u + b.z/alpha with |z| about 1 in slip; b1 : b2 as in one-bolt lap joints.
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        Starts all;
        for (const double sigma : {1.0 / 16, 0.3})
            for (const double share : {0.597, 0.9}) {
                const double b = seen.sticking_stiffness() / seen.slip_force;
                all.push_back({{"alpha", b / seen.slip_force},
                               {"sigma", sigma},
                               {"b1", b * share},
                               {"b2", b * std::sqrt(1 - share * share)},
                               {"ks", seen.stiffness - 1},
                               {"mu", 1}});
            }
        return all;
    }
    /// Stiffness lost in slip kd = |b|^2/alpha, slip force fs = |b|/alpha, and the first state's share b1/|b|: their
    /// size does not change with one another.
    static SearchForm search_form() {
        return {.left_out = {"alpha", "b1", "b2"},
                .instead = {{"kd",
                             "k_d",
                             "N/m",
                             core::positive,
                             core::Scale::logarithmic,
                             "stiffness lost in slip",
                             {},
                             core::SearchRange{1e11, 1e16}},
                            saturation_force(),
                            {"share",
                             "b_1/|b|",
                             "",
                             core::Bounds{0.0, 1.0},
                             core::Scale::linear,
                             "coupling to the first state over that to both",
                             {},
                             core::SearchRange{0.02, 0.98}}}};
    }
    template <class Point>
    static void from_search(Point& x) {
        using std::sqrt;
        const auto lost = x.take("kd"), force = x.take("fs"), share = x.take("share");
        const auto b = lost / force;
        x.put("alpha", b / force);
        x.put("b1", b * share);
        x.put("b2", b * sqrt(1.0 - share * share));
    }
    /// [S3] Eq. 4.20: initial slope 1, saturated slope 0.
    static std::vector<Specimen> specimens() {
        return {{.values = {2.0 / 3, 1.0 / 16, std::sqrt(32.0 / 135), std::sqrt(58.0 / 135)}, .amplitude = 2.0}};
    }
    std::string why_not_admissible() const {
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
    static constexpr std::string_view title = "two hidden states, closed-form sweeping process";
    static constexpr std::string_view source = "[S3] ch. 3-5";
    static constexpr Claims claims{};
    static const auto& table() { return Parameters::table(); }
    static std::vector<Specimen> specimens() { return Parameters::specimens(); }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues& known) {
        return Parameters::starts(seen, known);
    }
    static SearchForm search_form() { return Parameters::search_form(); }
    template <class Point>
    static void from_search(Point& x) {
        Parameters::from_search(x);
    }
    static std::string why_not_admissible(const Parameters& p) { return p.why_not_admissible(); }

    explicit TwoState(const Parameters& p)
        : p_(p),
          compliance_(1.0 / p.alpha),
          root_a_{root(p.mu * p.sigma), root(p.mu)},
          inverse_root_{1.0 / root_a_[0], 1.0 / root_a_[1]},
          b_{p.b1, p.b2},
          approach_{b_[0] * inverse_root_[0], b_[1] * inverse_root_[1]} {
        const T inverse1 = inverse_root_[0] * inverse_root_[0], inverse2 = inverse_root_[1] * inverse_root_[1];
        const T s1 = root_a_[0] * b_[0], s2 = root_a_[1] * b_[1];
        pull_ = root(s1 * s1 + s2 * s2);
        rest_ = {s1 / pull_, s2 / pull_};
        const T r1 = approach_[1] * inverse1, r2 = approach_[0] * inverse2;
        rate_ = root(r1 * r1 + r2 * r2);
        const T half_difference = 0.5 * (inverse1 - inverse2);
        cosine_ = half_difference * (rest_[0] * rest_[0] - rest_[1] * rest_[1]);
        sine_ = half_difference * (2.0 * rest_[0] * rest_[1]);
        turn_ = {0.5 * (inverse1 + inverse2) + cosine_, 2.0 * cosine_, 2.0 * sine_};
        plain_turn_ = {value(turn_.linear), value(turn_.tanh), value(turn_.sech)};
        stuck_slope_ = 1.0 + p.ks;
        saturated_slope_ = stuck_slope_ - (b_[0] * b_[0] + b_[1] * b_[1]) * compliance_;
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
        State next{u, {from.z[0] + b_[0] * run, from.z[1] + b_[1] * run}, from.dissipated};
        const double x = value(next.z[0]) * value(inverse_root_[0]), y = value(next.z[1]) * value(inverse_root_[1]);
        if (x * x + y * y <= 1.0 || value(run) == 0.0) return finish(next, stuck_slope_);
        return slip(next, from.z, run);
    }

 private:
    /// G(t) of the header for psi of the given side, with its first two derivatives; w = exp(t) = tan(|psi|/2).
    template <class U>
    struct Turn {
        U linear{}, tanh{}, sech{};  ///< m + d C, 2 d C, 2 d S
        struct At {
            U G, slope, bend;
        };
        At at(const U& t, const U& w, double side) const {
            const U scale = 1.0 / (1.0 + w * w);
            const U sc = 2.0 * w * scale, th = (w * w - 1.0) * scale, mirrored = side * sech;
            return {linear * t - tanh * th - mirrored * sc, linear + sc * (mirrored * th - tanh * sc),
                    sc * (2.0 * tanh * sc * th + mirrored * (sc * sc - th * th))};
        }
    };

    Parameters p_;
    T compliance_;  ///< 1/alpha
    Vector root_a_, inverse_root_, b_;
    Vector approach_;  ///< A^(-1/2) b
    Vector rest_;      ///< (cos th*, sin th*)
    T pull_, rate_;    ///< sqrt(b.A b), R
    T cosine_, sine_;  ///< d C, d S
    Turn<T> turn_;
    Turn<double> plain_turn_;  ///< its value, for the solve
    T stuck_slope_, saturated_slope_;

    static T root(const T& x) {
        using std::sqrt;
        return value(x) > 0.0 ? T(sqrt(x)) : T(0.0);
    }

    /// How far u may go from e = A^(-1/2) z before it meets the ellipse.
    T distance_to_ellipse(const Vector& e, double s) const {
        return distance_to_sphere<T>(s * (e[0] * approach_[0] + e[1] * approach_[1]),
                                     approach_[0] * approach_[0] + approach_[1] * approach_[1],
                                     1.0 - (e[0] * e[0] + e[1] * e[1]));
    }

    /// From z to the ellipse and then along it.
    Step<T, State> slip(State next, const Vector& z, const T& run) const {
        using std::atan;
        using std::log;
        using std::log1p;
        using std::sqrt;
        // In the frame where u rises: mirrored z when it falls.
        const double s = value(run) < 0 ? -1.0 : 1.0;
        Vector e{z[0] * inverse_root_[0], z[1] * inverse_root_[1]};
        const T free_run = distance_to_ellipse(e, s);
        e = {s * e[0] + approach_[0] * free_run, s * e[1] + approach_[1] * free_run};
        const T distance = s * run - free_run;
        // e is at the angle psi from rest; w = tan(|psi|/2), t = log w
        const T along = rest_[0] * e[0] + rest_[1] * e[1];
        T across = rest_[0] * e[1] - rest_[1] * e[0];
        const double side = value(across) < 0 ? -1.0 : 1.0;
        across = side * across;
        const T size = sqrt(T(along * along + across * across));
        T w0 = value(along) > 0.0 ? T(across / (size + along)) : T((size - along) / across);
        constexpr double saturated = 1e-17;  // psi that a double cannot tell from zero
        if (!(value(w0) > saturated)) w0 = T(saturated);
        if (!(value(w0) < 1.0 / saturated)) w0 = T(1.0 / saturated);
        const T t0 = log(w0);
        const T goal = turn_.at(t0, w0, side).G - rate_ * distance;
        const double t = solve_turn(value(t0), value(w0), value(goal), side, value(rate_) * value(distance));
        // One Newton step more, in T: it carries the derivatives and the last digits.
        const double w = std::exp(t);
        const auto there = turn_.at(T(t), T(w), side);
        const T rest_of_t = (goal - there.G) / T(value(there.slope));
        const T w1 = w + w * rest_of_t;

        const T scale0 = 1.0 / (1.0 + w0 * w0), scale1 = 1.0 / (1.0 + w1 * w1);
        const T cos0 = (1.0 - w0 * w0) * scale0, cos1 = (1.0 - w1 * w1) * scale1;
        const T sin0 = 2.0 * w0 * scale0, sin1 = 2.0 * w1 * scale1;  // of |psi|
        next.z = {s * root_a_[0] * (rest_[0] * cos1 - side * rest_[1] * sin1),
                  s * root_a_[1] * (rest_[1] * cos1 + side * rest_[0] * sin1)};
        // Int b.z du = (pull/R) times the change of (m + d C) log sin - d C sin^2 - d S (psi + sin cos), signs of psi
        // aside. The logarithm's change is that of t - log(1 + w^2), and G says what t does: near saturation, where
        // t runs off to -infinity, only w is well behaved.
        const T by_logarithm = rate_ * distance + turn_.tanh * (cos1 - cos0) + side * turn_.sech * (sin0 - sin1) -
                               turn_.linear * log1p(T((w0 - w1) * (w0 + w1) * scale1));
        const T turned = 2.0 * atan(T((w0 - w1) / (1.0 + w0 * w1)));  // |psi0| - |psi1|
        const T area = pull_ / rate_ *
                       (by_logarithm - cosine_ * (sin0 - sin1) * (sin0 + sin1) -
                        side * sine_ * (turned + sin0 * cos0 - sin1 * cos1));
        // Int z.dq = (Int b.z du - (z1^2 - z0^2)/2)/alpha
        const T x = root_a_[0] * e[0], y = root_a_[1] * e[1];
        const T gain = next.z[0] * next.z[0] + next.z[1] * next.z[1] - (x * x + y * y);
        next.dissipated += (area - 0.5 * gain) * compliance_;
        // d(b.z)/du = pull R sin^2(psi)/(cos^2 th/a1 + sin^2 th/a2)
        const T slope = turn_.at(t + rest_of_t, w1, side).slope;
        return finish(next, saturated_slope_ + pull_ * rate_ * sin1 * sin1 / slope * compliance_);
    }

    /// t with G(t) = goal, `fall` below G(t0). The bounds of G' bracket the root; Halley's method, because beside exp
    /// G'' costs nothing. Its error after a last change x is of the order of x^3.
    double solve_turn(double t0, double w0, double goal, double side, double fall) const {
        const double slope1 = value(inverse_root_[0]) * value(inverse_root_[0]);
        const double slope2 = value(inverse_root_[1]) * value(inverse_root_[1]);
        const double flat = std::min(slope1, slope2), steep = std::max(slope1, slope2);
        double low = t0 - fall / flat, high = t0 - fall / steep;
        const double enough = 1e-6 * flat / steep, round_off = 1e-14 * (1.0 + std::abs(low));
        double t = t0, w = w0;
        for (int i = 0; i < 100; ++i) {
            const auto here = plain_turn_.at(t, w, side);
            const double gap = here.G - goal;
            const double change = gap * here.slope / (0.5 * gap * here.bend - here.slope * here.slope);
            if (i > 0) (gap > 0 ? high : low) = t;
            if (t + change >= low - round_off && t + change <= high + round_off) {
                t += change;
                if (std::abs(change) <= enough) break;
            } else {
                t = 0.5 * (low + high);
            }
            w = std::exp(t);
        }
        return t;
    }

    Step<T, State> finish(const State& next, const T& tangent) const {
        const T bz = b_[0] * next.z[0] + b_[1] * next.z[1];
        const T zz = next.z[0] * next.z[0] + next.z[1] * next.z[1];
        const T stored = 0.5 * (saturated_slope_ * next.u * next.u + zz * compliance_);
        return {saturated_slope_ * next.u + bz * compliance_, tangent, next.dissipated + stored, next.dissipated, next};
    }
};

}  // namespace faying::laws
