#include "radau.hpp"

#include <cmath>

namespace faying::harmonic::detail {

namespace {

/// P_0 to P_n at x.
Eigen::VectorXd legendre(int n, double x) {
    Eigen::VectorXd p(n + 1);
    p(0) = 1;
    if (n > 0) p(1) = x;
    for (int k = 2; k <= n; ++k) p(k) = ((2 * k - 1) * x * p(k - 1) - (k - 1) * p(k - 2)) / k;
    return p;
}

}  // namespace

Radau::Radau() {
    // Right Radau points: zeros of P_s - P_(s-1), found between sign changes; x = 1 is one of them.
    constexpr int s = stages, cells = 4000;
    const auto value = [](double x) {
        const auto p = legendre(s, x);
        return p(s) - p(s - 1);
    };
    int found = 0;
    for (int i = 0; i < cells - 1 && found < s - 1; ++i) {
        double low = -1 + 2.0 * i / cells, high = -1 + 2.0 * (i + 1) / cells;
        const bool rises = value(low) < 0;
        if ((value(high) < 0) == rises) continue;
        for (int k = 0; k < 60; ++k) {
            const double middle = 0.5 * (low + high);
            ((value(middle) < 0) == rises ? low : high) = middle;
        }
        c(found++) = 0.5 * (low + high);
    }
    c(s - 1) = 1;
    Matrix values, integrals;
    for (int i = 0; i < s; ++i) {
        const auto p = legendre(s, c(i));
        values.row(i) = p.head(s).transpose();
        for (int j = 0; j < s; ++j)  // of P_j(2 x - 1) from 0
            integrals(i, j) = j == 0 ? 0.5 * (c(i) + 1) : 0.5 * (p(j + 1) - p(j - 1)) / (2 * j + 1);
    }
    const Matrix inverse = values.inverse();
    a = integrals * inverse;
    coefficients = inverse;
    top = inverse.row(s - 1);
    c = 0.5 * (c.array() + 1);
}

}  // namespace faying::harmonic::detail
