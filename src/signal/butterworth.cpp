#include "faying/signal/butterworth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::signal {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

/// z-plane poles of the band-pass, those of the upper half plane and the real ones.
std::vector<Complex> upper_poles(int order, double low, double high) {
    // Prewarped edges for the bilinear transform s = (z - 1)/(z + 1).
    const double w1 = std::tan(pi * low), w2 = std::tan(pi * high);
    const double width = w2 - w1, centre2 = w1 * w2;
    std::vector<Complex> poles;
    for (int k = 0; k < order; ++k) {
        const Complex prototype = std::polar(1.0, pi * (2.0 * k + order + 1) / (2.0 * order));
        const Complex half = 0.5 * width * prototype;
        const Complex root = std::sqrt(half * half - centre2);
        for (const Complex s : {half + root, half - root}) {
            const Complex z = (1.0 + s) / (1.0 - s);
            const bool real = std::abs(z.imag()) < 1e-12 * std::abs(z);
            if (real || z.imag() > 0) poles.push_back(real ? Complex(z.real(), 0) : z);
        }
    }
    return poles;
}

/// State in which a constant input x leaves a section (direct form II transposed) at rest.
struct Memory {
    double s1 = 0, s2 = 0;
};
Memory steady(const Section& c, double x) {
    const double y = x * (c.b0 + c.b1 + c.b2) / (1 + c.a1 + c.a2);
    return {c.b1 * x - c.a1 * y + c.b2 * x - c.a2 * y, c.b2 * x - c.a2 * y};
}

void pass(const std::vector<Section>& sections, std::vector<double>& x) {
    for (const Section& c : sections) {
        Memory m = steady(c, x.front());
        for (double& value : x) {
            const double in = value;
            value = c.b0 * in + m.s1;
            m.s1 = c.b1 * in - c.a1 * value + m.s2;
            m.s2 = c.b2 * in - c.a2 * value;
        }
    }
}

double slowest_radius(const std::vector<Section>& sections) {
    double radius = 0;
    for (const Section& c : sections) {
        const Complex root = std::sqrt(Complex(c.a1 * c.a1 - 4 * c.a2, 0));
        radius = std::max({radius, std::abs(-c.a1 + root) / 2, std::abs(-c.a1 - root) / 2});
    }
    return radius;
}

}  // namespace

std::vector<Section> butterworth_bandpass(int order, double low, double high, double sample_rate) {
    if (order < 1 || order > 20) throw core::BadInput("band-pass", fmt::format("order {} is not in 1 .. 20", order));
    if (!(low > 0 && low < high && high < sample_rate / 2))
        throw core::BadInput("band-pass",
                             fmt::format("band {:g} to {:g} Hz must lie between 0 and the Nyquist frequency, "
                                         "{:g} Hz, lower edge first",
                                         low, high, sample_rate / 2));
    auto poles = upper_poles(order, low / sample_rate, high / sample_rate);
    // Real poles come in twos (an odd order and a wide band): they share a section.
    std::stable_partition(poles.begin(), poles.end(), [](const Complex& p) { return p.imag() != 0; });
    const double w1 = std::tan(pi * low / sample_rate), w2 = std::tan(pi * high / sample_rate);
    const Complex centre = std::polar(1.0, 2 * std::atan(std::sqrt(w1 * w2)));
    std::vector<Section> sections;
    for (std::size_t i = 0; i < poles.size(); ++i) {
        const Complex p = poles[i], q = p.imag() != 0 ? std::conj(p) : poles.at(++i);
        Section c{1, 0, -1, -(p + q).real(), (p * q).real()};
        const double scale = 1 / std::abs((centre * centre - 1.0) / ((centre - p) * (centre - q)));
        c.b0 *= scale;
        c.b2 *= scale;
        sections.push_back(c);
    }
    // The section of the slowest pole last: the others have narrowed its input.
    std::sort(sections.begin(), sections.end(), [](const Section& a, const Section& b) { return a.a2 < b.a2; });
    return sections;
}

double gain(const std::vector<Section>& sections, double frequency, double sample_rate) {
    const Complex z = std::polar(1.0, -2 * pi * frequency / sample_rate);
    Complex h = 1;
    for (const Section& c : sections) h *= (c.b0 + z * (c.b1 + z * c.b2)) / (1.0 + z * (c.a1 + z * c.a2));
    return std::abs(h);
}

std::size_t settling_samples(const std::vector<Section>& sections, double share) {
    return static_cast<std::size_t>(std::ceil(std::log(share) / std::log(slowest_radius(sections))));
}

Record zero_phase(const std::vector<Section>& sections, const Record& record) {
    const auto& x = record.values;
    const std::size_t margin = std::min(settling_samples(sections, 1e-3), x.size() - 1);
    std::vector<double> y;
    y.reserve(x.size() + 2 * margin);
    for (std::size_t k = margin; k > 0; --k) y.push_back(2 * x.front() - x[k]);
    y.insert(y.end(), x.begin(), x.end());
    for (std::size_t k = 1; k <= margin; ++k) y.push_back(2 * x.back() - x[x.size() - 1 - k]);
    for (int direction = 0; direction < 2; ++direction) {
        pass(sections, y);
        std::reverse(y.begin(), y.end());
    }
    const auto first = y.begin() + std::ptrdiff_t(margin);
    return {record.start, record.step, {first, first + std::ptrdiff_t(x.size())}};
}

}  // namespace faying::signal
