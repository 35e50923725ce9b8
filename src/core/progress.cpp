#include "faying/core/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace faying::core {

std::string duration_text(double seconds) {
    const long s = static_cast<long>(seconds + 0.5);
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
    return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)), total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    if (visible_) fmt::print(stderr, "\r\033[K");
}

void Progress::at(std::size_t done) {
    if (!terminal_ || total_ == 0) return;
    using Seconds = std::chrono::duration<double>;
    const auto now = Clock::now();
    const double elapsed = Seconds(now - start_).count();
    if (elapsed < 2.0 || Seconds(now - shown_).count() < 0.1) return;
    shown_ = now;
    visible_ = true;
    const double fraction = double(done) / double(total_);
    const std::string left = done > 0 ? duration_text(elapsed * (1.0 / fraction - 1.0)) + " left" : "";
    fmt::print(stderr, "\r\033[K{} [{:<30}] {:3.0f} %  {}", label_, std::string(std::size_t(30 * fraction), '#'),
               100 * fraction, left);
    std::fflush(stderr);
}

}  // namespace faying::core
