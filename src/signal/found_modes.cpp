#include "faying/signal/found_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "faying/core/error.hpp"
#include "mode_doubts.hpp"
#include "mode_track.hpp"

namespace faying::signal {

void FindOptions::check() const {
    lines.check();
    hits.check();
    core::require(weakest > 0 && weakest < 1, "modes", "0 < weakest line < 1");
    core::require(most >= 1 && most <= 1000, "modes", "1 to 1000 modes");
    core::require(fall > 0.05 && widest >= fall, "modes", "0.05 < fall <= widest");
    core::require(precise > 0 && least > precise, "modes", "0 < precise < least");
}

namespace {

/// Hz, the median of the five points of least amplitude: single ones of them carry the most noise.
template <class Points>
double frequency_of_least(Points points) {
    const auto count = std::min<std::size_t>(points.size(), 5);
    std::partial_sort(points.begin(), points.begin() + std::ptrdiff_t(count), points.end(),
                      [](const auto& a, const auto& b) { return a.amplitude < b.amplitude; });
    std::vector<double> omega;
    for (std::size_t i = 0; i < count; ++i) omega.push_back(points[i].omega);
    std::nth_element(omega.begin(), omega.begin() + std::ptrdiff_t(count / 2), omega.end());
    return omega[count / 2] / (2 * std::numbers::pi);
}

using std::numbers::pi;

constexpr double no_noise = 30;  // dB above the neighbourhood

/// Clipped samples after the hit are no ring-down: it begins after the last of them.
void leave_out_clipped(FoundModes& found, const std::vector<Record>& channels, const std::vector<std::string>& names,
                       const std::string& where) {
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const auto level = clipped_at(channels[c]);
        if (!level) continue;
        const auto& x = channels[c].values;
        const auto [low, high] = std::minmax_element(x.begin(), x.end());
        for (auto& part : found.parts) {
            double last = -std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < x.size(); ++i)
                if (const double t = channels[c].time(i);
                    t >= part.hit && t <= part.to &&
                    std::min(std::abs(x[i] - *high), std::abs(x[i] - *low)) <= 1e-6 * (*high - *low))
                    last = t;
            if (last < part.hit) continue;
            if (last > part.from + 0.7 * (part.to - part.from))
                throw core::BadInput(where,
                                     fmt::format("channel {} is clipped at {:.6g} from {:.4g} to {:.4g} s: there is "
                                                 "no ring-down left; record it with a wider range",
                                                 names[c], *level, part.hit, last));
            found.remarks.push_back(
                {Doubt::clipping,
                 fmt::format("channel {} is clipped at {:.6g} until {:.4g} s{}", names[c], *level, last,
                             last > part.from ? ": what comes before is left out" : ", during the hit")});
            part.from = std::max(part.from, last + channels[c].step);
        }
    }
}

/// Weak lines between strong ones are only seen by a finer spectrum, those that die at once only by a coarser one. Those
/// too close to one that is known are left to the search for pairs: a frequency that drifts is split there.
void add_far_lines(std::vector<Line>& lines, const std::vector<Line>& more) {
    const auto known = lines;
    for (const Line& line : more)
        if (std::none_of(known.begin(), known.end(), [&](const Line& other) {
                return std::abs(line.frequency - other.frequency) <
                       std::max(3 / std::min(other.window, line.window), 0.02 * other.frequency);
            }))
            lines.push_back(line);
}

/// Lines nearest to wanted frequencies, in their order.
std::vector<Line> wanted_lines(const std::vector<Line>& lines, const FindOptions& options, const std::string& where) {
    std::vector<Line> chosen;
    for (const double wanted : options.wanted) {
        const Line* nearest = nullptr;
        for (const Line& line : lines)
            if (!nearest || std::abs(line.frequency - wanted) < std::abs(nearest->frequency - wanted)) nearest = &line;
        if (!nearest || std::abs(nearest->frequency - wanted) > std::max(0.03 * wanted, 2 / nearest->window))
            throw core::BadInput(where, nearest
                                            ? fmt::format("has no mode near {:g} Hz; the nearest line is at {:.5g} Hz",
                                                          wanted, nearest->frequency)
                                            : fmt::format("has no mode near {:g} Hz, and no line at all", wanted));
        chosen.push_back(*nearest);
    }
    return chosen;
}

/// Weights that make of the channels the amplitude at the reference: least squares with their noise.
std::vector<double> channel_weights(const std::vector<ModePoint>& points, const std::vector<double>& noise) {
    std::vector<double> weights(noise.size(), 0.0);
    const auto& shape = points[points.size() / 2].shape;
    double total = 0;
    const double least = 1e-6 * *std::max_element(noise.begin(), noise.end());
    for (std::size_t c = 0; c < noise.size(); ++c) {
        weights[c] = shape[c] / std::max(noise[c], std::max(least, 1e-300));
        total += weights[c] * shape[c];
    }
    for (double& w : weights) w /= total;
    return weights;
}

/// Where the reference is drowned in noise, the amplitude there is that of all channels with the shape of the last
/// window in which it was not.
void steady_amplitudes(std::vector<ModePoint>& points, const std::vector<double>& noise, std::size_t reference,
                       double step) {
    std::vector<ModePoint> good;
    for (auto& p : points) {
        const double own = std::sqrt(4 * noise[reference] * step / p.width) / p.amplitude;
        if (own < 0.01 || good.empty()) {
            good.push_back(p);
            continue;
        }
        const auto weights = channel_weights({good.back()}, noise);
        double amplitude = 0;
        for (std::size_t c = 0; c < weights.size(); ++c) amplitude += weights[c] * p.amplitude * p.shape[c];
        if (!(amplitude > 0)) continue;
        for (double& x : p.shape) x *= p.amplitude / amplitude;
        p.amplitude = amplitude;
    }
}

/// Both methods' difference counts as an error beside noise.
Envelope envelope_of(const std::vector<ModePoint>& points) {
    Envelope e;
    for (const auto& p : points) {
        EnvelopePoint q;
        q.time = p.time;
        q.amplitude = p.amplitude;
        q.omega = p.omega;
        q.zeta = p.zeta;
        q.width = p.width;
        const bool both = std::isfinite(p.zeta_hilbert);
        q.omega_error = std::hypot(p.omega_error, both ? 0.5 * (p.omega_hilbert - p.omega) : 0);
        q.zeta_error = std::hypot(p.zeta_error, both ? 0.5 * (p.zeta_hilbert - p.zeta) : 0);
        e.points.push_back(q);
    }
    return e;
}

/// Mean amplitude of a frequency over a stretch of the record with Hann's weights, of all channels together.
double level_at(const std::vector<Record>& channels, double frequency, double from, double to) {
    double sum = 0;
    for (const Record& channel : channels) {
        const Record c = cropped(channel, from, to, "line");
        const double mean = std::accumulate(c.values.begin(), c.values.end(), 0.0) / double(c.values.size());
        std::complex<double> line = 0;
        for (std::size_t i = 0; i < c.values.size(); ++i)
            line += (c.values[i] - mean) * std::pow(std::sin(pi * (double(i) + 0.5) / double(c.values.size())), 2) *
                    std::polar(1.0, -2 * pi * frequency * c.step * double(i));
        sum += std::norm(line / double(c.values.size()));
    }
    return 4 * std::sqrt(sum);
}

/// What a line that does not decay is; "" where it may be a mode.
std::string no_vibration(const std::vector<Record>& channels, const RingDownPart& part, const Line& line) {
    constexpr double fewest_periods = 8;
    const double length = part.to - part.from;
    if (line.frequency * length < fewest_periods) return "slower than the record: drift, or motion as a rigid body";
    const double first = level_at(channels, line.frequency, part.from, part.from + 0.3 * length);
    const double last = level_at(channels, line.frequency, part.to - 0.3 * length, part.to);
    return last > 0.7 * first && last > 0.5 * line.amplitude ? "steady: mains, or a machine nearby" : "";
}

struct Finder {
    const std::vector<Record>& channels;
    const std::vector<std::string>& names;
    const FindOptions& options;
    FoundModes& found;
    std::vector<Line> lines = {}, close = {};  ///< of the strongest ring-down; of a finer spectrum of it

    /// False where no window shows a decaying sine.
    bool follow(const Line& line) {
        std::vector<Line> others;
        for (const Line& other : lines)
            if (other.frequency != line.frequency) others.push_back(other);
        FoundMode mode;
        mode.line = line;
        mode.band = detail::band_of(line, others, 0.5 / channels[0].step);
        std::vector<detail::ModeTrack> tracks;
        for (std::size_t k = 0; k < found.parts.size(); ++k) {
            auto track = detail::follow_mode(channels, found.parts[k], line, others, options);
            for (auto& p : track.points) p.part = int(k);
            mode.from.push_back(found.parts[k].from);
            mode.from_hilbert.push_back(std::numeric_limits<double>::quiet_NaN());
            if (!track.points.empty()) {
                steady_amplitudes(track.points, track.noise, options.reference, channels[0].step);
                const auto weights = channel_weights(track.points, track.noise);
                const auto in_band = detail::follow_in_band(channels, found.parts[k], mode.band, weights, track.points);
                mode.from_hilbert.back() = in_band.from;
                mode.decays.push_back(in_band.log_amplitude);
                const double samples = track.points.back().width / channels[0].step;
                mode.floor = std::max(mode.floor, std::sqrt(4 * track.noise[options.reference] / samples));
            }
            mode.points.insert(mode.points.end(), track.points.begin(), track.points.end());
            tracks.push_back(std::move(track));
        }
        if (mode.points.size() < 2) return false;
        mode.frequency = frequency_of_least(mode.points);
        if (mode.points.size() >= 4)
            mode.backbone = merged_backbone({envelope_of(mode.points)}, options.points, Errors::sizes);
        detail::add_remarks(mode, tracks, close, names, options);
        found.modes.push_back(std::move(mode));
        return true;
    }

    /// A combination decays as all that it is made of together; where it does not, it is a mode of its own.
    bool decays_like(const Line& line, const detail::Combination& made, const std::vector<Line>& stronger) {
        double expected = 0;
        for (const auto k : made.of) {
            const auto parent = std::find_if(found.modes.begin(), found.modes.end(), [&](const FoundMode& m) {
                return m.line.frequency == stronger[k].frequency;
            });
            if (parent == found.modes.end()) return true;
            expected += parent->points.front().zeta * parent->points.front().omega;
        }
        const auto track = detail::follow_mode(channels, found.parts[0], line, lines, options);
        if (track.points.empty()) return true;
        const double alpha = track.points.front().zeta * track.points.front().omega;
        return alpha > 0.5 * expected && alpha < 2 * expected;
    }
};

/// Ring-downs of records that stand one after the other.
std::vector<RingDownPart> parts_of(const std::vector<Record>& channels, const FindOptions& options) {
    if (options.begins.empty()) return ring_down_parts(channels, options.force, options.hits);
    std::vector<RingDownPart> all;
    std::vector<std::size_t> ends = options.begins;
    ends.push_back(channels[0].values.size());
    std::size_t begin = 0;
    for (const auto end : ends) {
        const auto piece = [&](const Record& whole) {
            const auto first = whole.values.begin();
            return Record{whole.time(begin), whole.step, {first + std::ptrdiff_t(begin), first + std::ptrdiff_t(end)}};
        };
        std::vector<Record> own;
        for (const Record& c : channels) own.push_back(piece(c));
        const auto force = options.force ? std::optional(piece(*options.force)) : std::nullopt;
        for (const auto& part : ring_down_parts(own, force ? &*force : nullptr, options.hits)) all.push_back(part);
        begin = end;
    }
    return all;
}

double energy(const std::vector<Record>& channels, const RingDownPart& part) {
    double sum = 0;
    for (const Record& c : channels)
        for (std::size_t i = 0; i < c.values.size(); ++i)
            if (c.time(i) >= part.from && c.time(i) <= part.to) sum += c.values[i] * c.values[i];
    return sum;
}

}  // namespace

FoundModes find_modes(std::vector<Record> channels, const std::vector<std::string>& names, const FindOptions& options,
                      const std::string& where) {
    options.check();
    if (channels.empty() || names.size() != channels.size() || options.reference >= channels.size())
        throw std::invalid_argument("find_modes: channels with a name each, the reference among them");
    for (const Record& c : channels)
        if (c.values.size() != channels[0].values.size() || c.step != channels[0].step || c.start != channels[0].start)
            throw core::BadInput(where, "channels of one record must be recorded together");
    if (channels[0].values.size() < 256)
        throw core::BadInput(
            where, fmt::format("has {} samples; at least 256 are needed to find modes", channels[0].values.size()));
    FoundModes found;
    found.parts = parts_of(channels, options);
    for (const auto& part : found.parts)
        if (part.rebound >= part.hit)
            found.remarks.push_back(
                {Doubt::rebound, fmt::format("hit twice, at {:.4g} and {:.4g} s: what comes before the "
                                             "second is left out",
                                             part.hit, part.rebound)});
    leave_out_clipped(found, channels, names, where);

    std::size_t strongest = 0;
    for (std::size_t k = 1; k < found.parts.size(); ++k)
        if (energy(channels, found.parts[k]) > energy(channels, found.parts[strongest])) strongest = k;
    const auto& part = found.parts[strongest];
    Finder finder{channels, names, options, found};
    finder.lines = spectral_lines(channels, part.from, part.to, options.lines);
    LineOptions fine = options.lines;
    fine.periods *= 4;
    fine.prominence = 6;
    finder.close = spectral_lines(channels, part.from, part.to, fine);
    add_far_lines(finder.lines, finder.close);

    double greatest = 0;
    for (const Line& line : finder.lines) greatest = std::max(greatest, line.amplitude);
    LineOptions coarse = options.lines;
    coarse.periods = std::max(10.0, coarse.periods / 4);
    std::vector<Line> candidates = finder.lines;
    add_far_lines(candidates, spectral_lines(channels, part.from, part.to, coarse));
    if (!options.wanted.empty()) candidates = wanted_lines(candidates, options, where);
    std::sort(candidates.begin(), candidates.end(),
              [](const Line& a, const Line& b) { return a.amplitude > b.amplitude; });
    std::vector<Line> stronger;
    for (const Line& line : candidates) {
        if (options.wanted.empty()) {
            if (line.amplitude < options.weakest * greatest) {
                found.others.push_back({line, "weak"});
                continue;
            }
            const auto made = detail::combination_of(line, stronger);
            if (!made.of.empty() && finder.decays_like(line, made, stronger)) {
                found.others.push_back({line, "combination of lines: " + made.text, true});
                continue;
            }
        }
        if (int(found.modes.size()) == options.most) {
            found.others.push_back({line, fmt::format("after the {} strongest", options.most)});
        } else if (finder.follow(line)) {
            stronger.push_back(line);
        } else if (!options.wanted.empty()) {
            throw core::BadInput(where,
                                 fmt::format("has no mode at {:.5g} Hz that decays: no window shows a damped sine "
                                             "above the noise",
                                             line.frequency));
        } else if (const auto why = no_vibration(channels, part, line); !why.empty()) {
            found.others.push_back({line, why});
        } else if (line.height > no_noise) {
            found.others.push_back({line, "no window shows one damped sine: modes too close together"});
            found.remarks.push_back(
                {Doubt::beating, fmt::format("{:.5g} Hz stands {:.0f} dB above its neighbourhood, and no window shows "
                                             "one damped sine there: modes that beat with each other",
                                             line.frequency, line.height)});
        } else {
            found.others.push_back({line, "no window shows one damped sine: noise, or modes too close together"});
        }
    }
    if (found.modes.empty())
        throw core::BadInput(where, finder.lines.empty()
                                        ? std::string("has no line that stands out of its spectrum: no mode")
                                        : fmt::format("has {} lines in its spectrum, none of which decays "
                                                      "as a mode does",
                                                      finder.lines.size()));
    const auto by_frequency = [](const auto& a, const auto& b) { return a.line.frequency < b.line.frequency; };
    std::sort(found.modes.begin(), found.modes.end(), by_frequency);
    std::sort(found.others.begin(), found.others.end(), by_frequency);
    return found;
}

}  // namespace faying::signal
