#include "recording.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "faying/io/text_file.hpp"

namespace faying::io {

namespace {

std::string ending_of(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return ending;
}

std::string bytes_of(const std::string& path) {
    constexpr std::uint64_t most = 4'000'000'000;
    std::error_code failed;
    if (!std::filesystem::exists(path, failed)) throw core::BadInput(path, "there is no such file");
    if (!std::filesystem::is_regular_file(path, failed)) throw core::BadInput(path, "is not a file");
    const auto size = std::filesystem::file_size(path, failed);
    if (failed || size > most) throw core::BadInput(path, "is larger than 4 GB, or cannot be read");
    std::ifstream file(path, std::ios::binary);
    std::string bytes(size, '\0');
    if (!file.read(bytes.data(), std::streamsize(size))) throw core::BadInput(path, "cannot be read");
    return bytes;
}

}  // namespace

bool is_recording(const std::string& path) {
    const std::string ending = ending_of(path);
    return ending == ".wav" || ending == ".uff" || ending == ".unv";
}

std::vector<RecordedChannel> read_recording(const std::string& path) {
    const std::string bytes = bytes_of(input(path));
    auto channels = ending_of(path) == ".wav" ? wav_channels(bytes, path) : uff_channels(bytes, path);
    for (auto& channel : channels) {
        channel.name = valid_utf8(channel.name);
        channel.unit = valid_utf8(channel.unit);
    }
    return channels;
}

}  // namespace faying::io
