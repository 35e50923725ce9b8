#include "faying/signal/record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "fourier.hpp"

namespace faying::signal {

Record even_record(std::span<const double> time, std::span<const double> values, const std::string& where) {
    if (time.size() != values.size())
        throw core::BadInput(where, fmt::format("has {} times and {} values", time.size(), values.size()));
    if (values.size() < 3)
        throw core::BadInput(where, fmt::format("has {} samples; at least 3 are needed", values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]) || !std::isfinite(time[i]))
            throw core::BadInput(where, fmt::format("sample {} is not a finite number (t = {:g}, value {:g})", i + 1,
                                                    time[i], values[i]));
    for (std::size_t i = 1; i < time.size(); ++i)
        if (!(time[i] > time[i - 1]))
            throw core::BadInput(where, fmt::format("time must increase, but sample {} has t = {:g} after {:g}", i + 1,
                                                    time[i], time[i - 1]));
    Record record{time[0], (time.back() - time[0]) / double(time.size() - 1), {values.begin(), values.end()}};
    for (std::size_t i = 0; i < time.size(); ++i)
        if (const double off = std::abs(time[i] - record.time(i)); off > 0.01 * record.step)
            throw core::BadInput(where, fmt::format("is not sampled evenly: sample {} is at t = {:.9g}, {:.2g} steps "
                                                    "of {:g} s away from an even grid; allowed are 0.01",
                                                    i + 1, time[i], off / record.step, record.step));
    return record;
}

Record cropped(const Record& record, double from, double to, const std::string& where) {
    Record part{0, record.step, {}};
    for (std::size_t i = 0; i < record.values.size(); ++i) {
        if (record.time(i) < from - 1e-9 * record.step || record.time(i) > to + 1e-9 * record.step) continue;
        if (part.values.empty()) part.start = record.time(i);
        part.values.push_back(record.values[i]);
    }
    if (part.values.size() < 3)
        throw core::BadInput(
            where, fmt::format("only {} samples lie between t = {:g} and {:g}; the record is from {:g} "
                               "to {:g}",
                               part.values.size(), from, to, record.start, record.time(record.values.size() - 1)));
    return part;
}

double dominant_frequency(const Record& record, const std::string& where) {
    const std::size_t n = record.values.size();
    double mean = 0, size = 0;
    for (const double x : record.values) mean += x / double(n), size += std::abs(x);
    const std::size_t length = detail::good_length(2 * n);
    std::vector<std::complex<double>> windowed(length);
    for (std::size_t i = 0; i < n; ++i)
        windowed[i] =
            (record.values[i] - mean) * std::pow(std::sin(std::numbers::pi * (double(i) + 0.5) / double(n)), 2);
    const auto lines = detail::transform(windowed);
    std::size_t top = 1;
    for (std::size_t k = 1; k < length / 2; ++k)
        if (std::norm(lines[k]) > std::norm(lines[top])) top = k;
    if (!(std::abs(lines[top]) > 1e-12 * size)) throw core::BadInput(where, "is constant: there is no vibration in it");
    const auto level = [&](std::size_t k) { return std::log(std::abs(lines[k]) + 1e-300); };
    const double a = level(top - 1), b = level(top), c = level(top + 1);
    const double bend = a - 2 * b + c;
    const double shift = bend < 0 ? 0.5 * (a - c) / bend : 0.0;
    return 2 * std::numbers::pi * (double(top) + shift) / (double(length) * record.step);
}

void check_length(const Record& record, double omega, const std::string& where) {
    const double period = 2 * std::numbers::pi / omega;
    if (record.duration() < 3 * period)
        throw core::BadInput(where, fmt::format("is shorter than three periods: {:g} s at {:g} Hz are {:.2g} periods",
                                                record.duration(), 1 / period, record.duration() / period));
    if (period < 4 * record.step)
        throw core::BadInput(where,
                             fmt::format("has {:.2g} samples per period ({:g} Hz sampled at {:g} Hz); at least 4 "
                                         "are needed",
                                         period / record.step, 1 / period, 1 / record.step));
}

}  // namespace faying::signal
