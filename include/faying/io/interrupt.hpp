#pragma once
// Ctrl-C while something resumable runs: the flag is looked at between steps, and a command ends with status 130.

#include <csignal>

namespace faying::io {

/// From construction to destruction, SIGINT and SIGTERM only raise a flag; a second one ends the process as usual.
class InterruptGuard {
 public:
    InterruptGuard() {
        flag() = 0;
        old_int_ = std::signal(SIGINT, raise_flag);
        old_term_ = std::signal(SIGTERM, raise_flag);
    }
    ~InterruptGuard() {
        std::signal(SIGINT, old_int_);
        std::signal(SIGTERM, old_term_);
    }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    bool raised() const { return flag() != 0; }

 private:
    using Handler = void (*)(int);
    Handler old_int_, old_term_;

    static volatile std::sig_atomic_t& flag() {
        static volatile std::sig_atomic_t value = 0;
        return value;
    }
    static void raise_flag(int signal) {
        flag() = 1;
        std::signal(signal, SIG_DFL);
    }
};

}  // namespace faying::io
