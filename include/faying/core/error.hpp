#pragma once
// What can go wrong, and what the command line makes of it: BadInput ends with status 2, NotConverged with 3.

#include <stdexcept>
#include <string>

namespace faying::core {

/// The user gave something that cannot be used. The message says where, what was wrong and what is allowed.
class BadInput : public std::runtime_error {
 public:
    BadInput(const std::string& where, const std::string& what) : std::runtime_error(where + ": " + what) {}
    explicit BadInput(const std::string& message) : std::runtime_error(message) {}
};

/// A solver stopped short of its tolerance. The residual it reached is part of the answer.
class NotConverged : public std::runtime_error {
 public:
    NotConverged(const std::string& message, double residual_reached)
        : std::runtime_error(message), residual(residual_reached) {}
    double residual;
};

/// Options check themselves by quoting the constraint they break:  require(tolerance > 0, "cycle", "tolerance > 0")
inline void require(bool held, const char* owner, const char* constraint) {
    if (!held) throw BadInput(owner, std::string("violates ") + constraint);
}

}  // namespace faying::core
