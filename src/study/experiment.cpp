#include "faying/study/experiment.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"
#include "faying/signal/backbone.hpp"
#include "faying/signal/butterworth.hpp"
#include "faying/study/ledger.hpp"
#include "faying/transient/simulate.hpp"
#include "faying/transient/system.hpp"
#include "fit/parallel.hpp"

namespace faying::study {

namespace {

/// Normal numbers, the same on every machine (std::normal_distribution is not).
class Normal {
 public:
    Normal(std::uint64_t seed, std::uint64_t stream) {
        std::seed_seq words{std::uint32_t(seed), std::uint32_t(seed >> 32), std::uint32_t(stream)};
        random_.seed(words);
    }
    double operator()() {
        const double r = std::sqrt(-2 * std::log(uniform())), angle = 2 * std::numbers::pi * uniform();
        return r * std::cos(angle);
    }

 private:
    std::mt19937_64 random_;
    double uniform() { return (double(random_() >> 11) + 0.5) * 0x1.0p-53; }
};

/// Static pressure on every patch, friction left out.
std::vector<double> pressures(const structure::Model& model, const Experiment& e) {
    const Eigen::VectorXd u = model.stiffness.ldlt().solve(model.static_force);
    std::vector<double> p;
    double force = 0, area = 0;
    for (const auto& patch : e.reduced.patches) {
        p.push_back(e.joint.kn * patch.map.row(2).dot(u));
        force += std::max(0.0, p.back()) * patch.area;
        area += patch.area;
    }
    for (double& x : p) x = std::max(x, e.joint.least_pressure * force / area);
    return p;
}

laws::Law sliders(const RoughJoint& j, double pressure, double mean, Normal& random) {
    std::string name;
    core::ParameterValues values;
    for (int k = 1; k <= j.sliders; ++k) {
        name += name.empty() ? "jenkins" : "+jenkins";
        const std::string number = j.sliders > 1 ? fmt::format("{}.", k) : "";
        const double mu = j.mu * std::pow(j.ratio, k - 1) * std::exp(j.spread * random());
        values[number + "fs"] = mu * pressure / j.sliders;
        values[number + "kt"] = j.kt * std::pow(pressure / mean, j.exponent) / j.sliders;
    }
    return laws::Law(name, values);
}

signal::Record struck(const structure::Model& model, const Experiment& e, int hit, const ExperimentOptions& options,
                      const std::function<void(double)>& at) {
    const double share = e.hits > 1 ? double(hit) / (e.hits - 1) : 1.0;
    const double force = e.force_low * std::pow(e.force_high / e.force_low, share);
    transient::Options o;
    o.method = transient::Method::alpha;
    o.spectral_radius = 0.9;
    o.duration = e.duration;
    o.step = e.step;
    o.record_every = e.record_every;
    o.energy = false;
    transient::Simulation run(
        model, {{structure::find_output(model, e.hammer), transient::half_sine(force, std::numbers::pi / e.pulse)}},
        {.displacement = {}, .velocity = {}, .preloaded = true}, o);
    const transient::System system(model);
    const Eigen::VectorXd row = system.shapes().transpose() * structure::find_output(model, e.sensor);
    Normal noise(e.seed, 1000 + std::uint64_t(hit));
    signal::Record record{0, e.step * e.record_every, {}};
    const bool ended = run.to_end(
        [&](const transient::Snapshot& now) {
            record.values.push_back(row.dot(now.q_acceleration) + e.noise * noise());
            at(now.time / e.duration);
        },
        {}, {}, [&](double) { return !(options.stop && options.stop()); });
    if (!ended) throw Stopped();
    return record;
}

/// One mode of one hit: what comes after the pulse, band-passed, its peaks.
signal::Envelope ring_down(const signal::Record& record, const Experiment& e, const Band& band,
                           const std::string& where) {
    const auto after = signal::cropped(record, 2 * e.pulse, record.time(record.values.size() - 1), where);
    const auto sections = signal::butterworth_bandpass(e.order, band.low, band.high, 1 / record.step);
    signal::EnvelopeOptions o;
    o.method = signal::Method::peaks;
    o.harmonics_removed = true;
    // The filter rings at both ends.
    const double ringing = double(signal::settling_samples(sections)) * record.step / after.duration();
    o.dropped_start = o.dropped_end = std::clamp(ringing, 0.02, 0.2);
    return signal::envelope(signal::zero_phase(sections, after), o, where);
}

fit::Backbone backbone_of(const signal::MergedBackbone& merged, int mode) {
    fit::Backbone b;
    b.mode = mode;
    for (const auto& p : merged.points) {
        if (!(p.zeta > 0) || !(p.zeta_observation.high > 0)) continue;
        b.amplitude.push_back(p.amplitude);
        b.omega.push_back(p.omega);
        b.zeta.push_back(p.zeta);
        b.omega_low.push_back(p.omega_observation.low);
        b.omega_high.push_back(p.omega_observation.high);
        b.zeta_low.push_back(p.zeta_observation.low);
        b.zeta_high.push_back(p.zeta_observation.high);
    }
    return b;
}

}  // namespace

structure::Model rough_model(const Experiment& e) {
    auto model = structure::bare_model(e.reduced, e.loads);
    model.damping_ratio = e.damping_ratio;
    for (const auto& patch : e.reduced.patches)
        model.stiffness += e.joint.kn * patch.area * patch.map.row(2).transpose() * patch.map.row(2);
    const auto p = pressures(
        [&] {
            auto stuck = model;  // the tangents must be held for the statics
            for (const auto& patch : e.reduced.patches)
                stuck.stiffness += e.joint.kt * patch.area * patch.map.topRows(2).transpose() * patch.map.topRows(2);
            return stuck;
        }(),
        e);
    double mean = 0;
    for (const double x : p) mean += x / double(p.size());
    Normal random(e.seed, 0);
    for (std::size_t i = 0; i < p.size(); ++i) {
        const auto& name = e.reduced.patches[i].name;
        model.joints.push_back(structure::joint_on_patches(e.reduced, name, sliders(e.joint, p[i], mean, random),
                                                           {name}, "tangential", true));
    }
    return model;
}

ExperimentResult perform(const Experiment& e, const ExperimentOptions& options) {
    const auto model = rough_model(e);
    ExperimentResult result;
    result.records.resize(std::size_t(e.hits));
    std::mutex mutex;
    std::vector<double> shares(std::size_t(e.hits), 0.0);
    fit::for_each_index(std::size_t(e.hits), options.threads, [&](std::size_t hit) {
        result.records[hit] = struck(model, e, int(hit), options, [&](double share) {
            if (!options.done) return;
            const std::lock_guard lock(mutex);
            shares[hit] = share;
            double sum = 0;
            for (const double s : shares) sum += s / e.hits;
            options.done(sum);
        });
    });
    for (const auto& band : e.bands) {
        std::vector<signal::Envelope> envelopes;
        for (std::size_t hit = 0; hit < result.records.size(); ++hit) {
            const auto where = fmt::format("hit {}, mode {}", hit + 1, band.mode);
            try {
                envelopes.push_back(ring_down(result.records[hit], e, band, where));
            } catch (const core::BadInput& error) {
                result.notes.emplace_back(error.what());
            }
        }
        result.backbones.push_back(backbone_of(signal::merged_backbone(envelopes, e.points), band.mode));
    }
    return result;
}

std::string backbone_text(const Experiment& e, const ExperimentResult& result) {
    return fmt::format(
               "# virtual experiment, not a measurement: {} hammer hits on a simulated joint, noise {:g} m/s^2, seed "
               "{}\n"
               "# amplitude: acceleration of '{}' in m/s^2; bounds hold one more ring-down with 95 %\n",
               e.hits, e.noise, e.seed, e.sensor) +
           fit::backbones_text(result.backbones);
}

}  // namespace faying::study
