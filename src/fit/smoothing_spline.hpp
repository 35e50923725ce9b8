#pragma once
// The natural cubic spline g that minimises  Sum w_i (y_i - g(t_i))^2 + alpha Int g''^2  (Reinsch), with alpha where the
// generalized cross-validation
//
//     GCV(alpha) = n Sum w_i (y_i - g_i)^2 / (n - tr A)^2,    g = A y
//
// is least. Linear in the number of points: the trace needs only the middle diagonals of an inverse (Hutchinson and de
// Hoog). Without noise alpha goes to nothing and the spline passes through the points.
//
//     const SmoothingSpline spline(t, y);          // t rising, three points at least
//     spline.value(i), spline.slope(i);            // at t_i

#include <vector>

namespace faying::fit {

class SmoothingSpline {
 public:
    SmoothingSpline(std::vector<double> t, std::vector<double> y, std::vector<double> weights = {});

    double value(std::size_t i) const { return g_[i]; }
    double slope(std::size_t i) const;
    double alpha() const { return alpha_; }  ///< for t from 0 to 1

 private:
    std::vector<double> t_, y_, w_;
    std::vector<double> g_, curvature_;  ///< values and second derivatives at the points
    double alpha_ = 0, range_ = 1;

    /// g and curvature for alpha; returns GCV.
    double solve(double alpha);
};

}  // namespace faying::fit
