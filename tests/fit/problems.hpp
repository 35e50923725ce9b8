#pragma once
// Problems whose fronts are known in closed form.

#include <cmath>
#include <numbers>
#include <vector>

#include "faying/fit/pareto.hpp"
#include "faying/fit/problem.hpp"
#include "faying/fit/space.hpp"

namespace faying::tests {

inline fit::Space unit_space(std::size_t size, double lower = 0, double upper = 1) {
    std::vector<fit::Axis> axes;
    for (std::size_t i = 0; i < size; ++i) axes.push_back({"x" + std::to_string(i + 1), {lower, upper}});
    return fit::Space(axes);
}

/// ZDT1 (Zitzler, Deb, Thiele 2000): f2 = 1 - sqrt(f1) on [0, 1].
inline fit::Evaluation zdt1(const std::vector<double>& x) {
    double g = 1;
    for (std::size_t i = 1; i < x.size(); ++i) g += 9 * x[i] / double(x.size() - 1);
    return {.objectives = {x[0], g * (1 - std::sqrt(x[0] / g))}};
}

/// ZDT2: f2 = 1 - f1^2, a front that bulges away from the utopian point.
inline fit::Evaluation zdt2(const std::vector<double>& x) {
    double g = 1;
    for (std::size_t i = 1; i < x.size(); ++i) g += 9 * x[i] / double(x.size() - 1);
    return {.objectives = {x[0], g * (1 - x[0] * x[0] / (g * g))}};
}

/// Fonseca and Fleming: f = 1 - exp(-|x -+ e|^2), e = (1, .., 1)/sqrt(n). All x_i equal on the front, so with
/// s = |x - e|: f1 = 1 - exp(-s^2), f2 = 1 - exp(-(2 - s)^2), 0 <= s <= 2.
inline fit::Evaluation fonseca(const std::vector<double>& x) {
    const double e = 1 / std::sqrt(double(x.size()));
    fit::Evaluation out;
    out.jacobian.resize(2, Eigen::Index(x.size()));
    for (int j = 0; j < 2; ++j) {
        const double c = j == 0 ? e : -e;
        double sum = 0;
        for (const double xi : x) sum += (xi - c) * (xi - c);
        out.objectives.push_back(1 - std::exp(-sum));
        for (std::size_t i = 0; i < x.size(); ++i) out.jacobian(j, Eigen::Index(i)) = 2 * (x[i] - c) * std::exp(-sum);
    }
    return out;
}
inline fit::Point fonseca_front(double s) { return {1 - std::exp(-s * s), 1 - std::exp(-(2 - s) * (2 - s))}; }

/// Squared distances to two points, scaled apart on every axis: convex, sqrt(f1) + sqrt(f2) = distance of the points.
/// Logarithms of them, as errors are minimised: the same parameters, another shape of the front.
struct TwoAnchors {
    std::vector<double> a, b;
    bool logarithms = false;

    fit::Evaluation operator()(const std::vector<double>& x) const {
        fit::Evaluation out;
        out.jacobian.resize(2, Eigen::Index(x.size()));
        for (int j = 0; j < 2; ++j) {
            const auto& c = j == 0 ? a : b;
            double sum = logarithms ? 1e-3 : 0;  // as noise keeps an error from zero
            for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - c[i]) * (x[i] - c[i]);
            out.objectives.push_back(logarithms ? std::log10(sum) : sum);
            for (std::size_t i = 0; i < x.size(); ++i)
                out.jacobian(j, Eigen::Index(i)) = 2 * (x[i] - c[i]) / (logarithms ? sum * std::numbers::ln10 : 1.0);
        }
        return out;
    }
    /// p from 0 (at a) to 1 (at b).
    fit::Point front(double p) const {
        std::vector<double> x;
        for (std::size_t i = 0; i < a.size(); ++i) x.push_back(a[i] + p * (b[i] - a[i]));
        return (*this)(x).objectives;
    }
};

inline std::vector<fit::Point> objectives_of(const std::vector<fit::Candidate>& candidates) {
    std::vector<fit::Point> points;
    for (const auto& c : candidates) points.push_back(c.evaluation.objectives);
    return points;
}

}  // namespace faying::tests
