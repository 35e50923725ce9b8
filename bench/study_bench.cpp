// Studies: evaluations a second of one variant through the crew and the ledger, on one thread and on all, or under
// mpirun on all ranks; and what the store costs. Promised: at least 90 % of two cores, the store under 2 %.
//
//     bench_study [VARIANT [EVALUATIONS]]
//     mpirun -n 2 bench_study iwan4 4000
//
// `busy` is the share of the time of all threads or ranks that was spent in evaluations; unlike the rate it means the
// same on a machine with other work.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "faying/fit/certify.hpp"
#include "faying/study/ledger.hpp"
#include "faying/study/run.hpp"

namespace {

using namespace faying;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

study::Study one_variant(const std::string& name) {
    study::Study s = study::read_study(FAYING_SOURCE_DIR "/examples/brake_reuss/study.toml");
    s.variants = {study::find_variant(name)};
    return s;
}

std::vector<std::vector<double>> random_values(const fit::Space& space, int count) {
    std::mt19937_64 random(1);
    std::vector<std::vector<double>> all;
    for (int i = 0; i < count; ++i) {
        std::vector<double> x;
        for (std::size_t k = 0; k < space.size(); ++k) x.push_back(double(random() >> 11) * 0x1.0p-53);
        all.push_back(space.values(x));
    }
    return all;
}

/// Evaluations a second with everything a study does around them.
double measure(study::Crew& crew, study::Evaluator& evaluator, const std::vector<std::vector<double>>& values) {
    const auto folder = std::filesystem::temp_directory_path() / ("faying_bench_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    double busy = 0, wall = 0;
    {
        study::Store store((folder / "study.db").string(), study::Access::write);
        std::mutex mutex;
        const auto ask = [&](study::Phase phase, const std::vector<double>& v) {
            auto outcome = crew({0, phase, v});
            const std::lock_guard lock(mutex);
            busy += outcome.seconds;
            return outcome;
        };
        study::Ledger ledger(store, evaluator.problem(0).variant().name, ask, {});
        const auto start = Clock::now();
        fit::evaluate_all(ledger.objective(study::Phase::search), values, crew.width());
        ledger.flush();
        wall = since(start);
    }
    std::filesystem::remove_all(folder);
    const double rate = double(values.size()) / wall;
    fmt::print("{} ranks x {} threads: {:8.1f} evaluations/s, busy {:5.1f} %\n", crew.ranks(), crew.threads(), rate,
               100 * busy / (wall * crew.cores()));
    return rate;
}

/// Time to write as many evaluations, over the time it takes to make them on one core.
void store_cost(const std::string& variant, const std::vector<std::vector<double>>& values, double seconds_each) {
    const auto folder = std::filesystem::temp_directory_path() / ("faying_bench_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    double spent = 0;
    {
        study::Store store((folder / "study.db").string(), study::Access::write);
        std::vector<study::Record> records;
        for (const auto& v : values) {
            records.push_back({variant, "search", 0, v, {.objectives = {-v[0] / 3, -v[0] / 7}, .residual = 1e-13}});
            if (records.size() < 100) continue;
            const auto start = Clock::now();
            store.add(records);
            spent += since(start);
            records.clear();
        }
    }
    std::filesystem::remove_all(folder);
    fmt::print("store: {:.3g} us an evaluation, {:.2f} % of one\n", 1e6 * spent / double(values.size()),
               100 * spent / (seconds_each * double(values.size())));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string variant = argc > 1 ? argv[1] : "iwan4";
    const int count = argc > 2 ? std::atoi(argv[2]) : 2000;
    const auto study = one_variant(variant);
    study::Evaluator evaluator(study);
    study::Crew all(std::ref(evaluator), 0);
    if (!all.asks()) {
        all.serve();
        return 0;
    }
    const auto values = random_values(evaluator.problem(0).space(), count);
    fmt::print("{}: {} random parameter sets\n", variant, count);
    double one = 0;
    if (all.ranks() == 1) {
        study::Crew alone(std::ref(evaluator), 1);
        one = measure(alone, evaluator, values);
    }
    const double rate = measure(all, evaluator, values);
    if (one > 0) {
        fmt::print("efficiency {:.1f} % of {} threads\n", 100 * rate / (one * all.width()), all.width());
        store_cost(variant, values, 1 / one);
    }
}
