#pragma once
// How far a study is: work done and left, by what evaluations are expected to cost; and how long each variant took.

#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "faying/study/run.hpp"

namespace faying::study {

/// From any thread. Variants are given by their place in the study.
class StudyProgress {
 public:
    StudyProgress(const Study& study, const RunOptions& options);

    void begin(std::size_t variant);
    void phase(std::size_t variant, std::string text);
    void evaluated(std::size_t variant, bool fresh);
    /// The variant is done, also if it took fewer evaluations than planned.
    void finished(std::size_t variant, bool stored);
    /// Since it began, in s: time in which several variants run is shared among them, so that all together took what
    /// the study took.
    double seconds(std::size_t variant);
    void log(const std::string& text);

 private:
    using Clock = std::chrono::steady_clock;
    struct Work {
        double all = 0, done = 0;  ///< s of expected cost
        double cost = 0;           ///< of an evaluation
        double seconds = 0;
        std::string phase = {};
    };
    const Study& study_;
    const RunOptions& options_;
    std::mutex mutex_;
    std::vector<Work> work_;
    std::set<std::size_t> running_;
    double total_ = 0, done_ = 0, worked_ = 0;
    long fresh_ = 0;
    Clock::time_point start_, shared_;
    RunStatus status_;

    void share_time();
    void advance(Work& work, double cost);
    void show();
};

}  // namespace faying::study
