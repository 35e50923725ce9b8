#pragma once
// Pinched ([S3] 6.5), for bodies with frictional microcracks:
//     dtheta = K0/(|x| + eps) (theta_m + beta s sgn(x) - theta) |dx|,   f = theta x
//
// On a stretch where x keeps its sign theta tends to theta_m + beta going out and to theta_m - beta coming back, as a
// power of (|x| + eps): closed form, one pow a stretch. For one frequency and x_m >> eps a loop dissipates
// D = 2 beta K0/(K0+2) x_m^2.
//
// Reid:  f = k (1 + eta sgn(x dx)) x, two triangles; the force jumps at every reversal.

#include <cmath>

#include "faying/core/special.hpp"
#include "faying/laws/loop_features.hpp"
#include "faying/laws/parameters.hpp"

namespace faying::laws {

template <class T = double>
class Pinched {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T K0, theta_m, beta, eps;
    };
    template <class U>
    using rebind = Pinched<U>;
    static constexpr std::string_view key = "pinched";
    static constexpr std::string_view title = "loop pinched at the origin (frictional microcracks)";
    static constexpr std::string_view source = "[S3] 6.3";
    static std::vector<Specimen> specimens() { return {{.values = {2.0, 1.0, 0.4}, .amplitude = 1.0}}; }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        Starts all;
        for (const double K0 : {1.0, 5.0})
            all.push_back({{"K0", K0},
                           {"theta_m", seen.force / seen.amplitude},
                           {"beta", std::max(seen.dissipation, 1e-3 * seen.force * seen.amplitude) * (K0 + 2) /
                                        (2 * K0 * seen.amplitude * seen.amplitude)},
                           {"eps", 1e-3 * seen.amplitude}});
        return all;
    }
    static constexpr Claims claims{};

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::K0>("K0", "K_0", "", core::positive, Scale::logarithmic,
                                             "pace at which the stiffness follows the direction"),
            core::parameter<&Parameters::theta_m>("theta_m", "\\theta_m", "N/m", core::positive, Scale::logarithmic,
                                                  "mean stiffness"),
            core::parameter<&Parameters::beta>("beta", "\\beta", "N/m", core::positive, Scale::logarithmic,
                                               "half the stiffness difference between going out and coming back"),
            core::parameter<&Parameters::eps>("eps", "\\epsilon", "m", core::positive, Scale::logarithmic,
                                              "displacement that rounds the singularity at x = 0", 1e-4)};
        return t;
    }

    explicit Pinched(const Parameters& p) : p_(p) {}
    Parameters parameters() const { return p_; }

    struct State {
        T u{}, theta{}, work{};
    };
    State virgin() const { return {T(0.0), p_.theta_m, T(0.0)}; }
    std::array<T, 1> memory(const State& z) const { return {z.theta}; }
    State with_memory(State z, const std::array<T, 1>& m) const {
        z.theta = m[0];
        return z;
    }
    /// The mirrored history has the same theta.
    std::array<T, 1> mirrored(const std::array<T, 1>& m) const { return m; }

    Step<T, State> step(const State& z, const T& u) const {
        State next = z;
        if (value(z.u) * value(u) < 0) next = stretch(next, T(0.0));
        next = stretch(next, u);
        const bool out = std::abs(value(u)) >= std::abs(value(z.u)) || value(z.u) * value(u) < 0;
        const double side = value(u) < 0 ? -1.0 : 1.0;
        const T size = side * u;
        const T target = p_.theta_m + (out ? 1.0 : -1.0) * p_.beta;
        const T slope = p_.K0 / (size + p_.eps) * (target - next.theta) * (out ? 1.0 : -1.0);
        return {next.theta * u, next.theta + slope * size, next.work, next.work - stored(next.theta, size), next};
    }

 private:
    Parameters p_;

    /// To x = to without crossing zero.
    State stretch(const State& z, const T& to) const {
        using std::exp;
        using std::log;
        const double side = value(z.u) + value(to) < 0 ? -1.0 : 1.0;
        const T from_size = side * z.u, to_size = side * to;
        const bool out = value(to_size) >= value(from_size);
        const T target = p_.theta_m + (out ? 1.0 : -1.0) * p_.beta;
        const T start = from_size + p_.eps;
        const T growth = log((to_size + p_.eps) / start);  // of |x| + eps
        const T rate = out ? T(-p_.K0) : p_.K0;
        const T theta = target + (z.theta - target) * exp(rate * growth);
        // Int theta x dx = target (x1^2-x0^2)/2 + (theta0-target) Int ((|x|+eps)/start)^rate |x| d|x|
        const T steady = 0.5 * target * (to_size - from_size) * (to_size + from_size);
        const T decaying =
            start * (start * power_integral(rate + 2.0, growth) - p_.eps * power_integral(rate + 1.0, growth));
        return {to, theta, z.work + steady + (z.theta - target) * decaying};
    }

    /// (r^p - 1)/p with r = exp(growth).
    static T power_integral(const T& p, const T& growth) {
        using std::expm1;
        const T x = p * growth;
        if (std::abs(value(x)) > 0.5) return expm1(x) / p;
        return growth * core::phi_functions<1>(x)[1];
    }

    /// Energy above that of an elastic spring theta_m: coming back (theta above theta_m) or going out (below) until
    /// theta = theta_m loses nothing, and from there theta_m x^2/2 is stored. The rest of the work is dissipated, and
    /// never decreases.
    T stored(const T& theta, const T& size) const {
        using std::pow;
        const bool above = value(theta) >= value(p_.theta_m);
        const T ratio =
            above ? T(p_.beta / (theta - p_.theta_m + p_.beta)) : T((p_.theta_m + p_.beta - theta) / p_.beta);
        T meeting = (size + p_.eps) * pow(ratio, 1.0 / p_.K0) - p_.eps;
        if (value(meeting) < 0.0) meeting = T(0.0);
        const State there{size, theta, T(0.0)};
        return 0.5 * p_.theta_m * meeting * meeting - stretch(there, meeting).work;
    }
};

template <class T = double>
class Reid {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T k, eta;
    };
    template <class U>
    using rebind = Reid<U>;
    static constexpr std::string_view key = "reid";
    static constexpr std::string_view title = "Reid's pair of triangles";
    static constexpr std::string_view source = "[S3] 6.3";
    static std::vector<Specimen> specimens() { return {{.values = {1.0, 0.2}, .amplitude = 1.0, .seeded = 2}}; }
    /// D = 2 k eta A^2, greatest force k (1 + eta) A
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        const double product = seen.dissipation / (2 * seen.amplitude * seen.amplitude);
        const double k = std::max(seen.force / seen.amplitude - product, 0.1 * seen.force / seen.amplitude);
        return {{{"k", k}, {"eta", std::clamp(product / k, 0.01, 0.99)}}};
    }
    static constexpr Claims claims{.return_point = true, .continuous = false};

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::k>("k", "k", "N/m", core::positive, Scale::logarithmic, "stiffness"),
            core::parameter<&Parameters::eta>("eta", "\\eta", "", core::Bounds{0.0, 1.0}, Scale::linear,
                                              "dissipation coefficient")};
        return t;
    }

    explicit Reid(const Parameters& p) : p_(p) {}
    Parameters parameters() const { return p_; }

    struct State {
        T u{}, dissipated{};
        int direction = 1;  ///< of the last movement
    };
    State virgin() const { return {}; }

    Step<T, State> step(const State& z, const T& u) const {
        State next = z;
        next.direction = direction_of(T(u - z.u), z.direction);
        next.u = u;
        const T stiffness = p_.k * (1.0 + p_.eta * core::sign(value(u) * next.direction));
        // Going out costs k eta |x| d|x| twice over what coming back returns.
        const bool crosses = value(z.u) * value(u) < 0;
        const T outward = crosses ? T(u * u) : T(u * u - z.u * z.u);
        if (value(outward) > 0) next.dissipated += p_.k * p_.eta * outward;
        const T stored = 0.5 * p_.k * (1.0 - p_.eta) * u * u;
        return {stiffness * u, stiffness, next.dissipated + stored, next.dissipated, next};
    }
    void kinks(const State&, std::vector<double>& at) const { at.push_back(0.0); }

 private:
    Parameters p_;
};

}  // namespace faying::laws
