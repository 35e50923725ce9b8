#pragma once
// How well uncoupled modal Iwan models describe a structure with joints ([S2] 2.3):
//
//   I    each mode excited alone at several levels, its ring-downs fitted by a modal Iwan model,
//   II   ring-downs of the fitted model at the same levels,
//   III  impacts at points, every mode's frequency and damping against amplitude compared with the model's.
//
//     Study study{.modes = {{2, {{9}, {0.8}}}}, .places = {{.dof = 2, .pulse_mode = 3, .levels = {{30}, {10}}}}};
//     study.duration = 4000, study.step = 0.1;
//     const StudyResult result = run_study(model, study, {});
//     // result.modes[0].fit.mode, result.comparisons[k].mean_ratio, ..
//
// Runs are independent and spread over threads; the result does not depend on how many.

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "faying/modal/iwan.hpp"
#include "faying/signal/envelope.hpp"
#include "faying/transient/simulate.hpp"

namespace faying::modal {

struct Level {
    double p = 0;
    bool slipping = false;  ///< force in the shape of the slipping mode (cleaner in macroslip), else of the stuck one
    double duration = 0, step = 0;  ///< s; 0: those of the study. Small levels ring longer.
};

struct ModeLevels {
    int mode = 1;
    std::vector<Level> levels;
};

/// Where the structure is struck: a DOF (from 1), or one of the model's outputs.
struct Place {
    int dof = 0;
    std::string output = {};
    int pulse_mode = 1;              ///< impacts last half a period of this stuck mode
    std::vector<Level> levels = {};  ///< p in newtons

    std::string name() const;  ///< "DOF 2", or the output
};

struct Study {
    std::vector<ModeLevels> modes = {};
    std::vector<Place> places = {};
    double duration = 0, step = 0;  ///< s; step is the sampling of the ring-downs
    transient::Method method = transient::Method::events;
    double tolerance = 1e-9;
    int segments = 30;
    double dropped = 0.04;
    double most_decay = 1.6;  ///< points next to which the amplitude falls by more than this a segment are left out
    FitOptions fit = {};

    void check() const;
};

enum class Regime { microslip, transition, macroslip, unknown };
const char* name(Regime regime);

/// One mode in one run. Microslip: no joint came to macroslip after the pulse; macroslip: the modal model is beyond it
/// all the time; unknown: the law of a joint has no macroslip that it knows of, and no other joint came to it.
struct RingDown {
    int mode = 1;
    std::string place = {};  ///< struck; empty: the mode alone
    double p = 0;
    std::vector<ModalPoint> points;          ///< empty when nothing could be measured
    double energy_share = 0;                 ///< of the modes' kinetic energy at the start
    std::optional<double> joint_reach = {};  ///< greatest joint displacement after the pulse, over macroslip, if known
    std::string problem = {};                ///< why there are no points
    double energy_error = 0;
};

struct ModeResult {
    int mode = 1;
    double omega0 = 0, omega_infinity = 0;
    std::vector<RingDown> selective, model;  ///< I and II
    IwanFit fit;
    double model_difference = 0;  ///< rms of ln zeta between the model's ring-downs and its closed curve
};

struct Comparison {
    int mode = 1;
    std::string place = {};
    double p = 0;
    Regime regime = Regime::microslip;
    bool dominant = false;                                   ///< has the largest energy of the run
    double mean_ratio = 0, first_ratio = 0, last_ratio = 0;  ///< measured zeta over the model's at the same amplitude
    double omega_difference = 0;                             ///< mean of omega/model - 1
};

struct StudyResult {
    std::vector<ModeResult> modes;
    std::vector<RingDown> impacts;
    std::vector<Comparison> comparisons;
};

/// Finished runs can be kept and found again: `load` answers false for a run it does not know.
struct RunStore {
    std::function<bool(const std::string& name, std::vector<RingDown>& run)> load = {};
    std::function<void(const std::string& name, const std::vector<RingDown>& run)> save = {};
};

struct RunOptions {
    int threads = 0;  ///< 0: all cores
    std::function<bool(std::size_t done, std::size_t total)> progress =
        {};  ///< false stops; may be called by any thread
    RunStore store = {};
};

/// Throws core::BadInput, core::NotConverged and, when progress says to stop, core::Interrupted; finished runs are in the
/// store then.
StudyResult run_study(const structure::Model& model, const Study& study, const RunOptions& options);

/// Measured damping over the model's where the mode's amplitude is q, by straight lines in log-log between the points;
/// NaN outside them.
double ratio_at(const RingDown& run, const ModalIwan& mode, double q);

}  // namespace faying::modal
