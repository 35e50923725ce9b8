#pragma once
// Valanis (E0, Et, lambda, kappa):
//     df/du = E0 [1 + s (lambda/E0)(Et u - f)] / [1 + kappa s (lambda/E0)(Et u - f)],   s = sgn(du)
//
// Closed form on each branch. Let g = f - Et u (the part above the asymptote's slope), a = 1 - Et/E0,
// b = 1 - kappa Et/E0, and v = (b lambda)/(a E0) g, which stays in [-1, 1]. The room left y = 1 - s v shrinks with the
// distance travelled d = |du| as
//
//     lambda d = p (y0 - y) + m log(y0/y),    p = kappa a/b^2,  m = (1 - kappa)/b^2,
//
// one scalar Newton solve (kappa = 0: an exponential; kappa = 1: bilinear), exact to round-off. Asymptote offset
// (E0-Et)/(lambda b). Energy: Et u^2/2 + g^2/(2 (E0-Et)) is stored, the rest dissipated, never negative for kappa <= 1.
// `valanis-masing` is the virgin curve under Masing's rules, as in [S0] 2.2.6.

#include <algorithm>
#include <cmath>

#include "faying/core/special.hpp"
#include "faying/laws/loop_features.hpp"
#include "faying/laws/masing.hpp"
#include "faying/laws/search.hpp"

namespace faying::laws {

template <class T>
struct ValanisParameters {
    using Scalar = T;
    T E0, Et, lambda, kappa;

    static const core::ParameterTable<ValanisParameters>& table() {
        using core::Scale;
        using P = ValanisParameters;
        static const core::ParameterTable<P> t = {
            core::parameter<&P::E0>("E0", "E_0", "N/m", core::positive, Scale::logarithmic, "stiffness when stuck")
                .searched(1e11, 1e16),
            core::parameter<&P::Et>("Et", "E_t", "N/m", core::non_negative, Scale::logarithmic,
                                    "stiffness in slip, below E0")
                .searched(1e8, 1e12),
            core::parameter<&P::lambda>("lambda", "\\lambda", "1/m", core::positive, Scale::logarithmic,
                                        "pace of softening"),
            core::parameter<&P::kappa>("kappa", "\\kappa", "", core::Bounds{0.0, 1.0}, Scale::linear,
                                       "0: exponential softening, 1: bilinear")
                .searched(0, 0.9)};
        return t;
    }
    std::string why_not_admissible() const { return value(Et) < value(E0) ? "" : "needs Et < E0"; }
};

/// What `valanis` and `valanis-masing` have in common.
struct ValanisDescription {
    static std::vector<Specimen> specimens() { return {{.values = {2.0, 0.1, 1.5, 0.6}, .amplitude = 2.0}}; }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        Starts all;
        for (const double kappa : {0.1, 0.6, 0.9}) {
            const double Et = std::clamp(seen.slip_stiffness, 1e-3 * seen.stiffness, 0.8 * seen.stiffness);
            const double lambda = seen.stiffness / (seen.slip_force * (1 - kappa * Et / seen.stiffness));
            all.push_back({{"E0", seen.stiffness}, {"Et", Et}, {"lambda", lambda}, {"kappa", kappa}});
        }
        return all;
    }
    /// Saturation force:  lambda = E0/fs.
    static SearchForm search_form() { return {.left_out = {"lambda"}, .instead = {saturation_force()}}; }
    template <class Point>
    static void from_search(Point& x) {
        const auto saturated = x.take("fs");
        x.put("lambda", x.read("E0") / saturated);
    }
};

/// The branch equation, shared by the law and its virgin curve.
template <class T>
class ValanisBranch {
 public:
    explicit ValanisBranch(const ValanisParameters<T>& q)
        : lambda_(q.lambda), b_(1.0 - q.kappa * q.Et / q.E0), m_((1.0 - q.kappa) / (b_ * b_)) {
        const T a = 1.0 - q.Et / q.E0;
        p_ = q.kappa * a / (b_ * b_);
        offset_ = (q.E0 / q.lambda) * a / b_;
        stiffness_ = q.E0 * a;
    }

    const T& asymptote_offset() const { return offset_; }
    const T& hysteretic_stiffness() const { return stiffness_; }  ///< E0 - Et

    /// A travelled branch: the room left, and l = log(y0/y), how far it shrank.
    struct Travelled {
        T room{}, shrink{};
        T spent() const {  ///< 1 - y/y0
            using std::expm1;
            return -expm1(-shrink);
        }
    };

    Travelled travel(const T& y0, const T& d) const {
        using std::exp;
        const T distance = lambda_ * d;
        if (value(y0) <= 0.0 && value(m_) == 0.0) return {T(0.0), T(core::infinity)};  // bilinear, on its asymptote
        if (value(y0) <= 0.0 || value(distance) == 0.0 || (value(p_) == 0.0 && core::is_constant(p_))) {
            // saturated, not moved, or kappa = 0: p y0 + m is the slope of the distance in l
            const T l = distance / (p_ * y0 + m_);
            return {y0 * exp(-l), l};
        }
        const double p = value(p_) * value(y0), m = value(m_), x = value(distance);
        if (m == 0.0 && x >= p) return {T(0.0), T(core::infinity)};  // bilinear, past its corner
        // p (1 - e^-l) + m l = x: increasing, concave; Newton from below climbs to the root.
        double l = std::max(x / (p + m), m > 0.0 ? (x - p) / m : 0.0);
        for (int i = 0; i < 100; ++i) {
            const auto [left, spent] = decay(l);
            const double change = (x - p * spent - m * l) / (p * left + m);
            l += change;
            if (change * change <= 1e-16 * l) break;  // the error left is below half the square of the change
        }
        T root(l);
        if constexpr (is_dual<T>) {
            const auto [left, spent] = decay(l);
            root += (distance - p_ * y0 * spent - m_ * l) / T(p * left + m);
        }
        return {y0 * exp(-root), root};
    }

    /// dg/du at room y.
    T slope(const T& y) const {
        if (value(y) <= 0.0) return T(0.0);
        return stiffness_ * y / (b_ * (m_ + p_ * y));
    }

    /// What friction keeps on the way: (offset/lambda) m Int_0^l (1 - y)^2 dl, positive term by term.
    T dissipated(const T& y0, const Travelled& way, const T& d) const {
        const T held = 1.0 - y0;
        const T scale = offset_ / lambda_;
        if (std::isinf(value(way.shrink)))  // bilinear, past its corner; m is zero but may carry a derivative
            return scale * (lambda_ * d - p_ * y0 - m_ * y0 * (2.0 - 0.5 * y0));
        const T& l = way.shrink;
        const auto phi = core::phi_functions<2>(T(-l));
        return scale * m_ * l * (held * held + l * y0 * (2.0 * held * phi[2] + l * y0 * core::square_gap(l)));
    }

    /// d0 = 2 Int g du - u g on the virgin curve (y0 = 1): (offset/lambda) m l^2 (2 phi_2 - phi_1)(-l).
    T virgin_dissipation(const Travelled& way, const T& d) const {
        const T scale = offset_ / lambda_;
        if (std::isinf(value(way.shrink))) return scale * (lambda_ * d - p_ - 2.0 * m_);
        return scale * m_ * way.shrink * way.shrink * way.shrink * core::phi_gap(way.shrink);
    }

 private:
    T lambda_, b_, m_, p_, offset_, stiffness_;

    /// exp(-l) and 1 - exp(-l), both to round-off, from one call.
    static std::pair<double, double> decay(double l) {
        if (l < 0.5) {
            const double spent = -std::expm1(-l);
            return {1.0 - spent, spent};
        }
        const double left = std::exp(-l);
        return {left, 1.0 - left};
    }
};

template <class T = double>
class Valanis : public ValanisDescription {
 public:
    using Scalar = T;
    using Parameters = ValanisParameters<T>;
    template <class U>
    using rebind = Valanis<U>;
    static constexpr std::string_view key = "valanis";
    static constexpr std::string_view title = "Valanis, exact implicit form";
    static constexpr std::string_view source = "[S0] 2.2.6, [S4] 2.1";
    static constexpr Claims claims{};
    static const auto& table() { return Parameters::table(); }
    static std::string why_not_admissible(const Parameters& p) { return p.why_not_admissible(); }

    explicit Valanis(const Parameters& p) : p_(p), branch_(p) {}
    Parameters parameters() const { return p_; }

    struct State {
        T u{}, v{}, dissipated{};  ///< v: hysteretic force over the asymptote offset, in [-1, 1]
        int direction = 1;         ///< of the last movement
    };
    State virgin() const { return {}; }
    std::array<T, 1> memory(const State& z) const { return {z.v}; }
    State with_memory(State z, const std::array<T, 1>& m) const {
        z.v = m[0];
        return z;
    }

    void kinks(const State&, std::vector<double>&) const {}  ///< a branch is smooth

    Step<T, State> step(const State& z, const T& u) const {
        const T run = u - z.u;
        const int direction = direction_of(run, z.direction);
        const double s = direction;
        const T before = 1.0 - s * z.v;
        const auto way = branch_.travel(before, s * run);
        const State next{u, z.v + s * before * way.spent(), z.dissipated + branch_.dissipated(before, way, s * run),
                         direction};
        const T g = branch_.asymptote_offset() * next.v;
        const T stored = 0.5 * p_.Et * u * u + 0.5 * g * g / branch_.hysteretic_stiffness();
        return {p_.Et * u + g, p_.Et + branch_.slope(way.room), next.dissipated + stored, next.dissipated, next};
    }

 private:
    Parameters p_;
    ValanisBranch<T> branch_;
};

template <class T = double>
class ValanisCurve : public ValanisDescription {
 public:
    using Scalar = T;
    using Parameters = ValanisParameters<T>;
    template <class U>
    using rebind = ValanisCurve<U>;
    static constexpr std::string_view key = "valanis-masing";
    static constexpr std::string_view title = "Valanis virgin curve by Masing's rules";
    static constexpr std::string_view source = "[S0] 2.2.6";
    static const auto& table() { return Parameters::table(); }

    explicit ValanisCurve(const Parameters& p) : p_(p), branch_(p) {}
    Parameters parameters() const { return p_; }

    CurveValue<T> at(const T& u) const {
        const auto way = branch_.travel(T(1.0), u);
        const T g = branch_.asymptote_offset() * way.spent();
        return {p_.Et * u + g, p_.Et + branch_.slope(way.room), branch_.virgin_dissipation(way, u)};
    }

 private:
    Parameters p_;
    ValanisBranch<T> branch_;
};

template <class T = double>
class ValanisMasing : public Masing<ValanisCurve<T>> {
 public:
    template <class U>
    using rebind = ValanisMasing<U>;
    using Masing<ValanisCurve<T>>::Masing;
    static std::string why_not_admissible(const ValanisParameters<T>& p) { return p.why_not_admissible(); }
};

}  // namespace faying::laws
