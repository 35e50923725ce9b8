#pragma once
// Nonlinear modes and forced responses by harmonic balance, as requests and answers that show themselves.
//
//     EpmcRequest request{.mode = 1, .amplitudes = {1e-3, 1e-2}, .harmonics = parse_harmonics("7", 0)};
//     const EpmcRun run = epmc(files::read_model("model.toml"), request);      // run.points[0].omega, .zeta
//
//     ResponseRequest asked{.task = {.load = {f, 1}, .from = 300, .to = 500}, .levels = {0.1, 1}};
//     const ResponseRun swept = response(model, asked);                        // swept.levels[0].points

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "faying/core/frequency.hpp"
#include "faying/io/output.hpp"
#include "faying/modes/enough_harmonics.hpp"
#include "faying/modes/modal_synthesis.hpp"
#include "faying/results/backbone.hpp"

namespace faying::results {

/// Which orders, or how small a part of the joints' forces may fall on others; how the joints' forces are found.
struct HarmonicChoice {
    core::Harmonics harmonics = core::Harmonics::up_to(3);
    std::optional<modes::EnoughOptions> enough = {};  ///< then `harmonics` do not matter
    int samples = 0;                                  ///< per period; 0: exact pieces
};
/// "7" (orders up to it), "0,1,3", "auto" or "auto:1e-4". Throws core::BadInput.
HarmonicChoice parse_harmonics(const std::string& text, int samples);

/// What was used in the end.
struct HarmonicsUsed {
    core::Harmonics harmonics = core::Harmonics::up_to(1);
    double neglected = 0;  ///< of the joints' forces, at the worst point; of chosen orders only
    bool enough = true;

    std::string text(int samples) const;
};

struct EpmcRequest {
    int mode = 1;
    std::vector<double> amplitudes;  ///< ascending
    HarmonicChoice harmonics = {};
    bool derivatives = false;
    std::string output = {};                           ///< also its displacement and acceleration
    std::optional<modes::Quantity> amplitude_of = {};  ///< the amplitudes are of the output; none: modal
    std::string name = "model";
    core::FrequencyUnit unit = {};
};

/// The same mode, amplitudes and output by harmonic balance. Throws BadInput for a choice that is not of that method.
EpmcRequest epmc_request(const BackboneRequest& request, const HarmonicChoice& harmonics);

struct EpmcRun {
    structure::Model model;
    EpmcRequest request;
    HarmonicsUsed used;
    std::vector<modes::HarmonicPoint> points;
    std::vector<modes::HarmonicPoint> limit_cycles = {};  ///< self-excited: where zeta passes zero in between

    /// Throws NotConverged for the first point that did not converge, or where harmonics ran out.
    void require_converged() const;
};

EpmcRun epmc(structure::Model model, EpmcRequest request);
nlohmann::json json(const EpmcRun& run);
io::Table table(const EpmcRun& run);
io::Figure figure(const EpmcRun& run);
std::string text(const EpmcRun& run);

struct ResponseRequest {
    modes::ResponseTask task;    ///< its force is that of each level in turn
    std::vector<double> levels;  ///< N; along force: the first only
    bool only_asked = false;     ///< points at task.at and no others
    HarmonicChoice harmonics = {};
    bool stability = true;
    int stability_modes = 60;               ///< the most that it is looked for with
    bool check = false;                     ///< every point must have an exact orbit beside it
    std::vector<std::string> outputs = {};  ///< whose greatest displacements are given; the first is drawn
    int backbone = 0;                       ///< a mode (EPMC) for the figure, through the peaks
    int synthesis = 0;                      ///< a mode whose oscillator alone gives responses beside the full ones
    std::string name = "model";
    core::FrequencyUnit unit = {};

    bool along_force() const { return task.along == modes::ResponseTask::Along::force; }
};

/// What a response is asked for in words, as the command line has them; empty or 0: not given.
struct ResponseWords {
    std::string force = {};           ///< "at=3,p=0.1;1;5" (loads.hpp)
    std::string omega = {}, at = {};  ///< LO:HI, and frequencies met exactly "w1,w2"; rad/s
    std::string hold = {};            ///< "displacement=1e-3,at=2": find the force instead
    std::string force_range = {};     ///< LO:HI in N: along the force, at one frequency ..
    int phase_resonance = 0;          ///< .. or at phase resonance from this mode on ..
    int superharmonic = 0;            ///< .. of this order, not of the load
    bool both_ends = false;
    int isolas = 0;  ///< through the phase resonances of this mode

    /// Throws BadInput for what does not go together.
    void check() const;
    void apply(const structure::Model& model, ResponseRequest& to) const;
};

struct ResponseLevel {
    double force = 0;
    std::vector<modes::HarmonicPoint> points = {};
    modes::Synthesis synthesis = {};  ///< where it is asked for
};

struct ResponseRun {
    structure::Model model;
    ResponseRequest request;
    HarmonicsUsed used;
    std::vector<ResponseLevel> levels;
    std::vector<modes::HarmonicPoint> mode = {};  ///< for the figure

    /// Throws NotConverged for a branch that was lost, a point without an exact orbit where that is asked for, harmonics
    /// that ran out.
    void require_converged() const;
};

/// `done` is told how many levels are.
ResponseRun response(structure::Model model, ResponseRequest request,
                     const std::function<void(std::size_t)>& done = {});
nlohmann::json json(const ResponseRun& run);
io::Table table(const ResponseRun& run);
/// Levels with what is stable solid and what is not dashed; a click on a point shows its motion in phase space, the
/// joints' loops, the harmonics.
io::Figure figure(const ResponseRun& run);
std::string text(const ResponseRun& run);

/// "displacement=1e-3,at=2" or "acceleration=10,output=tip": what a response holds. Throws core::BadInput.
modes::ResponseTask::Hold parse_hold(const structure::Model& model, const std::string& text);

/// The greatest displacement of an output in a period.
double peak_of(const modes::HarmonicPoint& point, const Eigen::VectorXd& output, const core::Harmonics& harmonics);

}  // namespace faying::results
