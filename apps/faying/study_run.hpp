#pragma once
// What `faying study` and `faying fit` share.

#include <functional>
#include <string>

#include "command.hpp"
#include "faying/study/run.hpp"

namespace faying::app {

struct StudyRun {
    Common common;
    std::string command;
    study::StudyFiles files;
    std::function<std::string(const study::StudyResult& result)> text = {};
    std::function<void(const study::Study& plan)> check = {};  ///< refuses, with BadInput, what the command is not for
    /// Takes a file that is no study, and says so; before anything else.
    std::function<bool(const std::string& file, const StudyRun& run)> instead = {};
};

/// The subcommand `run.command`: a study file is run or gone on with, its fronts are written.
void add_study_command(CLI::App& app, StudyRun run, const char* description, const char* footer);

}  // namespace faying::app
