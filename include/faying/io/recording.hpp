#pragma once
// Records as instruments write them: universal files (UFF, .uff or .unv: data sets 58 and 58b, units of 164) and WAV.
//
//     for (const auto& channel : read_recording("hammer.uff")) channel.name, channel.unit, channel.values;
//
// Formats and what is read of them: docs/theory/signals.md.

#include <string>
#include <vector>

namespace faying::io {

struct RecordedChannel {
    std::string name;
    std::string unit = {};           ///< as the file says it; "full scale" of integers in WAV; "" where it says none
    double start = 0, step = 0;      ///< s, of even sampling
    std::vector<double> times = {};  ///< s, where sampling is not even
    std::vector<double> values = {};
};

/// Whether the extension is that of such a file: .uff, .unv, .wav.
bool is_recording(const std::string& path);

/// Time histories of the file; spectra and other functions in a universal file are passed over. Throws core::BadInput
/// naming what is wrong and at which byte, and for a file that has none.
std::vector<RecordedChannel> read_recording(const std::string& path);

}  // namespace faying::io
