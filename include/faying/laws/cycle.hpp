#pragma once
// Steady cycling between -A and +A: what a law does to a vibration.
//
//     dissipation        D = closed-loop Int f du
//     secant             (f(A) - f(-A))/2A at the tips of the steady loop
//     harmonic stiffness (1/(pi A)) closed-loop Int f cos(t) dt for u = A cos t
//     harmonic damping   D/(pi A^2), the quadrature part of the same harmonic (N/m; over omega it is a dashpot)
//
// Masing laws: closed forms from the virgin curve. Laws whose memory is a few numbers: Newton on the periodic state,
// since plain repetition needs 1/(slope A) loops at small amplitude. Others: repetition, which closes after a loop or
// two. Written once for double and dual numbers: derivatives of the periodic state come from the implicit function
// theorem.

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>

#include "faying/core/error.hpp"
#include "faying/core/newton.hpp"
#include "faying/core/parameter.hpp"
#include "faying/core/quadrature.hpp"
#include "faying/laws/masing.hpp"

namespace faying::laws {

template <class T>
struct Cycle {
    double amplitude = 0;
    T dissipation{}, secant{}, harmonic_stiffness{}, harmonic_damping{};
    double residual = 0;  ///< by how much the loop fails to close, relative
    int loops = 0;        ///< repetitions needed; 0 for a closed form

    T damping_ratio() const {  ///< D/(2 pi secant A^2)
        return dissipation / (2.0 * std::numbers::pi * secant * (amplitude * amplitude));
    }
};

struct CycleOptions {
    double tolerance = 1e-13;  ///< relative closure of the loop
    int most_loops = 10000;    ///< repetitions before giving up (NotConverged)

    void check() const {
        core::require(tolerance >= 1e-15 && tolerance <= 1e-3, "cycle options", "1e-15 <= tolerance <= 1e-3");
        core::require(most_loops >= 3, "cycle options", "most_loops >= 3");
    }
};

namespace detail {

template <class L>
concept HasVirginCurve = requires(const L law) {
    requires VirginCurve<std::remove_cvref_t<decltype(law.virgin_curve())>>;
};

template <class L, class M>
M mirrored(const L& law, const M& m) {
    if constexpr (requires { law.mirrored(m); }) {
        return law.mirrored(m);
    } else {
        M out = m;
        for (auto& x : out) x = -x;
        return out;
    }
}

template <VirginCurve B>
typename B::Scalar masing_harmonic_stiffness(const B& curve, const typename B::Scalar& amplitude) {
    using T = typename B::Scalar;
    if constexpr (requires { curve.harmonic_stiffness(amplitude); }) return curve.harmonic_stiffness(amplitude);
    if constexpr (requires { curve.microslip_harmonic_stiffness(amplitude); })
        if (const auto closed = curve.microslip_harmonic_stiffness(amplitude)) return *closed;
    // f_up(u) = 2 f0((u+A)/2) - f0(A) with u = -A cos t; the substitution t = pi r^2 smooths powers of t at zero.
    const double scale = std::abs(value(curve.at(amplitude).force));
    const T integral = core::integrate(
        [&](double r) {
            const double t = std::numbers::pi * r * r;
            const double sine = std::sin(0.5 * t);
            const T f = curve.at(T(amplitude * (sine * sine))).force;
            return T(f * (-std::cos(t) * 2.0 * std::numbers::pi * r));
        },
        0.0, 1.0, 1e-14 * scale);
    return 4.0 / (std::numbers::pi * amplitude) * integral;
}

/// Derivative of Int f cos t dt over half a loop that is due to the jump's time t* alone: -drop cos t* dt*, where
/// A (1 - cos t*) is the distance. Its value is zero.
template <class T>
T moving_jump(const Jump<T>& jump, double A) {
    using std::acos;
    if (!(value(jump.distance) > 0.0 && value(jump.distance) < 2.0 * A)) return T(0.0);
    const T time = acos(1.0 - jump.distance / A);
    return -jump.drop * std::cos(value(time)) * (time - value(time));
}

inline std::string did_not_close(std::string_view key, double A) {
    return std::string(key) + ": the loop at amplitude " + core::number_text(A) + " did not close";
}

/// State of the steady loop at -A, about to go up.
template <class L>
struct PeriodicState {
    typename L::State state;
    double residual = 0;
    int loops = 0;
};

/// Repeat until the tip force repeats.
template <class L>
PeriodicState<L> repeat_until_closed(const L& law, double A, const CycleOptions& options, int most_loops) {
    using T = typename L::Scalar;
    auto down = law.step(law.step(law.virgin(), T(A)).next, T(-A));
    PeriodicState<L> p;
    double scale = std::abs(value(down.force));
    for (p.loops = 1; p.loops <= most_loops; ++p.loops) {
        const auto up = law.step(down.next, T(A));
        const auto again = law.step(up.next, T(-A));
        scale = std::max({scale, std::abs(value(up.force)), std::abs(value(again.force))});
        double change = std::abs(value(again.force) - value(down.force));
        if constexpr (FiniteMemoryLaw<L>) {
            const auto before = law.memory(down.next), after = law.memory(again.next);
            double size = 0, moved = 0;
            for (std::size_t i = 0; i < before.size(); ++i) {
                size = std::max(size, std::abs(value(after[i])));
                moved = std::max(moved, std::abs(value(after[i]) - value(before[i])));
                if constexpr (is_dual<T>) moved = std::max(moved, (after[i].v - before[i].v).cwiseAbs().maxCoeff());
            }
            change = size > 0 ? moved * scale / size : 0.0;
        }
        p.residual = scale > 0 ? change / scale : 0.0;
        down = again;
        if (p.residual <= options.tolerance) break;
    }
    p.state = down.next;
    return p;
}

/// Memory after going from -A (with memory m) to the start of the next half loop, seen from there (odd laws), or after
/// a whole loop.
template <class L, class M>
auto return_map(const L& law, const typename L::State& at_minus_A, const M& m, double A) {
    using T = typename L::Scalar;
    const auto up = law.step(law.with_memory(at_minus_A, m), T(A));
    if constexpr (claims_of<L>().odd)
        return mirrored(law, law.memory(up.next));
    else
        return law.memory(law.step(up.next, T(-A)).next);
}

/// Newton on the periodic memory, started from a few plain loops.
template <FiniteMemoryLaw L>
PeriodicState<L> solve_periodic(const L& law, double A, const CycleOptions& options) {
    using T = typename L::Scalar;
    const auto plain = rebind<double>(law);
    auto start = repeat_until_closed(plain, A, options, 3);
    constexpr std::size_t size = std::tuple_size_v<decltype(plain.memory(start.state))>;
    using Slope = core::Jet<int(size)>;
    using Square = Eigen::Matrix<double, size, size>;
    using Column = Eigen::Matrix<double, size, 1>;
    const auto sloped = rebind<Slope>(law);
    const auto sloped_state = sloped.step(sloped.step(sloped.virgin(), Slope(A)).next, Slope(-A)).next;

    struct Problem {  // the memory that half a loop leaves as it is
        const decltype(sloped)& law;
        const decltype(sloped_state)& at_minus_A;
        double A;
        decltype(plain.memory(start.state)) m, best_m = m;
        double best = core::infinity;
        Square one_minus_slope = Square::Identity();
        Column gap{}, change{};

        double evaluate() {
            std::array<Slope, size> seeded;
            for (std::size_t i = 0; i < size; ++i) seeded[i] = Slope(m[i], int(i));
            const auto image = return_map(law, at_minus_A, seeded, A);
            double scale = 0;
            for (std::size_t i = 0; i < size; ++i) {
                gap(i) = image[i].a - m[i];
                scale = std::max(scale, std::abs(image[i].a));
                one_minus_slope.row(i) = -image[i].v.transpose();
                one_minus_slope(i, i) += 1.0;
            }
            const double residual = scale > 0 ? gap.cwiseAbs().maxCoeff() / scale : 0.0;
            if (residual < best) {
                best = residual;
                best_m = m;
            }
            return residual;
        }
        bool direction() {
            change = one_minus_slope.inverse() * gap;
            return change.allFinite();
        }
        void move(double from, double to) {
            for (std::size_t i = 0; i < size; ++i) m[i] += (to - from) * change(i);
        }
    } memory_at{sloped, sloped_state, A, plain.memory(start.state)};
    const auto end = core::newton(memory_at, {.enough = options.tolerance, .most_iterations = 40, .most_cuts = 0});
    const auto& [best, best_m, one_minus_slope] = std::tie(memory_at.best, memory_at.best_m, memory_at.one_minus_slope);
    if (best > 1e3 * options.tolerance) {  // Newton strayed: take the slow road
        auto p = repeat_until_closed(law, A, options, options.most_loops);
        if (p.residual > options.tolerance) throw core::NotConverged(did_not_close(L::key, A), p.residual);
        return p;
    }
    PeriodicState<L> p;
    p.residual = best;
    p.loops = start.loops + end.iterations;
    const auto law_state = law.step(law.step(law.virgin(), T(A)).next, T(-A)).next;
    std::array<T, size> memory;
    for (std::size_t i = 0; i < size; ++i) memory[i] = T(best_m[i]);
    if constexpr (is_dual<T>) {
        const auto image = return_map(law, law_state, memory, A);
        Eigen::Matrix<double, size, core::directions> gradient;
        for (std::size_t i = 0; i < size; ++i) gradient.row(i) = image[i].v.transpose();
        gradient = (one_minus_slope.inverse() * gradient).eval();
        for (std::size_t i = 0; i < size; ++i) memory[i].v = gradient.row(i).transpose();
    }
    p.state = law.with_memory(law_state, memory);
    return p;
}

/// The steady loop's state at -A, by whatever way suits the law; throws NotConverged if the loop does not close.
template <HysteresisLaw L>
PeriodicState<L> periodic_state(const L& law, double A, const CycleOptions& options) {
    if constexpr (claims_of<L>().cut_tolerance == 0.0)
        throw core::BadInput(std::string(L::key),
                             "depends on the size of its increments and has no steady cycle of its own; follow a path "
                             "of small increments instead");
    auto p = repeat_until_closed(law, A, options, 3);
    if (p.residual > options.tolerance) {
        if constexpr (FiniteMemoryLaw<L> && requires { rebind<double>(law); })
            p = solve_periodic(law, A, options);
        else
            p = repeat_until_closed(law, A, options, options.most_loops);
    }
    if (p.residual > 1e3 * options.tolerance) throw core::NotConverged(did_not_close(L::key, A), p.residual);
    return p;
}

}  // namespace detail

/// The steady loop between -amplitude and +amplitude (amplitude > 0).
template <HysteresisLaw L>
Cycle<typename L::Scalar> steady_cycle(const L& law, double amplitude, const CycleOptions& options = {}) {
    using T = typename L::Scalar;
    using std::numbers::pi;
    options.check();
    core::require(amplitude > 0 && std::isfinite(amplitude), "cycle", "0 < amplitude < inf");
    const double A = amplitude;
    Cycle<T> c;
    c.amplitude = A;
    if constexpr (detail::HasVirginCurve<L>) {
        const auto& curve = law.virgin_curve();
        const auto tip = curve.at(T(A));
        c.dissipation = 4.0 * tip.dissipated;
        c.secant = tip.force / A;
        c.harmonic_stiffness = detail::masing_harmonic_stiffness(curve, T(A));
    } else {
        const auto start = detail::periodic_state(law, A, options);
        c.residual = start.residual;
        c.loops = start.loops;
        const auto& bottom = start.state;
        const auto at_bottom = respond(law, bottom, T(-A));
        const auto up = law.step(bottom, T(A));
        const auto down = law.step(up.next, T(-A));
        c.dissipation = down.dissipated - at_bottom.dissipated;
        c.secant = (up.force - down.force) / (2.0 * A);
        const double scale = std::max(std::abs(value(up.force)), std::abs(value(down.force)));
        T integral = core::integrate(
            [&](double t) {
                const double u = A * std::cos(t);
                const T going_down = respond(law, up.next, T(u)).force;
                const T going_up = respond(law, bottom, T(-u)).force;
                return T((going_down - going_up) * std::cos(t));
            },
            0.0, pi, std::max(1e-13, 0.1 * claims_of<L>().cut_tolerance) * scale);  // no finer than the law is exact
        if constexpr (is_dual<T> && JumpingLaw<L>)
            integral += detail::moving_jump(law.jump(bottom, 1), A) + detail::moving_jump(law.jump(up.next, -1), A);
        c.harmonic_stiffness = integral / (pi * A);
    }
    c.harmonic_damping = c.dissipation / (pi * A * A);
    return c;
}

/// Points of the steady loop, for drawing: up from -A to A and back, `points` a branch, denser at the tips.
template <HysteresisLaw L>
std::vector<std::pair<double, double>> steady_loop(const L& law, double amplitude, int points,
                                                   const CycleOptions& options = {}) {
    using T = typename L::Scalar;
    const auto bottom = detail::periodic_state(law, amplitude, options).state;
    const auto top = law.step(bottom, T(amplitude)).next;
    std::vector<std::pair<double, double>> loop;
    for (int i = 0; i <= 2 * points; ++i) {
        const double u = -amplitude * std::cos(std::numbers::pi * i / points);
        loop.emplace_back(u, value(respond(law, i <= points ? bottom : top, T(u)).force));
    }
    return loop;
}

}  // namespace faying::laws
