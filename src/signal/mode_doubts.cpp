#include "mode_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace faying::signal {

const char* name(Doubt doubt) {
    switch (doubt) {
        case Doubt::beating: return "beating";
        case Doubt::combination: return "combination";
        case Doubt::noise: return "noise";
        case Doubt::clipping: return "clipping";
        case Doubt::rebound: return "rebound";
        case Doubt::node: return "node";
        case Doubt::methods: return "methods";
        case Doubt::short_record: return "short";
    }
    return "";
}

namespace detail {

Combination combination_of(const Line& line, const std::vector<Line>& stronger) {
    const double near = 1.0 / line.window;
    Combination best;
    double nearest = near;
    const auto offer = [&](double frequency, std::string text, std::vector<std::size_t> of) {
        const double off = std::abs(std::abs(frequency) - line.frequency);
        if (off < nearest) {
            nearest = off;
            best = {std::move(text), std::move(of)};
        }
    };
    for (std::size_t i = 0; i < stronger.size(); ++i) {
        const double f = stronger[i].frequency;
        if (stronger[i].amplitude < 3 * line.amplitude) continue;
        offer(2 * f, fmt::format("2 x {:.4g} Hz", f), {i, i});
        offer(3 * f, fmt::format("3 x {:.4g} Hz", f), {i, i, i});
        for (std::size_t j = 0; j < i; ++j) {
            const double g = stronger[j].frequency;
            if (stronger[j].amplitude < 3 * line.amplitude) continue;
            offer(f + g, fmt::format("{:.4g} + {:.4g} Hz", f, g), {i, j});
            offer(f - g, fmt::format("{:.4g} - {:.4g} Hz", std::max(f, g), std::min(f, g)), {i, j});
        }
    }
    return best;
}

namespace {

/// Root mean square of ln zeta about a parabola (a line, a mean where points are few) in ln A, over the first 20 dB.
double undulation(const std::vector<ModePoint>& points) {
    std::vector<const ModePoint*> used;
    double top = 0;
    for (const auto& p : points) top = std::max(top, p.amplitude);
    for (const auto& p : points)
        if (p.amplitude > 0.1 * top && p.zeta > 0) used.push_back(&p);
    const auto n = Eigen::Index(used.size());
    if (n < 3) return 0;
    const Eigen::Index terms = n >= 6 ? 3 : n >= 4 ? 2 : 1;
    Eigen::MatrixXd powers(n, terms);
    Eigen::VectorXd y(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const double x = std::log(used[std::size_t(i)]->amplitude / top);
        for (Eigen::Index k = 0; k < terms; ++k) powers(i, k) = std::pow(x, double(k));
        y(i) = std::log(used[std::size_t(i)]->zeta);
    }
    const Eigen::VectorXd left = y - powers * powers.householderQr().solve(y);
    return std::sqrt(left.squaredNorm() / double(n - terms));
}

double mean_error(const std::vector<ModePoint>& points) {
    double sum = 0;
    for (const auto& p : points) sum += p.zeta_error / p.zeta;
    return sum / double(points.size());
}

void remark_on_beating(FoundMode& mode, const std::vector<ModeTrack>& tracks, const std::vector<Line>& close) {
    // Lines that no window of this mode could tell apart from it.
    double width = 0;
    for (const auto& p : mode.points) width = std::max(width, p.width);
    const double first = mode.points.front().omega / (2 * std::numbers::pi);
    const double low = std::min(first, mode.frequency), high = std::max(first, mode.frequency);
    const auto own = std::min_element(close.begin(), close.end(), [&](const Line& a, const Line& b) {
        return std::abs(a.frequency - mode.frequency) < std::abs(b.frequency - mode.frequency);
    });
    for (auto line = close.begin(); line != close.end(); ++line) {
        if (line == own) continue;
        const double off = std::max(low - line->frequency, line->frequency - high);
        if (off > 2 / line->window && off < 2.5 / width && line->amplitude > 0.03 * own->amplitude) {
            mode.remarks.push_back(
                {Doubt::beating, fmt::format("two modes in the band: beats with {:.5g} Hz, too close for "
                                             "windows of {:.3g} s",
                                             line->frequency, width)});
            mode.trusted = false;
            return;
        }
    }
    const double swing = undulation(mode.points);
    if (swing > 0.1 && swing > 3 * mean_error(mode.points)) {
        mode.remarks.push_back(
            {Doubt::beating,
             fmt::format("damping undulates by {:.0f} % about a smooth course: two modes in the band", 100 * swing)});
        mode.trusted = false;
        return;
    }
    for (const auto& track : tracks)
        if ((track.end == TrackEnd::beating || track.end == TrackEnd::lost) && !track.points.empty()) {
            mode.remarks.push_back(
                {Doubt::beating, fmt::format("not followed below {:.3g}: {}", track.points.back().amplitude,
                                             track.end == TrackEnd::beating ? "another line beats with what is left"
                                                                            : "no damped sine fits what is left")});
            return;
        }
}

void remark_on_noise(FoundMode& mode, const std::vector<ModeTrack>& tracks) {
    double least = 0;
    for (const auto& track : tracks)
        if (track.end == TrackEnd::noise && !track.points.empty())
            least = std::max(least, track.points.back().amplitude);
    if (least > 0)
        mode.remarks.push_back(
            {Doubt::noise,
             fmt::format("not followed below {:.3g}: noise (its floor in a window is {:.2g})", least, mode.floor)});
}

void remark_on_nodes(FoundMode& mode, const std::vector<std::string>& names, const FindOptions& options) {
    const auto& shape = mode.points[mode.points.size() / 2].shape;
    double greatest = 0;
    for (const double x : shape) greatest = std::max(greatest, std::abs(x));
    for (std::size_t c = 0; c < shape.size(); ++c)
        if (std::abs(shape[c]) < 0.1 * greatest)
            mode.remarks.push_back(
                {Doubt::node,
                 fmt::format("{} is near a node: {:.2g} % of the greatest amplitude{}", names[c],
                             100 * std::abs(shape[c]) / greatest,
                             c == options.reference ? "; give amplitudes at another with --channel" : "")});
}

void remark_on_methods(FoundMode& mode) {
    std::vector<double> off;
    for (const auto& p : mode.points)
        if (std::isfinite(p.zeta_hilbert)) off.push_back(std::abs(p.zeta_hilbert / p.zeta - 1));
    std::sort(off.begin(), off.end());
    const double usual = off.empty() ? 0 : off[off.size() / 2];
    if (off.size() < 3) {
        mode.remarks.push_back(
            {Doubt::methods, fmt::format("the band-pass {:.4g} to {:.4g} Hz settles too late to check "
                                         "the damped sines by it",
                                         mode.band.low, mode.band.high)});
    } else if (usual > 0.05 && usual > 2 * mean_error(mode.points)) {
        mode.remarks.push_back(
            {Doubt::methods, fmt::format("band-pass and damped sines differ by {:.0f} % in damping", 100 * usual)});
        mode.trusted = false;
    }
}

}  // namespace

void add_remarks(FoundMode& mode, const std::vector<ModeTrack>& tracks, const std::vector<Line>& close,
                 const std::vector<std::string>& names, const FindOptions& options) {
    remark_on_beating(mode, tracks, close);
    remark_on_noise(mode, tracks);
    remark_on_nodes(mode, names, options);
    remark_on_methods(mode);
    if (mode.points.size() < 4) {
        mode.remarks.push_back({Doubt::short_record, fmt::format("only {} points: no bounds", mode.points.size())});
        mode.trusted = false;
    }
}

}  // namespace detail

}  // namespace faying::signal
