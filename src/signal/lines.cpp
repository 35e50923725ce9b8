#include "faying/signal/lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "fourier.hpp"

namespace faying::signal {

void LineOptions::check() const {
    core::require(periods >= 10 && delay >= 0, "lines", "periods >= 10 and delay >= 0");
    core::require(height > 0 && prominence > 0, "lines", "height and prominence > 0 dB");
}

Spectrum amplitude_spectrum(const std::vector<Record>& channels, double from, double to, int padding) {
    const Record& first = channels.at(0);
    const auto last = double(first.values.size() - 1);
    const auto i = std::size_t(std::clamp(std::ceil((from - first.start) / first.step - 1e-6), 0.0, last));
    const auto j = std::size_t(std::clamp(std::floor((to - first.start) / first.step + 1e-6), 0.0, last)) + 1;
    const std::size_t n = j > i ? j - i : 0,
                      length = detail::good_length(std::size_t(padding) * std::max<std::size_t>(n, 4));
    Spectrum s;
    for (std::size_t k = 0; k <= length / 2; ++k) s.frequency.push_back(double(k) / (double(length) * first.step));
    for (const Record& channel : channels) {
        const auto begin = channel.values.begin() + std::ptrdiff_t(i);
        const double mean =
            std::accumulate(begin, begin + std::ptrdiff_t(n), 0.0) / double(std::max<std::size_t>(n, 1));
        std::vector<std::complex<double>> windowed(length);
        for (std::size_t k = 0; k < n; ++k)
            windowed[k] = (begin[std::ptrdiff_t(k)] - mean) *
                          std::pow(std::sin(std::numbers::pi * (double(k) + 0.5) / double(n)), 2);
        const auto lines = detail::transform(windowed);
        std::vector<double> amplitude;
        for (std::size_t k = 0; k <= length / 2; ++k) amplitude.push_back(4 * std::abs(lines[k]) / double(n));
        s.amplitude.push_back(std::move(amplitude));
    }
    return s;
}

namespace {

constexpr int padding = 4;

/// Median over blocks, joined by straight lines in the logarithm.
std::vector<double> neighbourhood(const std::vector<double>& power, std::size_t block) {
    std::vector<double> at, level, result;
    for (std::size_t i = 0; i < power.size(); i += block) {
        const std::size_t end = power.size() - i < 2 * block ? power.size() : i + block;
        std::vector<double> part(power.begin() + std::ptrdiff_t(i), power.begin() + std::ptrdiff_t(end));
        const auto middle = part.begin() + std::ptrdiff_t(part.size() / 2);
        std::nth_element(part.begin(), middle, part.end());
        at.push_back(0.5 * double(i + end));
        level.push_back(std::log(*middle + 1e-300));
        if (end == power.size()) break;
    }
    std::size_t k = 0;
    for (std::size_t i = 0; i < power.size(); ++i) {
        while (k + 2 < at.size() && at[k + 1] < double(i)) ++k;
        if (at.size() == 1)
            result.push_back(std::exp(level[0]));
        else {
            const double share = std::clamp((double(i) - at[k]) / (at[k + 1] - at[k]), 0.0, 1.0);
            result.push_back(std::exp(level[k] + share * (level[k + 1] - level[k])));
        }
    }
    return result;
}

/// How far a top stands above the higher of the two valleys that part it from higher ground.
double prominence_of(const std::vector<double>& level, std::size_t top, double enough) {
    const auto valley = [&](int way) {
        double lowest = level[top];
        for (auto k = std::ptrdiff_t(top) + way; k >= 0 && k < std::ptrdiff_t(level.size()); k += way) {
            if (level[std::size_t(k)] > level[top] || level[top] - lowest > enough) break;
            lowest = std::min(lowest, level[std::size_t(k)]);
        }
        return lowest;
    };
    return level[top] - std::max(valley(1), valley(-1));
}

/// Side lobes of a Hann window and the skirts of a line that begins at once: 31 dB below it at two and a half bins,
/// falling by 18 dB an octave; 8 dB are left as a margin.
bool beside(double decibels, double bins, double stronger) {
    if (bins <= 2) return true;
    return decibels < stronger - 23 - 18 * std::log2(std::max(bins, 2.5) / 2.5);
}

std::vector<Line> lines_in(const std::vector<Record>& channels, double from, double window, double low, double high,
                           const LineOptions& options) {
    const Spectrum s = amplitude_spectrum(channels, from, from + window, padding);
    const std::size_t n = s.frequency.size();
    std::vector<double> level(n, 0.0), greatest(n, 0.0);
    for (const auto& amplitude : s.amplitude) {
        std::vector<double> power(n);
        for (std::size_t k = 0; k < n; ++k) power[k] = amplitude[k] * amplitude[k];
        const auto floor = neighbourhood(power, std::size_t(padding) * 40);
        for (std::size_t k = 0; k < n; ++k) {
            level[k] += power[k] / (floor[k] * double(channels.size()));
            greatest[k] = std::max(greatest[k], amplitude[k]);
        }
    }
    for (double& x : level) x = 10 * std::log10(x + 1e-300);
    std::vector<std::size_t> tops;
    for (std::size_t k = 2; k + 2 < n; ++k)
        if (level[k] > options.height && level[k] >= level[k - 1] && level[k] > level[k + 1] &&
            s.frequency[k] * window > 3 && prominence_of(level, k, options.prominence) >= options.prominence)
            tops.push_back(k);
    std::sort(tops.begin(), tops.end(), [&](auto a, auto b) { return greatest[a] > greatest[b]; });
    std::vector<std::size_t> kept;
    const auto decibels = [&](std::size_t k) { return 20 * std::log10(greatest[k] + 1e-300); };
    for (const auto k : tops) {
        const bool lobe = std::any_of(kept.begin(), kept.end(), [&](auto q) {
            return beside(decibels(k), std::abs(s.frequency[k] - s.frequency[q]) * window, decibels(q));
        });
        if (!lobe) kept.push_back(k);
    }
    std::vector<Line> lines;
    for (const auto k : kept) {
        if (s.frequency[k] < low || s.frequency[k] >= high) continue;
        const double a = level[k - 1], b = level[k], c = level[k + 1], bend = a - 2 * b + c;
        const double shift = bend < 0 ? 0.5 * (a - c) / bend : 0;
        lines.push_back({s.frequency[k] + shift * (s.frequency[1] - s.frequency[0]), greatest[k], level[k], window});
    }
    return lines;
}

}  // namespace

std::vector<Line> spectral_lines(const std::vector<Record>& channels, double from, double to,
                                 const LineOptions& options) {
    options.check();
    const double nyquist = 0.5 / channels.at(0).step;
    std::vector<Line> all;
    double window = to - from;
    bool longest = true;
    while (window / channels[0].step > 64) {
        core::stop_point();
        // Half the window would hold enough periods of what lies above.
        const double low = longest ? 3 / window : options.periods / window;
        const bool last = options.periods / (0.5 * window) >= 0.9 * nyquist || 0.5 * window / channels[0].step <= 512;
        const double high = last ? 0.9 * nyquist : 2 * options.periods / window;
        const double begin = from + std::min(options.delay * window / options.periods, to - from - window);
        for (const Line& line : lines_in(channels, begin, window, low, high, options)) all.push_back(line);
        if (last) break;
        longest = false;
        window *= 0.5;
    }
    std::sort(all.begin(), all.end(), [](const Line& a, const Line& b) { return a.frequency < b.frequency; });
    // The same line at the border of two windows.
    std::vector<Line> lines;
    for (const Line& line : all)
        if (!lines.empty() &&
            line.frequency - lines.back().frequency < 1.5 / std::min(line.window, lines.back().window)) {
            if (line.amplitude > lines.back().amplitude) lines.back() = line;
        } else {
            lines.push_back(line);
        }
    return lines;
}

}  // namespace faying::signal
