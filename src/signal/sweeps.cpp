#include "faying/signal/sweeps.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::signal {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double variation(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low > 0 ? *high / *low : std::numeric_limits<double>::infinity();
}

/// One frequency: dynamic stiffness at the sensor, over w^2.
struct StiffnessAt {
    double square, amplitude;
    Complex stiffness;
};

StiffnessAt stiffness_at(double frequency, double force, double amplitude, double phase, int derivative) {
    const double omega = 2 * pi * frequency;
    const Complex displacement = std::polar(amplitude, phase) / std::pow(Complex(0, omega), derivative);
    return {omega * omega, amplitude, force / displacement};
}

/// Two-sided 95 % of Student's distribution (Cornish and Fisher).
double student(double freedom) {
    const double z = 1.959963984540054, n = std::max(2.0, freedom);
    return z + (std::pow(z, 3) + z) / (4 * n) + (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / (96 * n * n);
}

/// Weighted line of complex values over x about the weighted mean of x.
struct StiffnessLine {
    double middle, scatter, square_error, zeta_error;  ///< relative
    double square, mass, theta, loss;                  ///< w0^2; m; offset; Im at w0
    double student;                                    ///< errors to 95 %
};

StiffnessLine line_through(const std::vector<StiffnessAt>& points) {
    double total = 0, middle = 0, spread = 0;
    Complex mean = 0, slope = 0;
    for (const auto& p : points) {
        const double w = 1 / std::norm(p.stiffness);
        total += w;
        middle += w * p.square;
        mean += w * p.stiffness;
    }
    middle /= total;
    mean /= total;
    for (const auto& p : points) {
        const double w = 1 / std::norm(p.stiffness), x = p.square - middle;
        spread += w * x * x;
        slope += w * x * (p.stiffness - mean);
    }
    slope /= spread;
    double squares = 0, neighbours = 0;
    Complex before = 0;
    for (const auto& p : points) {
        const Complex left = (p.stiffness - mean - slope * (p.square - middle)) / p.stiffness;
        squares += std::norm(left);
        neighbours += (left * std::conj(before)).real();
        before = left;
    }
    const double m = std::abs(slope);
    const Complex turned = mean * std::conj(-slope / m);
    StiffnessLine line{};
    line.middle = middle;
    line.scatter = std::sqrt(squares / double(points.size()));
    line.mass = m;
    line.theta = std::arg(-slope);
    line.square = middle + turned.real() / m;
    line.loss = turned.imag();
    // Of the real and of the imaginary part; two parameters each. Where residuals of neighbours are alike, points count
    // for fewer.
    const double freedom = std::max(1.0, double(points.size()) - 2);
    const double seen = squares > 0 ? neighbours / squares : 0;  // too little by what the line has taken up
    const double alike = std::clamp(seen + (1 + 4 * seen) / double(points.size()), 0.0, 0.9);
    const double variance = squares / (2 * freedom) * (1 + alike) / (1 - alike);
    line.student = student(2 * freedom * (1 - alike) / (1 + alike));
    // The foot moves with the line, and as the line turns about the origin.
    line.square_error = std::sqrt(variance / total + variance / spread * std::pow(line.loss / m, 2)) / m / line.square;
    line.zeta_error = std::sqrt(variance / total / std::pow(line.loss, 2) + variance / spread / (m * m));
    return line;
}

struct OmegaZeta {
    double omega = nothing, zeta = nothing;
};

/// Re Z/Im Z, once the offset is out, is a line over w^2 that crosses zero at w0^2 with slope -1/(2 zeta w0^2).
OmegaZeta by_phase(const std::vector<StiffnessAt>& points, const StiffnessLine& line) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& p : points) {
        const Complex z = p.stiffness * std::polar(1.0, -line.theta);
        const double cotangent = z.real() / z.imag(), at = p.square - line.square;
        if (!(std::abs(cotangent) < 2) || !(z.imag() * line.loss > 0)) continue;
        ++n, x += at, y += cotangent, xx += at * at, xy += at * cotangent;
    }
    if (n < 3) return {};
    const double slope = (n * xy - x * y) / (n * xx - x * x), square = line.square + (x * slope - y) / (n * slope);
    if (!(slope < 0 && square > 0)) return {};
    return {std::sqrt(square), -1 / (2 * slope * square)};
}

/// |Z|^2 = m^2 (w^2 - w0^2)^2 + loss^2.
OmegaZeta by_magnitude(const std::vector<StiffnessAt>& points, const StiffnessLine& line) {
    std::vector<const StiffnessAt*> near;
    for (const auto& p : points)
        if (std::abs(p.stiffness) < 3 * std::abs(line.loss)) near.push_back(&p);
    if (near.size() < 5) return {};
    Eigen::MatrixXd powers(Eigen::Index(near.size()), 3);
    Eigen::VectorXd values(powers.rows());
    const double unit = std::abs(line.loss) / line.mass;
    for (Eigen::Index i = 0; i < powers.rows(); ++i) {
        const auto& p = *near[std::size_t(i)];
        const double s = (p.square - line.square) / unit, weight = 1 / std::norm(p.stiffness);
        powers.row(i) << weight, weight * s, weight * s * s;
        values(i) = weight * std::norm(p.stiffness);
    }
    const Eigen::Vector3d c = powers.householderQr().solve(values);
    const double at = -c(1) / (2 * c(2)), least = c(0) - c(1) * c(1) / (4 * c(2));
    if (!(c(2) > 0 && least > 0 && line.square + at * unit > 0)) return {};
    const double square = line.square + at * unit;
    return {std::sqrt(square), std::sqrt(least / c(2)) * unit / (2 * square)};
}

SweepPoint point_of(const std::vector<StiffnessAt>& points) {
    const StiffnessLine line = line_through(points);
    SweepPoint p;
    p.count = int(points.size());
    p.omega = line.square > 0 ? std::sqrt(line.square) : nothing;
    p.zeta = line.loss / (2 * line.mass * line.square);
    p.mass = line.mass;
    p.scatter = line.scatter;
    p.phase_offset = -std::remainder(line.theta, pi);
    // A sensor that is turned about turns the line about: damping is positive all the same.
    double total = 0;
    for (const auto& q : points) {
        const double w = 1 / std::norm(q.stiffness);
        p.amplitude += w * q.amplitude, total += w;
    }
    p.amplitude /= total;
    const auto phase = by_phase(points, line), magnitude = by_magnitude(points, line);
    p.omega_phase = phase.omega, p.zeta_phase = phase.zeta;
    p.omega_magnitude = magnitude.omega, p.zeta_magnitude = magnitude.zeta;
    const auto bounds = [&](double value, double error, std::initializer_list<double> others) {
        Bounds95 b{value - line.student * error, value + line.student * error};
        for (const double x : others)
            if (std::isfinite(x)) b = {std::min(b.low, x), std::max(b.high, x)};
        return b;
    };
    p.omega_bounds = bounds(p.omega, 0.5 * line.square_error * p.omega, {phase.omega, magnitude.omega});
    p.zeta_bounds = bounds(p.zeta, line.zeta_error * p.zeta, {phase.zeta, magnitude.zeta});
    return p;
}

/// Where a sweep passes through an amplitude: between neighbours the dynamic stiffness is taken as a straight line over
/// w^2, which it is but for what the mode changes with amplitude between them, and the force as one too.
void add_crossings(const Sweep& s, double amplitude, std::vector<StiffnessAt>& points) {
    const auto at = [&](std::size_t i) {
        return stiffness_at(s.frequency[i], s.force[i], s.amplitude[i], s.phase[i], s.derivative);
    };
    for (std::size_t i = 1; i < s.frequency.size(); ++i) {
        if ((s.amplitude[i - 1] < amplitude) == (s.amplitude[i] < amplitude)) continue;
        const StiffnessAt a = at(i - 1), b = at(i);
        const auto between = [&](double share) {
            StiffnessAt p{a.square + share * (b.square - a.square), 0,
                          a.stiffness + share * (b.stiffness - a.stiffness)};
            const double force = s.force[i - 1] + share * (s.force[i] - s.force[i - 1]);
            p.amplitude = force / std::abs(p.stiffness) * std::pow(p.square, 0.5 * s.derivative);
            return p;
        };
        double low = 0, high = 1;
        for (int k = 0; k < 50; ++k) {
            const double share = 0.5 * (low + high);
            ((between(share).amplitude < amplitude) == (s.amplitude[i - 1] < amplitude) ? low : high) = share;
        }
        points.push_back(between(low));
    }
}

}  // namespace

const char* name(Held held) { return held == Held::response ? "response" : held == Held::force ? "force" : "phase"; }

void Sweep::check(const std::string& where) const {
    const std::size_t n = frequency.size();
    if (force.size() != n || amplitude.size() != n || phase.size() != n)
        throw core::BadInput(where, fmt::format("has {} frequencies, {} forces, {} amplitudes and {} phases", n,
                                                force.size(), amplitude.size(), phase.size()));
    const bool stepped = n > 0 && holds_phase();
    if (n < 5 && !stepped) throw core::BadInput(where, fmt::format("has {} lines; a sweep needs at least 5", n));
    for (std::size_t i = 0; i < n; ++i) {
        if (!(frequency[i] > 0 && force[i] > 0 && amplitude[i] > 0 &&
              std::isfinite(frequency[i] + force[i] + amplitude[i] + phase[i])))
            throw core::BadInput(where,
                                 fmt::format("line {}: frequency {:g}, force {:g} and amplitude {:g} must be above 0 "
                                             "and finite",
                                             i + 1, frequency[i], force[i], amplitude[i]));
        for (std::size_t k = 0; k < i && !stepped; ++k)
            if (frequency[k] == frequency[i])
                throw core::BadInput(
                    where, fmt::format("lines {} and {} have the same frequency, {:g} Hz", k + 1, i + 1, frequency[i]));
    }
    if (stepped) return;
    const bool rises = frequency[1] > frequency[0];
    for (std::size_t i = 2; i < n; ++i)
        if ((frequency[i] > frequency[i - 1]) != rises)
            throw core::BadInput(
                where, fmt::format("line {}: {:g} Hz after {:g} Hz; the frequencies of a sweep must all {}", i + 1,
                                   frequency[i], frequency[i - 1], rises ? "rise" : "fall"));
}

bool Sweep::holds_response() const { return variation(amplitude) < variation(force); }

bool Sweep::holds_phase() const {
    constexpr double near = 0.35, varies = 1.3;
    if (frequency.size() < 2 || !(variation(amplitude) > varies && variation(force) > varies)) return false;
    return std::all_of(phase.begin(), phase.end(), [&](double p) {
        return std::abs(std::remainder(p - 0.5 * pi * derivative + 0.5 * pi, pi)) < near;
    });
}

SweepPoint response_held(const Sweep& sweep, const std::string& where) {
    sweep.check(where);
    std::vector<StiffnessAt> points;
    for (std::size_t i = 0; i < sweep.frequency.size(); ++i)
        points.push_back(
            stiffness_at(sweep.frequency[i], sweep.force[i], sweep.amplitude[i], sweep.phase[i], sweep.derivative));
    auto found = point_of(points);
    found.name = sweep.name;
    const auto [low, high] = std::minmax_element(sweep.frequency.begin(), sweep.frequency.end());
    if (!(found.omega > 2 * pi * *low && found.omega < 2 * pi * *high && found.zeta > 0))
        throw core::BadInput(where,
                             fmt::format("has no resonance between its {:g} and {:g} Hz (the dynamic stiffness points "
                                         "to {:.5g} Hz, damping {:.3g}): a band with no mode, or a wrong phase",
                                         *low, *high, found.omega / (2 * pi), found.zeta));
    return found;
}

std::vector<SweepPoint> force_held(const std::vector<Sweep>& sweeps, int levels) {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const Sweep& s : sweeps)
        for (const double a : s.amplitude) low = std::min(low, a), high = std::max(high, a);
    std::vector<SweepPoint> found;
    for (int k = 0; k < levels; ++k) {
        const double amplitude = low * std::pow(high / low, (k + 0.5) / levels);
        std::vector<StiffnessAt> points;
        for (const Sweep& s : sweeps) add_crossings(s, amplitude, points);
        if (points.size() < 4) continue;
        const auto [first, last] = std::minmax_element(
            points.begin(), points.end(), [](const auto& a, const auto& b) { return a.square < b.square; });
        auto p = point_of(points);
        // The line must be held on both sides of its foot, or it is extrapolated.
        if (!(p.zeta > 0 && p.omega * p.omega > first->square && p.omega * p.omega < last->square)) continue;
        p.held = Held::force;
        p.amplitude = amplitude;
        found.push_back(p);
    }
    return found;
}

std::vector<SweepPoint> phase_held(const Sweep& test, double mass, const std::string& where) {
    test.check(where);
    core::require(mass > 0 && std::isfinite(mass), "phase resonance", "effective mass > 0");
    std::vector<SweepPoint> found;
    for (std::size_t i = 0; i < test.frequency.size(); ++i) {
        auto at = stiffness_at(test.frequency[i], test.force[i], test.amplitude[i], test.phase[i], test.derivative);
        if (at.stiffness.imag() < 0) at.stiffness = -at.stiffness;  // a sensor that is turned about
        SweepPoint p;
        p.held = Held::phase;
        p.name = test.name;
        p.amplitude = test.amplitude[i];
        p.mass = mass;
        p.count = 1;
        const double square = at.square + at.stiffness.real() / mass;
        p.omega = std::sqrt(square);
        p.zeta = at.stiffness.imag() / (2 * mass * square);
        p.omega_phase = std::sqrt(at.square);
        p.zeta_phase = std::abs(at.stiffness) / (2 * mass * at.square);
        p.omega_magnitude = p.zeta_magnitude = nothing;
        p.omega_bounds = {std::min(p.omega, p.omega_phase), std::max(p.omega, p.omega_phase)};
        p.zeta_bounds = {std::min(p.zeta, p.zeta_phase), std::max(p.zeta, p.zeta_phase)};
        if (!(square > 0))
            throw core::BadInput(where, fmt::format("line {}: the dynamic stiffness is less than a mass of {:g} kg "
                                                    "has there; the mass is too small",
                                                    i + 1, mass));
        found.push_back(p);
    }
    return found;
}

}  // namespace faying::signal
