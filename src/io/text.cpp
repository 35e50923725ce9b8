#include "faying/io/text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"

namespace faying::io {

namespace {

constexpr std::size_t most_text = std::size_t(1) << 31;

/// Bytes of the UTF-8 character that begins at `at`; 0 if none does. Shortest forms only, no surrogates (Unicode 15,
/// Table 3-7).
std::size_t utf8_length(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto within = [&](std::size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
    const unsigned first = byte(at);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return within(at + 1, 0x80, 0xBF) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
        return within(at + 1, low, high) && within(at + 2, 0x80, 0xBF) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
        return within(at + 1, low, high) && within(at + 2, 0x80, 0xBF) && within(at + 3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

}  // namespace

std::string valid_utf8(std::string text) {
    std::size_t valid = 0;
    while (valid < text.size()) {
        const auto length = utf8_length(text, valid);
        if (length == 0) break;
        valid += length;
    }
    if (valid == text.size()) return text;
    std::string made = text.substr(0, valid);
    for (std::size_t at = valid; at < text.size();) {
        const auto length = utf8_length(text, at);
        if (length > 0) {
            made.append(text, at, length);
            at += length;
            continue;
        }
        const auto latin = static_cast<unsigned char>(text[at++]);
        made += char(0xC0 | (latin >> 6));
        made += char(0x80 | (latin & 0x3F));
    }
    return made;
}

std::string read_text(const std::string& path) {
    if (std::filesystem::is_directory(path)) throw core::BadInput(path, "is a folder; a text file is needed");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw core::BadInput(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    std::string text, part(std::size_t(1) << 16, '\0');
    do {
        file.read(part.data(), std::streamsize(part.size()));
        text.append(part, 0, std::size_t(file.gcount()));
        if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
            throw core::BadInput(path + ":1", "is UTF-16 text; save it as UTF-8");
        const std::string_view read(part.data(), std::size_t(file.gcount()));
        if (const auto zero = read.find('\0'); zero != std::string_view::npos)
            throw core::BadInput(path,
                                 fmt::format("is not text: byte {} is zero", text.size() - read.size() + zero + 1));
        if (text.size() > most_text) throw core::BadInput(path, "is longer than 2 GiB");
    } while (file);
    if (file.bad()) throw core::BadInput(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return valid_utf8(std::move(text));
}

}  // namespace faying::io
