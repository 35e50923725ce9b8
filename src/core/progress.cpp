#include "faying/core/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "faying/core/progress_lines.hpp"
#include "faying/core/stop.hpp"

namespace faying::core {

namespace {

std::atomic<bool> in_lines = false;

/// Whether a line of its own is due: one per second, and one for every label.
bool line_due(const std::string& label) {
    static std::mutex mutex;
    static std::string last;
    static std::chrono::steady_clock::time_point shown;
    const std::lock_guard lock(mutex);
    const auto now = std::chrono::steady_clock::now();
    if (label == last && now - shown < std::chrono::seconds(1)) return false;
    last = label;
    shown = now;
    return true;
}

}  // namespace

void show_progress_in_lines() { in_lines = true; }

std::string duration_text(double seconds) {
    const long s = std::lround(seconds);
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
    return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

void tell(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stderr) != text.size() || std::fflush(stderr) != 0)
        std::clearerr(stderr);
}

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)), total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    if (visible_) tell("\r\033[K");
}

bool Progress::due() {
    if (!terminal_ || total_ == 0) return false;
    using Seconds = std::chrono::duration<double>;
    const auto now = Clock::now();
    if (Seconds(now - start_).count() < 2.0 || Seconds(now - shown_).count() < 0.1) return false;
    shown_ = now;
    return visible_ = true;
}

void Progress::show(std::size_t done, const std::string& label, const std::string& left) {
    const double fraction = std::min(1.0, double(done) / double(total_));
    tell(fmt::format("{}{} [{:<30}] {:3.0f} %  {}{}", in_lines ? "" : "\r\033[K", label,
                     std::string(std::size_t(30 * fraction), '#'), 100 * fraction, left, in_lines ? "\n" : ""));
}

void Progress::at(std::size_t done) {
    stop_point();
    if (in_lines ? total_ == 0 || !line_due(label_) : !due()) return;
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    show(done, label_, done > 0 ? duration_text(elapsed * (double(total_) / double(done) - 1.0)) + " left" : "");
}

void Progress::at(std::size_t done, const std::string& label, double seconds_left) {
    stop_point();
    if (in_lines ? total_ > 0 && line_due(label) : due())
        show(done, label, seconds_left > 0 ? duration_text(seconds_left) + " left" : "");
}

}  // namespace faying::core
