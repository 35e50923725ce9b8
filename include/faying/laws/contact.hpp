#pragma once
// Contact laws on (two tangential, one normal) displacements of an interface site.
//
// Normal: a linear spring fn = kn un, or a penalty: kn un while un > 0, nothing when separated (un <= 0).
// Tangential: Jenkins in the plane, slip limit fs (jenkins-2d) or mu fn (elastic-dry-friction), plus a spring kp:
//
//     trial = t0 + kt (u - u0);  kept if |trial| <= limit, else scaled back to it (radial return, [S0] Eq. 20)
//     in slip dt/du = limit kt/|trial| (I - n n^T),  dt/dun = mu kn n
//
// On re-closure the tangential reference is where contact was regained, by linear interpolation in un ([S0] Eq. 5),
// with zero traction there; the kp spring restarts from the same point. Along one line of travel the answer does not
// depend on how the path is cut; when the slip direction turns within a step, radial return is first order in it.
//
// Over a penalty, traction under a constant limit jumps to zero where the contact opens, and a structure may have no
// equilibrium but on the jump. With mu_max (infinite unless given) limit = min(fs, mu_max fn): the jump is a steep
// line, and mu_max -> infinity the jump with everything between its ends.

#include <array>
#include <cmath>
#include <limits>

#include "faying/laws/loop_features.hpp"
#include "faying/laws/parameters.hpp"

namespace faying::laws {

enum class NormalContact { linear, penalty };
enum class SlipLimit { constant, coulomb };

template <class T>
struct ContactParameters {
    using Scalar = T;
    T kt, fs, mu, kp, kn;
    T mu_max = T(core::infinity);
};

template <class T>
using Vector3 = std::array<T, 3>;

template <class T>
struct ContactResponse {
    Vector3<T> force{};                   ///< two tangential, one normal
    std::array<Vector3<T>, 3> tangent{};  ///< tangent[i][j] = d force_i / d u_j
    T work{}, dissipated{};
    T tangential_work{};  ///< work without the normal spring's energy, which may be far larger
};

template <class T, class State>
struct ContactStep : ContactResponse<T> {
    State next{};
};

/// A law on (x, y, n): the same idea as HysteresisLaw with 3-vectors.
template <class L>
concept ContactLaw = std::copyable<L> && requires(const L law, typename L::State z, Vector3<typename L::Scalar> u) {
    { L::key } -> std::convertible_to<std::string_view>;
    { law.virgin() } -> std::same_as<typename L::State>;
    { law.step(z, u) } -> std::same_as<ContactStep<typename L::Scalar, typename L::State>>;
};

/// What can stand at a site.
template <class L>
concept SiteLaw = HysteresisLaw<L> || ContactLaw<L> || ElementLaw<L>;

/// Displacements of a site.
template <SiteLaw L>
constexpr int width_of() {
    if constexpr (ContactLaw<L>)
        return 3;
    else if constexpr (ElementLaw<L>)
        return int(L::inputs);
    else
        return 1;
}

/// Which of them presses; -1: none.
template <SiteLaw L>
constexpr int normal_of() {
    if constexpr (ContactLaw<L>)
        return 2;
    else if constexpr (requires { L::normal; })
        return L::normal;
    else
        return -1;
}

template <class T, SlipLimit Limit, NormalContact Normal, bool WithSpring>
class FrictionContact {
 public:
    using Scalar = T;
    using Parameters = ContactParameters<T>;
    template <class U>
    using rebind = FrictionContact<U, Limit, Normal, WithSpring>;
    static constexpr std::string_view key =
        Limit == SlipLimit::coulomb
            ? (WithSpring
                   ? (Normal == NormalContact::penalty ? "elastic-dry-friction+kp" : "elastic-dry-friction-linear+kp")
                   : (Normal == NormalContact::penalty ? "elastic-dry-friction" : "elastic-dry-friction-linear"))
            : (WithSpring ? (Normal == NormalContact::penalty ? "jenkins-prager-2d-penalty" : "jenkins-prager-2d")
                          : (Normal == NormalContact::penalty ? "jenkins-2d-penalty" : "jenkins-2d"));
    static constexpr std::string_view title =
        Limit == SlipLimit::coulomb
            ? (WithSpring                         ? "friction mu fn beside a post-slip spring"
               : Normal == NormalContact::penalty ? "friction mu fn over penalty contact"
                                                  : "friction mu fn over a normal spring")
            : (WithSpring ? (Normal == NormalContact::penalty ? "Jenkins-Prager in the plane, penalty contact"
                                                              : "Jenkins-Prager in the plane, normal spring")
                          : (Normal == NormalContact::penalty ? "Jenkins in the plane, penalty contact"
                                                              : "Jenkins in the plane, normal spring"));
    static constexpr std::string_view source = Limit == SlipLimit::coulomb ? (WithSpring ? "[S0] 2.3.3" : "[S0] 2.2.8")
                                               : WithSpring                ? "[S0] 2.2.10"
                                                                           : "[S0] 2.2.7";
    /// Along a line `elastic-dry-friction+kp` is that law beside a spring.
    static constexpr bool moves_along_line = !(Limit == SlipLimit::coulomb && WithSpring);

    static std::vector<Specimen> specimens() {
        std::vector<double> values = {1.0, Limit == SlipLimit::coulomb ? 0.5 : 1.0};
        if (WithSpring) values.push_back(0.1);
        values.push_back(2.0);
        return {{.values = values, .amplitude = 1.5, .normal_approach = 1.0}};
    }
    /// At a constant normal displacement the friction force is mu kn un.
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues& known) {
        if (Limit == SlipLimit::constant)
            return {{{"kt", seen.stiffness},
                     {"fs", seen.slip_force},
                     {"kp", seen.post_slip_stiffness()},
                     {"kn", seen.stiffness},
                     {"un", seen.amplitude}}};
        const double kn = known_or(known, "kn", seen.stiffness);
        const double un = known_or(known, "un", seen.slip_force / kn / known_or(known, "mu", 1));
        return {{{"kt", seen.stiffness}, {"mu", seen.slip_force / (kn * un)}, {"kn", kn}, {"un", un}}};
    }

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = [] {
            using core::Scale;
            core::ParameterTable<Parameters> entries;
            entries.push_back(core::parameter<&Parameters::kt>("kt", "k_t", "N/m", core::positive, Scale::logarithmic,
                                                               "tangential stiffness")
                                  .searched(1e11, 1e16));
            if (Limit == SlipLimit::constant)
                entries.push_back(
                    core::parameter<&Parameters::fs>("fs", "f_s", "N", core::positive, Scale::logarithmic, "slip force")
                        .searched(1e4, 3e7));
            else
                entries.push_back(core::parameter<&Parameters::mu>("mu", "\\mu", "", core::non_negative, Scale::linear,
                                                                   "coefficient of friction")
                                      .searched(0.02, 3));
            if (WithSpring)
                entries.push_back(core::parameter<&Parameters::kp>("kp", "k_p", "N/m", core::non_negative,
                                                                   Scale::logarithmic, "post-slip stiffness")
                                      .searched(1e8, 1e13));
            entries.push_back(core::parameter<&Parameters::kn>("kn", "k_n", "N/m", core::positive, Scale::logarithmic,
                                                               "normal stiffness")
                                  .searched(1e11, 1e15));
            if (can_fade)
                entries.push_back(core::parameter<&Parameters::mu_max>(
                    "mu_max", "\\mu_{max}", "", core::positive, Scale::logarithmic,
                    "largest ratio of traction to pressure; unlimited if not given", core::infinity));
            return entries;
        }();
        return t;
    }

    explicit FrictionContact(const Parameters& p)
        : p_(p), compliance_(1.0 / p.kt), fades_(can_fade && std::isfinite(value(p.mu_max))) {
        if (!WithSpring) p_.kp = T(0.0);
    }
    Parameters parameters() const { return p_; }

    struct State {
        Vector3<T> u{};
        std::array<T, 2> traction{};   ///< of the Jenkins part
        std::array<T, 2> reference{};  ///< where the kp spring is slack
        T dissipated{};
    };
    State virgin() const { return {}; }

    /// What a site holds wherever it is: traction, and how far the kp spring is stretched.
    auto memory(const State& z) const {
        if constexpr (WithSpring)
            return std::array<T, 4>{z.traction[0], z.traction[1], z.u[0] - z.reference[0], z.u[1] - z.reference[1]};
        else
            return z.traction;
    }
    /// A traction beyond what friction can hold is cut to it.
    State with_memory(State z, const std::array<T, WithSpring ? 4 : 2>& m) const {
        const bool touches = Normal == NormalContact::linear || value(z.u[2]) > 0.0;
        z.traction = touches ? std::array<T, 2>{m[0], m[1]} : std::array<T, 2>{};
        const T normal = p_.kn * z.u[2];
        z.traction = cut_to(friction_limits(normal, normal).at_end(), z.traction);
        if constexpr (WithSpring) z.reference = {z.u[0] - m[2], z.u[1] - m[3]};
        return z;
    }

    ContactStep<T, State> step(const State& z, const Vector3<T>& u) const {
        ContactStep<T, State> out;
        out.next = z;
        out.next.u = u;
        const bool touches = Normal == NormalContact::linear || value(u[2]) > 0.0;
        const bool touched = Normal == NormalContact::linear || value(z.u[2]) > 0.0;
        if (!touches) return separate(z, std::move(out), touched);

        std::array<T, 2> from{z.u[0], z.u[1]}, held = z.traction;
        T normal_before = p_.kn * z.u[2];
        T moved(1.0);                // d run_i / d u_i
        std::array<T, 2> closing{};  // d run_i / d un, as the point of re-closure shifts
        const bool had_grip = grips(z.u[2]), has_grip = grips(u[2]), reclosed = has_grip && !had_grip;
        if (reclosed) {  // [S0] Eq. 5; from the virgin state at un = 0 this is the virgin point itself
            const T fraction = -z.u[2] / (u[2] - z.u[2]);
            for (int i = 0; i < 2; ++i) {
                from[i] = z.u[i] + fraction * (u[i] - z.u[i]);
                held[i] = T(0.0);
                if (!touched) out.next.reference[i] = from[i];
                closing[i] = fraction * (u[i] - z.u[i]) / (u[2] - z.u[2]);
            }
            moved = 1.0 - fraction;
            normal_before = T(0.0);
        }
        if (had_grip && !has_grip) {  // a linear normal spring pulled past zero: friction ends there
            out.next.dissipated = step(z, end_of_contact(z, u)).dissipated;
            held = {};
            normal_before = T(0.0);
        }
        const T normal = p_.kn * u[2];
        const std::array<T, 2> run{u[0] - from[0], u[1] - from[1]};
        const Slide part = slide(held, run, friction_limits(normal_before, normal));
        out.next.traction = part.traction;
        out.next.dissipated += part.dissipated;
        for (int i = 0; i < 2; ++i) {
            out.tangent[i][2] = part.pressed[i];
            for (int j = 0; j < 2; ++j) {
                const T& stiffness = part.stiffness[i][j];
                out.tangent[i][j] = reclosed ? T(moved * stiffness) : stiffness;
                if (reclosed) out.tangent[i][2] += stiffness * closing[j];
            }
            if constexpr (WithSpring) {  // it restarts with the contact, not with the grip
                out.tangent[i][i] += touched ? p_.kp : T(moved * p_.kp);
                if (!touched) out.tangent[i][2] += p_.kp * closing[i];
            }
        }
        T stored(0.0);  // in the tangential springs
        for (int i = 0; i < 2; ++i) {
            out.force[i] = out.next.traction[i];
            stored += out.next.traction[i] * out.next.traction[i];
        }
        stored = 0.5 * stored * compliance_;
        if constexpr (WithSpring)
            for (int i = 0; i < 2; ++i) {
                const T stretch = u[i] - out.next.reference[i];
                out.force[i] += p_.kp * stretch;
                stored += 0.5 * p_.kp * stretch * stretch;
            }
        out.force[2] = normal;
        out.tangent[2][2] = p_.kn;
        out.dissipated = out.next.dissipated;
        out.tangential_work = stored + out.dissipated;
        out.work = out.tangential_work + 0.5 * p_.kn * u[2] * u[2];
        return out;
    }

 private:
    Parameters p_;
    T compliance_;  ///< 1 / kt
    bool fades_;    ///< the limit goes to zero with the pressure, at mu_max
    static constexpr bool can_fade = Limit == SlipLimit::constant && Normal == NormalContact::penalty;
    /// A site that rests at its limit is stuck: what rounding makes of its own traction is no slip.
    static constexpr double at_rest = 1.0 + 8.0 * std::numeric_limits<double>::epsilon();

    /// A slip limit along a straight path: in proportion to the pressure from `first` to `last`, but nowhere above
    /// `cap`.
    struct Limits {
        T first, last;
        T slope;  ///< d last / d un
        T cap;
        bool capped_first() const { return !(value(first) < value(cap)); }
        bool capped_last() const { return !(value(last) < value(cap)); }
        T at_end() const { return capped_last() ? cap : last; }
    };

    Limits pressure_limits(const T& ratio, const T& before, const T& now, const T& cap = T(core::infinity)) const {
        const bool pressed = value(now) > 0.0;
        return {value(before) > 0.0 ? T(ratio * before) : T(0.0), pressed ? T(ratio * now) : T(0.0),
                pressed ? T(ratio * p_.kn) : T(0.0), cap};
    }

    Limits friction_limits(const T& before, const T& now) const {
        if (Limit == SlipLimit::coulomb) return pressure_limits(p_.mu, before, now);
        if (fades_) return pressure_limits(p_.mu_max, before, now, p_.fs);
        return {p_.fs, p_.fs, T(0.0), p_.fs};
    }

    /// The slider and its spring kt after a straight run.
    struct Slide {
        std::array<T, 2> traction{};
        std::array<std::array<T, 2>, 2> stiffness{};  ///< d traction / d run
        std::array<T, 2> pressed{};                   ///< d traction / d un at fixed run
        T dissipated{};
    };

    Slide slide(const std::array<T, 2>& held, const std::array<T, 2>& run, const Limits& limits) const {
        Slide out;
        const std::array<T, 2> trial{held[0] + p_.kt * run[0], held[1] + p_.kt * run[1]};
        const T size = length(trial), limit = limits.at_end();
        out.traction = trial;
        out.stiffness[0][0] = out.stiffness[1][1] = p_.kt;
        if (!(value(size) > value(limit) * at_rest)) return out;
        const T inverse = 1.0 / size, share = limit * inverse;
        const std::array<T, 2> n{trial[0] * inverse, trial[1] * inverse};
        const T across = share * p_.kt;  // stiffness across the direction of slip; none along it
        for (int i = 0; i < 2; ++i) {
            out.traction[i] = share * trial[i];
            for (int j = i; j < 2; ++j)
                out.stiffness[i][j] = out.stiffness[j][i] = across * ((i == j ? 1.0 : 0.0) - n[i] * n[j]);
            if (!limits.capped_last()) out.pressed[i] = limits.slope * n[i];
        }
        out.dissipated = slip_work(held, trial, T((size - limit) * compliance_), limits);
        return out;
    }

    /// The limit integrated over the slip distance. Where a straight path meets its cap the rate of slip changes: two
    /// pieces.
    T slip_work(const std::array<T, 2>& held, const std::array<T, 2>& trial, const T& slipped,
                const Limits& limits) const {
        const auto& [first, last, slope, cap] = limits;
        const auto piece = [](const auto& from, const auto& to, const T& before, const T& after, const T& distance) {
            return T(0.5 * (limit_at_onset(from, to, before, after) + after) * distance);
        };
        const bool capped_first = limits.capped_first(), capped_last = limits.capped_last();
        if (capped_first && capped_last) return cap * slipped;
        if (!capped_first && !capped_last) return piece(held, trial, first, last, slipped);
        const T share = (cap - first) / (last - first);
        const std::array<T, 2> middle{held[0] + share * (trial[0] - held[0]), held[1] + share * (trial[1] - held[1])};
        const T excess = length(middle) - cap, early = value(excess) > 0.0 ? T(excess * compliance_) : T(0.0);
        return piece(held, middle, capped_first ? cap : first, cap, early) +
               piece(middle, trial, cap, limits.at_end(), T(slipped - early));
    }

    static std::array<T, 2> cut_to(const T& limit, std::array<T, 2> t) {
        const T size = length(t);
        if (value(size) > value(limit))
            for (T& x : t) x = limit / size * x;
        return t;
    }

    /// Whether friction can hold anything: always with a constant limit in contact, under pressure with Coulomb's.
    static bool grips(const T& un) {
        return (Limit == SlipLimit::constant && Normal == NormalContact::linear) || value(un) > 0.0;
    }

    static T length(const std::array<T, 2>& t) {
        using std::sqrt;
        const T square = t[0] * t[0] + t[1] * t[1];
        return value(square) > 0.0 ? T(sqrt(square)) : T(0.0);
    }

    /// The slip limit at the instant the straight trial path first reaches it.
    static T limit_at_onset(const std::array<T, 2>& held, const std::array<T, 2>& trial, const T& first,
                            const T& last) {
        using std::sqrt;
        // |held + r (trial - held)|^2 = (first + r (last - first))^2
        const std::array<T, 2> run{trial[0] - held[0], trial[1] - held[1]};
        const T growth = last - first;
        if (value(growth) == 0.0 && core::is_constant(growth)) return first;  // under constant pressure
        const T a = run[0] * run[0] + run[1] * run[1] - growth * growth;
        const T b = held[0] * run[0] + held[1] * run[1] - first * growth;
        const T c = held[0] * held[0] + held[1] * held[1] - first * first;
        if (value(c) >= 0.0 && value(b) >= 0.0) return first;  // slipping from the start
        const T discriminant = b * b - a * c;
        if (value(discriminant) <= 0.0) return first;
        const T root = sqrt(discriminant);
        const T r = value(b) > 0.0 ? T(-c / (b + root)) : T((root - b) / a);
        return first + r * growth;
    }

    /// Where a path that opens the contact leaves it, just before it does.
    static Vector3<T> end_of_contact(const State& z, const Vector3<T>& u) {
        const T fraction = z.u[2] / (z.u[2] - u[2]);
        return {z.u[0] + fraction * (u[0] - z.u[0]), z.u[1] + fraction * (u[1] - z.u[1]),
                T(std::numeric_limits<double>::min())};
    }

    /// Gap at the end of the step: no force; what the springs held when contact ended is lost. Rare, and it asks for steps
    /// itself: within step() it would take a tenth of the time of those that stay in contact.
    [[gnu::noinline]] ContactStep<T, State> separate(const State& z, ContactStep<T, State> out, bool touched) const {
        if (touched) {
            const Vector3<T> last = end_of_contact(z, out.next.u);
            const auto end = step(z, last);
            out.next.dissipated = end.dissipated;
            T held(0.0);
            for (int i = 0; i < 2; ++i) held += 0.5 * end.next.traction[i] * end.next.traction[i] / p_.kt;
            for (int i = 0; i < 2; ++i) {
                const T stretch = last[i] - z.reference[i];
                held += 0.5 * p_.kp * stretch * stretch;
            }
            out.next.dissipated += held;
        }
        for (int i = 0; i < 2; ++i) out.next.traction[i] = T(0.0);
        out.dissipated = out.tangential_work = out.work = out.next.dissipated;
        return out;
    }
};

template <class T = double>
using Jenkins2d = FrictionContact<T, SlipLimit::constant, NormalContact::linear, false>;
template <class T = double>
using Jenkins2dPenalty = FrictionContact<T, SlipLimit::constant, NormalContact::penalty, false>;
template <class T = double>
using JenkinsPrager2d = FrictionContact<T, SlipLimit::constant, NormalContact::linear, true>;
template <class T = double>
using JenkinsPrager2dPenalty = FrictionContact<T, SlipLimit::constant, NormalContact::penalty, true>;
template <class T = double>
using ElasticDryFriction = FrictionContact<T, SlipLimit::coulomb, NormalContact::penalty, false>;
template <class T = double>
using ElasticDryFrictionLinear = FrictionContact<T, SlipLimit::coulomb, NormalContact::linear, false>;
template <class T = double>
using ElasticDryFrictionSpring = FrictionContact<T, SlipLimit::coulomb, NormalContact::penalty, true>;

}  // namespace faying::laws
