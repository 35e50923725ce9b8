#include "faying/modal/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <thread>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/modes/linear.hpp"

namespace faying::modal {

namespace {

using std::numbers::pi;
using transient::Excitation;

struct Job {
    std::string name;
    Excitation load;
    double pulse_end = 0;
    std::vector<int> wanted;  ///< modes to measure
    std::string place;
    Level level;  ///< with the duration and step of the run
    const structure::Model* model = nullptr;
};

/// The level with nothing left open.
Level filled(Level level, const Study& study) {
    if (level.duration <= 0) level.duration = study.duration;
    if (level.step <= 0) level.step = study.step;
    return level;
}

/// What a simulation leaves behind: velocities of the wanted modes after the pulse, and how the others compare.
struct Response {
    double start = -1, interval = 0;
    std::vector<std::vector<double>> velocity;  ///< of each wanted mode
    Eigen::VectorXd peak;                       ///< greatest velocity of every mode in the first twentieth
    double reach = 0, energy_error = 0;  ///< reach: joint displacement over macroslip, of the joints that know it
    bool reach_known = true;
    Eigen::VectorXd omega;  ///< stuck, of every mode
};

Response respond(const Job& job, const Study& study) {
    transient::Options options;
    options.method = study.method;
    options.duration = job.level.duration;
    options.step = job.level.step;
    options.tolerance = study.tolerance;
    // An implicit step is far shorter than an envelope needs: forty samples per period are kept.
    const Eigen::VectorXd stuck = modes::linear_modes(job.model->mass, structure::stuck_stiffness(*job.model)).omega;
    const double fastest = stuck(*std::max_element(job.wanted.begin(), job.wanted.end()) - 1);
    if (study.method != transient::Method::events)
        options.record_every = std::max(1, int(2 * pi / (40 * fastest * job.level.step)));
    Response r;
    std::vector<double> slip;  // macroslip at each row of the joints; infinite where it is not known
    for (const auto& joint : job.model->joints) {
        const auto macroslip = joint.law.macroslip();
        if (!macroslip) r.reach_known = false;
        slip.insert(slip.end(), std::size_t(joint.map.rows()), macroslip.value_or(core::infinity));
    }
    r.omega = stuck;
    r.interval = options.record_every * job.level.step;
    r.velocity.resize(job.wanted.size());
    r.peak = Eigen::VectorXd::Zero(job.model->size());
    const double early = job.pulse_end + (job.level.duration - job.pulse_end) / 20;
    transient::Simulation run(*job.model, job.load, {}, options);
    run.to_end([&](const transient::Snapshot& s) {
        r.energy_error = std::max(r.energy_error, std::abs(s.energy.error()));
        if (s.time < job.pulse_end) return;
        if (r.start < 0) r.start = s.time;
        if (s.time < r.start + (double(r.velocity[0].size()) - 0.5) * r.interval) return;  // the end, off the grid
        for (std::size_t k = 0; k < job.wanted.size(); ++k) r.velocity[k].push_back(s.q_velocity(job.wanted[k] - 1));
        if (s.time <= early || r.velocity[0].size() == 1) r.peak = r.peak.cwiseMax(s.q_velocity.cwiseAbs());
        for (std::size_t j = 0; j < slip.size(); ++j)
            r.reach = std::max(r.reach, std::abs(s.joint_displacement(Eigen::Index(j))) / slip[j]);
    });
    return r;
}

/// One simulation, and the ring-down of each wanted mode.
std::vector<RingDown> measure(const Job& job, const Study& study) {
    const Response response = respond(job, study);
    signal::EnvelopeOptions envelope;
    envelope.dropped_start = envelope.dropped_end = study.dropped;
    envelope.noise_limit = 0.5;
    std::vector<RingDown> measured;
    for (std::size_t k = 0; k < job.wanted.size(); ++k) {
        const double peak = response.peak(job.wanted[k] - 1), share = peak * peak / response.peak.squaredNorm();
        RingDown ring{job.wanted[k], job.place, job.level.p, {}, share, {}, {}, response.energy_error};
        if (response.reach_known || response.reach >= 1) ring.joint_reach = response.reach;
        // A segment needs three periods: short runs have fewer segments.
        const double periods = (job.level.duration - job.pulse_end) * response.omega(job.wanted[k] - 1) / (2 * pi);
        envelope.segments = std::clamp(int(0.9 * periods / 3), 2, study.segments);
        try {
            const signal::Record record{response.start, response.interval, response.velocity[k]};
            const auto found = signal::converted(signal::envelope(record, envelope, job.name),
                                                 signal::Quantity::velocity, signal::Quantity::displacement);
            const auto& p = found.points;
            for (std::size_t i = 0; i < p.size(); ++i) {
                const double before = i > 0 ? p[i - 1].amplitude / p[i].amplitude : 1;
                const double after = i + 1 < p.size() ? p[i].amplitude / p[i + 1].amplitude : 1;
                if (std::max(before, after) < study.most_decay)
                    ring.points.push_back({p[i].amplitude, p[i].omega, p[i].zeta});
            }
            if (ring.points.empty()) ring.problem = "decays too fast for this many segments";
        } catch (const core::BadInput& error) {
            ring.problem = error.what();
        }
        measured.push_back(std::move(ring));
    }
    return measured;
}

/// Tells fitted models apart in the names of their runs.
std::size_t digest(const ModalIwan& m) {
    std::size_t sum = 0;
    for (const double x : {m.k_infinity, m.zeta0, m.FS, m.KT, m.chi, m.beta})
        sum = sum * 1099511628211u + std::hash<double>{}(x);
    return sum;
}

/// Runs the jobs on all threads, each result in its own place.
std::vector<std::vector<RingDown>> run_all(const std::vector<Job>& jobs, const Study& study, const RunOptions& options,
                                           std::size_t& done, std::size_t total) {
    std::vector<std::vector<RingDown>> results(jobs.size());
    std::vector<std::exception_ptr> failures(jobs.size());
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex lock;
    const auto work = [&] {
        for (std::size_t i = next++; i < jobs.size() && !stop; i = next++) {
            try {
                bool known = false;
                if (options.store.load) {
                    const std::scoped_lock guard(lock);
                    known = options.store.load(jobs[i].name, results[i]);
                }
                if (!known) results[i] = measure(jobs[i], study);
                const std::scoped_lock guard(lock);
                if (!known && options.store.save) options.store.save(jobs[i].name, results[i]);
                ++done;
                if (options.progress && !options.progress(done, total)) stop = true;
            } catch (...) {
                failures[i] = std::current_exception();
                stop = true;
            }
        }
    };
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t count = std::min(jobs.size(), options.threads > 0 ? std::size_t(options.threads) : cores);
    {
        std::vector<std::jthread> threads;
        for (std::size_t k = 0; k < count; ++k) threads.emplace_back(work);
    }
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
    if (stop)
        throw core::Interrupted(options.store.save ? "stopped; the same command goes on with the runs that are left"
                                                   : "stopped; nothing was kept (a store keeps finished runs)");
    return results;
}

/// ln zeta of the closed curve at each measured point, compared.
Comparison compare(const RingDown& run, const ModalIwan& mode) {
    Comparison c{run.mode, run.place, run.p, Regime::transition, false, 0, 0, 0, 0};
    double least = std::numeric_limits<double>::infinity();
    for (const auto& p : run.points) {
        const ModalPoint model = mode.at(p.q);
        const double ratio = p.zeta / model.zeta;
        if (&p == &run.points.front()) c.first_ratio = ratio;
        c.last_ratio = ratio;
        c.mean_ratio += ratio / double(run.points.size());
        c.omega_difference += (p.omega / model.omega - 1) / double(run.points.size());
        least = std::min(least, p.q);
    }
    if (run.joint_reach && *run.joint_reach < 1)
        c.regime = Regime::microslip;
    else if (least > mode.macroslip())
        c.regime = Regime::macroslip;
    else if (!run.joint_reach)
        c.regime = Regime::unknown;
    return c;
}

}  // namespace

const char* name(Regime regime) {
    switch (regime) {
        case Regime::microslip: return "microslip";
        case Regime::transition: return "transition";
        case Regime::macroslip: return "macroslip";
        case Regime::unknown: break;
    }
    return "unknown";
}

void Study::check() const {
    core::require(!modes.empty(), "study", "one mode or more");
    core::require(segments >= 2, "study", "segments >= 2");
    const auto check_levels = [this](const std::vector<Level>& levels) {
        for (const Level& level : levels) {
            const Level whole = filled(level, *this);
            core::require(level.p > 0, "study", "levels p > 0");
            core::require(whole.step > 0 && whole.step < whole.duration, "study", "0 < step < duration");
        }
    };
    for (const auto& m : modes) {
        core::require(m.mode >= 1 && !m.levels.empty(), "study", "modes from 1, each with one level or more");
        check_levels(m.levels);
    }
    for (const auto& place : places) {
        core::require((place.dof >= 1) != !place.output.empty(), "study", "a place is a DOF from 1, or an output");
        core::require(!place.levels.empty(), "study", "a place has one level or more");
        check_levels(place.levels);
    }
}

std::string Place::name() const { return output.empty() ? fmt::format("DOF {}", dof) : output; }

double ratio_at(const RingDown& run, const ModalIwan& mode, double q) {
    for (std::size_t i = 1; i < run.points.size(); ++i) {
        const ModalPoint &a = run.points[i - 1], &b = run.points[i];
        if ((a.q - q) * (b.q - q) > 0 || !(a.zeta > 0 && b.zeta > 0)) continue;
        const double s = std::log(q / a.q) / std::log(b.q / a.q);
        return std::exp((1 - s) * std::log(a.zeta) + s * std::log(b.zeta)) / mode.at(q).zeta;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

StudyResult run_study(const structure::Model& model, const Study& study, const RunOptions& options) {
    study.check();
    const auto stuck = modes::linear_modes(model.mass, structure::stuck_stiffness(model));
    const auto slipping = modes::linear_modes(model.mass, structure::slipping_stiffness(model));
    const auto omega_of = [&](int mode) {
        if (mode < 1 || mode > model.size())
            throw core::BadInput("study", fmt::format("there is no mode {}; allowed are 1 to {}", mode, model.size()));
        return stuck.omega(mode - 1);
    };
    std::vector<int> all_modes;
    for (const auto& m : study.modes) all_modes.push_back(m.mode);

    std::vector<Job> first;  // procedures I and III do not wait for each other
    for (const auto& m : study.modes)
        for (const auto& level : m.levels) {
            const double w = omega_of(m.mode);
            first.push_back(
                {fmt::format("selective-mode{}-{}-p{:.9g}", m.mode, level.slipping ? "slip" : "stuck", level.p),
                 {{transient::mode_load(model, m.mode, level.slipping), transient::half_sine(level.p, w)}},
                 pi / w,
                 {m.mode},
                 {},
                 filled(level, study),
                 &model});
        }
    const std::size_t selective = first.size();
    for (std::size_t k = 0; k < study.places.size(); ++k) {
        const Place& place = study.places[k];
        const double w = omega_of(place.pulse_mode);
        const Eigen::VectorXd shape = place.output.empty() ? transient::point_load(model, place.dof)
                                                           : structure::find_output(model, place.output);
        for (const auto& level : place.levels)
            first.push_back({fmt::format("impact-place{}-p{:.9g}", k + 1, level.p),
                             {{shape, transient::half_sine(level.p, w)}},
                             pi / w,
                             all_modes,
                             place.name(),
                             filled(level, study),
                             &model});
    }
    std::size_t done = 0;
    const std::size_t total = first.size() + selective;
    const auto runs = run_all(first, study, options, done, total);

    StudyResult result;
    std::size_t at = 0;
    for (const auto& m : study.modes) {
        ModeResult one{m.mode, stuck.omega(m.mode - 1), slipping.omega(m.mode - 1), {}, {}, {}, 0};
        std::vector<ModalPoint> points;
        for (std::size_t k = 0; k < m.levels.size(); ++k) {
            one.selective.push_back(runs[at++][0]);
            for (const auto& p : one.selective.back().points)
                if (p.zeta > 0) points.push_back(p);
        }
        one.fit = fit_modal_iwan(points, study.fit);
        result.modes.push_back(std::move(one));
    }
    std::vector<structure::Model> oscillators;
    for (const auto& one : result.modes) oscillators.push_back(one.fit.mode.model());
    std::vector<Job> second;
    for (std::size_t m = 0; m < study.modes.size(); ++m)
        for (const auto& level : study.modes[m].levels) {
            const double w = stuck.omega(study.modes[m].mode - 1);
            second.push_back({fmt::format("model-mode{}-{}-p{:.9g}-{:x}", study.modes[m].mode,
                                          level.slipping ? "slip" : "stuck", level.p, digest(result.modes[m].fit.mode)),
                              {{Eigen::VectorXd::Ones(1), transient::half_sine(level.p, w)}},
                              pi / w,
                              {1},
                              {},
                              filled(level, study),
                              &oscillators[m]});
        }
    const auto model_runs = run_all(second, study, options, done, total);
    at = 0;
    for (std::size_t m = 0; m < result.modes.size(); ++m) {
        ModeResult& one = result.modes[m];
        double squares = 0, count = 0;
        for (std::size_t k = 0; k < study.modes[m].levels.size(); ++k) {
            one.model.push_back(model_runs[at++][0]);
            one.model.back().mode = one.mode;
            for (const auto& p : one.model.back().points)
                if (p.zeta > 0) squares += std::pow(std::log(p.zeta / one.fit.mode.at(p.q).zeta), 2), count += 1;
        }
        one.model_difference = std::sqrt(squares / std::max(1.0, count));
    }
    for (std::size_t i = selective; i < runs.size(); ++i) {
        double largest = 0;
        for (const auto& ring : runs[i]) largest = std::max(largest, ring.energy_share);
        for (std::size_t m = 0; m < runs[i].size(); ++m) {
            result.impacts.push_back(runs[i][m]);
            if (runs[i][m].points.empty()) continue;
            result.comparisons.push_back(compare(runs[i][m], result.modes[m].fit.mode));
            result.comparisons.back().dominant = runs[i][m].energy_share == largest;
        }
    }
    return result;
}

}  // namespace faying::modal
