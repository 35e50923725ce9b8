#pragma once
// Recorded channels from a file: CSV with a column of time, named variables of a .mat or .h5 file, universal files, WAV.
//
//     const Channels all = read_channels("hammer3.mat", {});
//     const signal::Record& tip = channel(all, "tip", "hammer3.mat");

#include <string>
#include <vector>

#include "faying/signal/record.hpp"

namespace faying::results {

struct Channels {
    std::vector<std::string> names;
    std::vector<std::string> units = {};  ///< one each, as the file says them; "" where it says none
    std::vector<signal::Record> records;
};

/// Where time comes from: a column or variable (default: the one called so, in ms, us or ns where its name or unit says
/// so; what rises evenly; a sampling rate in the file; a CSV file's first column), or so many samples per second, when
/// the file has none or it is rounded.
struct TimeAxis {
    std::string name = {};
    double rate = 0;  ///< Hz; 0: from the file
};

/// Records of a file that were taken alike (hits, one after the other), and others in it that were not.
struct RecordsRead {
    std::vector<Channels> records;      ///< at least one, each with channels at even sampling
    std::vector<std::string> left_out;  ///< names of the time axes of the others
};
RecordsRead read_records(const std::string& file, const TimeAxis& time);

/// The first of these.
Channels read_channels(const std::string& file, const TimeAxis& time);

/// By name, or by number from 1; the only one when `wanted` is empty. Throws core::BadInput listing what is there.
const signal::Record& channel(const Channels& channels, const std::string& wanted, const std::string& file);

}  // namespace faying::results
