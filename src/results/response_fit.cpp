#include "faying/results/response_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "faying/core/error.hpp"
#include "fit/least_squares.hpp"
#include "harmonic.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double margin = 0.03;  ///< of frequency, beyond the measured ones: where a branch begins and ends

/// What a model has at a measured point, with slopes to the parameters that are searched.
struct Predicted {
    double amplitude = 0, phase = 0;
    Eigen::RowVectorXd of_log_amplitude, of_phase;
};

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

class Responses {
 public:
    explicit Responses(const ResponseFitRequest& request) : request_(request), interface_(request.model) {
        for (std::size_t d = 0; d < request.data.size(); ++d)
            for (std::size_t i = 0; i < request.data[d].measured.size(); ++i)
                levels_[{d, request.data[d].measured.force[i]}].push_back(i);
        for (const auto& data : request.data) {
            start_.push_back(points_);
            points_ += data.measured.size();
        }
    }
    std::size_t row_of(std::size_t data, std::size_t point) const { return start_[data] + point; }

    /// At parameter values; false where a response does not reach a measured frequency.
    bool predict(const std::vector<double>& values, bool slopes, std::vector<Predicted>& out) const {
        structure::Model model = request_.model;
        std::map<std::size_t, core::ParameterValues> changed;
        for (std::size_t i = 0; i < values.size(); ++i)
            changed[request_.parameters[i].joint][request_.parameters[i].key] = values[i];
        for (const auto& [j, moved] : changed) {
            auto& law = model.joints[j].law;
            core::ParameterValues all = moved;
            for (std::size_t k = 0; k < law.parameters().size(); ++k)
                if (std::isfinite(law.values()[k])) all.emplace(law.parameters()[k].key, law.values()[k]);
            law = laws::Law(law.name(), all);
        }
        out.assign(points_, {});
        for (const auto& [level, members] : levels_)
            if (!one_level(model, level.first, level.second, members, slopes, out)) return false;
        return true;
    }

 private:
    const ResponseFitRequest& request_;
    modes::Interface interface_;
    std::map<std::pair<std::size_t, double>, std::vector<std::size_t>> levels_;  ///< points, by data and force
    std::vector<std::size_t> start_;                                             ///< first row of every file
    std::size_t points_ = 0;

    bool one_level(const structure::Model& model, std::size_t d, double force, const std::vector<std::size_t>& members,
                   bool slopes, std::vector<Predicted>& out) const {
        const auto& data = request_.data[d];
        modes::ResponseTask task;
        task.load = {data.load, force};
        for (const std::size_t i : members) task.at.push_back(data.measured.omega[i]);
        std::sort(task.at.begin(), task.at.end());
        task.at.erase(std::unique(task.at.begin(), task.at.end()), task.at.end());
        task.from = (1 - margin) * task.at.front();
        task.to = (1 + margin) * task.at.back();
        task.watched = data.output;
        task.both_ends = true;
        auto options = options_of(request_.harmonics);
        options.derivatives = slopes;
        const auto found = modes::response(model, interface_, task, options);
        for (const std::size_t i : members) {
            const modes::HarmonicPoint* best = nullptr;
            double nearest = std::numeric_limits<double>::infinity();
            Predicted at_best;
            for (const auto& p : found) {
                if (p.omega != data.measured.omega[i] || !p.converged) continue;
                const Predicted here = seen(data, p, slopes);
                const double off = distance(data.measured, i, here);
                if (off >= nearest) continue;
                nearest = off;
                best = &p;
                at_best = here;
            }
            if (!best) return false;
            out[row_of(d, i)] = std::move(at_best);
        }
        return true;
    }

    static double distance(const files::MeasuredResponse& measured, std::size_t i, const Predicted& here) {
        const double amplitude = std::log(here.amplitude / measured.amplitude[i]);
        return std::hypot(amplitude, measured.phase.empty() ? 0.0 : wrapped(here.phase - measured.phase[i]));
    }

    Predicted seen(const ResponseData& data, const modes::HarmonicPoint& p, bool slopes) const {
        const auto& harmonics = request_.harmonics.harmonics;
        const Eigen::Index at = harmonics.at(modes::first_order(harmonics));
        const double c = data.output.dot(p.harmonics.col(at)), s = data.output.dot(p.harmonics.col(at + 1));
        const bool acceleration = data.quantity == modes::Quantity::acceleration;
        Predicted out{std::hypot(c, s) * (acceleration ? p.omega * p.omega : 1.0),
                      std::atan2(s, c) + (acceleration ? std::numbers::pi : 0.0),
                      {},
                      {}};
        if (!slopes) return out;
        const double size = c * c + s * s;
        out.of_log_amplitude = out.of_phase = Eigen::RowVectorXd::Zero(Eigen::Index(request_.parameters.size()));
        for (std::size_t k = 0; k < request_.parameters.size(); ++k)
            for (const auto& w : p.watched)
                if (w.joint == request_.parameters[k].joint && w.parameter == request_.parameters[k].parameter) {
                    out.of_log_amplitude(Eigen::Index(k)) = (c * w.cosine + s * w.sine) / size;
                    out.of_phase(Eigen::Index(k)) = (c * w.sine - s * w.cosine) / size;
                }
        return out;
    }
};

/// Residuals of all points, amplitude first, and their slopes to the coordinates of the search.
void residuals_of(const ResponseFitRequest& request, const std::vector<Predicted>& at, Eigen::VectorXd& r,
                  Eigen::MatrixXd* slopes) {
    std::vector<double> values;
    std::vector<Eigen::RowVectorXd> rows;
    std::size_t row = 0;
    for (const auto& data : request.data)
        for (std::size_t i = 0; i < data.measured.size(); ++i, ++row) {
            values.push_back(std::log(at[row].amplitude / data.measured.amplitude[i]));
            rows.push_back(at[row].of_log_amplitude);
            if (data.measured.phase.empty()) continue;
            values.push_back(wrapped(at[row].phase - data.measured.phase[i]));
            rows.push_back(at[row].of_phase);
        }
    r = Eigen::Map<const Eigen::VectorXd>(values.data(), Eigen::Index(values.size()));
    if (!slopes) return;
    slopes->resize(r.size(), Eigen::Index(request.parameters.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) slopes->row(Eigen::Index(i)) = rows[i];
}

double value_of(const ResponseParameter& p, double x) { return p.logarithmic ? std::exp(x) : x; }
double coordinate_of(const ResponseParameter& p, double value) { return p.logarithmic ? std::log(value) : value; }

/// What is left, as rms of amplitudes and phases.
void add_points(ResponseFit& run, const std::vector<Predicted>& at) {
    double amplitude = 0, phase = 0;
    std::size_t row = 0, phases = 0;
    for (std::size_t d = 0; d < run.request.data.size(); ++d) {
        const auto& m = run.request.data[d].measured;
        for (std::size_t i = 0; i < m.size(); ++i, ++row) {
            const double lag = m.phase.empty() ? unknown : m.phase[i];
            const double near = std::isnan(lag) ? 0.0 : lag;  // the model's phase within half a turn of it
            run.points.push_back({d, m.omega[i], m.force[i], m.amplitude[i], lag, at[row].amplitude,
                                  near + wrapped(at[row].phase - near)});
            amplitude += std::pow(std::log(at[row].amplitude / m.amplitude[i]), 2);
            if (m.phase.empty()) continue;
            phase += std::pow(wrapped(at[row].phase - lag), 2);
            ++phases;
        }
    }
    run.amplitude_rms = std::sqrt(amplitude / double(row));
    run.phase_rms = phases > 0 ? std::sqrt(phase / double(phases)) : unknown;
}

/// Scatter of what is left, back through the slopes.
void add_errors(ResponseFit& run, const Eigen::VectorXd& r, const Eigen::MatrixXd& slopes) {
    const Eigen::Index n = slopes.cols();
    Eigen::VectorXd size = slopes.colwise().norm();
    for (double& s : size)
        if (!(s > 0)) s = 1;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(slopes * size.cwiseInverse().asDiagonal(), Eigen::ComputeThinV);
    const auto& sigma = svd.singularValues();
    run.condition = sigma(n - 1) > 0 ? sigma(0) / sigma(n - 1) : std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < n; ++k) {
        auto& p = run.parameters[std::size_t(k)];
        p.standard_error = unknown;
        if (r.size() <= n || !(sigma(n - 1) > 1e-14 * sigma(0))) continue;
        const double variance = r.squaredNorm() / double(r.size() - n);
        const Eigen::VectorXd across = svd.matrixV().row(k).transpose().cwiseQuotient(sigma) / size(k);
        p.standard_error = std::sqrt(variance) * across.norm() * (p.logarithmic ? p.value : 1.0);
    }
}

}  // namespace

ResponseFit fit_responses(ResponseFitRequest given, const std::function<void(std::size_t)>& done) {
    ResponseFit run;
    run.request = std::move(given);
    const auto& request = run.request;
    run.parameters = request.parameters;
    const Responses responses(request);
    const auto values_at = [&](const double* x) {
        std::vector<double> values;
        for (std::size_t i = 0; i < request.parameters.size(); ++i)
            values.push_back(value_of(request.parameters[i], x[i]));
        return values;
    };
    std::vector<Predicted> at;
    std::size_t evaluations = 0;
    fit::LeastSquares problem;
    problem.iterations = request.iterations;
    std::vector<double> start;
    for (const auto& p : request.parameters) {
        start.push_back(coordinate_of(p, p.start));
        problem.lower.push_back(coordinate_of(p, p.lower));
        problem.upper.push_back(coordinate_of(p, p.upper));
    }
    problem.evaluate = [&](const double* x, Eigen::VectorXd& r, Eigen::MatrixXd* slopes) {
        if (done) done(++evaluations);
        const auto values = values_at(x);
        try {
            if (!responses.predict(values, slopes != nullptr, at)) return false;
        } catch (const core::NotConverged&) {  // no state at rest: the step is taken back
            return false;
        }
        residuals_of(request, at, r, slopes);
        for (std::size_t i = 0; slopes && i < values.size(); ++i)
            if (request.parameters[i].logarithmic) slopes->col(Eigen::Index(i)) *= values[i];
        return true;
    };
    Eigen::VectorXd r;
    Eigen::MatrixXd slopes;
    if (!problem.evaluate(start.data(), r, nullptr))
        throw core::NotConverged(
            fmt::format("fit: {}: with the model's own parameters the response does not reach every measured frequency",
                        request.path),
            unknown);
    problem.residuals = std::size_t(r.size());
    const auto found = fit::minimise(problem, start);
    run.converged = found.converged;
    run.iterations = found.iterations;
    if (!problem.evaluate(found.x.data(), r, &slopes))
        throw core::NotConverged(fmt::format("fit: {}: the response at the parameters found is lost", request.path),
                                 unknown);
    for (std::size_t i = 0; i < run.parameters.size(); ++i)
        run.parameters[i].value = value_of(run.parameters[i], found.x[i]);
    add_points(run, at);
    add_errors(run, r, slopes);
    return run;
}

void ResponseFit::require_converged() const {
    if (!converged)
        throw core::NotConverged(
            fmt::format("fit: {}: {} iterations were not enough; more with iterations = ..", request.path, iterations),
            amplitude_rms);
}

nlohmann::json json(const ResponseFit& run) {
    const auto finite = [](double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); };
    nlohmann::json result = {{"data", "responses"},
                             {"orders", run.request.harmonics.harmonics.orders()},
                             {"amplitude_rms", run.amplitude_rms},
                             {"phase_rms", finite(run.phase_rms)},
                             {"condition", finite(run.condition)},
                             {"iterations", run.iterations},
                             {"status", run.converged ? "converged" : "not converged"},
                             {"parameters", nlohmann::json::array()},
                             {"points", nlohmann::json::array()}};
    for (const auto& p : run.parameters)
        result["parameters"].push_back({{"joint", p.joint_name},
                                        {"key", p.key},
                                        {"unit", p.unit},
                                        {"value", p.value},
                                        {"start", p.start},
                                        {"range", {p.lower, p.upper}},
                                        {"standard_error", finite(p.standard_error)}});
    for (const auto& p : run.points)
        result["points"].push_back({{"file", run.request.data[p.data].file},
                                    {"omega", p.omega},
                                    {"force", p.force},
                                    {"amplitude", p.amplitude},
                                    {"phase", finite(p.phase)},
                                    {"model_amplitude", p.model_amplitude},
                                    {"model_phase", p.model_phase}});
    return result;
}

io::Table table(const ResponseFit& run) {
    auto made = io::named_table({"omega", "force", "amplitude", "phase", "model_amplitude", "model_phase"});
    for (const auto& p : run.points)
        io::add_row(made, {p.omega, p.force, p.amplitude, p.phase, p.model_amplitude, p.model_phase});
    return made;
}

std::string text(const ResponseFit& run) {
    Text out;
    out.print("{:20} {:12} {:>16} {:>14} {:>16}\n", "joint", "parameter", "value", "+-", "from");
    for (const auto& p : run.parameters)
        out.print("{:20} {:12} {:16.9g} {:14.3g} {:16.9g} {}\n", p.joint_name, p.key, p.value, p.standard_error,
                  p.start, p.unit);
    out.print("{} points: amplitudes within {:.3g} % (rms)", run.points.size(), 100 * run.amplitude_rms);
    if (std::isfinite(run.phase_rms)) out.print(", phases within {:.3g} rad", run.phase_rms);
    out.print("; {} iterations, condition {:.3g}\n", run.iterations, run.condition);
    return out;
}

}  // namespace faying::results
