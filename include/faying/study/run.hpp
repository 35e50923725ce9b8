#pragma once
// Runs a study: every variant is searched, its front certified at tight tolerance, the other modes predicted, and all
// of it kept in the store. Started again, it goes on where it was. On several cores variants overlap, so that no core
// waits for the last evaluation of a generation; each gives the same whatever the others do.
//
//     const Study study = read_study("study.toml");
//     Evaluator evaluator(study);
//     Workers workers(std::ref(evaluator), threads);
//     if (!workers.asks()) return workers.serve();
//     Store store("study.db", Access::write);
//     run(study, store, workers, evaluator, {});

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "faying/study/result.hpp"
#include "faying/study/study.hpp"
#include "faying/study/workers.hpp"

namespace faying::study {

/// The problems of a study, each made when it is first asked for.
class Evaluator {
 public:
    explicit Evaluator(const Study& study);
    Outcome operator()(const Task& task) { return problem(task.variant).evaluate(task.phase, task.values); }
    const Problem& problem(int variant);

 private:
    const Study& study_;
    std::vector<std::once_flag> made_;
    std::vector<std::unique_ptr<Problem>> problems_;
};

/// What a progress line shows.
struct RunStatus {
    std::string variant;
    std::string phase;  ///< "generation 12/30", "boundary intersection", "certifying"
    int finished = 0, variants = 0;
    double share = 0;         ///< of all work, by what evaluations are expected to cost
    double rate = 0;          ///< evaluations per second
    double seconds_left = 0;  ///< 0: not known yet
};

struct RunOptions {
    std::string code_version, command;
    std::function<bool()> stop = {};                      ///< true: end soon, with core::Interrupted
    std::function<void(const RunStatus&)> progress = {};  ///< from any thread, one at a time
    std::function<void(const std::string&)> log = {};     ///< a line for each variant that is finished
};

/// Throws BadInput when the store belongs to another study (naming the first difference) or cannot be written, core::Interrupted.
void run(const Study& study, Store& store, Workers& workers, Evaluator& evaluator, const RunOptions& options);

/// What a study is kept in and writes.
struct StudyFiles {
    std::string store = {};   ///< evaluations; a study that is run again goes on with it
    std::string fronts = {};  ///< folder for fronts, ranking and model files; empty: they are not written
};
/// With the names that were not given: the study file's with .db, the store's with _fronts.
StudyFiles study_files(const std::string& file, const StudyFiles& given = {});

/// All of it: runs or goes on, and writes the fronts. Under mpirun the other ranks evaluate until rank 0 is done, and
/// have no result. Throws as run does; Interrupted says what was kept.
std::optional<StudyResult> run_study(const Study& study, const StudyFiles& files, int threads,
                                     const RunOptions& options);

}  // namespace faying::study
