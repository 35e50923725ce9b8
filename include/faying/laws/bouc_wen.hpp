#pragma once
// Bouc-Wen (A, alpha, beta, n):  df/du = A - [alpha sgn(f du) - beta] |f|^n,  alpha >= 0, |beta| <= alpha, n > 0.
//
// With the usual z-form, [S3] Eq. 2.1: alpha1 = A, alpha2 = alpha, alpha3 = -beta. Every straight path is an unloading
// arc down to f = 0 followed by a loading arc (bouc_wen_flow.hpp), both exact. One state, so neither Masing nor closed
// minor loops ([S3] 2.1). Energy: a spring A in series with slip, so f^2/2A is stored and
// f (du - df/A) = (alpha |f du| - beta f du)|f|^n/A is dissipated, which is >= 0 exactly when |beta| <= alpha.
//
// `bouc-wen-masing` (A, eta, n) is the virgin curve alone, eta = alpha - beta, under Masing's rules, as in [S0] 2.2.3.

#include "faying/laws/bouc_wen_flow.hpp"
#include "faying/laws/loop_features.hpp"
#include "faying/laws/masing.hpp"
#include "faying/laws/search.hpp"

namespace faying::laws {

/// On loading df/du = A - (alpha - beta) f^n, so that the slip force is (A/(alpha - beta))^(1/n).
inline Starts bouc_wen_starts(const LoopFeatures& seen, const core::ParameterValues& known) {
    Starts all;
    for (const double n : {known_or(known, "n", 1), known_or(known, "n", 2)})
        for (const double ratio : {0.0, -0.6, 0.6}) {
            const double eta = seen.stiffness / std::pow(seen.force, n);
            all.push_back({{"A", seen.stiffness},
                           {"eta", eta},
                           {"alpha", eta / (1 - ratio)},
                           {"beta", ratio * eta / (1 - ratio)},
                           {"n", n}});
        }
    return all;
}

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
    static constexpr std::string_view title = "Bouc-Wen, exact for any n";
    static constexpr std::string_view source = "[S0] 2.2.3-2.2.5, [S3] 2.1";
    static constexpr Claims claims{};
    /// The derivative to n at n = 1 and 2 is a closed form apart, so it is timed apart.
    static std::vector<Specimen> specimens() {
        return {{.values = {2.0, 1.5, 0.5, 1.0}, .amplitude = 2.0, .seeded = 3, .label = "n=1"},
                {.values = {2.0, 1.5, 0.5, 1.0}, .amplitude = 2.0, .seeded = 4, .label = "n=1, n seeded"},
                {.values = {2.0, 1.5, 0.5, 2.0}, .amplitude = 2.0, .seeded = 3, .label = "n=2"},
                {.values = {2.0, 1.5, 0.5, 2.0}, .amplitude = 2.0, .seeded = 4, .label = "n=2, n seeded"},
                {.values = {2.0, 1.5, 0.5, 1.5}, .amplitude = 2.0, .seeded = 4, .label = "n=1.5"}};
    }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues& known) {
        return bouc_wen_starts(seen, known);
    }
    /// Saturation force and beta/alpha:  alpha = A/(fs^n (1 - beta/alpha)).
    static SearchForm search_form() {
        return {.left_out = {"alpha", "beta"},
                .instead = {saturation_force(),
                            {"beta/alpha",
                             "\\beta/\\alpha",
                             "",
                             core::Bounds{-1.0, 1.0},
                             core::Scale::linear,
                             "shape of the loop",
                             {},
                             core::SearchRange{-0.95, 0.95}}}};
    }
    template <class Point>
    static void from_search(Point& x) {
        using std::pow;
        const auto saturated = x.take("fs"), ratio = x.take("beta/alpha");
        const auto alpha = x.read("A") / (pow(saturated, x.read("n")) * (1.0 - ratio));
        x.put("alpha", alpha);
        x.put("beta", ratio * alpha);
    }

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::A>("A", "A", "N/m", core::positive, Scale::logarithmic, "initial stiffness")
                .searched(1e11, 1e16),
            core::parameter<&Parameters::alpha>("alpha", "\\alpha", "N^(1-n)/m", core::non_negative, Scale::logarithmic,
                                                "hysteresis coefficient"),
            core::parameter<&Parameters::beta>("beta", "\\beta", "N^(1-n)/m", core::any_real, Scale::linear,
                                               "shape coefficient, |beta| <= alpha"),
            core::parameter<&Parameters::n>("n", "n", "", core::Bounds{0.0, 50.0, true, false}, Scale::linear,
                                            "sharpness of the knee", 1.0)
                .searched(0.3, 2.5)};
        return t;
    }
    static std::string why_not_admissible(const Parameters& p) {
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
        if (force != 0)
            at.push_back(value(z.u) - core::sign(force) * value(down_.distance_to_zero(T(std::abs(force)))));
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
class BoucWenCurve {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T A, eta, n;
    };
    template <class U>
    using rebind = BoucWenCurve<U>;
    static constexpr std::string_view key = "bouc-wen-masing";
    static constexpr std::string_view title = "Bouc-Wen virgin curve by Masing's rules";
    static constexpr std::string_view source = "[S0] 2.2.3";
    static std::vector<Specimen> specimens() {
        return {{.values = {2.0, 1.0, 1.0}, .amplitude = 2.0, .seeded = 2, .label = "n=1"},
                {.values = {2.0, 1.0, 1.0}, .amplitude = 2.0, .seeded = 3, .label = "n=1, n seeded"},
                {.values = {2.0, 1.0, 2.0}, .amplitude = 2.0, .seeded = 3, .label = "n=2, n seeded"},
                {.values = {2.0, 1.0, 1.5}, .amplitude = 2.0, .seeded = 3, .label = "n=1.5"}};
    }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues& known) {
        return bouc_wen_starts(seen, known);
    }
    /// Saturation force:  eta = A/fs^n.
    static SearchForm search_form() { return {.left_out = {"eta"}, .instead = {saturation_force()}}; }
    template <class Point>
    static void from_search(Point& x) {
        using std::pow;
        const auto saturated = x.take("fs");
        x.put("eta", x.read("A") / pow(saturated, x.read("n")));
    }

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::A>("A", "A", "N/m", core::positive, Scale::logarithmic, "initial stiffness")
                .searched(1e11, 1e16),
            core::parameter<&Parameters::eta>("eta", "\\eta", "N^(1-n)/m", core::non_negative, Scale::logarithmic,
                                              "softening coefficient, alpha - beta of the full law"),
            core::parameter<&Parameters::n>("n", "n", "", core::Bounds{0.0, 50.0, true, false}, Scale::linear,
                                            "sharpness of the knee", 1.0)
                .searched(0.3, 2.5)};
        return t;
    }

    explicit BoucWenCurve(const Parameters& p) : p_(p), flow_(p.A, p.eta, p.n) {}
    Parameters parameters() const { return p_; }

    CurveValue<T> at(const T& u) const {
        const Arc<T> arc = flow_.load(T(0.0), u);
        return {arc.force, flow_.loading_slope(arc.force), flow_.virgin_dissipation(arc.force, u, arc.area)};
    }

 private:
    Parameters p_;
    BoucWenFlow<T> flow_;
};

template <class T = double>
using BoucWenMasing = Masing<BoucWenCurve<T>>;

}  // namespace faying::laws
