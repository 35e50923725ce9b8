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

namespace faying::io {

namespace {

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
    const Opened file(path);
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
        if (count == 0) return text;
        lines.take(std::string_view(text).substr(before));
        if (text.size() > limits.size) too_large();
    }
}

}  // namespace faying::io
