#pragma once
// Gauss-Legendre rules of any size.

#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace faying::harmonic {

/// Gauss-Legendre nodes on [0, 1], kept for every number of points asked for.
struct GaussLegendre {
    std::vector<double> x, w;

    explicit GaussLegendre(int n) : x(std::size_t(n)), w(x) {
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
        }
    }
};

inline const GaussLegendre& gauss_legendre(int n) {
    thread_local std::map<int, GaussLegendre> rules;
    return rules.try_emplace(n, n).first->second;
}

}  // namespace faying::harmonic
