#include "fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace faying::signal::detail {

std::vector<std::complex<double>> transform(const std::vector<std::complex<double>>& values) {
    Eigen::FFT<double> fft;
    std::vector<std::complex<double>> lines;
    fft.fwd(lines, values);
    return lines;
}

std::vector<std::complex<double>> inverse(const std::vector<std::complex<double>>& values) {
    Eigen::FFT<double> fft;
    std::vector<std::complex<double>> signal;
    fft.inv(signal, values);
    return signal;
}

std::size_t good_length(std::size_t n) {
    const auto smooth = [](std::size_t m) {
        for (const std::size_t p : {2u, 3u, 5u})
            while (m % p == 0) m /= p;
        return m == 1;
    };
    while (!smooth(n)) ++n;
    return n;
}

namespace {

/// Mirrored about both end samples and faded to zero over the margins.
std::vector<std::complex<double>> mirrored(const std::vector<double>& x, std::size_t margin, std::size_t length) {
    std::vector<std::complex<double>> y(length);
    const auto fade = [&](std::size_t k) {
        return std::pow(std::cos(0.5 * std::numbers::pi * double(k) / double(margin + 1)), 2);
    };
    for (std::size_t i = 0; i < x.size(); ++i) y[margin + i] = x[i];
    for (std::size_t k = 1; k <= margin; ++k) {
        y[margin - k] = x[k] * fade(k);
        y[margin + x.size() - 1 + k] = x[x.size() - 1 - k] * fade(k);
    }
    return y;
}

}  // namespace

std::vector<std::complex<double>> analytic_signal(const std::vector<double>& values, std::size_t margin,
                                                  std::size_t finer) {
    margin = std::min(margin, values.size() - 1);
    const std::size_t n = good_length(values.size() + 2 * margin);
    const auto lines = transform(mirrored(values, margin, n));
    std::vector<std::complex<double>> one_sided(n * finer);
    one_sided[0] = lines[0];
    for (std::size_t k = 1; k < (n + 1) / 2; ++k) one_sided[k] = 2.0 * lines[k];
    if (n % 2 == 0) one_sided[n / 2] = lines[n / 2];
    auto z = inverse(one_sided);
    const auto first = z.begin() + std::ptrdiff_t(margin * finer);
    std::vector<std::complex<double>> kept(first, first + std::ptrdiff_t((values.size() - 1) * finer + 1));
    for (auto& value : kept) value *= double(finer);
    return kept;
}

}  // namespace faying::signal::detail
