#pragma once
// A virtual experiment: a joint that no candidate of a study can equal is struck by a hammer several times, noise is
// added to the accelerometer, and the records go through the same band-pass, peaks and Gaussian process as measured
// ones.
//
// The joint: elastic dry friction at every node of a full-joint interface, with a coefficient that scatters from node
// to node and a tangential stiffness that goes with the static pressure of the bolts there,
//
//     mu_i = mu exp(spread N(0, 1)),   kt_i = kt (p_i/p_mean)^exponent,   p_i at least least_pressure p_mean,
//
// so that pressure, slip and separation all follow the vibration.
//
//     const Experiment e = read_experiment("experiment.toml");
//     const ExperimentResult r = perform(e, {.threads = 2});
//     r.backbones;                                       // amplitude: acceleration in m/s^2

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/fit/errors.hpp"
#include "faying/signal/record.hpp"
#include "faying/structure/reduced.hpp"

namespace faying::study {

/// Per square metre.
struct RoughJoint {
    double kt = 1e13, kn = 1e12, mu = 0.5;
    double spread = 0.3, exponent = 1.0 / 3, least_pressure = 0.05;
};

struct Band {
    int mode = 1;
    double low = 0, high = 0;  ///< Hz
};

struct Experiment {
    std::string path;
    structure::Reduced reduced;
    std::map<std::string, double> loads;
    double damping_ratio = 1e-4;
    RoughJoint joint;
    std::string hammer, sensor;  ///< outputs of the model
    int hits = 7;
    double force_low = 50, force_high = 1000;  ///< N, log spaced over the hits
    double pulse = 4e-4;                       ///< s, half a sine
    double duration = 1, step = 1e-5;          ///< s
    int record_every = 5;                      ///< steps a sample
    double noise = 0.02;                       ///< rms, m/s^2
    int order = 3;                             ///< of the band-pass
    int points = 30;                           ///< of each backbone
    std::vector<Band> bands;
    std::uint64_t seed = 1;
};

/// Throws BadInput with file:line, what was wrong and what is allowed.
Experiment read_experiment(const std::string& path);

/// The structure with its rough joint.
structure::Model rough_model(const Experiment& experiment);

struct ExperimentResult {
    std::vector<fit::Backbone> backbones;  ///< amplitude in m/s^2 at the sensor
    std::vector<signal::Record> records;   ///< a hit each, with noise
    std::vector<std::string> notes;        ///< what could not be used, and why
};

/// Records of finished hits (from 0) can be kept and found again: `load` answers false for one it does not know. Called
/// by one thread at a time.
struct HitStore {
    std::function<bool(int hit, signal::Record& record)> load = {};
    std::function<void(int hit, const signal::Record& record)> save = {};
};

struct ExperimentOptions {
    int threads = 0;
    HitStore store = {};
    std::function<void(double share)> done = {};  ///< from any thread, one at a time
    std::function<bool()> stop = {};              ///< true: end with core::Interrupted
};

ExperimentResult perform(const Experiment& experiment, const ExperimentOptions& options);

/// A file per hit in a folder, which `faying envelope` reads as well. Those of another experiment are not taken: their
/// key differs.
HitStore hits_in_folder(const std::string& folder, const Experiment& experiment);

/// The backbone file, with a first line that labels it as virtual.
std::string backbone_text(const Experiment& experiment, const ExperimentResult& result);

/// The record of a hit as CSV, so much of it.
std::string record_text(const signal::Record& record, double seconds);
nlohmann::json experiment_json(const ExperimentResult& result);
std::string experiment_text(const ExperimentResult& result);

}  // namespace faying::study
