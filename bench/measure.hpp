#pragma once
// The three timings of a law, as Google Benchmark runs named "law/step", "law/site" and "law/derivatives".

#include <benchmark/benchmark.h>

#include <string>

#include "cases.hpp"
#include "faying/laws/joint.hpp"
#include "walk.hpp"

namespace faying::bench {

inline constexpr std::size_t sites = 1000;

/// The walk from virgin, state moved from step to step; a run of the benchmark is the whole walk.
template <HysteresisLaw L>
void time_steps(benchmark::State& state, const L& law, double amplitude) {
    using T = typename L::Scalar;
    std::vector<T> path;
    for (const double u : walk()) path.push_back(T(amplitude * u));
    for (auto _ : state) {
        auto z = law.virgin();
        for (const T& u : path) {
            auto s = law.step(std::move(z), u);
            benchmark::DoNotOptimize(&s);  // the whole step is computed and in memory, as a caller would keep it
            benchmark::ClobberMemory();
            z = std::move(s.next);
        }
    }
}

/// Trial force and tangent of 1000 sites, each with its own history; the trials change from run to run, or the branch
/// predictor would learn them.
template <HysteresisLaw L>
void time_sites(benchmark::State& state, const L& law, double amplitude) {
    constexpr std::size_t past = 50, trials = 16;
    std::vector<double> u(sites), force(sites), tangent(sites);
    const auto displace = [&](std::size_t k, std::vector<double>& at) {
        for (std::size_t i = 0; i < sites; ++i) at[i] = amplitude * walk()[(k + 2 * i) % steps];
    };
    Joint joint(law, sites);
    for (std::size_t k = 0; k < past; ++k) {
        displace(k, u);
        joint.evaluate(u, force, tangent);
        joint.commit();
    }
    std::vector<std::vector<double>> next(trials, u);
    for (std::size_t k = 0; k < trials; ++k) displace(past + k, next[k]);
    std::size_t k = 0;
    for (auto _ : state) {
        joint.evaluate(next[k++ % trials], force, tangent);
        benchmark::DoNotOptimize(force.data());
        benchmark::DoNotOptimize(tangent.data());
        benchmark::ClobberMemory();
    }
}

template <HysteresisLaw L>
void add(const std::string& name, const L& law, double amplitude, int seeded) {
    benchmark::RegisterBenchmark((name + "/step").c_str(),
                                 [=](benchmark::State& state) { time_steps(state, law, amplitude); });
    benchmark::RegisterBenchmark((name + "/site").c_str(),
                                 [=](benchmark::State& state) { time_sites(state, law, amplitude); });
    benchmark::RegisterBenchmark((name + "/derivatives").c_str(),
                                 [dual = with_derivatives(law, seeded), amplitude](benchmark::State& state) {
                                     time_steps(state, dual, amplitude);
                                 });
}

}  // namespace faying::bench
