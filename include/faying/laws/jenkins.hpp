#pragma once
// Jenkins (kt, fs): a spring kt in series with a Coulomb slider that holds up to fs.
//
//     trial = f0 + kt (u - u0);  |trial| <= fs sticks, else f = fs sgn(trial) and the slider takes up the rest
//     steady loop, A > fs/kt:  D = 4 fs (A - fs/kt),  first-harmonic stiffness (kt/pi)(t - sin t cos t),
//                              t = acos(1 - 2 fs/(kt A))
//
// Jenkins-Prager adds a spring kp in parallel; Prager is the same with kt fixed at a penalty value. [S0] 2.2.7-2.2.10

#include <cmath>
#include <numbers>

#include "faying/laws/loop_features.hpp"
#include "faying/laws/masing.hpp"

namespace faying::laws {

/// The virgin curve of Jenkins: what the Masing framework needs of it.
template <class T = double>
class JenkinsCurve {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T kt, fs;
    };
    template <class U>
    using rebind = JenkinsCurve<U>;
    static constexpr std::string_view key = "jenkins-masing";

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::kt>("kt", "k_t", "N/m", core::positive, Scale::logarithmic,
                                             "tangential stiffness")
                .searched(1e11, 1e16),
            core::parameter<&Parameters::fs>("fs", "f_s", "N", core::positive, Scale::logarithmic, "slip force")
                .searched(1e4, 3e7)};
        return t;
    }

    explicit JenkinsCurve(const Parameters& p) : p_(p) {}
    Parameters parameters() const { return p_; }

    CurveValue<T> at(const T& u) const {
        const T stuck = p_.kt * u;
        if (stuck <= p_.fs) return {stuck, p_.kt, T(0.0)};
        return {p_.fs, T(0.0), p_.fs * (u - p_.fs / p_.kt)};
    }

    T harmonic_stiffness(const T& amplitude) const {
        using std::acos;
        using std::cos;
        using std::sin;
        if (p_.kt * amplitude <= p_.fs) return p_.kt;
        const T t = acos(1.0 - 2.0 * p_.fs / (p_.kt * amplitude));
        return p_.kt / std::numbers::pi * (t - sin(t) * cos(t));
    }

 private:
    Parameters p_;
};

template <class T = double>
class Jenkins {
 public:
    using Scalar = T;
    using Parameters = typename JenkinsCurve<T>::Parameters;
    template <class U>
    using rebind = Jenkins<U>;
    static constexpr std::string_view key = "jenkins";
    static constexpr std::string_view title = "spring in series with a Coulomb slider";
    static constexpr std::string_view source = "[S0] 2.2.7";
    static constexpr Claims claims{.odd = true, .return_point = true, .masing = true};
    static const auto& table() { return JenkinsCurve<T>::table(); }
    static std::vector<Specimen> specimens() { return {{.values = {1.0, 1.0}, .amplitude = 1.5, .seeded = 2}}; }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        return {{{"kt", seen.stiffness}, {"fs", seen.slip_force}}};
    }

    explicit Jenkins(const Parameters& p) : p_(p), compliance_(1.0 / p.kt) {}
    Parameters parameters() const { return p_; }
    JenkinsCurve<T> virgin_curve() const { return JenkinsCurve<T>(p_); }
    T macroslip() const { return p_.fs / p_.kt; }

    struct State {
        T u{}, force{};  ///< rather than the slider's position, which a penalty kt would round away
        T dissipated{};
    };
    State virgin() const { return {}; }

    /// Where it begins to slip.
    void kinks(const State& z, std::vector<double>& at) const {
        for (const double s : {-1.0, 1.0})
            at.push_back(value(z.u) + (s * value(p_.fs) - value(z.force)) / value(p_.kt));
    }

    Step<T, State> step(const State& z, const T& u) const {
        const T trial = z.force + p_.kt * (u - z.u);
        const bool up = trial > p_.fs;
        const bool down = trial < -p_.fs;
        const T force = up ? p_.fs : (down ? T(-p_.fs) : trial);
        const T slip = (trial - force) * compliance_;  // zero when stuck
        const T dissipated = z.dissipated + force * slip;
        return {force, up || down ? T(0.0) : p_.kt, dissipated + 0.5 * force * force * compliance_, dissipated,
                State{u, force, dissipated}};
    }

 private:
    Parameters p_;
    T compliance_;
};

/// Jenkins with a parallel spring: the spring takes no part in slip.
template <class T = double>
class JenkinsPrager {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T kt, fs, kp;
    };
    template <class U>
    using rebind = JenkinsPrager<U>;
    static constexpr std::string_view key = "jenkins-prager";
    static constexpr std::string_view title = "Jenkins beside a post-slip spring";
    static constexpr std::string_view source = "[S0] 2.2.10";
    static constexpr Claims claims{.odd = true, .return_point = true, .masing = true};
    static std::vector<Specimen> specimens() { return {{.values = {1.0, 1.0, 0.1}, .amplitude = 1.5, .seeded = 3}}; }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        return {{{"kt", seen.sticking_stiffness()}, {"fs", seen.slip_force}, {"kp", seen.post_slip_stiffness()}}};
    }

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::kt>("kt", "k_t", "N/m", core::positive, Scale::logarithmic,
                                             "tangential stiffness of the slider")
                .searched(1e11, 1e16),
            core::parameter<&Parameters::fs>("fs", "f_s", "N", core::positive, Scale::logarithmic, "slip force")
                .searched(1e4, 3e7),
            core::parameter<&Parameters::kp>("kp", "k_p", "N/m", core::non_negative, Scale::logarithmic,
                                             "post-slip stiffness")
                .searched(1e8, 1e13)};
        return t;
    }

    explicit JenkinsPrager(const Parameters& p) : p_(p), jenkins_({p.kt, p.fs}) {}
    Parameters parameters() const { return p_; }

    class CurveWithSpring {  ///< virgin curve of the sum: the spring stores, it never dissipates
     public:
        using Scalar = T;
        using Parameters = typename JenkinsPrager::Parameters;
        template <class U>
        using rebind = typename JenkinsPrager<U>::CurveWithSpring;
        static constexpr std::string_view key = "jenkins-prager-masing";
        static const auto& table() { return JenkinsPrager::table(); }
        explicit CurveWithSpring(const Parameters& p) : p_(p), jenkins_({p.kt, p.fs}) {}
        Parameters parameters() const { return p_; }
        CurveValue<T> at(const T& u) const {
            CurveValue<T> curve = jenkins_.at(u);
            curve.force += p_.kp * u;
            curve.tangent += p_.kp;
            return curve;
        }
        T harmonic_stiffness(const T& amplitude) const { return jenkins_.harmonic_stiffness(amplitude) + p_.kp; }

     private:
        Parameters p_;
        JenkinsCurve<T> jenkins_;
    };
    CurveWithSpring virgin_curve() const { return CurveWithSpring(p_); }
    T macroslip() const { return jenkins_.macroslip(); }

    using State = typename Jenkins<T>::State;
    State virgin() const { return {}; }
    void kinks(const State& z, std::vector<double>& at) const { jenkins_.kinks(z, at); }

    Step<T, State> step(const State& z, const T& u) const {
        auto s = jenkins_.step(z, u);
        s.force += p_.kp * u;
        s.tangent += p_.kp;
        s.work += 0.5 * p_.kp * u * u;
        return s;
    }

 protected:
    Parameters p_;
    Jenkins<T> jenkins_;
};

/// Prager: rigid until fs, then kp. The set-valued start is regularised by a penalty stiffness kt, in [S0] 10^18.5
/// times the patch area; it is a parameter here so that a model can scale it.
template <class T = double>
class Prager : public JenkinsPrager<T> {
 public:
    using Parameters = typename JenkinsPrager<T>::Parameters;
    template <class U>
    using rebind = Prager<U>;
    static constexpr std::string_view key = "prager";
    static constexpr std::string_view title = "rigid until slip, then a spring";
    static constexpr std::string_view source = "[S0] 2.2.9";
    static std::vector<Specimen> specimens() { return {{.values = {1.0, 0.1, 1e6}, .amplitude = 1.5, .seeded = 3}}; }
    static constexpr double penalty = 3.1622776601683794e18;  // 10^18.5 N/m a square metre

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::fs>("fs", "f_s", "N", core::positive, Scale::logarithmic, "slip force")
                .searched(1e4, 3e7),
            core::parameter<&Parameters::kp>("kp", "k_p", "N/m", core::non_negative, Scale::logarithmic,
                                             "post-slip stiffness")
                .searched(1e8, 1e13),
            core::parameter<&Parameters::kt>("kt", "k_t", "N/m", core::positive, Scale::logarithmic,
                                             "penalty stiffness before slip", penalty)
                .searched(1e11, 1e16)};
        return t;
    }
    explicit Prager(const Parameters& p) : JenkinsPrager<T>(p) {}
};

}  // namespace faying::laws
