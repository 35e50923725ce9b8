#include "faying/study/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

#include "calibration_store.hpp"
#include "calibration_team.hpp"
#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/modal/oscillator_fit.hpp"

namespace faying::study {

using core::BadInput;

namespace {

/// All tests of a mode as one backbone, for starting values only.
fit::Backbone as_one_backbone(const std::vector<fit::MeasuredRecord>& records) {
    fit::Backbone all;
    all.mode = records.front().data.mode;
    std::vector<std::array<double, 3>> points;
    for (const auto& r : records)
        for (std::size_t i = 0; i < r.data.size(); ++i)
            points.push_back({r.data.amplitude[i], r.data.omega[i], r.data.zeta[i]});
    std::sort(points.begin(), points.end());
    for (const auto& p : points) {
        if (!all.amplitude.empty() && p[0] <= all.amplitude.back() * (1 + 1e-9)) continue;
        all.amplitude.push_back(p[0]);
        all.omega.push_back(p[1]);
        all.zeta.push_back(p[2]);
    }
    return all;
}

LawPosterior of_single_mode(const CalibrationPlan& plan, const std::string& law) {
    std::vector<fit::Backbone> data;
    for (const auto& r : plan.records) data.push_back(r.data);
    auto mode = std::make_shared<modal::Oscillator>(law, modal::scales_of(data), plan.stiffness);
    for (const auto& p : plan.priors)
        if (p.law.empty() || p.law == law) {
            const auto& known = mode->parameters();
            if (std::any_of(known.begin(), known.end(), [&](const auto& k) { return k.key == p.key; }))
                mode->set_prior(p.key, p.low, p.high);
        }
    LawPosterior made;
    made.oscillator = mode;
    const auto amplitudes = [&] {
        std::vector<std::vector<double>> all;
        for (const auto& r : plan.records) all.push_back(r.data.amplitude);
        return all;
    }();
    fit::CurveModel model{mode->parameters(),
                          [mode, amplitudes](const std::vector<double>& values, std::size_t r, bool slopes) {
                              return mode->at(values, amplitudes[r], slopes);
                          }};
    made.posterior = std::make_shared<fit::Posterior>(std::move(model), plan.records, plan.errors);
    made.in_units = [mode](std::size_t i, double value) {
        return i < mode->parameters().size() ? mode->in_units(i, value) : value;
    };
    for (std::size_t i = 0; i < made.posterior->size(); ++i)
        made.units.push_back(i < mode->parameters().size() ? mode->unit(i) : "");
    made.start = [posterior = made.posterior, records = plan.records, law, stiffness = plan.stiffness,
                  seed = plan.sampling.seed] {
        modal::OscillatorFitOptions o;
        o.curves = stiffness == modal::Stiffness::harmonic ? modal::Curves::harmonic : modal::Curves::quasi_static;
        o.folds = 0;
        o.bounds = false;
        o.seed = seed;
        auto fitted = modal::fit_oscillator(as_one_backbone(records), law, o);
        auto z = posterior->coordinates(fitted.values);
        // Not at the very end of a prior, where its coordinate has no slope left.
        z = z.cwiseMax(-3).cwiseMin(3);
        if (!posterior->errors_known()) {
            z(posterior->error_keys().size[0]) =
                posterior->parameters()[std::size_t(posterior->error_keys().size[0])].coordinate(2 * fitted.omega_rms);
            z(posterior->error_keys().size[1]) =
                posterior->parameters()[std::size_t(posterior->error_keys().size[1])].coordinate(2 * fitted.zeta_rms);
        }
        return z;
    };
    return made;
}

/// The best of many draws of the prior, each gone uphill a little.
Eigen::VectorXd screened_start(const fit::Posterior& posterior, std::uint64_t seed) {
    const auto d = Eigen::Index(posterior.size());
    const auto target = [&](const Eigen::VectorXd& z, Eigen::VectorXd* slope) {
        return slope ? posterior.log_density_gradient(z, *slope) : posterior.log_density(z);
    };
    std::mt19937_64 random(seed);
    std::vector<std::pair<double, Eigen::VectorXd>> found;
    for (int k = 0; k < 200; ++k) {
        Eigen::VectorXd z(d);
        for (auto& x : z) x = fit::normal_quantile((double(random() >> 11) + 0.5) * 0x1p-53);
        z.tail(d - Eigen::Index(posterior.model_size())).setZero();
        const double value = target(z, nullptr);
        if (std::isfinite(value)) found.emplace_back(value, z);
    }
    if (found.empty())
        throw core::NotConverged("none of 200 draws of the prior has a backbone",
                                 std::numeric_limits<double>::quiet_NaN());
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    fit::Peak best;
    best.log_density = -core::infinity;
    for (std::size_t k = 0; k < std::min<std::size_t>(4, found.size()); ++k) {
        const auto peak = fit::highest(target, found[k].second, 15);
        if (peak.log_density > best.log_density) best = peak;
    }
    return best.z;
}

LawPosterior of_joint(const CalibrationPlan& plan, const std::string& law) {
    const auto& variants = plan.study->variants;
    const auto variant = std::find_if(variants.begin(), variants.end(), [&](const auto& v) { return v.name == law; });
    auto problem = std::make_shared<Problem>(*variant, plan.study->setup);
    LawPosterior made;
    made.problem = problem;
    std::vector<std::size_t> modes;
    for (std::size_t m = 0; m < plan.study->setup.modes.size(); ++m)
        if (plan.study->setup.modes[m].fitted) modes.push_back(m);
    fit::CurveModel model;
    for (const auto& axis : problem->space().axes())
        model.parameters.push_back(axis.scale == core::Scale::logarithmic
                                       ? fit::Prior::log_uniform(axis.key, axis.range.lower, axis.range.upper)
                                       : fit::Prior::uniform(axis.key, axis.range.lower, axis.range.upper));
    model.at = [problem, modes](const std::vector<double>& values, std::size_t r, bool slopes) {
        return problem->predicted(values, modes[r], slopes);
    };
    made.posterior = std::make_shared<fit::Posterior>(std::move(model), plan.records, plan.errors);
    made.in_units = [](std::size_t, double value) { return value; };
    for (std::size_t i = 0; i < made.posterior->size(); ++i)
        made.units.push_back(
            i < problem->space().size() ? label_of(problem->variant(), problem->space().axes()[i].key).unit : "");
    made.start = [posterior = made.posterior, seed = plan.sampling.seed] { return screened_start(*posterior, seed); };
    return made;
}

CalibratedParameter described(const fit::Posterior& posterior, const LawPosterior& law, const fit::Samples& samples,
                              std::size_t i) {
    CalibratedParameter p;
    p.prior = posterior.parameters()[i];
    p.key = p.prior.key;
    p.unit = law.units[i];
    std::vector<Eigen::VectorXd> coordinates;
    std::vector<double> all;
    for (const auto& chain : samples.chains) {
        Eigen::VectorXd z(Eigen::Index(chain.draws.size()));
        std::vector<double> values;
        for (std::size_t k = 0; k < chain.draws.size(); ++k) {
            z(Eigen::Index(k)) = chain.draws[k][i];
            values.push_back(law.in_units(i, p.prior.value(chain.draws[k][i])));
        }
        all.insert(all.end(), values.begin(), values.end());
        p.draws.push_back(std::move(values));
        coordinates.push_back(std::move(z));
    }
    p.diagnosis = fit::diagnose(coordinates);
    const Eigen::Map<const Eigen::ArrayXd> v(all.data(), Eigen::Index(all.size()));
    p.mean = v.mean();
    p.deviation = std::sqrt((v - p.mean).square().sum() / double(all.size() - 1));
    p.median = fit::quantile(all, 0.5);
    p.low = fit::quantile(all, 0.025);
    p.high = fit::quantile(all, 0.975);
    return p;
}

std::vector<double> log_spaced(double low, double high, int count) {
    std::vector<double> x;
    for (int k = 0; k < count; ++k) x.push_back(low * std::pow(high / low, double(k) / (count - 1)));
    return x;
}

/// Share of measured values that the bounds of another test hold.
double covered_share(const fit::Band& band, const fit::Backbone& measured) {
    double inside = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        inside += measured.omega[i] >= band.omega.test_low[i] && measured.omega[i] <= band.omega.test_high[i];
        inside += measured.zeta[i] >= band.zeta.test_low[i] && measured.zeta[i] <= band.zeta.test_high[i];
    }
    return inside / double(2 * measured.size());
}

std::vector<PredictedBand> bands_of(const CalibrationPlan& plan, const LawPosterior& law, const fit::Samples& samples,
                                    const fit::PredictOptions& options) {
    std::vector<PredictedBand> all;
    if (law.oscillator) {
        double low = core::infinity, high = 0;
        for (const auto& r : plan.records) {
            low = std::min(low, r.data.amplitude.front());
            high = std::max(high, r.data.amplitude.back());
        }
        const auto ends = plan.predicted.value_or(std::pair(low / 1.5, high * 1.5));
        const auto amplitudes = log_spaced(ends.first, ends.second, plan.predicted_points);
        PredictedBand b{
            fmt::format("mode {}", plan.records.front().data.mode), plan.records.front().data.mode, true, {}, {}, {}};
        b.band = fit::predict(
            *law.posterior, samples,
            [&](const std::vector<double>& theta) { return law.oscillator->at(theta, amplitudes, false); }, amplitudes,
            options);
        all.push_back(std::move(b));
        return all;
    }
    const auto& modes = plan.study->setup.modes;
    for (std::size_t m = 0; m < modes.size(); ++m) {
        PredictedBand b{modes[m].name, modes[m].number, modes[m].fitted, {}, modes[m].data, {}};
        b.band = fit::predict(
            *law.posterior, samples,
            [&](const std::vector<double>& theta) { return law.problem->predicted(theta, m, false); },
            modes[m].data.amplitude, options);
        b.covered = covered_share(b.band, modes[m].data);
        all.push_back(std::move(b));
    }
    return all;
}

/// Of a team: what its first process has; the others sample with it, and that is all they do.
CalibratedLaw calibrated(const CalibrationPlan& plan, const std::string& name, CalibrationStore* store,
                         const fit::Team& team, const CalibrateOptions& options) {
    CalibratedLaw result;
    result.name = name;
    const auto law = posterior_of(plan, name);
    auto sampling = plan.sampling;
    sampling.threads = options.threads;
    sampling.stop = options.stop;
    sampling.team = team;
    if (store) sampling.store = store->chains(name);
    const std::size_t total = std::size_t(sampling.chains) * std::size_t(sampling.warmup + sampling.draws);
    if (options.progress) sampling.progress = [&](std::size_t done) { options.progress(name, done, total); };
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const bool finished = store && [&] {
        for (int c = 0; c < sampling.chains; ++c) {
            const auto kept = sampling.store.load(c);
            if (!kept || kept->iteration < sampling.warmup + sampling.draws) return false;
        }
        return true;
    }();
    fit::Samples samples;
    try {
        samples = fit::sample(
            law.target(),
            finished ? Eigen::VectorXd(Eigen::VectorXd::Zero(Eigen::Index(law.posterior->size()))) : law.start(),
            sampling);
    } catch (const core::Interrupted&) {
        if (store) store->add_seconds(name, elapsed());
        throw core::Interrupted(
            options.store.empty()
                ? "stopped; nothing was kept (a store keeps the chains)"
                : fmt::format("stopped; the same command goes on with the chains in {}", options.store));
    }
    if (team.rank != 0) return result;
    if (store && !finished) store->add_seconds(name, elapsed());
    result.seconds = store ? store->seconds(name) : elapsed();
    for (std::size_t i = 0; i < law.posterior->size(); ++i)
        result.parameters.push_back(described(*law.posterior, law, samples, i));
    result.effective = core::infinity;
    for (const auto& p : result.parameters) {
        result.rhat = std::max(result.rhat, p.diagnosis.rhat);
        result.effective = std::min({result.effective, p.diagnosis.bulk, p.diagnosis.tail});
    }
    result.divergences = samples.divergences();
    result.gradients = samples.evaluations();
    result.densities = samples.densities();
    result.acceptance = samples.acceptance();
    result.draws = samples.size();
    auto evidence = plan.evidence;
    evidence.threads = options.threads;
    result.evidence = fit::evidence(law.target(), samples, evidence);
    auto prediction = plan.prediction;
    prediction.threads = options.threads;
    result.check = fit::check_fit(*law.posterior, samples, prediction);
    result.bands = bands_of(plan, law, samples, prediction);
    return result;
}

}  // namespace

fit::Target LawPosterior::target() const {
    return [p = posterior](const Eigen::VectorXd& z, Eigen::VectorXd* gradient) {
        return gradient ? p->log_density_gradient(z, *gradient) : p->log_density(z);
    };
}

LawPosterior posterior_of(const CalibrationPlan& plan, const std::string& law) {
    if (std::find(plan.laws.begin(), plan.laws.end(), law) == plan.laws.end())
        throw BadInput(plan.path, fmt::format("has no law '{}'", law));
    return plan.study ? of_joint(plan, law) : of_single_mode(plan, law);
}

void Calibration::require_converged() const {
    for (const auto& l : laws) {
        if (!l.problem.empty()) throw core::NotConverged(fmt::format("{}: {}", l.name, l.problem), std::nan(""));
        if (l.rhat > 1.01 || l.effective < 400)
            throw core::NotConverged(
                fmt::format("{}: the chains have not mixed: R-hat {:.3f}, {:.0f} effective draws; more "
                            "draws or warm-up are needed",
                            l.name, l.rhat, l.effective),
                l.rhat - 1);
        if (!l.evidence.agree())
            throw core::NotConverged(
                fmt::format("{}: the two estimates of the evidence differ: {:.2f} and {:.2f}; more draws are needed",
                            l.name, l.evidence.bridge.value, l.evidence.importance.value),
                std::abs(l.evidence.bridge.value - l.evidence.importance.value));
    }
}

Calibration calibrate(const CalibrationPlan& plan, const CalibrateOptions& given) {
    Calibration c;
    c.file = plan.path;
    c.title = plan.title;
    c.single_mode = !plan.study;
    c.records = plan.records;
    const fit::Team team = calibration_team();
    auto options = given;
    if (team.ranks > 1 && options.threads == 0) options.threads = 1;
    std::unique_ptr<CalibrationStore> store;
    if (!options.store.empty() && team.rank == 0)
        store = std::make_unique<CalibrationStore>(options.store, fingerprint(plan));
    for (const auto& name : plan.laws) {
        try {
            c.laws.push_back(calibrated(plan, name, store.get(), team, options));
        } catch (const core::NotConverged& error) {
            CalibratedLaw failed;
            failed.name = name;
            failed.problem = error.what();
            c.laws.push_back(std::move(failed));
        }
    }
    double most = -core::infinity, sum = 0;
    for (const auto& l : c.laws)
        if (l.problem.empty()) most = std::max(most, l.evidence.bridge.value);
    for (auto& l : c.laws)
        if (l.problem.empty()) sum += l.probability = std::exp(l.evidence.bridge.value - most);
    for (auto& l : c.laws) l.probability /= sum > 0 ? sum : 1;
    std::stable_sort(c.laws.begin(), c.laws.end(), [](const auto& a, const auto& b) {
        if (a.problem.empty() != b.problem.empty()) return a.problem.empty();
        return a.evidence.bridge.value > b.evidence.bridge.value;
    });
    return c;
}

}  // namespace faying::study
