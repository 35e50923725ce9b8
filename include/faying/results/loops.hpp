#pragma once
// Laws by themselves: along a path, a formula in time or a recorded history, and in steady cycles.
//
//     const auto path = input_from_path("0,3,-1,2");
//     const auto runs = follow({laws::Law("jenkins", {{"kt", 1}, {"fs", 2}})}, path);
//     runs.runs[0].history.f;                                   // forces at the points
//     text(runs), json(runs);                                   // and table, figure: as `faying loop` shows them
//
//     const auto cycles = steady_cycles({law}, {0.1, 1, 10});   // cycles.runs[0].results[2].cycle.dissipation

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/io/output.hpp"
#include "faying/laws/catalogue.hpp"

namespace faying::results {

/// Points to follow. `report` picks the ones to show (turning points of a signal are followed but not shown).
struct LoopInput {
    std::vector<double> times;   ///< empty for a path
    std::vector<double> points;  ///< displacements (forces for a force-driven law)
    std::vector<std::size_t> report;
    std::vector<laws::Vector3<double>> contact;  ///< instead of points, for x:y:n paths
};

/// "0,1,-0.5", or "x:y:n,x:y:n" for contact laws.
LoopInput input_from_path(const std::string& text);
/// A formula in t at START:STOP:COUNT; turning points between samples are found.
LoopInput input_from_signal(const std::string& formula, const std::string& times);
/// Columns u; t and u; or x, y, n of a CSV file.
LoopInput input_from_history(const std::string& file);

/// What to follow, as it is asked for: --path, --signal with --time, or --history.
struct HistoryWords {
    std::string path = {}, signal = {}, time = {}, history = {};

    bool given() const { return !path.empty() || !signal.empty() || !history.empty(); }
    /// Throws BadInput, naming the command, unless exactly one of `ways` is given (`instead`: one that is not here).
    void check(const std::string& command, bool instead = false,
               const std::string& ways = "--path, --signal (with --time) and --history") const;
    LoopInput input() const;
};

/// The law of --law and those of --compare, in this order. Throws BadInput where there is none, or one twice.
std::vector<std::string> chosen_laws(const std::string& command, const std::string& law,
                                     const std::vector<std::string>& compared);
/// "iwan4:FS=10,KT=1".
laws::Law parse_law(const std::string& text);
/// The law with its parameters (key=value), or those of --compare (as parse_law takes them). Throws BadInput for both and for none.
std::vector<laws::Law> given_laws(const std::string& law, const std::vector<std::string>& parameters,
                                  const std::vector<std::string>& compared);

/// The same path with every straight piece cut into `pieces`, for drawing (exact laws do not mind).
std::vector<double> refined(const std::vector<double>& points, int pieces);

struct PathRun {
    laws::Law law;
    laws::History history;
    std::vector<laws::History> derivatives;  ///< by parameter, or empty
};
struct PathRuns {
    LoopInput input;
    std::vector<PathRun> runs;
};

/// Laws along one path, with derivatives to their parameters where asked for. Throws BadInput where one is driven by
/// force and another by displacement.
PathRuns follow(const std::vector<laws::Law>& laws, const LoopInput& input, bool derivatives = false);

struct CycleResult {
    laws::Cycle<double> cycle;
    std::vector<laws::Cycle<double>> derivatives;
    bool converged = false;
    std::string reason;  ///< why not
};
struct CycleRun {
    laws::Law law;
    std::vector<CycleResult> results;
};
struct CycleRuns {
    std::vector<CycleRun> runs;

    /// Throws NotConverged, with the largest residual, for the last cycle that did not converge.
    void require_converged() const;
};

/// Steady cycles of laws at amplitudes; `done` is told how many there are.
CycleRuns steady_cycles(const std::vector<laws::Law>& laws, const std::vector<double>& amplitudes,
                        bool derivatives = false, const std::function<void(std::size_t done)>& done = {});

struct ContactRun {
    std::string law;
    core::ParameterValues parameters;
    laws::ContactHistory history;
};
/// A contact law along x:y:n points. Throws BadInput, naming those there are, for another law.
ContactRun follow_contact(const std::string& law, const core::ParameterValues& values, const LoopInput& input);

nlohmann::json json(const PathRuns& runs);
nlohmann::json json(const CycleRuns& runs);
nlohmann::json json(const ContactRun& run);
io::Table table(const PathRuns& runs);
io::Table table(const CycleRuns& runs);
io::Table table(const ContactRun& run);
io::Figure figure(const PathRuns& runs);
io::Figure figure(const CycleRuns& runs);
io::Figure figure(const ContactRun& run);
std::string text(const PathRuns& runs);
std::string text(const CycleRuns& runs);
std::string text(const ContactRun& run);

}  // namespace faying::results
