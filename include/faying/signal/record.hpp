#pragma once
// A measured or simulated signal at even sampling, and the checks a record has to pass before anything is read out of
// it.
//
//     const Record record = even_record(t, x, "hammer3.csv");
//     const double omega = dominant_frequency(record, "hammer3.csv");   // rad/s
//     check_length(record, omega, "hammer3.csv");                 // at least three periods

#include <span>
#include <string>
#include <vector>

namespace faying::signal {

struct Record {
    double start = 0;  ///< s
    double step = 0;   ///< s
    std::vector<double> values;

    double time(std::size_t i) const { return start + step * double(i); }
    double duration() const { return values.empty() ? 0.0 : step * double(values.size() - 1); }
};

/// Throws core::BadInput (`where` opens the message) for values that are not finite, time that does not increase, and
/// samples that are further than 1 % of the step from an even grid.
Record even_record(std::span<const double> time, std::span<const double> values, const std::string& where);

/// The part with from <= t <= to; throws BadInput when fewer than two samples are left.
Record cropped(const Record& record, double from, double to, const std::string& where);

/// Where the spectrum (Hann window, mean removed) is greatest, rad/s: a parabola through the three highest lines.
/// Throws BadInput for a record that is zero or constant.
double dominant_frequency(const Record& record, const std::string& where);

/// A record must hold three periods, and a period at least four samples; throws BadInput with both numbers.
void check_length(const Record& record, double omega, const std::string& where);

}  // namespace faying::signal
