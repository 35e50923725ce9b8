#pragma once
// Integrals of the harmonics h_b of a periodic motion, and of their products, over a part of a period, in closed form:
// products of cosines and sines are sums of them. A joint force that is a linear function of the motion between two
// events has its harmonics from these alone.

#include <cmath>

#include "faying/core/trigonometric.hpp"

namespace faying::harmonic::detail {

/// Over [from, to]:  first_b = Int h_b dt,  second_bc = Int h_b h_c dt.
class PeriodIntegrals {
 public:
    explicit PeriodIntegrals(const core::Harmonics& harmonics)
        : harmonics_(harmonics),
          first(harmonics.size()),
          second(harmonics.size(), harmonics.size()),
          cosine_(2 * harmonics.highest() + 1),
          sine_(cosine_.size()) {}

    void over(double from, double to) {
        cosine_(0) = to - from;
        sine_(0) = 0;
        const double c1 = std::cos(to), s1 = std::sin(to), c0 = std::cos(from), s0 = std::sin(from);
        double ct = 1, st = 0, cf = 1, sf = 0;
        for (Eigen::Index k = 1; k < cosine_.size(); ++k) {
            const double next_t = ct * c1 - st * s1, next_f = cf * c0 - sf * s0;
            st = st * c1 + ct * s1;
            sf = sf * c0 + cf * s0;
            ct = next_t;
            cf = next_f;
            cosine_(k) = (st - sf) / double(k);
            sine_(k) = (cf - ct) / double(k);
        }
        const auto& orders = harmonics_.orders();
        for (std::size_t i = 0; i < orders.size(); ++i) {
            const int j = orders[i];
            const Eigen::Index b = harmonics_.at(i);
            first(b) = cosine_(j);
            if (j > 0) first(b + 1) = sine_(j);
            for (std::size_t l = i; l < orders.size(); ++l) pair(j, b, orders[l], harmonics_.at(l));
        }
    }

 private:
    const core::Harmonics& harmonics_;

 public:
    Eigen::VectorXd first;
    Eigen::MatrixXd second;

 private:
    Eigen::VectorXd cosine_, sine_;  ///< Int cos k t, Int sin k t

    /// Orders j <= k.
    void pair(int j, Eigen::Index b, int k, Eigen::Index c) {
        const double apart = 0.5 * cosine_(k - j), together = 0.5 * cosine_(k + j);
        const double sine_apart = 0.5 * sine_(k - j), sine_together = 0.5 * sine_(k + j);
        second(b, c) = second(c, b) = apart + together;
        if (k == 0) return;
        second(b, c + 1) = second(c + 1, b) = sine_together + sine_apart;  // cos j sin k
        if (j == 0) return;
        second(b + 1, c) = second(c, b + 1) = sine_together - sine_apart;  // sin j cos k
        second(b + 1, c + 1) = second(c + 1, b + 1) = apart - together;
    }
};

}  // namespace faying::harmonic::detail
