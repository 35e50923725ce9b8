#pragma once
// Recorded channels from a file: CSV with a column of time, or named variables of a .mat or .h5 file.

#include <string>
#include <vector>

#include "faying/signal/record.hpp"

namespace faying::app {

struct Channels {
    std::vector<std::string> names;
    std::vector<signal::Record> records;
};

/// All channels of a file at even sampling. `time` names the column of time (default: t, time, or the first).
Channels read_channels(const std::string& file, const std::string& time);

/// By name, or by number from 1; the only one when `wanted` is empty. Throws core::BadInput listing what is there.
const signal::Record& channel(const Channels& channels, const std::string& wanted, const std::string& file);

}  // namespace faying::app
