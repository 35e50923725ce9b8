#pragma once
// chi as ring-downs of a mode alone show it: the friction loss D rises as q^(chi+3) in microslip.

#include <cmath>
#include <vector>

#include "faying/modal/iwan.hpp"

namespace faying::tests {

/// Slope of ln D against ln q by least squares, less 3.
inline double friction_exponent(const std::vector<modal::ModalPoint>& points, double zeta0, double omega0) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& p : points) {
        const double friction = p.zeta - zeta0 * omega0 / p.omega;
        const double a = std::log(p.q), b = std::log(friction * p.omega * p.omega * p.q * p.q);
        n += 1, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x) - 3;
}

}  // namespace faying::tests
