#pragma once
// Text files, read whole and within limits: what is no text of a sensible size (a device, a disk image, a single line
// of hundreds of megabytes) ends with one line saying so, in seconds and with bounded memory.
//
//     const std::string deck = io::read_text("beam.inp");

#include <cstdint>
#include <string>

namespace faying::io {

/// The same where it is valid UTF-8, which JSON, pages and stores need; every byte that is not is taken as Latin-1,
/// which older programs write.
std::string valid_utf8(std::string text);

struct TextLimits {
    std::uint64_t size = 4'000'000'000;  ///< bytes of the file
    std::size_t line = 16'000'000;       ///< bytes of a line
};

/// Valid UTF-8 without byte order mark. Throws core::BadInput naming the file for what cannot be read, is a folder or a
/// device, is no text (a zero byte), or goes beyond the limits. Pipes are read to their end.
std::string read_text(const std::string& path, const TextLimits& limits = {});

}  // namespace faying::io
