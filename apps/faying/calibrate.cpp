// faying calibrate: posteriors of laws given measured backbones; resumable.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "faying/io/file.hpp"
#include "faying/sparse/ranks.hpp"
#include "faying/study/calibration.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct CalibrateOptions {
    Common common;
    io::OutputFiles files;
    std::string file, store;
    core::FrequencyUnit unit;
};

study::Calibration calibrated(const CalibrateOptions& o) {
    const auto plan = study::read_calibration(o.file);
    study::CalibrateOptions options;
    options.store =
        o.store.empty() ? std::filesystem::path(o.file).replace_extension(".calibration.db").string() : o.store;
    const bool speaks = !sparse::launched() || sparse::rank() == 0;
    if (speaks) io::check_writable(options.store);
    options.threads = o.common.threads;
    const InterruptGuard guard;
    options.stop = [&] { return guard.raised(); };
    std::optional<core::Progress> progress;
    if (speaks) progress.emplace("calibrate", 1000 * plan.laws.size());
    const auto begin = std::chrono::steady_clock::now();
    options.progress = [&](const std::string& law, std::size_t done, std::size_t total) {
        if (!progress) return;
        const auto at = std::size_t(std::find(plan.laws.begin(), plan.laws.end(), law) - plan.laws.begin());
        const double share = (double(at) + double(done) / double(total)) / double(plan.laws.size());
        const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        progress->at(std::size_t(share * 1000 * double(plan.laws.size())),
                     fmt::format("{}/{} {}", at + 1, plan.laws.size(), law), elapsed * (1 - share) / share);
    };
    return study::calibrate(plan, options);
}

void run_calibrate(const CalibrateOptions& o) {
    o.files.check();
    auto found = calibrated(o);
    if (sparse::launched() && sparse::rank() != 0) return;
    found.unit = o.unit;
    show(o.common, o.files, "calibrate", found);
    found.require_converged();  // what there is has been shown, and is marked
}

}  // namespace

void add_calibrate(CLI::App& app) {
    const auto [c, o] = add_command<CalibrateOptions>(
        app, "calibrate", "Posteriors of laws given measured backbones, and their evidence; resumable",
        "Examples:\n"
        "  faying calibrate calibrate.toml --plot calibrate.html     single modes: laws, records (docs/files.md)\n"
        "  faying calibrate study.toml --out joint.db                whole joints: the variants of a study\n"
        "  mpirun -n 4 faying calibrate study.toml                   a chain for each rank: the same to the bit\n"
        "Stopped or killed, the same command goes on where it was.");
    c->add_option("file", o->file, "calibration file, or study file (TOML)")->required();
    c->add_option("--out", o->store, "store of the chains (default: the file's name with .calibration.db)");
    add_unit(*c, o->unit);
    add_outputs(*c, o->files, "write the draws of the most probable law to this file");
    runs(*c, o, [](const CalibrateOptions& o) { on_all_ranks([&] { run_calibrate(o); }); });
}

}  // namespace faying::app
