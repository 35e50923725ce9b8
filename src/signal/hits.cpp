#include "faying/signal/hits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "faying/core/error.hpp"

namespace faying::signal {

void HitOptions::check() const {
    core::require(jump > 2, "hits", "jump > 2");
    core::require(longest_hit > 0 && rebound >= longest_hit, "hits", "0 < longest hit <= rebound");
}

namespace {

constexpr int prediction_order = 24;
constexpr double lasting = 5;  ///< what a hit leaves unpredictable over what was so before it, by medians
constexpr double more_motion =
    1.5;  ///< or energy of the motion over that before, in times that hold a period of most modes
constexpr double motion_time = 0.1;  ///< s

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Coefficients that predict a sample from those before it: Yule-Walker by Levinson and Durbin.
std::vector<double> predictor(const std::vector<double>& x, int order) {
    std::vector<double> r(std::size_t(order) + 1), a(std::size_t(order), 0.0);
    for (std::size_t k = 0; k < r.size(); ++k)
        for (std::size_t i = k; i < x.size(); ++i) r[k] += x[i] * x[i - k];
    double error = r[0] * (1 + 1e-9);
    for (std::size_t m = 0; m < a.size() && error > 0; ++m) {
        double reflection = r[m + 1];
        for (std::size_t k = 0; k < m; ++k) reflection -= a[k] * r[m - k];
        reflection /= error;
        const auto before = a;
        a[m] = reflection;
        for (std::size_t k = 0; k < m; ++k) a[k] = before[k] - reflection * before[m - 1 - k];
        error *= 1 - reflection * reflection;
    }
    return a;
}

/// Squares of what cannot be predicted, summed over the channels, each over its own median.
std::vector<double> innovations(const std::vector<Record>& channels) {
    std::vector<double> sum(channels[0].values.size(), 0.0);
    for (const Record& channel : channels) {
        std::vector<double> x = channel.values;
        const double mean = std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
        for (double& value : x) value -= mean;
        const int order = int(std::min<std::size_t>(prediction_order, x.size() / 8));
        const auto a = predictor(x, order);
        std::vector<double> squares(x.size(), 0.0);
        double greatest = 0;
        for (std::size_t i = a.size(); i < x.size(); ++i) {
            double e = x[i];
            for (std::size_t k = 0; k < a.size(); ++k) e -= a[k] * x[i - 1 - k];
            greatest = std::max(greatest, squares[i] = e * e);
        }
        // The first samples have nothing before them to be predicted from: as those that follow.
        const double first =
            (squares[a.size()] + squares[a.size() + 1] + squares[a.size() + 2] + squares[a.size() + 3]) / 4;
        std::fill(squares.begin(), squares.begin() + std::ptrdiff_t(a.size()), first);
        // Silence before the hit (a simulated record) has no median to divide by.
        const double level = std::max(median_of(squares), 1e-12 * greatest);
        if (level > 0)
            for (std::size_t i = 0; i < x.size(); ++i) sum[i] += squares[i] / level;
    }
    return sum;
}

double rms_between(const std::vector<Record>& channels, std::size_t from, std::size_t to) {
    double squares = 0;
    for (const Record& c : channels)
        for (std::size_t i = from; i < to; ++i) squares += c.values[i] * c.values[i];
    return std::sqrt(squares / double(std::max<std::size_t>(1, to - from)));
}

struct Onset {
    std::size_t at, end;
};

/// A joint that slips clicks at every turn of the motion, for a moment. A hit leaves more behind: more that cannot be
/// predicted (medians, which do not see single bursts), or more motion.
bool lasts(const std::vector<Record>& channels, const std::vector<double>& energy, std::size_t at, std::size_t window,
           const HitOptions& options) {
    const double step = channels[0].step;
    const auto length = std::max(window, std::size_t(options.longest_hit / step));
    const auto first = energy.begin();
    const auto middle = [&](std::size_t from, std::size_t to) {
        return median_of({first + std::ptrdiff_t(from), first + std::ptrdiff_t(to)});
    };
    if (at < window / 2 || at + 2 * window > energy.size()) return true;  // too near an end to tell
    const double before = middle(at > length ? at - length : 0, at);
    if (middle(at + window, std::min(energy.size(), at + window + length)) > lasting * before) return true;
    const auto reach = std::size_t(motion_time / step);
    const double still = rms_between(channels, at > reach ? at - reach : 0, at);
    const double moved = rms_between(channels, at + window, std::min(energy.size(), at + window + reach));
    return moved * moved > more_motion * still * still;
}

std::vector<Onset> onsets(const std::vector<Record>& channels, const HitOptions& options) {
    const auto energy = innovations(channels);
    const double step = channels[0].step;
    const std::size_t n = energy.size();
    const auto window = std::max<std::size_t>(24, std::size_t(0.002 / step));
    std::vector<Onset> found;
    if (n < 4 * window) return found;
    std::vector<double> sums(n + 1, 0.0), after;
    for (std::size_t i = 0; i < n; ++i) sums[i + 1] = sums[i] + energy[i];
    const auto between = [&](std::size_t i, std::size_t j) { return sums[j] - sums[i]; };
    for (std::size_t i = window; i + window <= n; ++i) after.push_back(between(i, i + window));
    const double floor = 0.2 * median_of(after);
    const auto jump = [&](std::size_t i) { return between(i, i + window) / (between(i - window, i) + floor); };
    for (std::size_t i = window; i + window <= n; ++i) {
        if (jump(i) < options.jump) continue;
        std::size_t top = i;
        for (; i + window <= n && jump(i) >= options.jump; ++i)
            if (jump(i) > jump(top)) top = i;
        // Over when the energy has fallen to a twentieth of its greatest.
        const auto last = std::min(n - window / 4, top + std::size_t(options.longest_hit / step));
        double greatest = 0;
        std::size_t end = top;
        for (std::size_t j = top; j < last; ++j) {
            const double now = between(j, j + window / 4);
            if (now > greatest) greatest = now;
            if (now > 0.05 * greatest)
                end = j + window / 4;
            else if (j > top + window)
                break;
        }
        // The jump is greatest as soon as the window reaches the hit: it is where the energy itself rises.
        const auto energy_in = energy.begin() + std::ptrdiff_t(top);
        const double rise = 0.05 * *std::max_element(energy_in, energy_in + std::ptrdiff_t(window));
        while (energy[top] < rise) ++top;
        const bool rebound = !found.empty() && double(top - found.back().at) * step < options.rebound;
        if (rebound || lasts(channels, energy, top, window, options)) found.push_back({top, std::max(top, end)});
        i += window;
    }
    return found;
}

/// A force over one hundredth of its greatest, within the longest time a hit lasts.
std::size_t end_of_force(const Record& force, const Onset& onset, double longest) {
    const auto to = std::min(force.values.size(), onset.at + std::size_t(2 * longest / force.step));
    double greatest = 0;
    for (std::size_t i = onset.at; i < to; ++i) greatest = std::max(greatest, std::abs(force.values[i]));
    std::size_t end = onset.at;
    for (std::size_t i = onset.at; i < to; ++i)
        if (std::abs(force.values[i]) > 0.05 * greatest) end = i + 1;
    return end;
}

}  // namespace

std::vector<RingDownPart> ring_down_parts(const std::vector<Record>& channels, const Record* force,
                                          const HitOptions& options) {
    options.check();
    const Record& first = channels.at(0);
    const double end_of_record = first.time(first.values.size() - 1);
    auto found = onsets(channels, options);
    if (force)
        for (auto& onset : found) onset.end = std::max(onset.at, end_of_force(*force, onset, options.longest_hit));
    std::vector<RingDownPart> parts;
    const auto before = found.empty() ? first.values.size() : found[0].at;
    // What comes before the first hit is a ring-down too if it decays: the record began after a hit.
    if (found.empty() || (before > 200 && rms_between(channels, 0, before / 10) >
                                              3 * rms_between(channels, before - before / 10, before)))
        parts.push_back({first.start, first.start, end_of_record, -1, false});
    for (const auto& onset : found) {
        const double at = first.time(onset.at), end = first.time(onset.end);
        if (!parts.empty() && at - parts.back().hit < options.rebound) {
            parts.back().rebound = at;
            parts.back().from = end;
            continue;
        }
        if (!parts.empty()) parts.back().to = at - 10 * first.step;
        parts.push_back({at, end, end_of_record, -1, true});
    }
    return parts;
}

std::optional<double> clipped_at(const Record& record) {
    const auto& x = record.values;
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    const double range = *high - *low;
    if (!(range > 0)) return {};
    for (const double level : {*high, *low}) {
        int runs = 0, longest = 0, length = 0;
        for (const double value : x) {
            length = std::abs(value - level) <= 1e-6 * range ? length + 1 : 0;
            if (length == 3) ++runs;
            longest = std::max(longest, length);
        }
        if (longest >= 4 || runs >= 2) return level;
    }
    return {};
}

}  // namespace faying::signal
