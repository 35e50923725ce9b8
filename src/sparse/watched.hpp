#pragma once
// Private to sparse/: a sign of life while a library works that gives none.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace faying::sparse {

/// Calls `tick` with the seconds since it began: at once, then five times per second on a thread of its own, as long as
/// it lives. What `tick` touches nobody else may meanwhile. None without `tick`.
class Watched {
 public:
    explicit Watched(std::function<void(double)> tick) : tick_(std::move(tick)) {
        if (!tick_) return;
        tick_(0);
        thread_ = std::thread([this] {
            std::unique_lock lock(mutex_);
            while (!ended_.wait_for(lock, std::chrono::milliseconds(200), [this] { return over_; })) tick_(seconds());
        });
    }
    ~Watched() {
        if (!thread_.joinable()) return;
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        ended_.notify_all();
        thread_.join();
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }

 private:
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::function<void(double)> tick_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace faying::sparse
