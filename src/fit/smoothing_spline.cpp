#include "smoothing_spline.hpp"

#include <array>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/core/parameter.hpp"

namespace faying::fit {

SmoothingSpline::SmoothingSpline(std::vector<double> t, std::vector<double> y, std::vector<double> weights)
    : t_(std::move(t)), y_(std::move(y)), w_(std::move(weights)) {
    core::require(t_.size() >= 3 && y_.size() == t_.size(), "smoothing spline", "three points or more");
    if (w_.empty()) w_.assign(t_.size(), 1.0);
    for (std::size_t i = 1; i < t_.size(); ++i) core::require(t_[i] > t_[i - 1], "smoothing spline", "t rises");
    const double first = t_.front();
    range_ = t_.back() - first;
    for (auto& x : t_) x = (x - first) / range_;
    // The least of GCV on a grid in log alpha, then by golden section around it: GCV may have several valleys.
    constexpr double low = -16, high = 3, step = 0.5;
    double best = low, least = core::infinity;
    for (double a = low; a <= high; a += step)
        if (const double score = solve(std::pow(10, a)); score < least) {
            least = score;
            best = a;
        }
    double left = best - step, right = best + step;
    constexpr double golden = 0.6180339887498949;
    for (int k = 0; k < 25; ++k) {
        const double one = right - golden * (right - left), two = left + golden * (right - left);
        if (solve(std::pow(10, one)) < solve(std::pow(10, two)))
            right = two;
        else
            left = one;
    }
    alpha_ = std::pow(10, (left + right) / 2);
    solve(alpha_);
}

double SmoothingSpline::solve(double alpha) {
    const std::size_t n = t_.size(), m = n - 2;
    // Q has the columns (1/h_j, -1/h_j - 1/h_{j+1}, 1/h_{j+1}); B = R + alpha Q^T W^-1 Q has five diagonals.
    std::vector<double> h(n - 1);
    for (std::size_t i = 0; i + 1 < n; ++i) h[i] = t_[i + 1] - t_[i];
    const auto q = [&](std::size_t j) {
        return std::array<double, 3>{1 / h[j], -1 / h[j] - 1 / h[j + 1], 1 / h[j + 1]};
    };
    // Diagonals of Q^T W^-1 Q and of B: [0] main, [1] one beside, [2] two beside.
    std::array<std::vector<double>, 3> M, B;
    for (std::size_t d = 0; d < 3; ++d) {
        M[d].assign(m, 0.0);
        for (std::size_t j = 0; j + d < m; ++j)
            for (std::size_t k = d; k < 3; ++k) M[d][j] += q(j)[k] * q(j + d)[k - d] / w_[j + k];
        B[d] = M[d];
        for (auto& x : B[d]) x *= alpha;
    }
    for (std::size_t j = 0; j < m; ++j) {
        B[0][j] += (h[j] + h[j + 1]) / 3;
        if (j + 1 < m) B[1][j] += h[j + 1] / 6;
    }
    // B = L D L^T, L with two diagonals below: L1[j] = L(j+1, j), L2[j] = L(j+2, j)
    std::vector<double> D(m), L1(m, 0.0), L2(m, 0.0), x(m);
    for (std::size_t j = 0; j < m; ++j) {
        D[j] = B[0][j];
        if (j >= 1) D[j] -= L1[j - 1] * L1[j - 1] * D[j - 1];
        if (j >= 2) D[j] -= L2[j - 2] * L2[j - 2] * D[j - 2];
        if (j + 1 < m) L1[j] = (B[1][j] - (j >= 1 ? L2[j - 1] * L1[j - 1] * D[j - 1] : 0.0)) / D[j];
        if (j + 2 < m) L2[j] = B[2][j] / D[j];
    }
    for (std::size_t j = 0; j < m; ++j) {
        x[j] = (y_[j + 2] - y_[j + 1]) / h[j + 1] - (y_[j + 1] - y_[j]) / h[j];
        if (j >= 1) x[j] -= L1[j - 1] * x[j - 1];
        if (j >= 2) x[j] -= L2[j - 2] * x[j - 2];
    }
    for (std::size_t j = m; j-- > 0;) {
        x[j] /= D[j];
        if (j + 1 < m) x[j] -= L1[j] * x[j + 1];
        if (j + 2 < m) x[j] -= L2[j] * x[j + 2];
    }
    curvature_.assign(n, 0.0);
    g_ = y_;
    double squares = 0;
    for (std::size_t j = 0; j < m; ++j) {
        curvature_[j + 1] = x[j];
        for (std::size_t k = 0; k < 3; ++k) g_[j + k] -= alpha / w_[j + k] * q(j)[k] * x[j];
    }
    for (std::size_t i = 0; i < n; ++i) squares += w_[i] * (y_[i] - g_[i]) * (y_[i] - g_[i]);
    // n - tr A = alpha tr(B^-1 Q^T W^-1 Q): the middle diagonals of the inverse, from its last row upward
    std::vector<double> S0(m + 2, 0.0), S1(m + 2, 0.0), S2(m + 2, 0.0);
    double trace = 0;
    for (std::size_t j = m; j-- > 0;) {
        S1[j] = -L1[j] * S0[j + 1] - L2[j] * S1[j + 1];
        S2[j] = -L1[j] * S1[j + 1] - L2[j] * S0[j + 2];
        S0[j] = 1 / D[j] - L1[j] * S1[j] - L2[j] * S2[j];
        trace += S0[j] * M[0][j] + 2 * (S1[j] * M[1][j] + S2[j] * M[2][j]);
    }
    const double freedom = alpha * trace;
    return double(n) * squares / (freedom * freedom);
}

double SmoothingSpline::slope(std::size_t i) const {
    const std::size_t j = i + 1 < t_.size() ? i : i - 1;  // the stretch that it begins, or ends
    const double h = t_[j + 1] - t_[j], chord = (g_[j + 1] - g_[j]) / h;
    const double bend = i == j ? -(2 * curvature_[j] + curvature_[j + 1]) : curvature_[j] + 2 * curvature_[j + 1];
    return (chord + h / 6 * bend) / range_;
}

}  // namespace faying::fit
