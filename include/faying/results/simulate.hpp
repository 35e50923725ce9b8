#pragma once
// Time histories: a request in, and an answer that shows itself; on request with a record on disk that a killed run goes
// on with.
//
//     SimulateRequest request;
//     request.loads = {{"impulse", "at=2,p=30,pulse=3"}};
//     request.run = {.duration = 100, .step = 0.02, .samples = {50, 100}};
//     request.record = true;
//     const auto run = simulate(files::read_model("model.toml"), request);
//     run.samples[1].displacement, run.record.columns;

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "faying/core/names.hpp"
#include "faying/io/output.hpp"
#include "faying/results/loads.hpp"
#include "faying/transient/simulate.hpp"

namespace faying::results {

inline constexpr core::Names<bool, 2> transient_coordinates{{{"physical", false}, {"modal", true}}};
inline constexpr core::Names<transient::Method, 4> transient_methods{{{"newmark", transient::Method::newmark},
                                                                      {"alpha", transient::Method::alpha},
                                                                      {"exponential", transient::Method::exponential},
                                                                      {"events", transient::Method::events}}};

/// A column's name is short ("u3"), for --channel; its label is what people call it ("tip"), empty where nobody does.
struct Label {
    std::string name, label;
    std::string text() const { return label.empty() ? name : name + " (" + label + ")"; }
};
struct Labels {
    bool modal = false;
    std::vector<Label> displacement, velocity;  ///< u and v, or with `modal` q and q_velocity
    std::vector<Label> outputs, joints;
};
/// A coordinate has the name that the model gives it; else that of an output that is this coordinate.
Labels labels_of(const structure::Model& model, const transient::Simulation& run, bool modal);

struct SimulateRequest {
    std::vector<LoadWords> loads = {};
    transient::Excitation excitation = {};       ///< loads beside those in words
    std::string free = {};                       ///< start, in words (loads.hpp); empty: at rest
    std::optional<transient::Start> start = {};  ///< instead of `free` and `preload`
    bool preload = false;                        ///< from the static equilibrium
    transient::Options run = {};
    bool modal = false;      ///< modal coordinates instead of physical ones
    bool record = false;     ///< keep the whole history as columns
    std::string out = {};    ///< the history on disk (.h5) while it is made; empty: none
    std::string given = {};  ///< with `out`: tells `excitation` and `start` from others, as words do by themselves
    bool resume = false;     ///< go on with `out`
    std::string name = "model";

    /// Throws BadInput where nothing moves, for too many steps or rows, and as transient::Options does.
    void check() const;
};

/// How a run is watched.
struct SimulateWatch {
    std::function<bool(double share)> go_on = {};       ///< often; false stops
    std::function<void(const std::string&)> note = {};  ///< what a user should know, when it is known
    std::function<void(const transient::Snapshot&)> row =
        {};  ///< every row of the record, those of earlier sessions too
};

struct SimulateRun {
    SimulateRequest request;
    std::shared_ptr<const structure::Model> model;
    std::shared_ptr<transient::Simulation> simulation;  ///< at its end
    Labels labels;
    std::vector<transient::Snapshot> samples;
    io::Table record;                ///< displacements, velocities and outputs, where asked for
    std::vector<std::string> notes;  ///< on the step, and on the modes left out
    bool ended = false;              ///< else it was stopped

    /// Energy that nobody accounts for is a wrong answer, however smooth it looks: throws NotConverged with what would
    /// help.
    void require_balance() const;
};

/// Throws BadInput for words that cannot be used and a record of another study; NotConverged naming the time.
SimulateRun simulate(structure::Model model, SimulateRequest request, const SimulateWatch& watch = {});

/// States at the samples, labels and units; then how the run went.
nlohmann::json json(const SimulateRun& run);
io::Table table(const SimulateRun& run);  ///< the record
/// The recorded columns as CSV, with comments that say what they are.
std::string csv(const SimulateRun& run);
io::Figure figure(const SimulateRun& run);
std::string text(const SimulateRun& run);

}  // namespace faying::results
