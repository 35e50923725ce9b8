#include "backbone_scatter.hpp"

#include <algorithm>
#include <cmath>

#include "faying/modal/oscillator_fit.hpp"

namespace faying::modal {

double stated_error(const fit::Backbone& b, std::size_t i, int kind) {
    constexpr double bound_width = 2 * 1.959963984540054;
    if (!b.has_bounds()) return 1;
    const double width =
        kind == 0 ? (b.omega_high[i] - b.omega_low[i]) / b.omega[i] : (b.zeta_high[i] - b.zeta_low[i]) / b.zeta[i];
    return std::max(width / bound_width, least_own_scatter);
}

Scatter scatter_of(const fit::Backbone& b) {
    const auto of = [&](const std::vector<double>& y) {
        double sum = 0;
        for (std::size_t i = 1; i + 1 < b.size(); ++i) {
            const double from = std::log(b.amplitude[i - 1]), to = std::log(b.amplitude[i + 1]);
            const double share = (std::log(b.amplitude[i]) - from) / (to - from);
            const double off = std::log(y[i]) - (1 - share) * std::log(y[i - 1]) - share * std::log(y[i + 1]);
            sum += off * off / (1 + share * share + (1 - share) * (1 - share));
        }
        return std::max(std::sqrt(sum / double(std::max<std::size_t>(b.size(), 3) - 2)), least_own_scatter);
    };
    return {of(b.omega), of(b.zeta)};
}

std::optional<Rise> rise_of(const fit::Backbone& b) {
    const double own = scatter_of(b).omega;
    std::optional<Rise> found;
    double most = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        for (std::size_t j = i + 1; j < b.size(); ++j) {
            const double error =
                b.has_bounds() ? std::max(own, std::hypot(stated_error(b, i, 0), stated_error(b, j, 0))) : own;
            const double rise = std::log(b.omega[j] / b.omega[i]);
            if (rise > 4 * error && rise > most) {
                most = rise;
                found = Rise{b.amplitude[i], b.omega[i], b.amplitude[j], b.omega[j]};
            }
        }
    return found;
}

}  // namespace faying::modal
