#include "faying/transient/excitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"
#include "faying/modes/linear.hpp"

namespace faying::transient {

using std::numbers::pi;

History half_sine(double amplitude, double omega) {
    core::require(std::isfinite(amplitude) && omega > 0 && std::isfinite(omega), "half-sine",
                  "omega > 0, finite values");
    const double end = pi / omega;
    return {[=](double t) { return t >= 0 && t < end ? amplitude * std::sin(omega * t) : 0.0; },
            {0.0, end},
            std::abs(amplitude),
            omega};
}

History sine(double amplitude, double omega, double phase, double duration) {
    core::require(std::isfinite(amplitude) && omega > 0 && duration > 0, "sine", "omega > 0 and duration > 0");
    std::vector<double> corners{0.0};
    if (std::isfinite(duration)) corners.push_back(duration);
    return {[=](double t) { return t >= 0 && t < duration ? amplitude * std::sin(omega * t + phase) : 0.0; }, corners,
            std::abs(amplitude), omega};
}

History chirp(double amplitude, double from, double to, double duration) {
    core::require(std::isfinite(amplitude) && from >= 0 && to >= 0 && duration > 0 && std::isfinite(duration), "chirp",
                  "frequencies >= 0 and duration > 0");
    const double rate = (to - from) / duration;
    return {[=](double t) { return t >= 0 && t < duration ? amplitude * std::sin((from + 0.5 * rate * t) * t) : 0.0; },
            {0.0, duration},
            std::abs(amplitude),
            std::max(from, to)};
}

History random(double level, double from, double to, int lines, std::uint64_t seed) {
    core::require(level >= 0 && from >= 0 && to > from && std::isfinite(to) && lines >= 1 && lines <= 1000000, "random",
                  "level >= 0, 0 <= from < to, lines from 1 to 1e6");
    return random(std::vector{from, to}, std::vector{level, level}, lines, seed);
}

History random(const std::vector<double>& omega, const std::vector<double>& level, int lines, std::uint64_t seed) {
    core::require(lines >= 1 && lines <= 1000000, "random", "lines from 1 to 1e6");
    const History density = tabulated(omega, level);
    core::require(omega.front() >= 0 && *std::min_element(level.begin(), level.end()) >= 0, "random",
                  "frequencies >= 0 and levels >= 0");
    // std::mt19937_64 is the same everywhere; the distributions of the standard library are not.
    std::mt19937_64 bits(seed);
    const double width = (omega.back() - omega.front()) / lines;
    struct Line {
        double omega, phase, amplitude;
    };
    std::vector<Line> spectrum;
    double variance = 0;
    for (int k = 0; k < lines; ++k) {
        const double at = omega.front() + (k + 0.5) * width, power = density.value(at) * width;
        spectrum.push_back({at, 2 * pi * double(bits() >> 11) * 0x1p-53, std::sqrt(2 * power)});
        variance += power;
    }
    return {[spectrum = std::move(spectrum)](double t) {
                double sum = 0;
                for (const Line& line : spectrum) sum += line.amplitude * std::cos(line.omega * t + line.phase);
                return t >= 0 ? sum : 0.0;
            },
            {0.0},
            4 * std::sqrt(variance),
            omega.back()};
}

History tabulated(std::vector<double> times, std::vector<double> values) {
    if (times.size() != values.size() || times.size() < 2)
        throw core::BadInput("tabulated force", "needs at least two times, with a value each");
    double peak = 0, interval = times.back() - times.front();
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!std::isfinite(times[i]) || !std::isfinite(values[i]))
            throw core::BadInput("tabulated force", fmt::format("row {} is not finite", i + 1));
        if (i > 0 && !(times[i] > times[i - 1]))
            throw core::BadInput(
                "tabulated force",
                fmt::format("time must increase, but row {} has t = {:g} after {:g}", i + 1, times[i], times[i - 1]));
        peak = std::max(peak, std::abs(values[i]));
        if (i > 0) interval = std::min(interval, times[i] - times[i - 1]);
    }
    std::vector<double> corners = times;
    return {[t = std::move(times), x = std::move(values)](double at) {
                if (at < t.front() || at >= t.back()) return at == t.back() ? x.back() : 0.0;
                const auto i = std::size_t(std::upper_bound(t.begin(), t.end(), at) - t.begin());
                const double s = (at - t[i - 1]) / (t[i] - t[i - 1]);
                return x[i - 1] + s * (x[i] - x[i - 1]);
            },
            std::move(corners), peak, 1 / interval};  // straight lines: steps as long as they are short enough
}

Eigen::VectorXd point_load(const structure::Model& model, Eigen::Index dof) {
    if (dof < 1 || dof > model.size())
        throw core::BadInput("load", fmt::format("DOF {} does not exist; allowed are 1 to {}", dof, model.size()));
    return Eigen::VectorXd::Unit(model.size(), dof - 1);
}

Eigen::VectorXd mode_load(const structure::Model& model, Eigen::Index mode, bool slipping) {
    if (mode < 1 || mode > model.size())
        throw core::BadInput("load", fmt::format("there is no mode {}; allowed are 1 to {}", mode, model.size()));
    const auto k = slipping ? structure::slipping_stiffness(model) : structure::stuck_stiffness(model);
    return model.mass * modes::linear_modes(model.mass, k, mode).shapes.col(mode - 1);
}

Eigen::VectorXd base_load(const structure::Model& model, const Eigen::VectorXd& rigid) {
    if (rigid.size() != model.size())
        throw core::BadInput("base",
                             fmt::format("rigid motion has {} entries; expected {}", rigid.size(), model.size()));
    return -(model.mass * rigid);
}

}  // namespace faying::transient
