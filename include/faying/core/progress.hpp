#pragma once
// A progress line with time left, on standard error, for anything that lasts more than two seconds. Silent when
// standard error is not a terminal.

#include <chrono>
#include <string>
#include <string_view>

namespace faying::core {

class Progress {
 public:
    Progress(std::string label, std::size_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `done` of the total are finished.
    void at(std::size_t done);
    /// The same with another label, and a time left that the caller knows better (0: not known).
    void at(std::size_t done, const std::string& label, double seconds_left);

 private:
    using Clock = std::chrono::steady_clock;
    std::string label_;
    std::size_t total_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point shown_ = start_;
    bool terminal_;
    bool visible_ = false;

    bool due();
    void show(std::size_t done, const std::string& label, const std::string& left);
};

/// Says something on standard error. Where that cannot be written the work goes on: nobody is there to read it.
void tell(std::string_view text);

/// "35 s", "4 min 10 s", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace faying::core
