#pragma once
// Adaptive Gauss quadrature of a function with kinks, returning whatever the integrand returns (double or dual).

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "faying/core/dual.hpp"

namespace faying::core {

/// One Gauss-Legendre panel with `Points` points.
template <int Points, class F>
auto gauss_panel(F&& f, double a, double b) {
    using Rule = boost::math::quadrature::gauss<double, Points>;
    const double middle = 0.5 * (a + b);
    const double half = 0.5 * (b - a);
    const auto& x = Rule::abscissa();
    const auto& w = Rule::weights();
    constexpr bool odd = Points % 2 == 1;
    auto sum = f(middle) * (odd ? w[0] : 0.0);
    for (std::size_t i = odd ? 1 : 0; i < x.size(); ++i)
        sum = sum + (f(middle + half * x[i]) + f(middle - half * x[i])) * w[i];
    return decltype(sum)(sum * half);
}

namespace detail {
template <class F, class T>
T refine(F&& f, double a, double b, const T& whole, double tolerance, int depth) {
    const double middle = 0.5 * (a + b);
    const T left = gauss_panel<15>(f, a, middle);
    const T right = gauss_panel<15>(f, middle, b);
    const T halves = left + right;
    if (depth == 0 || std::abs(value(halves) - value(whole)) <= tolerance) return halves;
    return refine(f, a, middle, left, 0.5 * tolerance, depth - 1) +
           refine(f, middle, b, right, 0.5 * tolerance, depth - 1);
}
}  // namespace detail

/// Int_a^b f(x) dx to the given absolute tolerance, halving intervals where two levels disagree. Kinks and integrable
/// endpoint singularities cost panels, not accuracy.
template <class F>
auto integrate(F&& f, double a, double b, double tolerance) {
    const auto whole = gauss_panel<15>(f, a, b);
    return detail::refine(f, a, b, whole, tolerance, 40);
}

}  // namespace faying::core
