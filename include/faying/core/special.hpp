#pragma once
// Elementary functions in the forms the laws need: smooth through the removable singularities that a textbook formula
// has at zero, for double and for dual numbers alike.

#include <array>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "faying/core/dual.hpp"

namespace faying::core {

/// phi_k(z) = Int_0^1 exp((1-s) z) s^(k-1)/(k-1)! ds, the functions of exponential integrators; z <= 0 in the laws.
/// phi_0 = exp, phi_1 = (exp(z)-1)/z, phi_{k+1} = (phi_k - 1/k!)/z. Returns phi_0 .. phi_K.
template <int K, class T>
std::array<T, K + 1> phi_functions(const T& z) {
    using std::exp;
    using std::expm1;
    std::array<T, K + 1> phi;
    phi[0] = exp(z);
    std::array<double, K + 2> inverse_factorial{1.0};
    for (int k = 1; k <= K + 1; ++k) inverse_factorial[k] = inverse_factorial[k - 1] / k;
    const double size = std::abs(value(z));
    if (size > K) {  // the upward recurrence loses nothing here
        phi[1] = expm1(z) / z;
        for (int k = 1; k < K; ++k) phi[k + 1] = (phi[k] - inverse_factorial[k]) / z;
        return phi;
    }
    for (int k = 1; k <= K; ++k) {
        // Sum_j z^j/(j+k)!, or for negative z, by Kummer's transformation, a series of positive terms.
        const bool kummer = value(z) < -0.5;
        T term(inverse_factorial[k]);
        T sum = term;
        for (int j = 1; j < 200; ++j) {
            if (kummer) {
                term = term * (-z) / double(j);
                sum += term * (double(k) / double(k + j));
            } else {
                term = term * z / double(j + k);
                sum += term;
            }
            if (std::abs(value(term)) < 1e-17 * std::abs(value(sum)) && j > size) break;
        }
        phi[k] = kummer ? phi[0] * sum : sum;
    }
    return phi;
}

/// (2 phi_2(-x) - phi_1(-x))/x, x >= 0: tends to 1/6 at zero, where the difference itself cancels.
template <class T>
T phi_gap(const T& x) {
    if (value(x) > 1.0) {
        const auto phi = phi_functions<2>(T(-x));
        return (2.0 * phi[2] - phi[1]) / x;
    }
    T term(1.0 / 6.0), sum = term;  // Sum_k (-1)^(k+1) k x^(k-1)/(k+2)!
    for (int k = 2; k < 30; ++k) {
        term = term * (-x) / double(k + 2);
        sum += term * double(k);
    }
    return sum;
}

/// Int_0^x (1 - exp(-t))^2 dt / x^3, x >= 0: tends to 1/3.
template <class T>
T square_gap(const T& x) {
    using std::expm1;
    if (value(x) > 1.0) {
        const T e = -expm1(-x);
        return (x - e - 0.5 * e * e) / (x * x * x);
    }
    // Sum_{k>=2} (-1)^k (2^k - 2) x^(k-2) / ((k+1) k!)
    T power(1.0), sum(0.0);
    double factorial = 2.0, two = 4.0;
    for (int k = 2; k < 32; ++k) {
        sum += power * ((two - 2.0) / ((k + 1) * factorial));
        power = power * (-x);
        factorial *= k + 1;
        two *= 2.0;
    }
    return sum;
}

/// log(1+x)/x
template <class T>
T log1p_over(const T& x) {
    using std::log1p;
    if (std::abs(value(x)) > 1e-3) return log1p(x) / x;
    return 1.0 - x * (1.0 / 2 - x * (1.0 / 3 - x * (1.0 / 4 - x * (1.0 / 5 - x * (1.0 / 6)))));
}

/// tanh(sqrt(y))/sqrt(y), continued through zero to tan(sqrt(-y))/sqrt(-y).
template <class T>
T tanh_over_root(const T& y) {
    using std::sqrt;
    using std::tan;
    using std::tanh;
    if (value(y) > 1e-3) {
        const T x = sqrt(y);
        return tanh(x) / x;
    }
    if (value(y) < -1e-3) {
        const T x = sqrt(-y);
        return tan(x) / x;
    }
    return 1.0 - y * (1.0 / 3 - y * (2.0 / 15 - y * (17.0 / 315 - y * (62.0 / 2835 - y * (1382.0 / 155925)))));
}

/// atan(sqrt(y))/sqrt(y) for y >= 0.
template <class T>
T atan_over_root(const T& y) {
    using std::atan;
    using std::sqrt;
    if (value(y) > 1e-3) {
        const T x = sqrt(y);
        return atan(x) / x;
    }
    return 1.0 - y * (1.0 / 3 - y * (1.0 / 5 - y * (1.0 / 7 - y * (1.0 / 9 - y * (1.0 / 11)))));
}

inline double digamma(double x) { return boost::math::digamma(x); }
template <int N>
Jet<N> digamma(const Jet<N>& x) {
    return Jet<N>(boost::math::digamma(x.a), boost::math::trigamma(x.a) * x.v);
}

/// log of the Gamma function, x > 0.
inline double log_gamma(double x) { return std::lgamma(x); }
template <int N>
Jet<N> log_gamma(const Jet<N>& x) {
    return Jet<N>(std::lgamma(x.a), boost::math::digamma(x.a) * x.v);
}

}  // namespace faying::core
