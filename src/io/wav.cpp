// RIFF and RF64 WAVE: integers of 8 to 32 bits and floating point, any number of channels.

#include <fmt/format.h>

#include <cstdint>

#include "faying/core/error.hpp"
#include "recording.hpp"

namespace faying::io {

namespace {

struct WaveFormat {
    std::uint16_t tag = 0, channels = 0, bits = 0;
    std::uint32_t rate = 0;
    std::size_t block = 0;  ///< bytes of one sample of all channels
};

constexpr std::uint16_t integers = 1, floats = 3, extensible = 0xFFFE;

WaveFormat wave_format(std::string_view chunk, std::size_t at, const std::string& path) {
    const auto bad = [&](const std::string& what) {
        return core::BadInput(path,
                              fmt::format("is no WAV file that can be read: its format chunk at byte {} {}", at, what));
    };
    if (chunk.size() < 16) throw bad("is cut short");
    WaveFormat f{number_at<std::uint16_t>(chunk, 0), number_at<std::uint16_t>(chunk, 2),
                 number_at<std::uint16_t>(chunk, 14), number_at<std::uint32_t>(chunk, 4),
                 number_at<std::uint16_t>(chunk, 12)};
    if (f.tag == extensible) {
        if (chunk.size() < 26) throw bad("is cut short");
        f.tag = number_at<std::uint16_t>(chunk, 24);
    }
    if (f.channels == 0 || f.rate == 0)
        throw bad(fmt::format("has {} channels at {} samples per second", f.channels, f.rate));
    const bool known = (f.tag == integers && (f.bits == 8 || f.bits == 16 || f.bits == 24 || f.bits == 32)) ||
                       (f.tag == floats && (f.bits == 32 || f.bits == 64));
    if (!known)
        throw bad(
            fmt::format("says coding {} of {} bits; integers (1) of 8, 16, 24 or 32 bits and floating point (3) of "
                        "32 or 64 are read",
                        f.tag, f.bits));
    if (f.block != std::size_t(f.channels) * f.bits / 8)
        throw bad(fmt::format("says {} bytes for a sample of {} channels of {} bits", f.block, f.channels, f.bits));
    return f;
}

/// Integers as a share of full scale, which is what a recorder's sensitivity is given for.
double wave_value(std::string_view data, std::size_t at, const WaveFormat& f) {
    if (f.tag == floats) return f.bits == 32 ? double(number_at<float>(data, at)) : number_at<double>(data, at);
    switch (f.bits) {
        case 8: return (double(number_at<std::uint8_t>(data, at)) - 128) / 128;
        case 16: return double(number_at<std::int16_t>(data, at)) / 32768;
        case 24: {
            std::uint32_t x = 0;
            for (std::size_t i = 0; i < 3; ++i) x |= std::uint32_t(std::uint8_t(data[at + i])) << (8 * (i + 1));
            return double(std::int32_t(x)) / 2147483648.0;
        }
        default: return double(number_at<std::int32_t>(data, at)) / 2147483648.0;
    }
}

}  // namespace

std::vector<RecordedChannel> wav_channels(std::string_view bytes, const std::string& path) {
    const auto bad = [&](const std::string& what) { return core::BadInput(path, what); };
    const bool wide = bytes.starts_with("RF64");
    if (bytes.size() < 12 || !(bytes.starts_with("RIFF") || wide) || bytes.substr(8, 4) != "WAVE")
        throw bad("is no WAV file: it does not begin with RIFF .. WAVE");
    WaveFormat format;
    bool known = false;
    std::uint64_t wide_size = 0;
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const std::string_view name = bytes.substr(at, 4);
        std::uint64_t size = number_at<std::uint32_t>(bytes, at + 4);
        const std::size_t begin = at + 8, left = bytes.size() - begin;
        if (name == "data") {
            if (!known) throw bad(fmt::format("is damaged: data at byte {} come before their format", at));
            if (wide && size == 0xFFFFFFFFu) size = wide_size;
            if (size == 0 || size == 0xFFFFFFFFu) size = left;  // a stream whose length nobody filled in
            if (size > left)
                throw bad(
                    fmt::format("is cut short: the data at byte {} should be {} bytes, {} are there", at, size, left));
            const std::string_view data = bytes.substr(begin, size - size % format.block);
            const std::size_t samples = data.size() / format.block, width = format.bits / 8;
            std::vector<RecordedChannel> channels(format.channels);
            for (std::size_t c = 0; c < channels.size(); ++c) {
                channels[c] = {fmt::format("channel{}", c + 1), format.tag == integers ? "full scale" : "", 0,
                               1.0 / format.rate};
                channels[c].values.reserve(samples);
                for (std::size_t i = 0; i < samples; ++i)
                    channels[c].values.push_back(wave_value(data, i * format.block + c * width, format));
            }
            return channels;
        }
        if (size > left)
            throw bad(
                fmt::format("is cut short: the chunk at byte {} should be {} bytes, {} are there", at, size, left));
        if (name == "ds64" && size >= 16) wide_size = number_at<std::uint64_t>(bytes, begin + 8);
        if (name == "fmt ") {
            format = wave_format(bytes.substr(begin, size), at, path);
            known = true;
        }
        at = begin + size + size % 2;
    }
    throw bad("is cut short: it has no data");
}

}  // namespace faying::io
