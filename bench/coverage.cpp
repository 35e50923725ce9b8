// Whether bounds hold what they say, on synthetic experiments whose truth is known.
//
//     bench_coverage [experiments, default 200] [records | laws, default both]
//
// records: ring-downs with a mode of amplitude-dependent damping, a second mode and noise (white, red, 1/f), each through
//          find_modes; the truth against the 95 % bounds of the backbone.
// laws:    an oscillator with a four-parameter Iwan law drawn from its prior, measured in two tests with errors that
//          neighbours share and scatter between the tests; ranks of the truth in the posterior (simulation-based
//          calibration, Talts and others 2018), the curve against its 95 % band between and beyond the points, and how
//          often a misfit is flagged: with this law, and where a hardening spring stands beside it that the law lacks.

#include <fmt/format.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>

#include "cpu_time.hpp"
#include "faying/fit/predictive.hpp"
#include "faying/modal/oscillator.hpp"
#include "faying/signal/found_modes.hpp"
#include "signal/ring_downs.hpp"

namespace {

using namespace faying;
using Eigen::VectorXd;
using std::numbers::pi;

struct Count {
    double inside = 0, all = 0;
    void add(double x, double low, double high) { inside += x >= low && x <= high, ++all; }
    double share() const { return 100 * inside / all; }
};

// ---- records

constexpr double hertz = 90;
const tests::KnownMode beam{2 * pi * hertz, 0.02 / hertz, 2e-3, 3e-4, 0.5};

/// Two channels, 2.5 s at 2 kHz, noise `level` of the beginning.
std::vector<signal::Record> ring_down(std::mt19937_64& random, double level, const tests::Colour& colour) {
    std::normal_distribution<double> normal;
    const double rate = 2000, top = 10 * std::exp(normal(random) * 0.5);
    const double phase = std::uniform_real_distribution<double>(0, 2 * pi)(random);
    const auto first = tests::ring_down(beam, top, rate, 2.5, phase);
    const auto second = tests::ring_down({2 * pi * 410, 0, 1.5e-3, 0, 1}, 0.4 * top, rate, 2.5, phase);
    std::vector<signal::Record> channels(2, {0, 1 / rate, {}});
    for (std::size_t c = 0; c < 2; ++c) {
        tests::ColouredNoise noise(colour);
        for (std::size_t i = 0; i < first.values.size(); ++i)
            channels[c].values.push_back((c == 0 ? 1 : 0.6) * first.values[i] + (c == 0 ? 1 : -0.9) * second.values[i] +
                                         level * top * noise(random));
    }
    return channels;
}

void check_records(int experiments) {
    fmt::print("backbones of {} ring-downs, noise 40 dB below the start: 95 % bounds of the curve hold the truth in\n",
               experiments);
    for (const auto& colour : tests::colours) {
        Count omega, zeta;
        int lost = 0;
        for (int e = 0; e < experiments; ++e) {
            std::mt19937_64 random(std::uint64_t(1000 + e));
            signal::FindOptions o;
            o.wanted = {hertz};
            o.points = 12;
            const auto found = signal::find_modes(ring_down(random, 0.01, colour), {"1", "2"}, o, "synthetic");
            if (found.modes.empty() || !found.modes[0].backbone) {
                ++lost;
                continue;
            }
            for (const auto& p : found.modes[0].backbone->points) {
                omega.add(beam.omega(p.amplitude), p.omega_mean.low, p.omega_mean.high);
                zeta.add(beam.zeta(p.amplitude), p.zeta_mean.low, p.zeta_mean.high);
            }
        }
        fmt::print("  {:16} {:.1f} % (frequency), {:.1f} % (damping){}\n", colour.name, omega.share(), zeta.share(),
                   lost > 0 ? fmt::format("; {} without a backbone", lost) : "");
    }
}

// ---- laws

const modal::Scales scales{1, 0.02, 500};

std::vector<fit::MeasuredRecord> two_tests() {
    std::vector<fit::MeasuredRecord> all;
    for (int t = 0; t < 2; ++t) {
        fit::MeasuredRecord r{"test " + std::to_string(t + 1), {}, 2e-4, 0.02};
        for (int i = 0; i < 10; ++i) {
            r.data.amplitude.push_back(scales.least * std::pow(1 / scales.least, (i + 0.5 * t) / 9.5));
            r.data.omega.push_back(scales.omega);
            r.data.zeta.push_back(1e-3);
        }
        all.push_back(std::move(r));
    }
    return all;
}

fit::CurveModel model_of(const modal::Oscillator& mode, std::vector<std::vector<double>> amplitudes) {
    return {mode.parameters(), [mode, amplitudes](const std::vector<double>& values, std::size_t r, bool slopes) {
                return mode.at(values, amplitudes[r], slopes);
            }};
}

/// Data as the posterior's own model makes them; `hardening` adds a k3 q^3 that it does not know, as a share of the
/// stiffness at the greatest amplitude.
std::vector<fit::MeasuredRecord> drawn(const fit::Posterior& empty, const VectorXd& z, std::mt19937_64& random,
                                       double hardening) {
    std::normal_distribution<double> normal;
    const auto values = empty.values(z);
    const std::vector<double> theta(values.begin(), values.begin() + std::ptrdiff_t(empty.model_size()));
    auto tests = empty.records();
    for (std::size_t r = 0; r < tests.size(); ++r) {
        const auto p = empty.model().at(theta, r, false);
        for (int kind = 0; kind < 2; ++kind) {
            const Eigen::MatrixXd L = Eigen::LLT<Eigen::MatrixXd>(empty.covariance(values, r, kind)).matrixL();
            VectorXd e(L.rows());
            for (auto& x : e) x = normal(random);
            const VectorXd noise = L * e;
            for (Eigen::Index i = 0; i < noise.size(); ++i) {
                const auto k = std::size_t(i);
                const double a = tests[r].data.amplitude[k];
                if (kind == 0)
                    tests[r].data.omega[k] = p->omega(i) * std::exp(noise(i)) * std::sqrt(1 + hardening * a * a);
                else
                    tests[r].data.zeta[k] = p->zeta(i) * std::exp(noise(i));
            }
        }
    }
    return tests;
}

struct Drawn {
    fit::Posterior posterior;
    fit::Samples samples;
};
Drawn sampled(const fit::CurveModel& model, std::vector<fit::MeasuredRecord> tests, const VectorXd& start, int seed) {
    fit::Posterior posterior(model, std::move(tests));
    fit::SampleOptions o;
    o.chains = 2;
    o.warmup = 200;
    o.draws = 300;
    o.seed = std::uint64_t(seed);
    const fit::Target target = [&](const VectorXd& z, VectorXd* slope) {
        return slope ? posterior.log_density_gradient(z, *slope) : posterior.log_density(z);
    };
    auto samples = fit::sample(target, start, o);
    return {std::move(posterior), std::move(samples)};
}

void check_laws(int experiments) {
    constexpr int bins = 10, thin = 6;
    const modal::Oscillator mode("iwan4", scales);
    auto tests = two_tests();
    std::vector<std::vector<double>> amplitudes;
    for (const auto& t : tests) amplitudes.push_back(t.data.amplitude);
    const auto model = model_of(mode, amplitudes);
    const fit::Posterior empty(model, tests);
    const std::vector<double> asked{0.01, 0.1, 0.5, 2};
    const auto curve = [&](const std::vector<double>& theta) { return mode.at(theta, asked, false); };
    Eigen::MatrixXi counts = Eigen::MatrixXi::Zero(Eigen::Index(empty.size()), bins);
    Count omega, zeta;
    int flagged = 0, wrong = 0, wrong_flagged = 0;
    for (int e = 0; e < experiments; ++e) {
        std::mt19937_64 random{std::uint64_t(e) + 77};
        std::normal_distribution<double> normal;
        // The prior is where the model has an answer, at the points measured and at those asked for.
        VectorXd truth(static_cast<Eigen::Index>(empty.size()));
        std::vector<double> theta;
        const auto allowed = [&] {
            for (std::size_t r = 0; r < tests.size(); ++r)
                if (!model.at(theta, r, false)) return false;
            return curve(theta).has_value();
        };
        do {
            for (auto& x : truth) x = normal(random);
            const auto values = empty.values(truth);
            theta.assign(values.begin(), values.begin() + std::ptrdiff_t(empty.model_size()));
        } while (!allowed());
        const auto right = sampled(model, drawn(empty, truth, random, 0), truth, e);
        const int kept = int(right.samples.size()) / thin;
        for (Eigen::Index i = 0; i < truth.size(); ++i) {
            int below = 0;
            for (int k = 0; k < kept; ++k) below += right.samples.draw(std::size_t(k * thin))(i) < truth(i);
            ++counts(i, std::min(bins - 1, below * bins / (kept + 1)));
        }
        const auto exact = curve(theta);
        const auto band = fit::predict(right.posterior, right.samples, curve, asked, {.draws = 300});
        for (std::size_t k = 0; k < asked.size(); ++k) {
            omega.add(exact->omega(Eigen::Index(k)), band.omega.low[k], band.omega.high[k]);
            zeta.add(exact->zeta(Eigen::Index(k)), band.zeta.low[k], band.zeta.high[k]);
        }
        flagged += fit::check_fit(right.posterior, right.samples, {.draws = 150}).misfit;
        // A frequency that rises by 0.4 % more than the law knows: as far above the errors as the measured beam's turn.
        const auto off = sampled(model, drawn(empty, truth, random, 8e-3), truth, e);
        ++wrong;
        wrong_flagged += fit::check_fit(off.posterior, off.samples, {.draws = 150}).misfit;
    }
    fmt::print(
        "iwan4 calibrated to {} experiments of two tests, {} parameters with those of the errors\n"
        "  95 % bands of the curve, half to twice the amplitudes measured: {:.1f} % (frequency), {:.1f} % (damping)\n"
        "  misfit flagged: {:.1f} % with the right law, {:.1f} % where it lacks a hardening spring\n"
        "  ranks of the truth, probability of a chi-squared as large:",
        experiments, empty.size(), omega.share(), zeta.share(), 100.0 * flagged / experiments,
        100.0 * wrong_flagged / wrong);
    const boost::math::chi_squared distribution(bins - 1);
    double least = 1;
    for (Eigen::Index i = 0; i < counts.rows(); ++i) {
        const double expected = double(experiments) / bins;
        double sum = 0;
        for (int k = 0; k < bins; ++k) sum += std::pow(counts(i, k) - expected, 2) / expected;
        const double p = boost::math::cdf(boost::math::complement(distribution, sum));
        least = std::min(least, p);
        fmt::print(" {} {:.2f}", empty.parameters()[std::size_t(i)].key, p);
    }
    fmt::print("\n  least of {}: {:.3f} (one in twenty is below {:.3f} by chance)\n", counts.rows(), least,
               1 - std::pow(0.95, 1.0 / double(counts.rows())));
}

}  // namespace

int main(int count, char** words) {
    const int experiments = count > 1 ? std::atoi(words[1]) : 200;
    const std::string which = count > 2 ? words[2] : "";
    const double begin = bench::cpu_seconds();
    if (which != "laws") check_records(experiments);
    if (which != "records") check_laws(experiments);
    fmt::print("{:.0f} s of processors\n", bench::cpu_seconds() - begin);
}
