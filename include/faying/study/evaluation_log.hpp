#pragma once
// Evaluations that are asked for once only: looked up among those of the store, else made and written down. A search
// that is started again asks the same questions in the same order, gets the stored answers at once, and goes on where
// it was stopped: the same result as if it never had been.
//
//     EvaluationLog evaluation_log(store, "iwan4", ask, {.stop = [] { return interrupted; }});
//     fit::nsga2(space, evaluation_log.objective(Phase::search), options);
//     evaluation_log.flush();

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "faying/study/problem.hpp"
#include "faying/study/store.hpp"

namespace faying::study {

class EvaluationLog {
 public:
    using Ask = std::function<Outcome(Phase, const std::vector<double>&)>;
    struct Options {
        std::function<bool()> stop = {};                 ///< looked at before every evaluation: core::Interrupted
        std::function<void(bool fresh)> evaluated = {};  ///< after every one; not fresh: it was in the store
        std::string code_version = {};
        std::vector<std::size_t> points = {};  ///< of the curves of every mode, to read those of the store
        double seconds_between_writes = 0.25;
    };

    EvaluationLog(Store& store, std::string variant, Ask ask, Options options);
    ~EvaluationLog();  ///< writes what is left, silently

    Outcome evaluate(Phase phase, const std::vector<double>& values);
    fit::Objective objective(Phase phase);
    /// What is waiting is written; throws BadInput when that is not possible (a full disk, ..).
    void flush();

    int generation = 0;  ///< put into the records

 private:
    using Key = std::pair<int, std::vector<double>>;
    Store& store_;
    std::string variant_;
    Ask ask_;
    Options options_;
    std::mutex mutex_;
    std::map<Key, Outcome> known_;
    std::vector<Record> waiting_;
    std::chrono::steady_clock::time_point written_;

    void write();  ///< with the mutex held
};

}  // namespace faying::study
