#pragma once
// What a hysteresis law is: a value with an explicit state and a pure step.
//
//     struct MySpring {                                   // a complete law of your own
//         using Scalar = double;
//         struct State { double u = 0; };
//         static constexpr std::string_view key = "my-spring";
//         double k;
//         State virgin() const { return {}; }
//         faying::laws::Step<double, State> step(State z, double u) const {
//             z.u = u;
//             return {.force = k * u, .tangent = k, .work = 0.5 * k * u * u, .dissipated = 0, .next = z};
//         }
//     };
//
// and a Law, to stand in a structure, as Law(MySpring{1e6}); see catalogue.hpp, and entry.hpp for what else a law may
// say.
//
// `step` answers for a straight path from the committed displacement in the state to u, however long: cutting a
// monotone path into pieces changes nothing. Work and dissipation are totals since the virgin state. A step of no
// length leaves the force; its tangent is that of the branch last travelled or, for sliders, that of sticking.

#include <array>
#include <concepts>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "faying/core/dual.hpp"

namespace faying::laws {

using core::is_dual;
using core::value;

/// Force, tangent and energies without the next state: enough for a trial evaluation.
template <class T>
struct Response {
    T force{};
    T tangent{};
    T work{};        ///< Int f du since virgin
    T dissipated{};  ///< the part of the work that friction kept
};

template <class T, class State>
struct Step {
    T force{};
    T tangent{};
    T work{};
    T dissipated{};
    State next{};

    Response<T> response() const { return {force, tangent, work, dissipated}; }
};

/// Which variable is prescribed; the other is the answer. A force-driven law returns displacement as `force` and
/// compliance as `tangent`.
enum class Drive { displacement, force };

/// What a law promises; `check_law` holds it to that. Defaults suit any rate-independent friction law.
struct Claims {
    bool odd = true;               ///< mirrored history, mirrored force
    bool return_point = false;     ///< a closed minor loop is forgotten exactly
    bool masing = false;           ///< branches are the virgin curve at twice the scale
    bool dissipative = true;       ///< dissipation never decreases
    bool continuous = true;        ///< force continuous in displacement (Reid's is not)
    bool elastic = false;          ///< a spring: stores, never dissipates, remembers nothing
    double cut_tolerance = 1e-12;  ///< how far cutting a straight path may move the force, relative; 0: not claimed
};

template <class L>
concept HysteresisLaw = std::copyable<L> && requires(const L law, typename L::State z, typename L::Scalar u) {
    { L::key } -> std::convertible_to<std::string_view>;
    { law.virgin() } -> std::same_as<typename L::State>;
    { law.step(z, u) } -> std::same_as<Step<typename L::Scalar, typename L::State>>;
};

template <class T, std::size_t N, class State>
struct ElementStep {
    std::array<T, N> force{};
    std::array<std::array<T, N>, N> tangent{};  ///< tangent[i][j] = d force_i / d u_j
    T work{}, dissipated{};
    State next{};
};

/// A law of `inputs` displacements that act together: as many forces. A coupled polynomial of modal coordinates,
/// contact in a plane, any element of your own. `static constexpr int normal` names the displacement that presses, if
/// one does: positive when the faces close.
template <class L>
concept ElementLaw = std::copyable<L> &&
    requires(const L law, typename L::State z, std::array<typename L::Scalar, L::inputs> u) {
    { L::key } -> std::convertible_to<std::string_view>;
    { law.virgin() } -> std::same_as<typename L::State>;
    { law.step(z, u) } -> std::same_as<ElementStep<typename L::Scalar, L::inputs, typename L::State>>;
};

/// A law whose force depends on the pace: its step also takes the time the straight path lasts.
template <class L>
concept RateDependentLaw = std::copyable<L> &&
    requires(const L law, typename L::State z, typename L::Scalar u, double duration) {
    { law.step(z, u, duration) } -> std::same_as<Step<typename L::Scalar, typename L::State>>;
};

/// A law that can answer a trial displacement without building the next state.
template <class L>
concept TrialLaw = requires(const L law, const typename L::State z, typename L::Scalar u) {
    { law.respond(z, u) } -> std::same_as<Response<typename L::Scalar>>;
};

/// Where on a straight path a force jumps, and by how much it falls there (in the direction of travel).
template <class T>
struct Jump {
    T distance{}, drop{};
};

/// A law with one jump on the way back from a tip, which moves with the parameters.
template <class L>
concept JumpingLaw = requires(const L law, const typename L::State z) {
    { law.jump(z, 1) } -> std::same_as<Jump<typename L::Scalar>>;
};

/// A law whose past is a few real numbers (not a stack): they can be solved for, as for a periodic loop.
template <class L>
concept FiniteMemoryLaw = requires(const L law, typename L::State z) {
    {law.memory(z)};
    { law.with_memory(z, law.memory(z)) } -> std::same_as<typename L::State>;
};

/// A law that knows where its force has kinks: displacements at which its tangent may jump on a straight way from a
/// state, in either direction; more than there are do no harm. One whose numbers decide whether it does returns that.
template <class L>
concept KinkedLaw = requires(const L law, const typename L::State z, std::vector<double>& at) {
    {law.kinks(z, at)};
};

/// Where a run leads: up (1), down (-1), or for a run of no length where the last one led.
template <class T>
int direction_of(const T& run, int last) {
    return value(run) > 0.0 ? 1 : (value(run) < 0.0 ? -1 : last);
}

template <class L>
constexpr Claims claims_of() {
    if constexpr (requires { L::claims; })
        return L::claims;
    else
        return {};
}

template <class L>
constexpr Drive drive_of() {
    if constexpr (requires { L::drive; })
        return L::drive;
    else
        return Drive::displacement;
}

/// The same of a law whose type does not say, such as one that is known at run time only.
template <class L>
Claims claims_of(const L& law) {
    if constexpr (requires { law.claims; })
        return law.claims;
    else
        return {};
}

template <class L>
Drive drive_of(const L& law) {
    if constexpr (requires { law.drive; })
        return law.drive;
    else
        return Drive::displacement;
}

/// A law that answers for many sites at once, which a law written in Python needs to be fast.
template <class L>
concept ManySiteLaw = requires(const L law, const std::vector<typename L::State>& from, std::span<const double> u,
                               std::span<double> out, std::vector<typename L::State>& next) {
    {law.respond_sites(from, u, out, out)};
    {law.step_sites(next, u, out)};
};

/// A law that answers faster for many places on the straight way from one state than for each of them from there.
template <class L>
concept PathLaw = requires(const L law, const typename L::State& from, std::span<const typename L::Scalar> u,
                           std::span<typename L::Scalar> out) {
    {law.respond_along(from, u, out, out)};
};

/// Trial answer at u; the state stays where it is.
template <HysteresisLaw L>
Response<typename L::Scalar> respond(const L& law, const typename L::State& z, const typename L::Scalar& u) {
    if constexpr (TrialLaw<L>)
        return law.respond(z, u);
    else
        return law.step(z, u).response();
}

}  // namespace faying::laws
