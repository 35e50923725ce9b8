#pragma once
// Progress of work that goes through stages of different kinds, each with its own label.
//
//     Stages stages("modes");
//     stages.at(0.2, "factorising 16548 DOF");
//     auto done = stages.within(0.2, 0.6);        // a callback for shares of that stage

#include <chrono>
#include <functional>

#include "faying/core/progress.hpp"

namespace faying::core {

class Stages {
 public:
    explicit Stages(const std::string& command) : command_(command), progress_(command, 1000) {}

    void at(double share, const std::string& doing) {
        doing_ = doing;
        at(share);
    }
    void at(double share) {
        const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        progress_.at(static_cast<std::size_t>(1000 * share), command_ + ": " + doing_,
                     share > 0 ? elapsed * (1 / share - 1) : 0);
    }
    /// Shares of the stage that lasts from one share of the whole to another.
    std::function<void(double)> within(double from, double to) {
        return [this, from, to](double share) { at(from + share * (to - from)); };
    }

 private:
    std::string command_, doing_;
    Progress progress_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace faying::core
