#include "track.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "fourier.hpp"

namespace faying::signal::detail {

namespace {

using std::numbers::pi;

/// The record between the greatest sample of its first period and that of its last: there the phase of a mirror image
/// goes on without a jump.
struct Trimmed {
    double start;
    std::vector<double> values;
};
Trimmed between_extrema(const Record& record, double omega) {
    const auto& x = record.values;
    const std::size_t period = std::clamp<std::size_t>(std::size_t(2 * pi / (omega * record.step)), 2, x.size() / 3);
    const auto greater = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto first = std::max_element(x.begin(), x.begin() + std::ptrdiff_t(period), greater);
    const auto last = std::max_element(x.end() - std::ptrdiff_t(period), x.end(), greater);
    return {record.time(std::size_t(first - x.begin())), {first, last + 1}};
}

std::size_t margin_samples(const Record& record, double omega) {
    return std::size_t(std::ceil(20 * 2 * pi / (omega * record.step)));
}

/// Extremum of a quartic through the samples within an eighth of a period of the greatest one. Time in samples.
struct Extremum {
    double at, value;
};
Extremum refined_extremum(const std::vector<std::complex<double>>& z, std::size_t top, std::size_t reach) {
    const std::size_t from = top >= reach ? top - reach : 0, to = std::min(top + reach, z.size() - 1);
    Eigen::MatrixXd powers(Eigen::Index(to - from + 1), 5);
    Eigen::VectorXd values(powers.rows());
    for (std::size_t i = from; i <= to; ++i) {
        const double s = (double(i) - double(top)) / double(reach);
        powers.row(Eigen::Index(i - from)) << 1, s, s * s, s * s * s, s * s * s * s;
        values(Eigen::Index(i - from)) = z[i].real();
    }
    const Eigen::VectorXd c = powers.householderQr().solve(values);
    double s = 0;
    for (int k = 0; k < 20; ++k) {
        const double slope = c(1) + s * (2 * c(2) + s * (3 * c(3) + s * 4 * c(4)));
        const double bend = 2 * c(2) + s * (6 * c(3) + s * 12 * c(4));
        const double move = bend != 0 ? -slope / bend : 0;
        s = std::clamp(s + move, -1.0, 1.0);
        if (std::abs(move) < 1e-14) break;
    }
    return {double(top) + s * double(reach), c(0) + s * (c(1) + s * (c(2) + s * (c(3) + s * c(4))))};
}

}  // namespace

Track hilbert_track(const Record& record, double omega) {
    const Trimmed part = between_extrema(record, omega);
    const auto z = analytic_signal(part.values, margin_samples(record, omega), 1);
    Track track;
    double phase = std::arg(z[0]);
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (i > 0) phase += std::arg(z[i] * std::conj(z[i - 1]));
        track.time.push_back(part.start + record.step * double(i));
        track.log_amplitude.push_back(std::log(std::max(std::abs(z[i]), 1e-300)));
        track.phase.push_back(phase);
    }
    return track;
}

Track peak_track(const Record& record, double omega, const std::string& where) {
    const Trimmed part = between_extrema(record, omega);
    const double samples = 2 * pi / (omega * record.step);
    const auto finer = std::size_t(std::max(1.0, std::ceil(64 / samples)));
    const auto z = analytic_signal(part.values, margin_samples(record, omega), finer);
    const double step = record.step / double(finer);
    const auto reach = std::size_t(std::max(3.0, samples * double(finer) / 8));
    const double half_period = pi / omega;
    Track track;
    for (std::size_t from = 0; from < z.size();) {  // from zero crossing to zero crossing
        std::size_t top = from, to = from + 1;
        for (; to < z.size() && (z[to].real() > 0) == (z[from].real() > 0); ++to)
            if (std::abs(z[to].real()) > std::abs(z[top].real())) top = to;
        const bool whole = from > 0 && to < z.size();
        from = to;
        if (!whole) continue;
        const Extremum e = refined_extremum(z, top, reach);
        const double time = part.start + step * e.at;
        const double waves = track.time.empty() ? 0 : std::round((time - track.time.back()) / half_period);
        if (e.value == 0 || (!track.time.empty() && waves < 1)) continue;  // a ripple of noise about zero
        track.phase.push_back(track.phase.empty() ? 0 : track.phase.back() + pi * waves);
        track.time.push_back(time);
        track.log_amplitude.push_back(std::log(std::abs(e.value)));
    }
    if (track.time.size() < 4) throw core::BadInput(where, fmt::format("has only {} peaks", track.time.size()));
    return track;
}

namespace {

/// The slope of a parabola fitted to a cubic is too great by (third derivative) h^2/40: take that away, with the third
/// derivative from the neighbours.
void correct_slopes(std::vector<SegmentFit>& fits) {
    if (fits.size() < 3) return;
    std::vector<double> bends(fits.size());
    for (std::size_t j = 0; j < fits.size(); ++j) {
        const std::size_t c = std::clamp<std::size_t>(j, 1, fits.size() - 2);
        bends[j] = fits[c + 1].slope - 2 * fits[c].slope + fits[c - 1].slope;
    }
    for (std::size_t j = 0; j < fits.size(); ++j) fits[j].slope -= bends[j] / 40;
}

}  // namespace

std::vector<SegmentFit> fit_segments(const std::vector<double>& t, const std::vector<double>& y, double from, double to,
                                     int segments) {
    const double width = (to - from) / segments;
    std::vector<SegmentFit> fits;
    auto first = std::lower_bound(t.begin(), t.end(), from);
    for (int j = 0; j < segments; ++j) {
        const double end = j + 1 == segments ? to : from + (j + 1) * width;
        const auto last = std::upper_bound(first, t.end(), end);
        const auto count = Eigen::Index(last - first);
        SegmentFit fit;
        fit.time = from + (j + 0.5) * width;
        fit.samples = std::size_t(count);
        if (count > 3) {
            Eigen::MatrixXd powers(count, 3);
            Eigen::VectorXd values(count);
            const auto offset = first - t.begin();
            for (Eigen::Index i = 0; i < count; ++i) {
                const double s = (t[std::size_t(offset + i)] - fit.time) / width;
                powers.row(i) << 1, s, s * s;
                values(i) = y[std::size_t(offset + i)];
            }
            const Eigen::Matrix3d inverse = (powers.transpose() * powers).inverse();
            const double mean = values.mean();
            const Eigen::Vector3d c = inverse * (powers.transpose() * (values.array() - mean).matrix());
            const double squares = (values.array() - mean - (powers * c).array()).square().sum();
            fit.middle = mean + c(0);
            fit.slope = c(1) / width;
            fit.rms = std::sqrt(squares / double(count));
            fit.slope_spread = std::sqrt(inverse(1, 1)) / width;
        }
        fits.push_back(fit);
        first = last;
    }
    correct_slopes(fits);
    return fits;
}

}  // namespace faying::signal::detail
