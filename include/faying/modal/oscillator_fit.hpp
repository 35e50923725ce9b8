#pragma once
// An oscillator with any law fitted to a measured backbone, and laws held against each other.
//
//     const OscillatorFit fit = fit_oscillator(backbone, "iwan4+polynomial k3", {});
//     fit.parameters[2].value, fit.parameters[2].low;               // with 95 % bounds where data give any
//     fit.misfit;                                                    // no parameters of this law explain the points
//     compare_laws(backbone, {"iwan4", "jenkins", "bouc-wen"}, {});  // best first

#include <functional>
#include <optional>

#include "faying/modal/oscillator.hpp"

namespace faying::modal {

/// How the curves of an oscillator are got.
enum class Curves { quasi_static, harmonic, simulated };

struct OscillatorFitOptions {
    Curves curves = Curves::harmonic;
    core::ParameterValues fixed = {};  ///< parameters of the law that are known, in the units of the data
    int starts = 150;                  ///< that are tried
    int folds = 5;                     ///< of the held-out error; 0: none
    bool bounds = true;                ///< of what is not determined, by fits at held values
    std::uint64_t seed = 1;
    int threads = 0;
    std::function<void(std::size_t done)> progress = {};  ///< laws of a comparison
    void check() const;
};

struct FittedParameter {
    std::string key, unit;
    double value = 0;
    double error = 0;                 ///< standard error; infinite where not determined
    std::optional<double> low, high;  ///< 95 % bounds, each where the points give one
    bool determined = true;           ///< both bounds narrow what was believed beforehand to less than half
};

/// Model-free scatter of the points about their own course: by how much each is off the line between its neighbours.
struct Scatter {
    double omega = 0, zeta = 0;  ///< relative
};
Scatter scatter_of(const fit::Backbone& backbone);

/// Where the frequency rises again, which no friction law does.
struct Rise {
    double from = 0, omega_low = 0, to = 0, omega_high = 0;  ///< amplitudes and frequencies (rad/s)
};
std::optional<Rise> rise_of(const fit::Backbone& backbone);

struct OscillatorFit {
    std::string law;
    std::vector<FittedParameter> parameters;      ///< what was found: omega, zeta0, then of the law
    std::vector<NamedValue> model;                ///< Kinf, zeta0 and the law's own parameters
    std::vector<double> amplitude, omega, zeta;   ///< the fitted curve at the points
    double omega_rms = 0, zeta_rms = 0;           ///< relative
    double held_omega = 0, held_zeta = 0;         ///< of points that the fit had not seen
    double held_out = 0;                          ///< both, over the points' own scatter (or stated errors)
    double log_likelihood = 0, aic = 0, bic = 0;  ///< aic: corrected for few points
    double omega_p = 1, zeta_p = 1;               ///< of residuals as large as these, given the points' own scatter
    bool misfit = false, converged = false;
    std::string problem;  ///< why there is no fit; empty: there is one
    std::vector<std::string> notes;
    std::vector<double> values;  ///< of Oscillator::parameters
};

/// Least squares on ln omega and ln zeta, from many starts that the points suggest. Throws BadInput for fewer points
/// than parameters need, and NotConverged when no start has an answer.
OscillatorFit fit_oscillator(const fit::Backbone& backbone, const std::string& law,
                             const OscillatorFitOptions& options = {});

/// By held-out error, best first; a law that cannot be fitted is last and says why.
std::vector<OscillatorFit> compare_laws(const fit::Backbone& backbone, const std::vector<std::string>& laws,
                                        const OscillatorFitOptions& options = {});

/// A free decay of the oscillator, simulated and enveloped: omega and zeta at these amplitudes (log-linear between).
fit::Prediction simulated_curves(const Oscillator& mode, const std::vector<double>& values,
                                 const std::vector<double>& amplitudes);

}  // namespace faying::modal
