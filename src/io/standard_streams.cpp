#include "faying/io/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>

#include "faying/core/text.hpp"

namespace faying::io {

namespace {

constexpr std::string_view erase_line = "\r\033[K";  // of core::Progress

/// One of the two standard streams, as the cookie of its replacement.
struct Channel {
    int descriptor;
    core::ControlEscaper escaper = core::ControlEscaper(core::ControlEscaper::LineBreaks::kept);

    std::string escaped(std::string_view text) {
        std::string out;
        for (auto at = text.find(erase_line); at != std::string_view::npos; at = text.find(erase_line)) {
            out += escaper(text.substr(0, at));
            out += erase_line;
            text.remove_prefix(at + erase_line.size());
        }
        return out + escaper(text);
    }
    bool write(const std::string& text) const {
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t count = ::write(descriptor, text.data() + at, text.size() - at);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return false;
            at += static_cast<std::size_t>(count);
        }
        return true;
    }
};

ssize_t write_escaped(void* cookie, const char* bytes, std::size_t size) {
    auto& channel = *static_cast<Channel*>(cookie);
    return channel.write(channel.escaped({bytes, size})) ? static_cast<ssize_t>(size) : 0;
}

int close_escaped(void* cookie) {
    auto& channel = *static_cast<Channel*>(cookie);
    return channel.write(channel.escaper.rest()) ? 0 : EOF;
}

void replace(std::FILE*& stream, Channel& channel, int buffering) {
    std::FILE* escaped = ::fopencookie(&channel, "w", {nullptr, write_escaped, nullptr, close_escaped});
    if (!escaped) return;
    std::setvbuf(escaped, nullptr, buffering, BUFSIZ);
    std::fflush(stream);
    stream = escaped;
}

}  // namespace

OutputFailed::OutputFailed(int error) : std::runtime_error(std::strerror(error)), code(error) {}

void flush_standard_output() {
    errno = 0;
    if (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout))
        throw OutputFailed(errno != 0 ? errno : EIO);
}

void open_standard_streams() {
    for (const int id : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(id, F_GETFD) < 0 && ::open("/dev/null", id == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            std::_Exit(1);
}

void ignore_signals_of_writing() {
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

void escape_standard_streams() {
    // Never destroyed: what is still buffered is written after the last destructor.
    static Channel &output = *new Channel{STDOUT_FILENO}, &error = *new Channel{STDERR_FILENO};
    replace(stdout, output, ::isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    replace(stderr, error, _IONBF);
}

}  // namespace faying::io
