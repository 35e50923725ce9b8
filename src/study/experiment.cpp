#include "faying/study/experiment.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/files/backbones.hpp"
#include "faying/modes/prestress.hpp"
#include "faying/signal/backbone.hpp"
#include "faying/signal/ring_down.hpp"
#include "faying/study/evaluation_log.hpp"
#include "faying/transient/simulate.hpp"
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

laws::Law contact(double kt, double mu, double kn) {
    return laws::Law("elastic-dry-friction", {{"kt", kt}, {"mu", mu}, {"kn", kn}});
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
    const Eigen::VectorXd row = run.shapes().transpose() * structure::find_output(model, e.sensor);
    Normal noise(e.seed, 1000 + std::uint64_t(hit));
    signal::Record record{0, e.step * e.record_every, {}};
    const bool ended = run.to_end(
        [&](const transient::Snapshot& now) {
            record.values.push_back(row.dot(now.q_acceleration) + e.noise * noise());
            at(now.time / e.duration);
        },
        {}, {}, [&](double) { return !(options.stop && options.stop()); });
    if (!ended)
        throw core::Interrupted(options.store.save ? "stopped; the same command goes on with the hits it has"
                                                   : "stopped; nothing was kept (a store keeps finished hits)");
    return record;
}

/// One mode of one hit: what comes after the pulse, band-passed, its peaks.
signal::RingDownOptions ring_down_options(const Experiment& e, const Band& band) {
    signal::RingDownOptions o;
    o.from = 2 * e.pulse;
    o.band = {band.low, band.high, e.order};
    o.settled = 1e-2;
    o.most_dropped = 0.2;
    o.envelope.method = signal::Method::peaks;
    o.envelope.dropped_start = o.envelope.dropped_end = 0.02;
    return o;
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
    const auto smooth = structure::joint_on_nodes(e.reduced, "interface", contact(e.joint.kt, e.joint.mu, e.joint.kn));
    model.joints = {smooth};
    const Eigen::VectorXd rest = smooth.map * modes::prestress(model).u;
    Eigen::VectorXd pressure(smooth.sites());
    for (Eigen::Index i = 0; i < pressure.size(); ++i) pressure(i) = e.joint.kn * std::max(0.0, rest(3 * i + 2));
    const double mean = pressure.dot(smooth.weight) / smooth.weight.sum();
    Normal random(e.seed, 0);
    model.joints.clear();
    for (Eigen::Index i = 0; i < pressure.size(); ++i) {
        const double p = std::max(pressure(i) / mean, e.joint.least_pressure);
        model.joints.push_back({fmt::format("node {}", i + 1),
                                contact(e.joint.kt * std::pow(p, e.joint.exponent),
                                        e.joint.mu * std::exp(e.joint.spread * random()), e.joint.kn),
                                smooth.map.middleRows(3 * i, 3),
                                smooth.weight.segment(i, 1),
                                {},
                                {},
                                smooth.places.middleRows(i, 1)});
    }
    return model;
}

ExperimentResult perform(const Experiment& e, const ExperimentOptions& options) {
    const auto model = rough_model(e);
    ExperimentResult result;
    result.records.resize(std::size_t(e.hits));
    std::mutex mutex;
    std::vector<double> shares(std::size_t(e.hits), 0.0);
    const auto report = [&](std::size_t hit, double share) {  // with the mutex held
        shares[hit] = share;
        double sum = 0;
        for (const double s : shares) sum += s / e.hits;
        if (options.done) options.done(sum);
    };
    fit::for_each_index(std::size_t(e.hits), options.threads, [&](std::size_t hit) {
        auto& record = result.records[hit];
        {
            const std::lock_guard lock(mutex);
            if (options.store.load && options.store.load(int(hit), record)) return report(hit, 1);
        }
        record = struck(model, e, int(hit), options, [&](double share) {
            const std::lock_guard lock(mutex);
            report(hit, share);
        });
        const std::lock_guard lock(mutex);
        if (options.store.save) options.store.save(int(hit), record);
    });
    for (const auto& band : e.bands) {
        std::vector<signal::Envelope> envelopes;
        for (std::size_t hit = 0; hit < result.records.size(); ++hit) {
            const auto where = fmt::format("hit {}, mode {}", hit + 1, band.mode);
            try {
                envelopes.push_back(signal::ring_down(result.records[hit], ring_down_options(e, band), where));
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
           files::backbones_text(result.backbones);
}

}  // namespace faying::study
