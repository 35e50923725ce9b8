// A free decay of a fitted oscillator, as a test would measure it.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/modal/oscillator_fit.hpp"
#include "faying/signal/envelope.hpp"
#include "faying/transient/simulate.hpp"

namespace faying::modal {

namespace {

constexpr double most_periods = 3000;  ///< of a decay

/// Log-linear between points of falling amplitude; the ends hold beyond them.
double between(const std::vector<signal::EnvelopePoint>& points, double amplitude,
               double signal::EnvelopePoint::*what) {
    if (amplitude >= points.front().amplitude) return points.front().*what;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto &a = points[i - 1], &b = points[i];
        if (amplitude < b.amplitude) continue;
        const double share = std::log(amplitude / a.amplitude) / std::log(b.amplitude / a.amplitude);
        return std::exp((1 - share) * std::log(a.*what) + share * std::log(b.*what));
    }
    return points.back().*what;
}

}  // namespace

fit::Prediction simulated_curves(const Oscillator& mode, const std::vector<double>& values,
                                 const std::vector<double>& amplitudes) {
    const auto [least, most] = std::minmax_element(amplitudes.begin(), amplitudes.end());
    const auto curve = mode.at(values, {*least, *most}, false);
    if (!curve) throw core::BadInput("modal-fit", "these parameters have no frequency to simulate");
    const auto model = mode.model(values);
    const double period = 2 * std::numbers::pi / curve->omega.maxCoeff();
    // From a fifth above the greatest amplitude to a fifth below the least, at the least damping there is.
    const double zeta = curve->zeta.minCoeff(), decay = std::log(1.2 * *most / (0.8 * *least));
    const double periods = std::clamp(decay / (2 * std::numbers::pi * zeta), 60.0, most_periods);
    transient::Options options;
    options.method = transient::Method::events;
    options.tolerance = 1e-9;
    options.step = period / 20;
    options.duration = periods * period;
    options.energy = false;
    transient::Start start;
    start.displacement = Eigen::VectorXd::Constant(1, 1.2 * *most);
    std::vector<double> record;
    transient::Simulation run(model, {}, start, options);
    run.to_end([&](const transient::Snapshot& s) { record.push_back(s.displacement(0)); }, {}, {},
               [&record, &least = least](double) {
                   // Far below the least amplitude nothing more is asked for.
                   const std::size_t back = std::min<std::size_t>(record.size(), 200);
                   if (back < 200) return true;
                   return *std::max_element(record.end() - 200, record.end()) > 0.7 * *least;
               });
    signal::EnvelopeOptions envelope;
    envelope.segments = std::clamp(int(double(record.size()) / 20 / 6), 3, 60);
    const auto found = signal::envelope({0, options.step, record}, envelope, "simulated decay");
    fit::Prediction p{Eigen::VectorXd(Eigen::Index(amplitudes.size())),
                      Eigen::VectorXd(Eigen::Index(amplitudes.size()))};
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        p.omega(Eigen::Index(i)) = between(found.points, amplitudes[i], &signal::EnvelopePoint::omega);
        p.zeta(Eigen::Index(i)) = between(found.points, amplitudes[i], &signal::EnvelopePoint::zeta);
    }
    return p;
}

}  // namespace faying::modal
