// faying experiment: a virtual hammer test, from a simulated joint to a backbone file.

#include "faying/study/experiment.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/io/csv.hpp"
#include "faying/structure/fingerprint.hpp"
#include "faying/study/ledger.hpp"
#include "interrupt.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, out, raw, store;
    int raw_hit = 1;
    double raw_seconds = 1e9;
};

/// All that the record of a hit depends on; bands and what comes after may change.
std::string key_of(const study::Experiment& e) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", structure::fingerprint(study::rough_model(e)), e.seed,
                       e.hammer, e.sensor, e.hits, e.force_low, e.force_high, e.pulse, e.duration, e.step,
                       e.record_every, e.noise);
}

/// A file a hit, which `faying envelope` reads as well. Those of another experiment are not taken: their key differs.
study::HitStore folder_store(const std::string& folder, const std::string& key) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw core::BadInput(folder, "cannot be made: " + failed.message());
    const auto path = [=](int hit) { return fmt::format("{}/hit_{}.h5", folder, hit + 1); };
    return {[=](int hit, signal::Record& record) {
                if (!std::filesystem::exists(path(hit))) return false;
                const auto kept = archive::read_archive(path(hit));
                if (kept.text("key") != key) return false;
                const Eigen::VectorXd values = kept.vector("acceleration");
                record = {0, kept.number("step"), {values.begin(), values.end()}};
                return true;
            },
            [=](int hit, const signal::Record& record) {
                Eigen::VectorXd time(Eigen::Index(record.values.size()));
                for (std::size_t i = 0; i < record.values.size(); ++i) time(Eigen::Index(i)) = record.time(i);
                archive::Archive kept;
                kept.set("about", "virtual experiment, not a measurement");
                kept.set("key", key);
                kept.set("step", record.step, "s");
                kept.set("t", time, "s");
                kept.set("acceleration",
                         Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(record.values.data(), time.size())),
                         "m/s^2");
                archive::write_archive(path(hit), kept);
            }};
}

void run(const Options& o) {
    const auto e = study::read_experiment(o.file);
    if (o.raw_hit > e.hits) throw core::BadInput("--raw-hit", fmt::format("there are {} hits", e.hits));
    check_folder_of(o.out);
    if (!o.raw.empty()) check_folder_of(o.raw);
    const InterruptGuard guard;
    auto progress = std::make_unique<core::Progress>("experiment", 1000);
    study::ExperimentResult r;
    try {
        r = study::perform(e, {.threads = o.common.threads,
                               .store = o.store.empty() ? study::HitStore{} : folder_store(o.store, key_of(e)),
                               .done = [&](double share) { progress->at(std::size_t(1000 * share)); },
                               .stop = [&] { return guard.raised(); }});
    } catch (const study::Stopped&) {
        throw Interrupted(o.store.empty() ? "stopped; nothing was kept (--store keeps finished hits)"
                                          : "stopped; the same command goes on with the hits it has");
    }
    progress.reset();
    std::vector<io::FileContent> files{{o.out, study::backbone_text(e, r)}};
    if (!o.raw.empty()) {
        io::Table table{{"t", "acceleration"}, {{}, {}}};
        const auto& record = r.records[std::size_t(o.raw_hit - 1)];
        for (std::size_t i = 0; i < record.values.size() && record.time(i) <= o.raw_seconds; ++i) {
            table.columns[0].push_back(std::strtod(fmt::format("{:.9g}", record.time(i)).c_str(), nullptr));
            table.columns[1].push_back(std::strtod(fmt::format("{:.6g}", record.values[i]).c_str(), nullptr));
        }
        files.push_back({o.raw, "# virtual experiment, not a measurement\n" + io::csv_text(table)});
    }
    io::write_files(files);
    nlohmann::json result = {{"file", o.out}, {"virtual", true}, {"hits", e.hits}, {"notes", r.notes}};
    for (const auto& b : r.backbones)
        result["modes"].push_back({{"mode", b.mode}, {"amplitude", b.amplitude}, {"omega", b.omega}, {"zeta", b.zeta}});
    o.common.report("experiment", result, [&] {
        fmt::print("virtual experiment, {} hits\n", e.hits);
        for (const auto& b : r.backbones)
            if (b.size() > 0)
                fmt::print("mode {}: {:.4g} to {:.4g} m/s^2, {:.5g} to {:.5g} Hz, zeta {:.3g} to {:.3g}\n", b.mode,
                           b.amplitude.front(), b.amplitude.back(), b.omega.front() / 6.283185307179586,
                           b.omega.back() / 6.283185307179586, b.zeta.front(), b.zeta.back());
        for (const auto& note : r.notes) fmt::print("not used: {}\n", note);
        fmt::print("{}\n", o.out);
    });
}

}  // namespace

void add_experiment(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("experiment", "A virtual hammer test: backbones of a simulated joint, with noise");
    command->footer(
        "Example:\n  faying experiment examples/brake_reuss/experiment.toml --out backbones.csv --store hits");
    command->add_option("file", o->file, "experiment file (TOML)")->required();
    command->add_option("--out", o->out, "the backbone file (.csv)")->required();
    command->add_option("--raw", o->raw, "write the record of one hit (.csv)");
    command->add_option("--raw-hit", o->raw_hit, "which hit")->check(CLI::PositiveNumber);
    command->add_option("--raw-seconds", o->raw_seconds, "how much of it")->check(CLI::PositiveNumber);
    command->add_option("--store", o->store,
                        "folder for the records of finished hits; the same command takes them up again");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
