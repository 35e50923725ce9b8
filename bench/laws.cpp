// Nanoseconds a step of every law, and the project's promises about speed. See README.md.

#include <vector>

#include "measure.hpp"
#include "report.hpp"

int main(int argc, char** argv) {
    using namespace faying::bench;
    // Repetitions in shuffled order, so that a busy spell of the machine falls on every law alike; the user's own
    // flags come later and win.
    std::string interleave = "--benchmark_enable_random_interleaving=true", repeat = "--benchmark_repetitions=9",
                brief = "--benchmark_min_time=0.01";
    std::vector<char*> arguments = {argv[0], interleave.data(), repeat.data(), brief.data()};
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    int count = int(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

    std::vector<std::string> names;
    every_law([&](const std::string& name, const auto& law, double amplitude, int seeded) {
        names.push_back(name);
        add(name, law, amplitude, seeded);
    });
    Report report(names);
    return benchmark::RunSpecifiedBenchmarks(&report) > 0 ? 0 : 2;
}
