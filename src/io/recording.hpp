#pragma once
// Private to io/: the two formats behind read_recording, from the bytes of a file.

#include <bit>
#include <cstring>
#include <string_view>

#include "faying/io/recording.hpp"

namespace faying::io {

std::vector<RecordedChannel> wav_channels(std::string_view bytes, const std::string& path);
std::vector<RecordedChannel> uff_channels(std::string_view bytes, const std::string& path);

/// A number as it lies in a file; `at` must be within the bytes.
template <class T>
T number_at(std::string_view bytes, std::size_t at, bool little = true) {
    char raw[sizeof(T)];
    std::memcpy(raw, bytes.data() + at, sizeof(T));
    if (little != (std::endian::native == std::endian::little))
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
}

}  // namespace faying::io
