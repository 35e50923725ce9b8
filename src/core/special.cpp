#include "faying/core/special.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <numbers>

namespace faying::core {

double digamma(double x) { return boost::math::digamma(x); }
double trigamma(double x) { return boost::math::trigamma(x); }

namespace {

using std::numbers::pi;

/// Li2(1 - exp(-u)) = u - u^2/4 + Sum_k B_2k u^(2k+1)/(2k+1)!: a term gains a factor (|u|/2 pi)^2, and |u| < 0.86 here.
template <class U>
U bernoulli_sum(const U& u) {
    static constexpr std::array<double, 11> c = [] {
        constexpr std::array<double, 11> bernoulli = {1.0 / 6,       -1.0 / 30,       1.0 / 42,      -1.0 / 30,
                                                      5.0 / 66,      -691.0 / 2730,   7.0 / 6,       -3617.0 / 510,
                                                      43867.0 / 798, -174611.0 / 330, 854513.0 / 138};
        std::array<double, 11> terms{};
        for (std::size_t k = 0; k < terms.size(); ++k) terms[k] = bernoulli[k] * inverse_factorial[2 * k + 3];
        return terms;
    }();
    const U square = u * u;
    U sum = c.back();
    for (std::size_t k = c.size() - 1; k-- > 0;) sum = sum * square + c[k];
    return u - 0.25 * square + u * square * sum;
}

}  // namespace

double dilogarithm(double x, double log_one_minus_x) {
    if (x > 0.5) {
        const double log_x = std::log(x);
        return pi * pi / 6 - log_x * log_one_minus_x - bernoulli_sum(-log_x);  // Li2(x) + Li2(1-x)
    }
    if (x >= -1.0) return bernoulli_sum(-log_one_minus_x);
    const double log_size = std::log(-x);  // Li2(x) + Li2(1/x)
    return -pi * pi / 6 - 0.5 * log_size * log_size - bernoulli_sum(log_size - log_one_minus_x);
}

std::complex<double> dilogarithm_imaginary(double y) {
    const auto inside = [](double t) {
        return bernoulli_sum(std::complex<double>(-0.5 * std::log1p(t * t), std::atan(t)));
    };
    if (y <= 1.0) return inside(y);
    const double log_y = std::log(y);
    const auto inverse = inside(1.0 / y);
    return {-pi * pi / 24 - 0.5 * log_y * log_y - inverse.real(), 0.5 * pi * log_y + inverse.imag()};
}

}  // namespace faying::core
