// Studies: evaluations per second of one variant through the workers and the evaluation_log, on one core and on all of them, by
// threads or under mpirun by ranks; and what the store costs. Promised: at least 90 % of two cores, the store under 2
// %.
//
//     bench_study [VARIANT [EVALUATIONS [ROUNDS]]]
//     mpirun -n 2 bench_study iwan4 4000
//
// Other work on the machine slows whichever measurement it meets, so that each is the best of several rounds. The
// ceiling is what as many independent processes reach side by side, each with a store of its own: memory, caches, clock
// and neighbours take the rest. `busy` is the share of the cores' time that was spent in evaluations.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "faying/core/error.hpp"
#include "faying/fit/certify.hpp"
#include "faying/sparse/ranks.hpp"
#include "faying/study/evaluation_log.hpp"
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

using Ask = std::function<study::Outcome(const study::Task&)>;

struct Speed {
    double rate = 0;  ///< evaluations per second
    double busy = 0;  ///< seconds in evaluations per second
};

Speed better(const Speed& a, const Speed& b) { return a.rate > b.rate ? a : b; }

std::filesystem::path scratch_folder() {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("faying_bench_{}", ::getpid());
    std::filesystem::create_directories(folder);
    return folder;
}

/// With everything a study does around evaluations.
Speed measure(const Ask& workers, int width, const std::vector<std::vector<double>>& values) {
    const auto folder = scratch_folder();
    double busy = 0, wall = 0;
    {
        study::Store store((folder / "study.db").string(), study::Access::write);
        std::mutex mutex;
        const auto ask = [&](study::Phase phase, const std::vector<double>& v) {
            auto outcome = workers({0, phase, v});
            const std::lock_guard lock(mutex);
            busy += outcome.seconds;
            return outcome;
        };
        study::EvaluationLog evaluation_log(store, "variant", ask, {});
        const auto start = Clock::now();
        fit::evaluate_all(evaluation_log.objective(study::Phase::search), values, width);
        evaluation_log.flush();
        wall = since(start);
    }
    std::filesystem::remove_all(folder);
    return {double(values.size()) / wall, busy / wall};
}

/// This process's speed while others do the same: the other ranks, or else copies of it, one for each other core.
Speed side_by_side(const Ask& evaluate, int cores, const std::vector<std::vector<double>>& values) {
    std::vector<pid_t> others;
    for (int k = 1; k < cores && !sparse::launched(); ++k) {
        const pid_t child = ::fork();
        if (child == 0) {
            measure(evaluate, 1, values);
            ::_exit(0);
        }
        others.push_back(child);
    }
    const auto own = measure(evaluate, 1, values);
    for (const auto child : others) ::waitpid(child, nullptr, 0);
    return own;
}

/// Seconds to write an evaluation.
double store_cost(const std::string& variant, const std::vector<std::vector<double>>& values) {
    const auto folder = scratch_folder();
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
    return spent / double(values.size() - values.size() % 100);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string variant = argc > 1 ? argv[1] : "iwan4";
    const int count = std::max(100, argc > 2 ? std::atoi(argv[2]) : 2000);
    const int rounds = std::max(1, argc > 3 ? std::atoi(argv[3]) : 5);
    const auto study = one_variant(variant);
    study::Evaluator evaluator(study);
    const auto values = random_values(evaluator.problem(0).space(), count);
    Speed one, many, together;
    const int cores = sparse::launched() ? 0 : int(std::thread::hardware_concurrency());
    for (int k = 0; k < rounds; ++k) together = better(together, side_by_side(std::ref(evaluator), cores, values));

    study::Workers workers(std::ref(evaluator), 0);
    if (!workers.asks()) {
        workers.serve();
        return 0;
    }
    double store = core::infinity;
    for (int k = 0; k < rounds; ++k) {
        one = better(one, measure(std::ref(evaluator), 1, values));
        many = better(many, measure(std::ref(workers), workers.width(), values));
        store = std::min(store, store_cost(variant, values));
    }
    const int n = workers.cores();
    fmt::print("{}: {} random parameter sets, best of {} rounds\n", variant, count, rounds);
    fmt::print("one core                  {:8.1f} evaluations/s, busy {:5.1f} %\n", one.rate, 100 * one.busy);
    fmt::print("{} ranks x {} threads       {:8.1f} evaluations/s, busy {:5.1f} %\n", workers.ranks(),
               workers.threads(), many.rate, 100 * many.busy / n);
    fmt::print("{} independent processes   {:8.1f} evaluations/s\n", n, n * together.rate);
    fmt::print("efficiency {:.1f} % of {} cores; the machine's own ceiling {:.1f} %\n",
               100 * many.rate / (n * one.rate), n, 100 * together.rate / one.rate);
    fmt::print("store {:.3g} us an evaluation, {:.2f} % of one\n", 1e6 * store, 100 * store * one.rate);
}
