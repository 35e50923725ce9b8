#pragma once
// The one path every law is timed on: a random walk in [-1, 1], scaled to each law's own amplitude.

#include <cmath>
#include <random>
#include <vector>

namespace faying::bench {

inline constexpr std::size_t steps = 2000;

/// Steps of up to a quarter of the amplitude, reflected at +-1; about half of them reverse. The generator's raw bits
/// are used because the standard's distributions differ from library to library.
inline const std::vector<double>& walk() {
    static const std::vector<double> points = [] {
        std::mt19937_64 random(20240229);
        std::vector<double> u(steps);
        double at = 0.0;
        for (double& point : u) {
            at += 0.25 * (2.0 * double(random() >> 11) * 0x1.0p-53 - 1.0);
            if (std::abs(at) > 1.0) at = std::copysign(2.0, at) - at;
            point = at;
        }
        return u;
    }();
    return points;
}

}  // namespace faying::bench
