#pragma once
// Messages between the ranks of a study, and how often to look for them.
//
//     messages.send(0, answer);
//     const bool came = messages.collect([&](const std::string& text) { take(text); });
//     patience.sleep(came, all_threads_are_busy);

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "faying/sparse/messages.hpp"

namespace faying::study {

/// Looking for messages costs some microseconds of the core that looks, so that it is done between evaluations by whoever
/// made one, and beside them only this often: while all threads evaluate, or when nothing has come for long ..
inline constexpr auto long_nap = std::chrono::microseconds(1000);
/// .. and while a thread has nothing to do.
inline constexpr auto short_nap = std::chrono::microseconds(50);

/// Messages from any thread: MPI is entered by one at a time.
class Messages {
 public:
    void send(int rank, const std::string& text) {
        const std::lock_guard lock(mutex_);
        sparse::send(rank, text);
    }
    /// All that has come, one by one; whether there was any.
    template <class Take>
    bool collect(const Take& take) {
        bool any = false;
        while (const auto message = next()) {
            any = true;
            take(message->text);
        }
        return any;
    }

 private:
    std::mutex mutex_;

    std::optional<sparse::Message> next() {
        const std::lock_guard lock(mutex_);
        return sparse::arrived();
    }
};

/// How long to sleep before the next look.
class Patience {
 public:
    void sleep(bool came, bool all_busy) {
        nap_ = came ? short_nap : std::min(2 * nap_, long_nap);
        std::this_thread::sleep_for(all_busy ? long_nap : nap_);
    }

 private:
    std::chrono::microseconds nap_ = short_nap;
};

}  // namespace faying::study
