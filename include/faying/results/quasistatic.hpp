#pragma once
// Quasi-static histories in words, and how `faying quasistatic` shows them.
//
//     SlowHistory history;
//     history.drives = {parse_drive(model, modes::DriveKind::force, "output=tip,p=30")};
//     history.shares = {0, 1, -1, 1};                            // times each drive's p or u
//     const SlowRun run = quasistatic(model, history);           // run.loop.run.points.back().displacement(0)

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "faying/files/uncondensed.hpp"
#include "faying/io/output.hpp"
#include "faying/modes/quasistatic.hpp"

namespace faying::results {

/// Something that moves the structure, and how far it goes at a share of 1.
struct ScaledDrive {
    modes::Drive drive;
    double scale = 1;
};

/// at=DOF | output=NAME | load=NAME | mode=N | base=1 and p=N (1) for a force; at=DOF | output=NAME and u=M (1) for a displacement.
/// Throws core::BadInput that names the option and what is allowed.
ScaledDrive parse_drive(const structure::Model& model, modes::DriveKind kind, const std::string& text);

/// at=DOF | output=NAME | load=NAME: held, once the static force acts, where that has brought it.
ScaledDrive parse_lock(const structure::Model& model, const std::string& text);

struct SlowHistory {
    std::vector<ScaledDrive> drives;
    std::vector<double> times = {};   ///< of the shares; empty for a path
    std::vector<double> shares = {};  ///< of every drive at once
    /// Instead, a column per drive.
    std::vector<std::vector<double>> columns = {};
    std::vector<std::size_t> report = {};  ///< the points to show; all when empty
    /// Instead, loops between +cycle and -cycle until they close.
    double cycle = 0;
    int points = 40;  ///< of half a loop
    double closure = 1e-8;
    int most_loops = 50;
};

/// A history in words, as the command line has them; empty or 0: not given.
struct SlowWords {
    std::vector<std::string> forces = {}, displacements = {};  ///< as parse_drive takes them
    std::vector<std::string> locked = {};                      ///< as parse_lock takes them
    std::string path = {};                                     ///< shares "0,1,-1,1"
    std::string signal = {}, time = {};                        ///< formula in t, and START:STOP:COUNT
    std::string history = {};                                  ///< CSV file
    double cycle = 0;

    /// `loops`: how, with a cycle. Throws core::BadInput for what does not go together.
    SlowHistory on(const structure::Model& model, SlowHistory loops = {}) const;
};

/// With the shares of a CSV file: one column, t and one, or a column per drive (after t, where there is one).
SlowHistory with_history(SlowHistory history, const std::string& file);

/// What a slow history takes, of a model file: condensed or not; MUMPS factorises what is not.
files::SlowStructure read_slow_structure(const std::string& path);

struct SlowRun {
    structure::Model model;
    SlowHistory history;
    modes::QuasistaticLoop loop;                                ///< of a path only its run
    std::string name = "model";                                 ///< for the title
    std::shared_ptr<const modes::SparseStructure> sparse = {};  ///< a structure that is not condensed
    std::optional<double> penalty_effect = {};  ///< what ten times the penalty changes, where it was asked for

    bool cycled() const { return history.cycle != 0; }
    /// Throws NotConverged, with why, for a run that ended early, a point above tolerance, a loop that did not close.
    void require_converged() const;
};

/// Which points to show: all of them, those asked for, or the last loop.
std::vector<std::size_t> shown(const SlowRun& run);

SlowRun quasistatic(structure::Model model, const SlowHistory& history, modes::QuasistaticOptions options = {},
                    const std::string& name = "model");
SlowRun quasistatic(modes::SparseStructure structure, const SlowHistory& history,
                    modes::QuasistaticOptions options = {}, const std::string& name = "model");

/// The same history with ten times the normal and tangential stiffness (kn, kt) of every contact law over areas: the
/// largest change of loads, displacements and dissipation, each of its largest. An upper bound of what is left of the
/// penalty's effect, which falls as 1/kn. Throws BadInput for a model without such contact.
double penalty_effect(const SlowRun& run, const modes::QuasistaticOptions& options = {});

nlohmann::json json(const SlowRun& run);
io::Table table(const SlowRun& run);
/// Force over displacement of every drive; a click on a point shows the joints there.
io::Figure figure(const SlowRun& run);
std::string text(const SlowRun& run);

}  // namespace faying::results
