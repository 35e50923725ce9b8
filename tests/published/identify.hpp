#pragma once
// [S4] 2.3: the parameters of the generalized Valanis law from one branch of a loop, by linear least squares of
// df/dx = E1 + s (P(x, v) - E2 f). Solved by a QR of the column-scaled matrix ([S4] Eq. 17 squares the condition
// number, and its printed form lacks H^T on the right).

#include <Eigen/Dense>
#include <vector>

#include "published/oscillator.hpp"

namespace faying::tests {

struct LoopPoint {
    double x, v, f, slope;  ///< slope is df/dx
};

/// df/dx by central differences of equally spaced samples; the ends are dropped.
inline std::vector<LoopPoint> central_differences(const std::vector<Motion>& samples) {
    std::vector<LoopPoint> points;
    for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
        const auto &before = samples[i - 1], &here = samples[i], &after = samples[i + 1];
        points.push_back({here.x, here.v, here.f, (after.f - before.f) / (after.x - before.x)});
    }
    return points;
}

template <class Slope>
std::vector<LoopPoint> exact_slopes(const std::vector<Motion>& samples, Slope slope) {
    std::vector<LoopPoint> points;
    for (const auto& m : samples) points.push_back({m.x, m.v, m.f, slope(m.x, m.v, m.f, m.direction)});
    return points;
}

/// The points travelling in direction s faster than `cut` of the fastest: drops the ends of the branch.
inline std::vector<LoopPoint> branch(const std::vector<LoopPoint>& points, double s, double cut) {
    double fastest = 0;
    for (const auto& p : points) fastest = std::max(fastest, s * p.v);
    std::vector<LoopPoint> kept;
    for (const auto& p : points)
        if (s * p.v > cut * fastest) kept.push_back(p);
    return kept;
}

struct Identified {
    Eigen::VectorXd parameters;
    double condition = 0;  ///< of the column-scaled matrix
};

/// `columns(point)` is the row of H: what each parameter multiplies.
template <class Columns>
Identified identify(const std::vector<LoopPoint>& points, Columns columns) {
    const Eigen::Index rows = static_cast<Eigen::Index>(points.size());
    Eigen::MatrixXd H(rows, static_cast<Eigen::Index>(columns(points.front()).size()));
    Eigen::VectorXd slope(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const std::vector<double> row = columns(points[i]);
        H.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), H.cols());
        slope(i) = points[i].slope;
    }
    const Eigen::VectorXd scale = H.colwise().norm();
    const Eigen::MatrixXd scaled = H * scale.cwiseInverse().asDiagonal();
    const Eigen::VectorXd singular = scaled.jacobiSvd().singularValues();
    return {scaled.colPivHouseholderQr().solve(slope).cwiseQuotient(scale),
            singular(0) / singular(singular.size() - 1)};
}

}  // namespace faying::tests
