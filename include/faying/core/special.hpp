#pragma once
// Elementary functions in the forms the laws need: smooth through the removable singularities that a textbook formula
// has at zero, for double and for dual numbers alike.

#include <array>
#include <cmath>
#include <complex>

#include "faying/core/dual.hpp"

namespace faying::core {

/// A power series about zero and its slope; even and odd powers apart, which halves the chain of operations.
template <std::size_t N>
std::array<double, 2> series_at(const std::array<double, N>& c, double x) {
    static_assert(N % 2 == 0);
    const double y = x * x;
    double even = c[N - 2], odd = c[N - 1], even_slope = 0.0, odd_slope = 0.0;  // slopes in y
    for (std::size_t k = N - 2; k >= 2; k -= 2) {
        even_slope = even_slope * y + even;
        odd_slope = odd_slope * y + odd;
        even = even * y + c[k - 2];
        odd = odd * y + c[k - 1];
    }
    return {even + x * odd, 2.0 * x * (even_slope + x * odd_slope) + odd};
}

/// 1/k!
inline constexpr std::array<double, 32> inverse_factorial = [] {
    std::array<double, 32> f{1.0};
    for (std::size_t k = 1; k < f.size(); ++k) f[k] = f[k - 1] / double(k);
    return f;
}();

/// The values of phi_functions.
template <int K>
std::array<double, K + 1> phi_values(double z) {
    std::array<double, K + 1> phi;
    phi[0] = std::exp(z);
    const double size = std::abs(z);
    constexpr double far = K <= 3 ? 1.0 : double(K);
    if (size > far) {  // upward: each division by z loses at most a digit, here none that matters
        phi[1] = std::expm1(z) / z;
        for (int k = 1; k < K; ++k) phi[k + 1] = (phi[k] - inverse_factorial[k]) / z;
    } else if (size <= 1.0) {  // the last by its series, the others downward from it
        static constexpr std::array<double, 18> c = [] {
            std::array<double, 18> shifted{};
            for (std::size_t j = 0; j < shifted.size(); ++j) shifted[j] = inverse_factorial[j + K];
            return shifted;
        }();
        phi[K] = series_at(c, z)[0];
        for (int k = K - 1; k >= 1; --k) phi[k] = inverse_factorial[k] + z * phi[k + 1];
    } else {
        for (int k = 1; k <= K; ++k) {
            // Sum_j z^j/(j+k)!, or for negative z, by Kummer's transformation, a series of positive terms.
            double term = inverse_factorial[k], sum = term;
            for (int j = 1; j < 200; ++j) {
                if (z < 0.0) {
                    term *= -z / double(j);
                    sum += term * (double(k) / double(k + j));
                } else {
                    term *= z / double(j + k);
                    sum += term;
                }
                if (term < 1e-17 * sum && j > size) break;
            }
            phi[k] = z < 0.0 ? phi[0] * sum : sum;
        }
    }
    return phi;
}

/// phi_k(z) = Int_0^1 exp((1-s) z) s^(k-1)/(k-1)! ds, the functions of exponential integrators; z <= 0 in the laws.
/// phi_0 = exp, phi_1 = (exp(z)-1)/z, phi_{k+1} = (phi_k - 1/k!)/z. Returns phi_0 .. phi_K.
template <int K>
std::array<double, K + 1> phi_functions(double z) {
    return phi_values<K>(z);
}
template <int K, int N>
std::array<Jet<N>, K + 1> phi_functions(const Jet<N>& z) {
    const auto phi = phi_values<K + 1>(z.a);
    std::array<Jet<N>, K + 1> dual;
    double slope = phi[0];
    dual[0] = Jet<N>(phi[0], slope * z.v);
    for (int k = 1; k <= K; ++k) {
        // z phi_k' = phi_{k-1}' - phi_k loses digits near zero, phi_k' = phi_k - k phi_{k+1} far from it
        slope = std::abs(z.a) > K + 1 ? (slope - phi[k]) / z.a : phi[k] - k * phi[k + 1];
        dual[k] = Jet<N>(phi[k], slope * z.v);
    }
    return dual;
}

/// (2 phi_2(-x) - phi_1(-x))/x, x >= 0: tends to 1/6 at zero, where the difference itself cancels.
template <class T>
T phi_gap(const T& x) {
    if (value(x) > 1.0) {
        const auto phi = phi_functions<2>(T(-x));
        return (2.0 * phi[2] - phi[1]) / x;
    }
    static constexpr std::array<double, 18> c = [] {  // Sum_k (-1)^(k+1) k x^(k-1)/(k+2)!
        std::array<double, 18> terms{};
        for (std::size_t k = 1; k <= terms.size(); ++k)
            terms[k - 1] = (k % 2 == 1 ? 1.0 : -1.0) * double(k) * inverse_factorial[k + 2];
        return terms;
    }();
    const auto [sum, slope] = series_at(c, value(x));
    return chain(x, sum, slope);
}

/// Int_0^x (1 - exp(-t))^2 dt / x^3, x >= 0: tends to 1/3.
template <class T>
T square_gap(const T& x) {
    using std::expm1;
    if (value(x) > 1.0) {
        const T e = -expm1(-x);
        return (x - e - 0.5 * e * e) / (x * x * x);
    }
    static constexpr std::array<double, 24> c = [] {  // Sum_{k>=2} (-1)^k (2^k - 2) x^(k-2) / ((k+1) k!)
        std::array<double, 24> terms{};
        double two = 4.0;
        for (std::size_t k = 2; k < terms.size() + 2; ++k, two *= 2.0)
            terms[k - 2] = (k % 2 == 0 ? 1.0 : -1.0) * (two - 2.0) / double(k + 1) * inverse_factorial[k];
        return terms;
    }();
    const auto [sum, slope] = series_at(c, value(x));
    return chain(x, sum, slope);
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

/// d log Gamma/dx and its slope (in a .cpp: Boost's headers cost every user of this file a second).
double digamma(double x);
double trigamma(double x);
template <int N>
Jet<N> digamma(const Jet<N>& x) {
    return Jet<N>(digamma(x.a), trigamma(x.a) * x.v);
}

/// Li2(x) = Sum_k x^k/k^2 for x < 1, given log(1-x), which its users have.
double dilogarithm(double x, double log_one_minus_x);
/// Li2(i y), y >= 0: a quarter of Li2(-y^2), and in its imaginary part the inverse tangent integral Int_0^y atan(t)/t
/// dt.
std::complex<double> dilogarithm_imaginary(double y);

/// log of the Gamma function, x > 0.
inline double log_gamma(double x) { return std::lgamma(x); }
template <int N>
Jet<N> log_gamma(const Jet<N>& x) {
    return Jet<N>(std::lgamma(x.a), digamma(x.a) * x.v);
}

}  // namespace faying::core
