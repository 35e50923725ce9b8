#pragma once
// How `faying loop` shows its answers: JSON, text, CSV, plots.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/laws/catalogue.hpp"
#include "loop_input.hpp"

namespace faying::app {

struct PathRun {
    laws::Law law;
    laws::History history;
    std::vector<laws::History> derivatives;  ///< by parameter, or empty
};

struct CycleResult {
    laws::Cycle<double> cycle;
    std::vector<laws::Cycle<double>> derivatives;
    bool converged = false;
};

struct CycleRun {
    laws::Law law;
    std::vector<CycleResult> results;
    std::vector<laws::History> loops;
};

struct ContactRun {
    std::string law;
    core::ParameterValues parameters;
    laws::ContactHistory history;
};

/// Fails before any work if the plot's ending is neither .html nor .svg.
void check_outputs(const std::string& csv, const std::string& plot);

nlohmann::json paths_json(const std::vector<PathRun>& runs, const LoopInput& input);
void print_paths(const std::vector<PathRun>& runs, const LoopInput& input);
void write_paths(const std::vector<PathRun>& runs, const LoopInput& input, const std::string& csv,
                 const std::string& plot, const std::string& title);

nlohmann::json cycles_json(const std::vector<CycleRun>& runs, bool derivatives);
void print_cycles(const std::vector<CycleRun>& runs);
void write_cycles(const std::vector<CycleRun>& runs, const std::string& csv, const std::string& plot,
                  const std::string& title);

ContactRun follow_contact(const std::string& law, const core::ParameterValues& values, const LoopInput& input);
nlohmann::json contact_json(const ContactRun& run);
void print_contact(const ContactRun& run);
void write_contact(const ContactRun& run, const std::string& csv, const std::string& plot, const std::string& title);

}  // namespace faying::app
