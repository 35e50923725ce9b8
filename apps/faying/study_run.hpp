#pragma once
// What `faying study` and `faying fit` share.

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "command.hpp"
#include "faying/study/study.hpp"

namespace faying::app {

struct StudyRun {
    Common common;
    std::string command, out, fronts;
    std::function<void(const nlohmann::json& report)> print = {};
};

/// Fills in the names that were not given.
void complete(StudyRun& run, const std::string& file);

/// Runs or goes on, writes the fronts, prints the ranking. Under mpirun the other ranks evaluate until rank 0 is done.
void run_study(const study::Study& study, const StudyRun& run);

/// Bad input is the same on every rank: only the first says so.
void on_all_ranks(const std::function<void()>& body);

}  // namespace faying::app
