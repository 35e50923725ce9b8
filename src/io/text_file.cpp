#include "faying/io/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::io {

namespace {

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

class Opened {
 public:
    explicit Opened(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    ~Opened() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    operator int() const { return descriptor_; }

 private:
    int descriptor_;
};

[[noreturn]] void cannot_be_read(const std::string& path, int error) {
    if (error == ENOENT) throw core::BadInput(path, "there is no such file");
    throw core::BadInput(path, fmt::format("cannot be read: {}", std::strerror(error)));
}

/// Lines as they come in, piece by piece.
class LineMeter {
 public:
    LineMeter(const std::string& path, std::size_t most) : path_(path), most_(most) {}

    void take(std::string_view piece) {
        while (!piece.empty()) {
            const auto end = piece.find('\n');
            length_ += std::min(end, piece.size());
            if (length_ > most_)
                throw core::BadInput(
                    fmt::format("{}:{}", path_, line_),
                    fmt::format("is a line of more than {} MB; this is no text that is read here", most_ / 1000000));
            if (end == std::string_view::npos) return;
            ++line_;
            length_ = 0;
            piece.remove_prefix(end + 1);
        }
    }

 private:
    const std::string& path_;
    std::size_t most_, length_ = 0, line_ = 1;
};

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

std::string read_text(const std::string& path, const TextLimits& limits) {
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) cannot_be_read(path, errno);  // before opening: a device may act on that
    if (S_ISDIR(about.st_mode)) throw core::BadInput(path, "is a folder; a file is needed");
    if (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))
        throw core::BadInput(path, "is a device; a file or a pipe is needed");
    const auto too_large = [&] {
        throw core::BadInput(
            path, fmt::format("is larger than {} MB, the most that is read as such a file", limits.size / 1000000));
    };
    if (S_ISREG(about.st_mode) && std::uint64_t(about.st_size) > limits.size) too_large();
    const Opened file(input(path));
    if (file < 0) cannot_be_read(path, errno);
    LineMeter lines(path, limits.line);
    std::string text;
    if (S_ISREG(about.st_mode)) text.reserve(std::size_t(about.st_size) + 1);
    constexpr std::size_t piece = 1 << 20;
    for (;;) {
        const std::size_t before = text.size();
        text.resize(before + piece);
        const ssize_t count = ::read(file, text.data() + before, piece);
        text.resize(before + std::size_t(std::max<ssize_t>(0, count)));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) cannot_be_read(path, errno);
        if (count == 0) break;
        const auto read = std::string_view(text).substr(before);
        if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
            throw core::BadInput(path + ":1", "is UTF-16 text; save it as UTF-8");
        if (const auto zero = read.find('\0'); zero != std::string_view::npos)
            throw core::BadInput(path, fmt::format("is not text: byte {} is zero", before + zero + 1));
        lines.take(read);
        if (text.size() > limits.size) too_large();
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return valid_utf8(std::move(text));
}

}  // namespace faying::io
