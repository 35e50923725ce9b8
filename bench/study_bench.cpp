// The evaluation store: what writing a generation costs beside evaluations of a millisecond each. Promised: under 2 %.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "faying/study/store.hpp"

namespace {

using namespace faying;

void store_generation(benchmark::State& state) {
    const auto folder = std::filesystem::temp_directory_path() / ("faying_bench_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const int members = int(state.range(0));
    std::chrono::steady_clock::duration spent{};
    {
        study::Store store((folder / "study.db").string(), study::Access::write);
        int generation = 0;
        for (auto _ : state) {
            std::vector<study::Record> records;
            for (int m = 0; m < members; ++m) {
                const double x = 1.0 / (m + 3) + generation;
                records.push_back({.variant = "iwan4",
                                   .phase = "search",
                                   .generation = generation,
                                   .values = {x, x / 3, x / 7, x / 11, x / 13},
                                   .evaluation = {.objectives = {-x, -x / 17}, .residual = 1e-13 * x},
                                   .wall_time = 1e-3,
                                   .code_version = "0.1.0"});
            }
            const auto start = std::chrono::steady_clock::now();
            store.add(records);
            spent += std::chrono::steady_clock::now() - start;
            ++generation;
        }
    }
    std::filesystem::remove_all(folder);
    // Of the time that as many evaluations of 1 ms take on one core.
    state.counters["percent_of_evaluations"] =
        100 * std::chrono::duration<double>(spent).count() / (double(state.iterations()) * members * 1e-3);
}
BENCHMARK(store_generation)->Arg(50)->Arg(100)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
