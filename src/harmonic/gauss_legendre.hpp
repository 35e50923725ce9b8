#pragma once
// Gauss-Legendre rules of any size.

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace faying::harmonic {

/// Gauss-Legendre nodes on [0, 1], kept for every number of points asked for.
struct GaussLegendre {
    static constexpr std::size_t highest = 3;
    std::vector<double> x, w;
    /// Of a function's values at the nodes these make its last Legendre coefficients, of degree n - 1, n - 2, ..: what is
    /// small there is smaller still beyond, where the rule's error lies.
    std::vector<std::array<double, highest>> last;

    explicit GaussLegendre(int n) : x(std::size_t(n)), w(x), last(x.size()) {
        for (int i = 0; i < n; ++i) {
            double node = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
            for (int pass = 0; pass < 100; ++pass) {
                double before = 1, legendre = node;
                for (int k = 2; k <= n; ++k) {
                    const double next = ((2 * k - 1) * node * legendre - (k - 1) * before) / k;
                    before = legendre;
                    legendre = next;
                }
                slope = n * (node * legendre - before) / (node * node - 1);
                const double change = legendre / slope;
                node -= change;
                if (std::abs(change) < 1e-16) break;
            }
            x[std::size_t(i)] = 0.5 * (1 - node);
            w[std::size_t(i)] = 1 / ((1 - node * node) * slope * slope);
            double before = 0, legendre = 1;
            for (int k = 0; k < n; ++k) {
                if (n - 1 - k < int(highest))
                    last[std::size_t(i)][std::size_t(n - 1 - k)] = (2 * k + 1) * w[std::size_t(i)] * legendre;
                const double next = ((2 * k + 1) * node * legendre - k * before) / (k + 1);
                before = legendre;
                legendre = next;
            }
        }
    }
};

inline const GaussLegendre& gauss_legendre(int n) {
    thread_local std::map<int, GaussLegendre> rules;
    return rules.try_emplace(n, n).first->second;
}

}  // namespace faying::harmonic
