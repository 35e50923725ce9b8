// Posteriors: 10,000 draws of a four-parameter modal law, and of a whole-joint Iwan law, by gradients and by a random walk
// (adapted to the same covariance) in the same run: effective draws a second of processor time.
//
//     bench_calibrate [draws of the joint, default 10000] [draws of the mode, default 10000; below 400: left out]

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

#include "cpu_time.hpp"
#include "faying/fit/chains.hpp"
#include "faying/study/calibration.hpp"

namespace {

using namespace faying;
using Eigen::VectorXd;

struct Worst {
    double rhat = 0, effective = core::infinity;
};
Worst worst_of(const std::vector<std::vector<std::vector<double>>>& chains, std::size_t size) {
    Worst w;
    for (std::size_t i = 0; i < size; ++i) {
        std::vector<VectorXd> of;
        for (const auto& c : chains) {
            VectorXd x(Eigen::Index(c.size()));
            for (std::size_t k = 0; k < c.size(); ++k) x(Eigen::Index(k)) = c[k][i];
            of.push_back(std::move(x));
        }
        const auto d = fit::diagnose(of);
        w.rhat = std::max(w.rhat, d.rhat);
        w.effective = std::min(w.effective, d.bulk);
    }
    return w;
}

/// Random-walk Metropolis with the covariance that the other sampler found, scaled as is best for normal distributions.
std::vector<std::vector<double>> walked(const fit::Target& target, VectorXd z, const Eigen::MatrixXd& scale, int draws,
                                        unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<std::vector<double>> all;
    double here = target(z, nullptr);
    const double step = 2.38 / std::sqrt(double(z.size()));
    for (int k = 0; k < draws; ++k) {
        VectorXd x(z.size());
        for (auto& v : x) v = normal(random);
        const VectorXd tried = z + step * (scale * x);
        const double there = target(tried, nullptr);
        if (std::log(uniform(random)) < there - here) z = tried, here = there;
        all.emplace_back(z.begin(), z.end());
    }
    return all;
}

void compare(const char* name, const study::LawPosterior& law, int draws, int walk, double goal) {
    fit::SampleOptions o;
    o.chains = 4;
    o.draws = draws / 4;
    o.warmup = 200;
    const auto begin = std::chrono::steady_clock::now();
    const double cpu = faying::bench::cpu_seconds();
    const auto samples = fit::sample(law.target(), law.start(), o);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double used = faying::bench::cpu_seconds() - cpu;
    std::vector<std::vector<std::vector<double>>> chains;
    for (const auto& c : samples.chains) chains.push_back(c.draws);
    const auto found = worst_of(chains, law.posterior->size());
    fmt::print("{}: {} parameters, {} draws after {} of warm-up\n", name, law.posterior->size(), samples.size(),
               4 * o.warmup);
    fmt::print(
        "  gradients    {:8.2f} s elapsed, {:8.2f} s of processors (half of it, on two idle cores, against a goal of "
        "{:g} s); "
        "R-hat {:.3f}, {:.0f} effective, {:.1f} a second; {} gradients, {} densities, {:.0f} % of proposals taken\n",
        elapsed, used, goal, found.rhat, found.effective, found.effective / used, samples.evaluations(),
        samples.densities(), 100 * samples.acceptance());
    const double before = faying::bench::cpu_seconds();
    std::vector<std::vector<std::vector<double>>> walks;
    for (unsigned c = 0; c < 4; ++c) {
        const auto& chain = samples.chains[c];
        walks.push_back(walked(law.target(), chain.at, chain.scale, walk / 4, c + 1));
    }
    const double walking = faying::bench::cpu_seconds() - before;
    const auto walked_worst = worst_of(walks, law.posterior->size());
    fmt::print("  random walk  {:8.2f} s of processors, {} draws; R-hat {:.3f}, {:.0f} effective, {:.1f} a second\n",
               walking, walk, walked_worst.rhat, walked_worst.effective, walked_worst.effective / walking);
    fmt::print("  gradients over random walk: {:.1f} times the effective draws a second\n",
               found.effective / used / (walked_worst.effective / walking));
}

/// An Iwan oscillator measured at 20 amplitudes through the onset of macroslip, with errors.
study::CalibrationPlan modal_plan() {
    study::CalibrationPlan plan;
    plan.path = "bench";
    plan.laws = {"iwan4"};
    const modal::ModalIwan iwan{1.4, 1e-3, 3, 0.08, -0.5, 5};
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    fit::MeasuredRecord r{"bench", {}, 1e-4, 0.02};
    for (int k = 0; k < 20; ++k) {
        const double q = 0.5 * std::pow(400, k / 19.0);
        const auto p = iwan.at(q);
        r.data.amplitude.push_back(q);
        r.data.omega.push_back(p.omega * (1 + 1e-4 * normal(random)));
        r.data.zeta.push_back(p.zeta * std::exp(0.02 * normal(random)));
    }
    plan.records = {r};
    plan.errors.correlated = false;
    return plan;
}

/// The beam of examples/brake_reuss, its first mode at ten amplitudes.
study::CalibrationPlan joint_plan() {
    auto s = study::read_study(FAYING_SOURCE_DIR "/examples/brake_reuss/study.toml");
    s.variants = {study::find_variant("iwan4")};
    for (auto& mode : s.setup.modes) {
        mode.data = fit::resampled(mode.data, 10);
        mode.measured_amplitude = mode.data.amplitude;
    }
    auto plan = study::calibration_of(std::make_shared<const study::Study>(std::move(s)), 1e-4, 0.03);
    plan.errors.correlated = false;
    return plan;
}

}  // namespace

int main(int count, char** words) {
    const int joint_draws = count > 1 ? std::atoi(words[1]) : 10000;
    const int modal_draws = count > 2 ? std::atoi(words[2]) : 10000;
    const auto modal = modal_plan();
    if (modal_draws >= 400)
        compare("modal iwan4", study::posterior_of(modal, "iwan4"), modal_draws, 4 * modal_draws, 5);
    if (joint_draws < 400) return 0;
    const auto joint = joint_plan();
    compare("whole-joint iwan4", study::posterior_of(joint, "iwan4"), joint_draws, joint_draws, 120);
}
