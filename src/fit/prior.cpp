#include "faying/fit/prior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::fit {

namespace {

Prior checked(Prior p) {
    const bool range = p.kind == Prior::Kind::uniform || p.kind == Prior::Kind::log_uniform;
    const bool logarithmic = p.kind == Prior::Kind::log_uniform || p.kind == Prior::Kind::log_normal;
    const bool right = std::isfinite(p.a) && std::isfinite(p.b) && (range ? p.a < p.b : p.b > 0);
    if (!right || (logarithmic && !(p.a > 0)))
        throw core::BadInput(p.key,
                             fmt::format("a prior {} is needed; this one has {:g} and {:g}",
                                         range ? (logarithmic ? "with 0 < least < greatest" : "with least < greatest")
                                               : "of positive width",
                                         p.a, p.b));
    return p;
}

}  // namespace

double normal_share(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }
double normal_quantile(double share) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * share); }

Prior Prior::uniform(std::string key, double low, double high) {
    return checked({std::move(key), Kind::uniform, low, high});
}
Prior Prior::log_uniform(std::string key, double low, double high) {
    return checked({std::move(key), Kind::log_uniform, low, high});
}
Prior Prior::normal(std::string key, double mean, double deviation) {
    return checked({std::move(key), Kind::normal, mean, deviation});
}
Prior Prior::log_normal(std::string key, double median, double deviation) {
    return checked({std::move(key), Kind::log_normal, median, deviation});
}

double Prior::value(double z) const {
    switch (kind) {
        case Kind::uniform: return a + (b - a) * normal_share(z);
        case Kind::log_uniform: return a * std::exp(std::log(b / a) * normal_share(z));
        case Kind::normal: return a + b * z;
        case Kind::log_normal: break;
    }
    return a * std::exp(b * z);
}

double Prior::slope(double z) const {
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    switch (kind) {
        case Kind::uniform: return (b - a) * density;
        case Kind::log_uniform: return value(z) * std::log(b / a) * density;
        case Kind::normal: return b;
        case Kind::log_normal: break;
    }
    return b * value(z);
}

double Prior::coordinate(double value) const {
    static constexpr double rest = 1e-6;
    const auto of_share = [](double share) { return normal_quantile(std::clamp(share, rest, 1 - rest)); };
    switch (kind) {
        case Kind::uniform: return of_share((value - a) / (b - a));
        case Kind::log_uniform: return of_share(value > 0 ? std::log(value / a) / std::log(b / a) : 0.0);
        case Kind::normal: return (value - a) / b;
        case Kind::log_normal: break;
    }
    return value > 0 ? std::log(value / a) / b : normal_quantile(rest);
}

}  // namespace faying::fit
