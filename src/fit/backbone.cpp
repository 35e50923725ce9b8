// Choosing and resampling the points of measured backbones.

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/errors.hpp"

namespace faying::fit {

namespace {

std::vector<double> picked(const std::vector<double>& all, const std::vector<std::size_t>& which) {
    std::vector<double> some;
    if (all.empty()) return some;
    for (const std::size_t i : which) some.push_back(all[i]);
    return some;
}

}  // namespace

Backbone picked(const Backbone& b, const std::vector<std::size_t>& which) {
    return {b.mode,
            picked(b.amplitude, which),
            picked(b.omega, which),
            picked(b.zeta, which),
            picked(b.omega_low, which),
            picked(b.omega_high, which),
            picked(b.zeta_low, which),
            picked(b.zeta_high, which)};
}

Backbone resampled(const Backbone& b, int count) {
    core::require(count >= 2 && b.size() >= 2, "resampled", "count >= 2 and at least 2 measured amplitudes");
    Backbone r;
    r.mode = b.mode;
    const double first = std::log(b.amplitude.front()), last = std::log(b.amplitude.back());
    const bool positive_low = std::all_of(b.zeta_low.begin(), b.zeta_low.end(), [](double z) { return z > 0; });
    for (int k = 0; k < count; ++k) {
        const bool end = k == count - 1;
        const double x = first + (last - first) * k / (count - 1);
        std::size_t right = 1;
        while (right + 1 < b.size() && std::log(b.amplitude[right]) <= x) ++right;
        const double from = std::log(b.amplitude[right - 1]), to = std::log(b.amplitude[right]);
        const double part = end ? 1 : k == 0 ? 0 : std::clamp((x - from) / (to - from), 0.0, 1.0);
        const auto linear = [&](const std::vector<double>& y) {
            return part == 0 ? y[right - 1] : part == 1 ? y[right] : (1 - part) * y[right - 1] + part * y[right];
        };
        const auto log_linear = [&](const std::vector<double>& y) {
            if (part == 0 || part == 1) return linear(y);
            return std::exp((1 - part) * std::log(y[right - 1]) + part * std::log(y[right]));
        };
        r.amplitude.push_back(end ? b.amplitude.back() : k == 0 ? b.amplitude.front() : std::exp(x));
        r.omega.push_back(linear(b.omega));
        r.zeta.push_back(log_linear(b.zeta));
        if (!b.has_bounds()) continue;
        r.omega_low.push_back(linear(b.omega_low));
        r.omega_high.push_back(linear(b.omega_high));
        r.zeta_low.push_back(positive_low ? log_linear(b.zeta_low) : linear(b.zeta_low));
        r.zeta_high.push_back(log_linear(b.zeta_high));
    }
    return r;
}

}  // namespace faying::fit
