#pragma once
// Fourier transforms of any length, within the signal library.

#include <complex>
#include <vector>

namespace faying::signal::detail {

std::vector<std::complex<double>> transform(const std::vector<std::complex<double>>& values);
std::vector<std::complex<double>> inverse(const std::vector<std::complex<double>>& values);

/// The least length >= n without prime factors above 5 (a large prime would cost n^2).
std::size_t good_length(std::size_t n);

/// The analytic signal x + i H(x) with `finer` samples a sample (band-limited interpolation). The record must begin and
/// end near an extremum: it is continued there by mirroring `margin` samples, faded out, so that the phase goes on and
/// end effects stay small.
std::vector<std::complex<double>> analytic_signal(const std::vector<double>& values, std::size_t margin,
                                                  std::size_t finer);

}  // namespace faying::signal::detail
