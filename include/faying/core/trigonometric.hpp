#pragma once
// Periodic motions as sums of a few harmonics, t in radians:
//
//     u(t) = Sum_b U_b h_b(t),   h = (1,) cos k_1 t, sin k_1 t, cos k_2 t, sin k_2 t, ..
//
//     const Harmonics odd({0, 1, 3});                         // 1, cos t, sin t, cos 3t, sin 3t
//     for (double t : turning_points(odd, u)) ..              // where the motion reverses

#include <Eigen/Dense>
#include <vector>

namespace faying::core {

/// Which harmonics a motion has: distinct orders, ascending; 0 is the mean.
class Harmonics {
 public:
    /// Orders 0 to `highest`.
    static Harmonics up_to(int highest);
    /// Throws BadInput for orders that are negative, repeated or none.
    explicit Harmonics(std::vector<int> orders);

    const std::vector<int>& orders() const { return orders_; }
    int highest() const { return orders_.back(); }
    bool has_mean() const { return orders_.front() == 0; }
    Eigen::Index size() const { return size_; }  ///< functions h_b
    /// First function of the i-th order: its cosine (or the mean).
    Eigen::Index at(std::size_t i) const {
        return has_mean() ? (i == 0 ? 0 : 2 * Eigen::Index(i) - 1) : 2 * Eigen::Index(i);
    }

    /// h(t).
    void values(double t, double* h) const;
    /// u(t), u'(t) and u''(t).
    void motion(const Eigen::VectorXd& u, double t, double& value, double& slope, double& curvature) const;

 private:
    std::vector<int> orders_;
    Eigen::Index size_ = 0;
};

/// Times in [0, 2 pi), ascending, at which u(t) reverses. None is missed that is further than rounding from its
/// neighbour: intervals are halved until bounds of u'' or u''' show that they hold no zero of u', or one.
std::vector<double> turning_points(const Harmonics& harmonics, const Eigen::VectorXd& u);

/// The time in [from, to] at which u(t), monotone there, takes a value that lies between its ends.
double time_of(const Harmonics& harmonics, const Eigen::VectorXd& u, double value, double from, double to);

}  // namespace faying::core
