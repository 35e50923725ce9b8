#pragma once
// Private to results/: records in .mat and .h5 files, however their variables are called and laid out.

#include <vector>

#include "faying/results/channels.hpp"

namespace faying::results {

RecordsRead archive_records(const std::string& file, const TimeAxis& time);

/// "t", "time", "Time (ms)"; and, less surely, "tvec", "time_s", "TimeACC", "t_acc".
bool called_time(const std::string& name);
bool may_be_time(const std::string& name);

/// "Time (ms)", "t [ms]", "t / ms", "time_ms", or the unit alone: factor to seconds.
double seconds_of(const std::string& text);

/// Rises evenly, to 1 % of a step: a clock or a count, no motion.
bool is_clock(const std::vector<double>& values);

}  // namespace faying::results
