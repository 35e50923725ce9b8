#include "mode_track.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/stop.hpp"
#include "track.hpp"

namespace faying::signal::detail {

namespace {

using std::numbers::pi;

constexpr double fewest_periods = 15;   // of a window
constexpr std::size_t most_beside = 4;  // sines fitted with it

/// Lines that a window can tell apart from this one and from a constant, and that reach into it: the strongest few.
std::vector<DampedSine> beside(const Line& line, double omega, double width, const std::vector<Line>& others) {
    std::vector<Line> near;
    for (const Line& other : others) {
        const double bins = std::abs(other.frequency - omega / (2 * pi)) * width;
        if (bins > 1.5 && bins < 30 && other.frequency * width > 1.5 && other.amplitude > 1e-4 * line.amplitude)
            near.push_back(other);
    }
    std::sort(near.begin(), near.end(), [](const Line& a, const Line& b) { return a.amplitude > b.amplitude; });
    if (near.size() > most_beside) near.resize(most_beside);
    std::vector<DampedSine> sines;
    for (const Line& other : near) sines.push_back({2 * pi * other.frequency, 0.002 * 2 * pi * other.frequency});
    return sines;
}

class Follower {
 public:
    Follower(const std::vector<Record>& channels, const RingDownPart& part, const Line& line,
             const std::vector<Line>& others, const FindOptions& options)
        : channels_(channels), line_(line), others_(others), options_(options), weights_(channels.size(), 1.0) {
        const Record& first = channels[0];
        step_ = first.step;
        at_ = sample(part.from);
        end_ = std::min(sample(part.to) + 1, first.values.size());
        omega_ = 2 * pi * line.frequency;
    }

    ModeTrack follow(int part) {
        ModeTrack track;
        if (!begin()) return track;
        while (true) {
            auto fit = fitted();
            if (!fit) {
                track.end = TrackEnd::record;
                break;
            }
            const double zeta = fit->alpha / std::hypot(fit->alpha, fit->omega_damped);
            const double error = fit->alpha_error / std::hypot(fit->alpha, fit->omega_damped);
            track.noise.assign(fit->noise.begin(), fit->noise.end());
            if (!fit->converged || !(error < options_.least * std::abs(zeta))) {
                track.end = fit->converged ? TrackEnd::noise : TrackEnd::lost;
                break;
            }
            if (wild(track.points, *fit, zeta, error)) {
                track.end = TrackEnd::beating;
                break;
            }
            track.points.push_back(point(*fit, part));
            omega_ = fit->omega_damped;
            alpha_ = fit->alpha;
            // Slopes of windows that are 0.4 of their length apart lean against each other: all that the record says.
            at_ += std::size_t(0.4 * width_ / step_);
            width_ = wanted_width();
        }
        return track;
    }

 private:
    const std::vector<Record>& channels_;
    const Line& line_;
    const std::vector<Line>& others_;
    const FindOptions& options_;
    std::vector<double> weights_;
    double step_ = 0, omega_ = 0, alpha_ = 0, width_ = 0;
    std::size_t at_ = 0, end_ = 0;

    std::size_t sample(double time) const {
        return std::size_t(std::max(0.0, std::ceil((time - channels_[0].start) / step_ - 1e-6)));
    }
    double left() const { return at_ < end_ ? double(end_ - at_) * step_ : 0; }
    /// Fewer periods where they are all there is of it.
    double shortest() const {
        const double period = 2 * pi / omega_;
        return std::min(std::max(fewest_periods * period, 64 * step_),
                        std::max({2 * options_.widest / alpha_, 4 * period, 24 * step_}));
    }
    /// For ln A to fall by so much; longer where that tells the mode apart from a neighbour that matters.
    double wanted_width() const {
        const double usual = std::max(options_.fall / alpha_, shortest());
        double width = usual;
        for (const Line& other : others_) {
            const double apart = 3 / std::abs(other.frequency - omega_ / (2 * pi));
            if (other.amplitude > 0.01 * line_.amplitude && apart * alpha_ < options_.widest)
                width = std::max(width, apart);
        }
        return width;
    }

    SineFit fit() {
        core::stop_point();
        SineWindow window{at_, std::size_t(width_ / step_), {{omega_, alpha_}}, weights_};
        for (const auto& sine : beside(line_, omega_, width_, others_)) window.sines.push_back(sine);
        if (window.samples < 8 * window.sines.size()) window.sines.resize(1);
        auto found = fit_damped_sines(channels_, window);
        // Weights for the next fit; no channel counts for nothing.
        const double least = 1e-6 * found.noise.maxCoeff();
        for (std::size_t c = 0; c < weights_.size(); ++c)
            weights_[c] = least > 0 ? found.noise.maxCoeff() / std::max(found.noise(Eigen::Index(c)), least) : 1;
        const double greatest = *std::max_element(weights_.begin(), weights_.end());
        for (double& w : weights_) w /= greatest;
        return found;
    }

    /// On another line than the one asked for.
    bool elsewhere(double omega) const {
        const double f = omega / (2 * pi), own = std::abs(f - line_.frequency);
        return std::any_of(others_.begin(), others_.end(),
                           [&](const Line& other) { return std::abs(f - other.frequency) < own; });
    }

    /// A first window in which the line is a decaying sine: the shortest of a few that says its damping well. Still
    /// shorter ones are for modes that die within them.
    bool begin() {
        const double omega = omega_;
        for (const double periods : {30.0, 60.0, 120.0, 240.0, 15.0, 8.0}) {
            omega_ = omega;
            alpha_ = 0.002 * omega;
            const bool brief = periods < 30;
            width_ = std::max(periods * 2 * pi / omega, (brief ? 24 : 128) * step_);
            if (width_ > left()) continue;
            fit();
            const auto found = fit();  // with the channels weighed
            if (!found.converged || !(found.alpha > 0) || !(found.alpha_error < 0.15 * found.alpha)) continue;
            if (brief && !(found.alpha * width_ > 0.7)) continue;
            if (std::abs(found.omega_damped - omega) * width_ > 4 * pi || elsewhere(found.omega_damped)) continue;
            omega_ = found.omega_damped;
            alpha_ = found.alpha;
            width_ = wanted_width();
            return true;
        }
        return false;
    }

    /// Windows grow while damping is not known well; none where the record ends.
    std::optional<SineFit> fitted() {
        double rest = left();
        if (width_ > rest) {
            if (rest < 0.7 * wanted_width() || rest < shortest()) return {};
            width_ = rest;
        }
        while (true) {
            auto found = fit();
            if (found.alpha_error <= options_.precise * std::abs(found.alpha)) return found;
            const double wider = 1.3 * width_;
            if (wider > rest || wider > options_.widest / alpha_) return found;
            width_ = wider;
        }
    }

    /// Damping that leaves the course of the windows before by far more than its error: another line beats with it.
    bool wild(const std::vector<ModePoint>& points, const SineFit& fit, double zeta, double error) const {
        if (!(zeta > 0)) return true;
        if (points.size() < 3) return false;
        std::vector<double> before;
        for (std::size_t k = points.size() - 3; k < points.size(); ++k) before.push_back(points[k].zeta);
        std::sort(before.begin(), before.end());
        const double off = std::abs(zeta - before[1]);
        const double turn = std::abs(fit.omega_damped - omega_);
        return (off > 0.35 * before[1] && off > 4 * error) || (turn > 1.5 * alpha_ && turn > 4 * fit.omega_error);
    }

    ModePoint point(const SineFit& fit, int part) const {
        ModePoint p;
        p.part = part;
        p.width = width_;
        p.time = channels_[0].time(at_) + 0.5 * width_;
        const auto reference = fit.amplitude(Eigen::Index(options_.reference));
        p.amplitude = std::abs(reference);
        p.omega = std::hypot(fit.omega_damped, fit.alpha);
        p.zeta = fit.alpha / p.omega;
        p.omega_error = fit.omega_error;
        p.zeta_error = fit.alpha_error / p.omega;
        for (const auto& a : fit.amplitude) p.shape.push_back((a / reference).real());
        return p;
    }
};

/// Value and slope at the middle of a parabola, with Hann's weights, over the part of the track within a window.
struct Local {
    double middle, slope;
};
std::optional<Local> local_fit(const Track& track, const std::vector<double>& y, double middle, double width) {
    const auto first =
        std::lower_bound(track.time.begin(), track.time.end(), middle - 0.5 * width) - track.time.begin();
    const auto last = std::upper_bound(track.time.begin(), track.time.end(), middle + 0.5 * width) - track.time.begin();
    if (last - first < 8) return {};
    Eigen::Matrix3d inner = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    const double offset = y[std::size_t((first + last) / 2)];
    for (auto i = first; i < last; ++i) {
        const double s = 2 * (track.time[std::size_t(i)] - middle) / width, c = std::cos(0.5 * pi * s);
        const Eigen::Vector3d powers(1, s, s * s);
        inner += c * c * powers * powers.transpose();
        right += c * c * (y[std::size_t(i)] - offset) * powers;
    }
    const Eigen::Vector3d found = inner.ldlt().solve(right);
    return Local{offset + found(0), 2 * found(1) / width};
}

}  // namespace

ModeTrack follow_mode(const std::vector<Record>& channels, const RingDownPart& part, const Line& line,
                      const std::vector<Line>& others, const FindOptions& options) {
    return Follower(channels, part, line, others, options).follow(0);
}

BandPass band_of(const Line& line, const std::vector<Line>& others, double nyquist) {
    double half = 0.3 * line.frequency;
    for (const Line& other : others) {
        const double distance = std::abs(other.frequency - line.frequency);
        // Forward and backward a filter of order 4 leaves (half/distance)^8 of the neighbour.
        const double share = std::pow(std::min(1.0, 0.003 * line.amplitude / other.amplitude), 1.0 / 8);
        half = std::min(half, share * distance);
    }
    half = std::max(half, 0.01 * line.frequency);
    return {line.frequency - half, std::min(line.frequency + half, 0.98 * nyquist), 4};
}

BandTrack follow_in_band(const std::vector<Record>& channels, const RingDownPart& part, const BandPass& band,
                         const std::vector<double>& weights, std::vector<ModePoint>& points) {
    Record q = cropped(channels[0], part.from, part.to, "band");
    std::fill(q.values.begin(), q.values.end(), 0.0);
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const Record x = cropped(channels[c], part.from, part.to, "band");
        for (std::size_t i = 0; i < q.values.size(); ++i) q.values[i] += weights[c] * x.values[i];
    }
    const auto sections = butterworth_bandpass(band.order, band.low, band.high, 1 / q.step);
    const double settling = double(settling_samples(sections, 0.03)) * q.step;
    const Record filtered = zero_phase(sections, q);
    const auto track = hilbert_track(filtered, pi * (band.low + band.high));
    BandTrack result{{track.time.front(), q.step, {}}, q.start + settling, q.start + q.duration() - settling};
    for (auto& p : points) {
        if (p.time - 0.5 * p.width < result.from || p.time + 0.5 * p.width > result.to) continue;
        const auto decay = local_fit(track, track.log_amplitude, p.time, p.width);
        const auto turn = local_fit(track, track.phase, p.time, p.width);
        if (!decay || !turn) continue;
        p.omega_hilbert = std::hypot(turn->slope, decay->slope);
        p.zeta_hilbert = -decay->slope / p.omega_hilbert;
    }
    const std::size_t every = std::max<std::size_t>(1, track.time.size() / 400);
    result.log_amplitude.step = q.step * double(every);
    for (std::size_t i = 0; i < track.time.size(); i += every)
        result.log_amplitude.values.push_back(track.log_amplitude[i]);
    return result;
}

}  // namespace faying::signal::detail
