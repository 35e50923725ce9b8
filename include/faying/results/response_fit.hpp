#pragma once
// Parameters of joints from measured forced responses: least squares of ln(X/X_measured), X the complex first harmonic of
// an output under p cos(omega t), so that amplitudes count relatively and phases in radians. A file says what and where:
//
//     model = "model.toml"                # its parameters are where the search starts
//     harmonics = 3                       # or a list of orders; samples = N
//     [[response]]
//     file = "sweep.csv"                  # columns omega (or frequency), force, amplitude, and phase where known
//     force = "at=3"                      # where it acts: at=DOF, output=NAME, mode=N, base=1
//     output = "tip"                      # an output of the model, or at = DOF
//     quantity = "displacement"           # or acceleration
//     [[parameter]]
//     joint = "lap"                       # by name, or its number
//     key = "kt"
//     range = [1, 100]
//
//     const ResponseFit fit = fit_responses(read_response_fit("fit.toml"));
//     fit.parameters[0].value;
//
// Where a response has several branches, a measured point is compared with the one nearest to it.

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "faying/files/response.hpp"
#include "faying/results/harmonic.hpp"

namespace faying::results {

struct ResponseData {
    std::string file;
    files::MeasuredResponse measured;
    Eigen::VectorXd load, output;  ///< by DOF
    modes::Quantity quantity = modes::Quantity::displacement;
};

struct ResponseParameter {
    std::size_t joint = 0, parameter = 0;
    std::string joint_name, key, unit;
    double lower = 0, upper = 0;
    bool logarithmic = false;
    double start = 0, value = 0;
    double standard_error = 0;  ///< from the scatter that is left; NaN where as many are searched as were measured
};

struct ResponseFitRequest {
    std::string path;
    structure::Model model;
    HarmonicChoice harmonics = {};
    std::vector<ResponseData> data;
    std::vector<ResponseParameter> parameters;
    int iterations = 100;
};

/// A measured point and what the model has there.
struct ComparedPoint {
    std::size_t data = 0;
    double omega = 0, force = 0, amplitude = 0, phase = 0;  ///< phase: NaN where it was not measured
    double model_amplitude = 0, model_phase = 0;
};

struct ResponseFit {
    ResponseFitRequest request;
    std::vector<ResponseParameter> parameters;
    std::vector<ComparedPoint> points;
    double amplitude_rms = 0, phase_rms = 0;  ///< of ln A, and in radians (NaN without phases)
    double condition = 0;                     ///< of the slopes, each over its size: large where data cannot tell apart
    int iterations = 0;
    bool converged = false;

    void require_converged() const;
};

/// Whether a file of `faying fit` has measured responses, rather than backbones.
bool is_response_fit(const std::string& path);
/// Throws core::BadInput with file:line.
ResponseFitRequest read_response_fit(const std::string& path);
/// `done` is told how many evaluations were made. Throws NotConverged where the model has no response to begin with.
ResponseFit fit_responses(ResponseFitRequest request, const std::function<void(std::size_t)>& done = {});

nlohmann::json json(const ResponseFit& run);
io::Table table(const ResponseFit& run);
std::string text(const ResponseFit& run);

}  // namespace faying::results
