#pragma once
// Iwan-4 and Iwan-5: a continuum of Jenkins sliders with density rho(phi) = R phi^chi on (0, phi_max) plus S delta at
// phi_max (Segalman). No sliders are kept: the virgin curve is closed form and Masing memory makes any history exact.
//
//     phi_max = FS (1+beta) / (KT (beta + (chi+1)/(chi+2))),  c = KT / (phi_max^(chi+1) (1+beta) (chi+2))
//     f0 = KT u - c u^(chi+2)  (u < phi_max),  FS beyond
//     d0 = c (chi+1)/(chi+3) u^(chi+3)                        so a loop dissipates D = 4 d0(A) ~ A^(chi+3)
//
// beta is (stiffness in the delta)/(stiffness in the power law). Iwan-5 lets a slipping slider carry theta phi:
//     f0 = KT u + c ((chi+1) theta - (chi+2)) u^(chi+2),  theta FS beyond.
// `iwan5` extends that curve by Masing's rules, as [S0] does; for theta < 1 the sliders themselves are not Masing,
// see iwan5_stiction.hpp. [S0] 2.2.1-2.2.2, [S2] Eqs. 8-9.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/quadrature.hpp"
#include "faying/core/special.hpp"
#include "faying/laws/loop_features.hpp"
#include "faying/laws/masing.hpp"

namespace faying::laws {

/// The slider population behind Iwan-4 and Iwan-5.
template <class T>
struct IwanPopulation {
    T phi_max, c;  ///< largest slip displacement; coefficient of u^(chi+2)
    T R, S;        ///< power-law density and the stiffness in the delta

    IwanPopulation(const T& FS, const T& KT, const T& chi, const T& beta) {
        phi_max = FS * (1.0 + beta) / (KT * (beta + (chi + 1.0) / (chi + 2.0)));
        c = KT / (core::power(phi_max, chi + 1.0) * (1.0 + beta) * (chi + 2.0));
        R = c * (chi + 1.0) * (chi + 2.0);
        S = KT * beta / (1.0 + beta);
    }
};

/// The four entries every Segalman population has.
template <class Parameters>
core::ParameterTable<Parameters> segalman_table() {
    using core::Scale;
    return {
        core::parameter<&Parameters::FS>("FS", "F_S", "N", core::positive, Scale::logarithmic, "macroslip force")
            .searched(1e4, 3e7),
        core::parameter<&Parameters::KT>("KT", "K_T", "N/m", core::positive, Scale::logarithmic, "stiffness when stuck")
            .searched(1e11, 1e16),
        core::parameter<&Parameters::chi>("chi", "\\chi", "", core::Bounds{-1.0, core::infinity, true, true},
                                          Scale::linear, "exponent of the slider density")
            .searched(-0.99, 1),
        core::parameter<&Parameters::beta>("beta", "\\beta", "", core::non_negative, Scale::logarithmic,
                                           "stiffness of the last sliders over that of all the others")
            .searched(1e-6, 30)};
}

/// In microslip the slip force is not seen: greater ones are tried too. With theta < 1 the slip force is theta FS.
inline Starts segalman_starts(const LoopFeatures& seen) {
    const double shown = std::clamp(seen.dissipation_slope - 3, -0.8, 1.0);
    Starts all;
    for (const double slip : {1.05 * seen.force, seen.slip_force / 0.75, 2.5 * seen.force})
        for (const double chi : {shown, -0.5, 0.3})
            for (const double beta : {0.2, 2.0})
                for (const double theta : {0.9, 0.6})
                    all.push_back(
                        {{"FS", slip}, {"KT", seen.stiffness}, {"chi", chi}, {"beta", beta}, {"theta", theta}});
    return all;
}

template <class T = double>
class Iwan5Curve {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T FS, KT, chi, beta, theta;
    };
    template <class U>
    using rebind = Iwan5Curve<U>;
    static constexpr std::string_view key = "iwan5";
    static constexpr std::string_view title = "five-parameter Iwan by Masing's rules";
    static constexpr std::string_view source = "[S0] 2.2.2";
    static constexpr bool continuous = false;  // the sliders at phi_max drop to theta of their force together

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = [] {
            auto four = segalman_table<Parameters>();
            four.push_back(
                core::parameter<&Parameters::theta>("theta", "\\theta", "", core::Bounds{0.0, 1.0, false, false},
                                                    core::Scale::linear, "slipping over breakaway force of a slider")
                    .searched(0.5, 1));
            return four;
        }();
        return t;
    }

    static std::vector<Specimen> specimens() {  // [S2]: phi_max = 11.25
        return {{.values = {10.0, 1.0, -0.5, 5.0, 0.8}, .amplitude = 17.0}};
    }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) { return segalman_starts(seen); }

    explicit Iwan5Curve(const Parameters& p)
        : p_(p), population_(p.FS, p.KT, p.chi, p.beta), c_(population_.c * (p.chi + 2.0 - (p.chi + 1.0) * p.theta)) {}
    Parameters parameters() const { return p_; }
    const IwanPopulation<T>& population() const { return population_; }
    const T& macroslip() const { return population_.phi_max; }

    CurveValue<T> at(const T& u) const {
        if (u >= population_.phi_max) {
            const T force = p_.theta * p_.FS;
            const T up_to_macroslip = 2.0 * area_to(population_.phi_max);  // 2 Int_0^phi_max f0
            return {force, T(0.0), up_to_macroslip + force * (u - 2.0 * population_.phi_max)};
        }
        if (value(u) == 0.0) return {p_.KT * u, p_.KT, T(0.0)};
        const T softening = c_ * core::power(u, p_.chi + 1.0);
        return {u * (p_.KT - softening), p_.KT - (p_.chi + 2.0) * softening,
                softening * u * u * (p_.chi + 1.0) / (p_.chi + 3.0)};
    }

    /// The jump at phi_max moves with the parameters: the loop is integrated up to it, the rest is closed form.
    T harmonic_stiffness(const T& amplitude) const {
        using std::asin;
        using std::cos;
        using std::pow;
        using std::sin;
        using std::sqrt;
        using std::numbers::pi;
        const bool slips = amplitude > population_.phi_max;
        const T end = slips ? T(2.0 * asin(sqrt(population_.phi_max / amplitude))) : T(pi);
        T integral = core::integrate(  // t = end r^2 smooths powers of t at zero
            [&](double r) {
                if (r == 0.0) return T(0.0);
                const T t = end * (r * r), sine = sin(0.5 * t), u = amplitude * sine * sine;
                return T(u * (p_.KT - c_ * pow(u, p_.chi + 1.0)) * -cos(t) * (2.0 * r) * end);
            },
            0.0, 1.0, 1e-14 * value(p_.KT) * value(amplitude));
        if (slips) integral += p_.theta * p_.FS * sin(end);
        return 4.0 / (pi * amplitude) * integral;
    }

 private:
    Parameters p_;
    IwanPopulation<T> population_;
    T c_;

    T area_to(const T& u) const { return u * u * (0.5 * p_.KT - c_ * core::power(u, p_.chi + 1.0) / (p_.chi + 3.0)); }
};

template <class T = double>
class Iwan4Curve {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T FS, KT, chi, beta;
    };
    template <class U>
    using rebind = Iwan4Curve<U>;
    static constexpr std::string_view key = "iwan4";
    static constexpr std::string_view title = "four-parameter Iwan, exact continuum";
    static constexpr std::string_view source = "[S0] 2.2.1, [S2] 2.1";

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = segalman_table<Parameters>();
        return t;
    }

    static std::vector<Specimen> specimens() {  // [S2]: phi_max = 11.25
        return {{.values = {10.0, 1.0, -0.5, 5.0}, .amplitude = 17.0}};
    }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) { return segalman_starts(seen); }

    explicit Iwan4Curve(const Parameters& p)
        : p_(p),
          population_(p.FS, p.KT, p.chi, p.beta),
          power_(p.chi + 1.0),
          slope_(population_.c * (p.chi + 2.0)),
          loss_(population_.c * (p.chi + 1.0) / (p.chi + 3.0)) {
        macroslip_offset_ = population_.phi_max * (p.beta + power_ / (p.chi + 3.0)) / (p.beta + power_ / (p.chi + 2.0));
    }
    Parameters parameters() const { return p_; }
    const IwanPopulation<T>& population() const { return population_; }
    const T& macroslip() const { return population_.phi_max; }

    CurveValue<T> at(const T& u) const {
        if (value(u) == 0.0) return {p_.KT * u, p_.KT, T(0.0)};
        if (u >= population_.phi_max) return {p_.FS, T(0.0), p_.FS * (u - macroslip_offset_)};
        const T power = core::power(u, power_);
        return {u * (p_.KT - population_.c * power), p_.KT - slope_ * power, loss_ * power * u * u};
    }

    /// Closed form in microslip; beyond it, nothing (the loop is integrated).
    std::optional<T> microslip_harmonic_stiffness(const T& amplitude) const {
        using std::exp;
        if (amplitude > population_.phi_max) return std::nullopt;
        const T ratio = exp(core::log_gamma(T(p_.chi + 2.5)) - core::log_gamma(T(p_.chi + 3.0)));
        return p_.KT - population_.c * core::power(amplitude, power_) * (4.0 / std::sqrt(std::numbers::pi)) * ratio *
                           (p_.chi + 2.0) / (p_.chi + 3.0);
    }

 private:
    Parameters p_;
    IwanPopulation<T> population_;
    T power_, slope_, loss_, macroslip_offset_;
};

template <class T = double>
using Iwan4 = Masing<Iwan4Curve<T>>;
template <class T = double>
using Iwan5 = Masing<Iwan5Curve<T>>;

}  // namespace faying::laws
