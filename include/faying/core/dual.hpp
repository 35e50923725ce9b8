#pragma once
// Dual numbers: a law written once for `double` gives its parameter derivatives when run on `Dual`.
//
//     Dual kt(3.0, 0);                       // 3 + 1*e0: seeded in direction 0
//     auto law = laws::Jenkins<Dual>({kt, Dual(1.0)});
//     law.step(law.virgin(), Dual(0.2)).force.v[0];   // d force / d kt
//
// The type is ceres::Jet, header only. Four directions per pass suit the laws (most have four parameters or fewer);
// more parameters take more passes.

#include <ceres/jet.h>

#include <cmath>
#include <type_traits>

namespace faying::core {

template <int N>
using Jet = ceres::Jet<double, N>;

/// Directions carried in one pass of parameter derivatives.
inline constexpr int directions = 4;
using Dual = Jet<directions>;

template <class T>
inline constexpr bool is_dual = false;
template <int N>
inline constexpr bool is_dual<Jet<N>> = true;

inline double value(double x) { return x; }
template <int N>
double value(const Jet<N>& x) {
    return x.a;
}

/// True when x carries no derivative, so that a branch chosen on its value alone loses nothing.
inline bool is_constant(double) { return true; }
template <int N>
bool is_constant(const Jet<N>& x) {
    return (x.v.array() == 0.0).all();
}

/// f(x), given its value and slope there.
inline double chain(double, double f, double) { return f; }
template <int N>
Jet<N> chain(const Jet<N>& x, double f, double slope) {
    return Jet<N>(f, slope * x.v);
}

/// x^p for x > 0. ceres::pow calls std::pow twice and std::log; for x > 0 the derivative needs no second power.
inline double power(double x, double p) { return std::pow(x, p); }
template <int N>
Jet<N> power(const Jet<N>& x, const Jet<N>& p) {
    const double y = std::pow(x.a, p.a);
    return Jet<N>(y, (y * p.a / x.a) * x.v + (y * std::log(x.a)) * p.v);
}

inline double sign(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0); }

/// Implicit function theorem in one line: `root` solves residual(x) = 0 in value; one Newton step in T carries the
/// derivatives of the parameters into the root (and polishes its value).
template <class T, class Residual>
T implicit_root(double root, Residual&& residual) {
    const auto [f, slope] = residual(T(root));
    return T(root) - f / T(value(slope));
}

}  // namespace faying::core
