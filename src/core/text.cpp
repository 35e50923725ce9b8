#include "faying/core/text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace faying::core {

namespace {

/// How many bytes a character has that begins with this one; 0: none begins so.
std::size_t length_of(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    if (first >= 0xF0 && first < 0xF5) return 4;
    return 0;
}

std::uint32_t code_of(std::string_view bytes) {
    if (bytes.size() == 1) return static_cast<unsigned char>(bytes[0]);
    std::uint32_t code = static_cast<unsigned char>(bytes[0]) & (0x7Fu >> bytes.size());
    for (const char c : bytes.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
    return code;
}

/// Not a longer spelling of a shorter one, not half a pair, not beyond the last.
bool is_character(std::uint32_t code, std::size_t length) {
    if (length == 3) return code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
    return length < 4 || (code >= 0x10000 && code <= 0x10FFFF);
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string spelled_out(std::uint32_t code) {
    switch (code) {
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: return fmt::format("\\u{:04x}", code);
    }
}

}  // namespace

std::string ControlEscaper::rest() {
    std::string out;
    for (const char c : begun_) fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
    begun_.clear();
    return out;
}

void ControlEscaper::finish(std::string& out) {
    const auto code = code_of(begun_);
    if (!is_character(code, begun_.size())) {
        out += rest();
        return;
    }
    const bool plain = (code == '\n' || code == '\t') && breaks_ == LineBreaks::kept;
    out += is_control(code) && !plain ? spelled_out(code) : begun_;
    begun_.clear();
}

void ControlEscaper::put(std::string& out, unsigned char byte) {
    const bool continues = byte >= 0x80 && byte < 0xC0;
    if (!begun_.empty() && !continues) out += rest();
    begun_ += static_cast<char>(byte);
    const auto length = length_of(static_cast<unsigned char>(begun_[0]));
    if (length == 0)
        out += rest();
    else if (begun_.size() == length)
        finish(out);
}

std::string ControlEscaper::operator()(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    for (const char c : bytes) put(out, static_cast<unsigned char>(c));
    return out;
}

std::string one_line(std::string_view text) {
    ControlEscaper escaper(ControlEscaper::LineBreaks::escaped);
    std::string out = escaper(text);
    return out + escaper.rest();
}

}  // namespace faying::core
