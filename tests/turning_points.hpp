#pragma once
// A signal u(t) as its turning points: all that a rate-independent law sees.

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <vector>

namespace faying::tests {

/// u(t) where its rate changes sign between `begin` and `end`, then u(end).
template <class Signal, class Rate>
std::vector<double> turning_points(const Signal& u, const Rate& rate, double begin, double end) {
    std::vector<double> points;
    const int n = static_cast<int>(std::ceil((end - begin) * 2000));
    for (int i = 0; i < n; ++i) {
        const double a = begin + (end - begin) * i / n, b = begin + (end - begin) * (i + 1) / n;
        if (rate(a) * rate(b) < 0) {
            std::uintmax_t most = 200;
            const auto root =
                boost::math::tools::toms748_solve(rate, a, b, boost::math::tools::eps_tolerance<double>(52), most);
            points.push_back(u(0.5 * (root.first + root.second)));
        }
    }
    points.push_back(u(end));
    return points;
}

/// a1 sin(w1 t) + a2 sin(w2 t), the input of most published loops.
struct TwoSines {
    double a1, w1, a2 = 0, w2 = 0;

    double operator()(double t) const { return a1 * std::sin(w1 * t) + a2 * std::sin(w2 * t); }
    double rate(double t) const { return a1 * w1 * std::cos(w1 * t) + a2 * w2 * std::cos(w2 * t); }
    std::vector<double> turns(double begin, double end) const {
        return turning_points(
            *this, [this](double t) { return rate(t); }, begin, end);
    }
};

}  // namespace faying::tests
