#pragma once
// Posteriors of laws given measured backbones (docs/theory/calibration.md), of single modes or of whole joints.
//
//     const auto plan = read_calibration("calibrate.toml");
//     const Calibration c = calibrate(plan, {.store = "calibrate.db"});
//     c.laws.front().name;                                            // the most probable
//     const auto posterior = posterior_of(plan, "iwan4");             // to be asked: log_density_gradient(z, gradient)
//
// The file is one of single modes,
//
//     title = "hammer and shaker"
//     [model]
//     laws = ["iwan4", "bouc-wen", "iwan4+polynomial k3"]
//     curves = "harmonic"                    # or quasi-static
//     [[record]]                             # one a test
//     file = "hammer.csv"                    # as faying envelope --out writes it
//     mode = 1
//     name = "hammer"
//     scale = 1.0                            # of the amplitude: tests seen by different sensors
//     omega_error = 1e-4                     # relative standard errors, where the file has no bounds
//     zeta_error = 0.03
//     points = 40                            # at most: evenly picked
//     [[prior]]                              # in place of the law's own
//     law = "iwan4"
//     key = "FS"
//     range = [1, 1e4]
//
// or a study file, whose variants are calibrated to its fitted modes and whose other modes are predicted, with the
// tables below under [calibrate]. In both:
//
//     [errors]
//     correlated = true
//     scatter = true
//     size_spread = 0.2
//     omega_error = 1e-4                     # a study's: where the measurement has no bounds
//     zeta_error = 0.03
//     [sampling]
//     chains = 4
//     warmup = 1000
//     draws = 2500
//     seed = 1
//     acceptance = 0.8
//     deepest = 10
//     [evidence]
//     draws = 4000
//     components = 6
//     [predict]
//     amplitudes = [0.1, 100]
//     points = 40
//     draws = 400

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "faying/core/frequency.hpp"
#include "faying/fit/chains.hpp"
#include "faying/fit/evidence.hpp"
#include "faying/fit/predictive.hpp"
#include "faying/io/output.hpp"
#include "faying/modal/oscillator.hpp"
#include "faying/study/study.hpp"

namespace faying::study {

struct GivenPrior {
    std::string law;  ///< empty: every law that has the key
    std::string key;
    double low = 0, high = 1;
};

struct CalibrationPlan {
    std::string path, title;
    std::vector<std::string> laws;  ///< of single modes, or names of variants
    modal::Stiffness stiffness = modal::Stiffness::harmonic;
    std::vector<fit::MeasuredRecord> records;  ///< of a study: its fitted modes
    std::vector<GivenPrior> priors;
    std::shared_ptr<const Study> study;  ///< none: single modes
    fit::ErrorOptions errors;
    fit::SampleOptions sampling;
    fit::EvidenceOptions evidence;
    fit::PredictOptions prediction;
    std::optional<std::pair<double, double>>
        predicted;  ///< amplitudes; none: those measured, and a third more either way
    int predicted_points = 40;
};

/// The variants of a study against its fitted modes; relative standard errors where the measurement has no bounds.
CalibrationPlan calibration_of(std::shared_ptr<const Study> study, double omega_error = 0, double zeta_error = 0);
/// Throws BadInput with file:line.
CalibrationPlan read_calibration(const std::string& path);
/// All that decides the draws, for telling whether a store belongs to it.
std::string fingerprint(const CalibrationPlan& plan);

struct CalibratedParameter {
    std::string key, unit;
    fit::Prior prior;
    double mean = 0, deviation = 0, median = 0, low = 0, high = 0;  ///< 95 %
    fit::Diagnosis diagnosis;
    std::vector<std::vector<double>> draws;  ///< by chain, in the units of the data
};

struct PredictedBand {
    std::string name;
    int mode = 1;
    bool fitted = true;
    fit::Band band;
    fit::Backbone measured;         ///< at the band's amplitudes where the mode was only predicted; else the records'
    std::optional<double> covered;  ///< of the measured values, both kinds, by the bounds of another test
};

struct CalibratedLaw {
    std::string name;
    std::string problem;  ///< why there is no posterior; empty: there is one
    std::vector<CalibratedParameter> parameters;
    fit::Evidence evidence;
    double probability = 0;  ///< among these laws, equally probable beforehand
    fit::FitCheck check;
    std::vector<PredictedBand> bands;
    double rhat = 0, effective = 0;  ///< the worst of the parameters
    int divergences = 0;
    long gradients = 0, densities = 0;
    double acceptance = 0;  ///< of independent proposals
    std::size_t draws = 0;
    double seconds = 0;  ///< sampling, elapsed
    bool converged() const { return problem.empty() && rhat <= 1.01 && effective >= 400 && evidence.agree(); }
};

struct Calibration {
    std::string file, title;
    bool single_mode = true;
    std::vector<fit::MeasuredRecord> records;
    std::vector<CalibratedLaw> laws;  ///< the most probable first
    core::FrequencyUnit unit = {};

    /// Throws core::NotConverged naming the law and what is wrong.
    void require_converged() const;
};

struct CalibrateOptions {
    std::string store;  ///< empty: nothing is kept
    int threads = 0;
    std::function<bool()> stop = {};
    std::function<void(const std::string& law, std::size_t done, std::size_t total)> progress = {};
};

Calibration calibrate(const CalibrationPlan& plan, const CalibrateOptions& options);

/// A posterior with what it was made of; asks of it are safe from several threads.
struct LawPosterior {
    std::shared_ptr<const fit::Posterior> posterior;
    std::function<double(std::size_t parameter, double value)> in_units;  ///< in the units of the data
    std::vector<std::string> units;
    std::function<Eigen::VectorXd()> start;               ///< near the greatest density
    std::shared_ptr<const modal::Oscillator> oscillator;  ///< of single modes
    std::shared_ptr<const Problem> problem;               ///< of whole joints

    fit::Target target() const;
    double log_density_gradient(const Eigen::VectorXd& z, Eigen::VectorXd& gradient) const {
        return posterior->log_density_gradient(z, gradient);
    }
};
LawPosterior posterior_of(const CalibrationPlan& plan, const std::string& law);

nlohmann::json json(const Calibration& calibration);
io::Table table(const Calibration& calibration);  ///< draws of the most probable law
io::Figure figure(const Calibration& calibration);
std::string text(const Calibration& calibration);

}  // namespace faying::study
