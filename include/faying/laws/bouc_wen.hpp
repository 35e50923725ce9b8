#pragma once
// Bouc-Wen (A, alpha, beta, n):  df/du = A - [alpha sgn(f du) - beta] |f|^n,  alpha >= 0, |beta| <= alpha, n > 0.
//
// With the usual z-form, [S3] Eq. 2.1: alpha1 = A, alpha2 = alpha, alpha3 = -beta. Every straight path is an unloading
// arc down to f = 0 followed by a loading arc (bouc_wen_flow.hpp), both exact. One state, so neither Masing nor closed
// minor loops ([S3] 2.1). Energy: a spring A in series with slip, so f^2/2A is stored and
// f (du - df/A) = (alpha |f du| - beta f du)|f|^n/A is dissipated, which is >= 0 exactly when |beta| <= alpha.
//
// `bouc-wen-masing` (A, eta, n) is the virgin curve alone, eta = alpha - beta, under Masing's rules, as in [S0] 2.2.3.

#include "faying/core/parameter.hpp"
#include "faying/laws/bouc_wen_flow.hpp"
#include "faying/laws/masing.hpp"

namespace faying::laws {

template <class T = double>
class BoucWen {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T A, alpha, beta, n;
    };
    template <class U>
    using rebind = BoucWen<U>;
    static constexpr std::string_view key = "bouc-wen";
    static constexpr Claims claims{};

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::A>("A", "A", "N/m", core::positive, Scale::logarithmic, "initial stiffness"),
            core::parameter<&Parameters::alpha>("alpha", "\\alpha", "N^(1-n)/m", core::non_negative, Scale::logarithmic,
                                                "hysteresis coefficient"),
            core::parameter<&Parameters::beta>("beta", "\\beta", "N^(1-n)/m", core::any_real, Scale::linear,
                                               "shape coefficient, |beta| <= alpha"),
            core::parameter<&Parameters::n>("n", "n", "", core::Bounds{0.0, 50.0, true, false}, Scale::linear,
                                            "sharpness of the knee", 1.0)};
        return t;
    }
    static std::string complaint(const Parameters& p) {
        return std::abs(value(p.beta)) <= value(p.alpha) ? "" : "needs |beta| <= alpha (otherwise it makes energy)";
    }

    explicit BoucWen(const Parameters& p) : p_(p), up_(p.A, p.alpha - p.beta, p.n), down_(p.A, p.alpha + p.beta, p.n) {}
    Parameters parameters() const { return p_; }

    struct State {
        T u{}, force{}, dissipated{};
        int direction = 1;  ///< of the last movement
    };
    State virgin() const { return {}; }
    std::array<T, 1> memory(const State& z) const { return {z.force}; }
    State with_memory(State z, const std::array<T, 1>& m) const {
        z.force = m[0];
        return z;
    }

    /// Where unloading ends.
    void kinks(const State& z, std::vector<double>& at) const {
        const double force = value(z.force);
        if (force != 0) at.push_back(value(z.u) - core::sign(force) * value(down_.distance_to_zero(T(std::abs(force)))));
    }

    Step<T, State> step(const State& z, const T& u) const {
        const T run = u - z.u;
        const int direction = direction_of(run, z.direction);
        const double s = direction;
        T distance = s * run;
        T magnitude = s * z.force;  // negative while unloading
        T dissipated = z.dissipated;
        if (value(magnitude) < 0) {
            magnitude = -magnitude;
            const T to_zero = down_.distance_to_zero(magnitude);
            if (distance < to_zero) {
                const Arc<T> arc = down_.unload(magnitude, distance);
                return finish(u, direction, -s * arc.force, down_.unloading_slope(arc.force),
                              dissipated + down_.unloading_dissipation(magnitude, arc));
            }
            dissipated += down_.unloading_dissipation(magnitude, down_.unload_to_zero(magnitude, to_zero));
            distance -= to_zero;
            magnitude = T(0.0);
        }
        const Arc<T> arc = up_.load(magnitude, distance);
        return finish(u, direction, s * arc.force, up_.loading_slope(arc.force),
                      dissipated + up_.loading_dissipation(magnitude, arc));
    }

 private:
    Parameters p_;
    BoucWenFlow<T> up_, down_;

    Step<T, State> finish(const T& u, int direction, const T& force, const T& tangent, const T& dissipated) const {
        return {force, tangent, dissipated + 0.5 * force * force / p_.A, dissipated,
                State{u, force, dissipated, direction}};
    }
};

template <class T = double>
class BoucWenBackbone {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T A, eta, n;
    };
    template <class U>
    using rebind = BoucWenBackbone<U>;
    static constexpr std::string_view key = "bouc-wen-masing";

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::A>("A", "A", "N/m", core::positive, Scale::logarithmic, "initial stiffness"),
            core::parameter<&Parameters::eta>("eta", "\\eta", "N^(1-n)/m", core::non_negative, Scale::logarithmic,
                                              "softening coefficient, alpha - beta of the full law"),
            core::parameter<&Parameters::n>("n", "n", "", core::Bounds{0.0, 50.0, true, false}, Scale::linear,
                                            "sharpness of the knee", 1.0)};
        return t;
    }

    explicit BoucWenBackbone(const Parameters& p) : p_(p), flow_(p.A, p.eta, p.n) {}
    Parameters parameters() const { return p_; }

    BackboneValue<T> at(const T& u) const {
        const Arc<T> arc = flow_.load(T(0.0), u);
        return {arc.force, flow_.loading_slope(arc.force), flow_.virgin_dissipation(arc.force, u, arc.area)};
    }

 private:
    Parameters p_;
    BoucWenFlow<T> flow_;
};

template <class T = double>
using BoucWenMasing = Masing<BoucWenBackbone<T>>;

}  // namespace faying::laws
