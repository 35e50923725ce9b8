#pragma once
// Two laws side by side on the same random walk.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "faying/laws/law.hpp"
#include "relative.hpp"

namespace faying::tests {

/// `turns` displacements within +-amplitude, the same on every machine.
inline std::vector<double> random_walk(double amplitude, int turns, unsigned seed = 7) {
    std::mt19937_64 random(seed);
    std::vector<double> path;
    for (int i = 0; i < turns; ++i) path.push_back(amplitude * (2.0 * (random() >> 11) * 0x1.0p-53 - 1.0));
    return path;
}

/// How far two laws part on a path, relative to the largest force, and to the dissipation at the end.
struct Parting {
    double force = 0, dissipated = 0;
};

template <class First, class Second>
Parting compare(const First& first, const Second& second, const std::vector<double>& path) {
    auto a = first.virgin();
    auto b = second.virgin();
    Parting worst;
    double scale = 0, energy = 0;
    for (const double u : path) {
        const auto s = first.step(a, u);
        const auto t = second.step(b, u);
        scale = std::max(scale, std::abs(s.force));
        energy = std::max(energy, s.dissipated);
        worst.force = std::max(worst.force, std::abs(s.force - t.force));
        worst.dissipated = std::max(worst.dissipated, std::abs(s.dissipated - t.dissipated));
        a = s.next;
        b = t.next;
    }
    return {worst.force / scale, energy > 0 ? worst.dissipated / energy : worst.dissipated};
}

/// The last answer along a path.
template <class L>
auto follow(const L& law, const std::vector<double>& path) {
    using T = typename L::Scalar;
    laws::Step<T, typename L::State> s;
    s.next = law.virgin();
    for (const double u : path) s = law.step(s.next, T(u));
    return s;
}

/// What one more loop between +A and -A dissipates, from +A.
template <class L>
double loop_dissipation(const L& law, const typename L::State& at_A, double A) {
    const double before = laws::respond(law, at_A, A).dissipated;
    return law.step(law.step(at_A, -A).next, A).dissipated - before;
}

}  // namespace faying::tests
