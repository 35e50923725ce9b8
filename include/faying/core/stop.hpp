#pragma once
// Long work that can be asked to end. Solvers pass a stop point between their steps; whoever called them raises the
// flag, from a signal handler or another thread, and gets Interrupted.
//
//     core::request_stop();        // in a handler of SIGINT
//     core::stop_point();          // in a solver, between two steps

#include <atomic>
#include <stdexcept>

namespace faying::core {

class Interrupted : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

namespace detail {
inline std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // else no signal handler could raise it
}  // namespace detail

inline void request_stop() { detail::stop_requested.store(true, std::memory_order_relaxed); }
/// Before work that may be stopped, so that an earlier request does not end it.
inline void clear_stop() { detail::stop_requested.store(false, std::memory_order_relaxed); }
inline bool stop_requested() { return detail::stop_requested.load(std::memory_order_relaxed); }

/// Throws Interrupted when a stop was asked for.
inline void stop_point() {
    if (stop_requested()) throw Interrupted("interrupted");
}

}  // namespace faying::core
