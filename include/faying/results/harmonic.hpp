#pragma once
// Motions by harmonic balance as requests and answers that show themselves: nonlinear modes (EPMC) and forced responses.
//
//     EpmcRequest mode{.mode = 2, .amplitudes = {0.1, 1, 10}};
//     const EpmcRun run = epmc(files::read_model("model.toml"), mode);     // run.points[1].zeta
//
//     ResponseRequest request;
//     request.task.load.shape = Eigen::VectorXd::Unit(3, 2);
//     request.task.from = 0.3, request.task.to = 0.6;                      // rad/s
//     request.levels = {0.1, 1, 5};                                        // N
//     const ResponseRun forced = response(model, request);                 // forced.levels[1].points[7].a

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "faying/core/frequency.hpp"
#include "faying/io/output.hpp"
#include "faying/modes/harmonic_balance.hpp"

namespace faying::results {

/// Which harmonics, in words, and how the joints' forces are taken.
struct HarmonicWords {
    std::string harmonics = {};  ///< the highest, or a list such as "0,1,3,5"; empty: 3
    int samples = 0;             ///< of joint forces per period; 0: exact pieces

    bool given() const { return !harmonics.empty() || samples > 0; }
    std::string orders() const { return harmonics.empty() ? "3" : harmonics; }
};
/// Throws core::BadInput.
modes::HarmonicOptions harmonic_options(const HarmonicWords& words);

struct EpmcRequest {
    int mode = 1;                    ///< by frequency about rest, from 1
    std::vector<double> amplitudes;  ///< ascending
    HarmonicWords harmonics = {};
    bool derivatives = false;
    std::string output = {};                           ///< also its displacement and acceleration
    std::optional<modes::Quantity> amplitude_of = {};  ///< the amplitudes are of the output; none: modal
    std::string name = "model";                        ///< of the model, for titles
    core::FrequencyUnit unit = {};                     ///< of text and figure
};

struct EpmcRun {
    structure::Model model;
    EpmcRequest request;
    modes::HarmonicOptions options;
    std::vector<modes::HarmonicPoint> points;

    /// Throws NotConverged for the first point that did not converge.
    void require_converged() const;
};

/// Throws BadInput for an output that is not there, and as modes::epmc does.
EpmcRun epmc(structure::Model model, EpmcRequest request);

nlohmann::json json(const EpmcRun& run);
/// Points that converged.
io::Table table(const EpmcRun& run);
io::Figure figure(const EpmcRun& run);
std::string text(const EpmcRun& run);

struct ResponseRequest {
    modes::ResponseTask task = {};    ///< its load's force is that of each level in turn
    std::vector<double> levels = {};  ///< N; along force only the first, where the branch is found
    bool only_asked = false;          ///< points at task.at, and no others
    HarmonicWords harmonics = {};
    bool stability = true;
    bool require_orbits = false;    ///< every point must have an exact orbit beside it
    int through_mode = 0;           ///< draw this mode (EPMC) through the peaks
    std::string output = {};        ///< also its greatest displacement
    std::string name = "model";     ///< of the model, for titles
    core::FrequencyUnit unit = {};  ///< of text and figure

    bool along_force() const { return task.along == modes::ResponseTask::Along::force; }
};

/// What a response is asked for in words, as the command line has them; empty or 0: not given.
struct ResponseWords {
    std::string force = {};           ///< "at=3,p=0.1;1;5" (loads.hpp)
    std::string omega = {}, at = {};  ///< LO:HI, and frequencies met exactly "w1,w2"; rad/s
    std::string hold = {};            ///< "displacement=1e-3,at=2": find the force instead
    std::string force_range = {};     ///< LO:HI in N: along the force, at one frequency ..
    int phase_resonance = 0;          ///< .. or at phase resonance from this mode on
    bool both_ends = false;
    int isolas = 0;  ///< through the phase resonances of this mode

    /// Throws BadInput for what does not go together.
    void check() const;
    void apply(const structure::Model& model, ResponseRequest& to) const;
};

struct ResponseLevel {
    double force = 0;
    std::vector<modes::HarmonicPoint> points;
};

struct ResponseRun {
    structure::Model model;
    ResponseRequest request;
    modes::HarmonicOptions options;
    std::vector<ResponseLevel> levels;
    std::vector<modes::HarmonicPoint> mode;  ///< through the peaks, where asked for

    /// Throws NotConverged for the first branch that was lost, and with `require_orbits` the first point without one.
    void require_converged() const;
};

/// `done` hears how many levels there are. Throws BadInput for an output that is not there, and as modes::response does.
ResponseRun response(structure::Model model, ResponseRequest request,
                     const std::function<void(std::size_t)>& done = {});

/// The greatest displacement of an output in a period.
double peak_of(const modes::HarmonicPoint& point, const Eigen::VectorXd& output, const core::Harmonics& harmonics);

nlohmann::json json(const ResponseRun& run);
/// Points that converged.
io::Table table(const ResponseRun& run);
/// Levels with what is stable and what is not, the mode through their peaks, and for a single level what a click shows:
/// the motion in phase space, the joints' loops, the harmonics.
io::Figure figure(const ResponseRun& run);
std::string text(const ResponseRun& run);

}  // namespace faying::results
