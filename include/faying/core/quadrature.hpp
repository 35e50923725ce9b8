#pragma once
// Adaptive quadrature of a function with kinks, returning whatever the integrand returns (double or dual).

#include <array>
#include <cmath>
#include <numbers>

#include "faying/core/dual.hpp"

namespace faying::core {

/// The 15-point Gauss-Legendre rule on [-1, 1]: its nodes from zero up, each but the first standing for +-x.
struct GaussRule {
    std::array<double, 8> x, w;
};
const GaussRule& gauss_rule();

/// One Gauss-Legendre panel of 15 points.
template <class F>
auto gauss_panel(F&& f, double a, double b) {
    const auto& [x, w] = gauss_rule();
    const double middle = 0.5 * (a + b);
    const double half = 0.5 * (b - a);
    auto sum = f(middle) * w[0];
    for (std::size_t i = 1; i < x.size(); ++i) sum = sum + (f(middle + half * x[i]) + f(middle - half * x[i])) * w[i];
    return decltype(sum)(sum * half);
}

/// Nodes and weights of the Gauss-Lobatto rule on [-1, 1], ends included.
template <int Points>
struct LobattoRule {
    std::array<double, Points> x, w;

    LobattoRule() {
        constexpr int N = Points - 1;
        for (int i = 0; i < Points; ++i) {
            double node = -std::cos(std::numbers::pi * i / N), legendre = 1.0;
            for (int pass = 0; pass < 100; ++pass) {  // Newton on the extrema of the Legendre polynomial P_N
                double before = 1.0;
                legendre = node;
                for (int k = 2; k <= N; ++k) {
                    const double next = ((2 * k - 1) * node * legendre - (k - 1) * before) / k;
                    before = legendre;
                    legendre = next;
                }
                const double change = (node * legendre - before) / (Points * legendre);
                node -= change;
                if (std::abs(change) < 1e-16) break;
            }
            x[i] = node;
            w[i] = 2.0 / (N * Points * legendre * legendre);
        }
    }
};

/// One Gauss-Lobatto panel with `Points` points.
template <int Points, class F>
auto lobatto_panel(F&& f, double a, double b) {
    static const LobattoRule<Points> rule;
    const double middle = 0.5 * (a + b);
    const double half = 0.5 * (b - a);
    auto sum = f(a) * rule.w[0] + f(b) * rule.w[0];
    for (int i = 1; i + 1 < Points; ++i) sum = sum + f(middle + half * rule.x[i]) * rule.w[i];
    return decltype(sum)(sum * half);
}

namespace detail {
template <class F, class T>
T refine(F&& f, double a, double b, const T& whole, double tolerance, int depth) {
    const double middle = 0.5 * (a + b);
    const T left = lobatto_panel<15>(f, a, middle);
    const T right = lobatto_panel<15>(f, middle, b);
    T halves = left + right;
    if (depth == 0 || std::abs(value(halves) - value(whole)) <= tolerance) return halves;
    return refine(f, a, middle, left, tolerance, depth - 1) + refine(f, middle, b, right, tolerance, depth - 1);
}
}  // namespace detail

/// Int_a^b f(x) dx, halving intervals where two levels disagree by more than the given absolute tolerance. Kinks cost
/// panels, not accuracy: the ends belong to the rule, because a kink between an end and the first inner node (0.6 % of
/// a Gauss panel) would show on neither level. The tolerance is that of a panel, so that noise in f cannot ask for
/// ever smaller ones.
template <class F>
auto integrate(F&& f, double a, double b, double tolerance) {
    const auto whole = lobatto_panel<15>(f, a, b);
    return detail::refine(f, a, b, whole, tolerance, 40);
}

}  // namespace faying::core
