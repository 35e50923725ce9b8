#include "faying/fit/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/fit/problem.hpp"

namespace faying::fit {

using core::BadInput;
using core::Scale;

namespace {

double stretched(const Axis& axis, double value) { return axis.scale == Scale::logarithmic ? std::log(value) : value; }

double width(const Axis& axis) { return stretched(axis, axis.range.upper) - stretched(axis, axis.range.lower); }

void check(const Axis& axis) {
    const auto [lower, upper] = axis.range;
    if (!std::isfinite(lower) || !std::isfinite(upper) || !(lower < upper))
        throw BadInput(fmt::format("range of '{}'", axis.key),
                       fmt::format("[{:g}, {:g}] must be finite, its lower end below its upper", lower, upper));
    if (axis.scale == Scale::logarithmic && !(lower > 0))
        throw BadInput(fmt::format("range of '{}'", axis.key),
                       fmt::format("[{:g}, {:g}] must be positive on a logarithmic axis", lower, upper));
}

double value_at(const Axis& axis, double x) {
    if (x <= 0) return axis.range.lower;
    if (x >= 1) return axis.range.upper;
    const double y = stretched(axis, axis.range.lower) + x * width(axis);
    return std::clamp(axis.scale == Scale::logarithmic ? std::exp(y) : y, axis.range.lower, axis.range.upper);
}

}  // namespace

std::string_view name(Status status) {
    switch (status) {
        case Status::converged: return "converged";
        case Status::not_converged: return "not converged";
        case Status::failed: break;
    }
    return "failed";
}

bool Evaluation::usable() const {
    return status == Status::converged && !objectives.empty() &&
           std::all_of(objectives.begin(), objectives.end(), [](double f) { return std::isfinite(f); });
}

double violation(const Evaluation& evaluation) {
    if (evaluation.usable()) return 0;
    const bool known = evaluation.status == Status::not_converged && std::isfinite(evaluation.residual);
    return known ? std::abs(evaluation.residual) : core::infinity;
}

Space::Space(std::vector<Axis> axes) : axes_(std::move(axes)) {
    if (axes_.empty()) throw BadInput("search", "there is no parameter to vary");
    for (const auto& axis : axes_) check(axis);
}

std::vector<double> Space::values(const std::vector<double>& coordinates) const {
    std::vector<double> v(size());
    for (std::size_t i = 0; i < size(); ++i) v[i] = value_at(axes_[i], coordinates[i]);
    return v;
}

std::vector<double> Space::coordinates(const std::vector<double>& values) const {
    std::vector<double> x(size());
    for (std::size_t i = 0; i < size(); ++i) {
        const double v = std::clamp(values[i], axes_[i].range.lower, axes_[i].range.upper);
        x[i] = std::clamp((stretched(axes_[i], v) - stretched(axes_[i], axes_[i].range.lower)) / width(axes_[i]), 0.0,
                          1.0);
    }
    return x;
}

std::vector<double> Space::slopes(const std::vector<double>& coordinates) const {
    std::vector<double> s(size());
    for (std::size_t i = 0; i < size(); ++i)
        s[i] = width(axes_[i]) * (axes_[i].scale == Scale::logarithmic ? value_at(axes_[i], coordinates[i]) : 1.0);
    return s;
}

Space search_space(const std::string& owner, const std::vector<core::ParameterInfo>& table,
                   const std::map<std::string, Range>& ranges) {
    std::string keys;
    for (const auto& info : table) keys += (keys.empty() ? "" : " ") + info.key;
    for (const auto& [key, range] : ranges)
        if (std::none_of(table.begin(), table.end(), [&name = key](const auto& info) { return info.key == name; }))
            throw BadInput(fmt::format("{}: unknown parameter '{}'; allowed are: {}", owner, key, keys));
    std::vector<Axis> axes;
    for (const auto& info : table) {
        const auto given = ranges.find(info.key);
        if (given == ranges.end() && info.fallback) continue;
        const Range range = given != ranges.end() ? given->second : Range{info.bounds.lower, info.bounds.upper};
        if (given == ranges.end() && !(std::isfinite(range.lower) && std::isfinite(range.upper)))
            throw BadInput(fmt::format("{}: parameter '{}' ({}) needs a finite range to search, within {}", owner,
                                       info.key, info.meaning, info.bounds.text()));
        if (!info.bounds.contains(range.lower) || !info.bounds.contains(range.upper))
            throw BadInput(fmt::format("{}: range [{:g}, {:g}] of parameter '{}' is not within {}", owner, range.lower,
                                       range.upper, info.key, info.bounds.text()));
        // A parameter that may be zero, such as kp, is searched on the axis its range allows.
        axes.push_back({info.key, range, range.lower > 0 ? info.scale : Scale::linear});
    }
    return Space(std::move(axes));
}

}  // namespace faying::fit
