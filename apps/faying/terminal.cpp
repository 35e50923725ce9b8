#include "terminal.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "faying/core/environment.hpp"
#include "faying/core/text.hpp"

namespace faying::app {

namespace {

core::ControlEscaper& escaper() {
    static core::ControlEscaper one(core::ControlEscaper::LineBreaks::kept);
    return one;
}

bool written(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data() + at, text.size() - at);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        at += static_cast<std::size_t>(count);
    }
    return true;
}

ssize_t write_escaped(void*, const char* bytes, std::size_t size) {
    return written(escaper()({bytes, size})) ? static_cast<ssize_t>(size) : 0;
}

int close_escaped(void*) { return written(escaper().rest()) ? 0 : EOF; }

}  // namespace

void forget_environment(char** arguments) {
    if (core::foreign_variables().empty()) return;
    core::forget_foreign_variables();
    ::execv("/proc/self/exe", arguments);  // where that cannot be done, what is read from here on is still gone
}

void escape_standard_output() {
    std::FILE* escaped = ::fopencookie(nullptr, "w", {nullptr, write_escaped, nullptr, close_escaped});
    if (!escaped) return;
    if (::isatty(STDOUT_FILENO)) std::setvbuf(escaped, nullptr, _IOLBF, BUFSIZ);
    std::fflush(stdout);
    stdout = escaped;
}

}  // namespace faying::app
