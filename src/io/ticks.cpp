#include "faying/io/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace faying::io {

namespace {

constexpr double air = 0.04;          // of the data's extent, at each end
constexpr double resolution = 1e-12;  // narrower ranges than this, relative to their values, are one point

/// A decimal number: significand x 10^exponent, so that 3 x 0.1 is 0.3 to the last bit and prints as such.
struct Decimal {
    std::int64_t significand;
    int exponent;

    double value() const { return std::strtod(fmt::format("{}e{}", significand, exponent).c_str(), nullptr); }
};

bool reads_well_without_exponent(double magnitude) { return magnitude >= 1e-3 && magnitude < 1e6; }

std::string with_minus_sign(const std::string& text) {
    return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

std::string fixed_label(const Decimal& d) {
    return with_minus_sign(fmt::format("{:.{}f}", d.value(), std::max(0, -d.exponent)));
}

std::string scientific_label(const Decimal& d) {
    if (d.significand == 0) return "0";
    std::string digits = std::to_string(std::abs(d.significand));
    const int exponent = d.exponent + static_cast<int>(digits.size()) - 1;
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.size() > 1) digits.insert(1, ".");
    return with_minus_sign(fmt::format("{}{}e{}", d.significand < 0 ? "-" : "", digits, exponent));
}

std::string power_of_ten_label(int exponent) {
    static constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string label = "10";
    for (const char c : std::to_string(exponent)) label += c == '-' ? "⁻" : raised[c - '0'];
    return label;
}

/// The smallest of 1, 2, 5, 10 times a power of ten that is not below the width.
Decimal nice_step(double width) {
    const int exponent = static_cast<int>(std::floor(std::log10(width)));
    for (const int m : {1, 2, 5})
        if (Decimal{m, exponent}.value() >= width * (1 - 1e-9)) return {m, exponent};
    return {1, exponent + 1};
}

std::vector<Tick> linear_ticks(const Range& range, int count) {
    const double width = (range.high - range.low) / count;
    if (!(width > 0) || !std::isfinite(width)) return {};
    const Decimal step = nice_step(width);
    const double slack = 1e-9;  // of a step: a limit that is a multiple of the step carries a tick
    const auto first = static_cast<std::int64_t>(std::ceil(range.low / step.value() - slack));
    const auto last = static_cast<std::int64_t>(std::floor(range.high / step.value() + slack));
    const double largest = static_cast<double>(std::max(std::abs(first), std::abs(last))) * step.value();
    std::vector<Tick> ticks;
    for (std::int64_t k = first; k <= last; ++k) {
        const Decimal d{k * step.significand, step.exponent};
        ticks.push_back({d.value(), reads_well_without_exponent(largest) ? fixed_label(d) : scientific_label(d)});
    }
    return ticks;
}

std::vector<Tick> logarithmic_ticks(const Range& range, int count) {
    const double slack = 1e-9;  // of a decade
    const int below = static_cast<int>(std::floor(std::log10(range.low) + slack));
    const int above = static_cast<int>(std::floor(std::log10(range.high) + slack));
    const int decades = above - static_cast<int>(std::ceil(std::log10(range.low) - slack)) + 1;
    const bool only_decades = decades >= 3;
    const int every = (decades + count - 1) / count;
    const bool thirds = 3 * std::log10(range.high / range.low) > count;  // 1-3-10 where 1-2-5 would crowd

    std::vector<Tick> ticks;
    int labelled = 0;
    for (int e = below; e <= above; ++e) {
        for (const int m : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
            if (m > 1 && only_decades && every > 1) break;
            const Decimal d{m, e};
            const double v = d.value();
            if (v < range.low * (1 - slack) || v > range.high * (1 + slack)) continue;
            std::string label;
            if (only_decades && m == 1 && e % every == 0) label = power_of_ten_label(e);
            if (!only_decades && (m == 1 || (thirds ? m == 3 : m == 2 || m == 5)))
                label = reads_well_without_exponent(v) ? fixed_label(d) : scientific_label(d);
            if (!label.empty()) ++labelled;
            ticks.push_back({v, std::move(label)});
        }
    }
    if (labelled >= 3) return ticks;
    auto straight = linear_ticks(range, count);  // on a short axis these may say more
    return labelled < static_cast<int>(straight.size()) ? straight : ticks;
}

}  // namespace

Range padded(double low, double high, bool logarithmic) {
    if (logarithmic) {
        const double a = std::log10(low), b = std::log10(high);
        const double pad = b - a > resolution ? air * (b - a) : 0.5;
        return {std::pow(10.0, std::max(a - pad, -323.0)), std::pow(10.0, std::min(b + pad, 308.0))};
    }
    const double size = std::max(std::abs(low), std::abs(high));
    const double extent = high - low;
    const double pad = extent > resolution * size ? air * extent : (size > 0 ? 0.1 * size : 1.0);
    return {low - pad, high + pad};
}

std::vector<Tick> ticks(Range range, bool logarithmic, int count) {
    return logarithmic ? logarithmic_ticks(range, count) : linear_ticks(range, count);
}

}  // namespace faying::io
