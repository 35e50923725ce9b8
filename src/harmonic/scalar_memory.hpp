#pragma once
// Private to harmonic/: the memory of a few numbers that a period leaves alone.

#include <Eigen/Dense>
#include <functional>
#include <vector>

#include "faying/core/dual.hpp"

namespace faying::harmonic::detail {

/// m = P(m), P what a period makes of a memory: Newton (core/newton.hpp), with the slopes of P by dual numbers.
class PeriodicMemory {
 public:
    using Map = std::function<void(std::vector<core::Dual>&)>;  ///< P, in place

    PeriodicMemory(const std::vector<core::Dual>& start, Map map);

    /// Finds m and answers how far P moves it, relative to its size.
    double find(double tolerance);
    /// Whether a period changes it by more than rounding, so that there is one m: else every memory stays as it is.
    bool fades() const;
    std::vector<core::Dual> memory() const;
    /// m with its derivatives to what P depends on: (1 - dP/dm)^-1 of those that P(m), given, has with m held.
    std::vector<core::Dual> with_derivatives(const std::vector<core::Dual>& image) const;

    // What core::newton asks.
    double evaluate();
    double scale() const { return image_.norm(); }
    bool direction();
    void move(double from, double to) { m_ += (to - from) * change_; }
    bool settled(double, double, double) const { return change_.norm() <= 1e-15 * scale(); }

 private:
    Map map_;
    Eigen::VectorXd m_, image_, change_;
    Eigen::MatrixXd slope_;

    Eigen::MatrixXd rest() const { return Eigen::MatrixXd::Identity(m_.size(), m_.size()) - slope_; }
};

}  // namespace faying::harmonic::detail
