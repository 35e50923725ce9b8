// faying experiment: a virtual hammer test, from a simulated joint to a backbone file.

#include "faying/study/experiment.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/io/file.hpp"

namespace faying::app {

namespace {

struct ExperimentOptions {
    Common common;
    std::string file, out, raw, store;
    int raw_hit = 1;
    double raw_seconds = 1e9;
};

void run_experiment(const ExperimentOptions& o) {
    const auto e = study::read_experiment(o.file);
    if (o.raw_hit > e.hits) throw core::BadInput("--raw-hit", fmt::format("there are {} hits", e.hits));
    io::check_writable(o.out);
    if (!o.raw.empty()) io::check_writable(o.raw);
    const InterruptGuard guard;
    auto progress = std::make_unique<core::Progress>("experiment", 1000);
    const auto r = study::perform(e, {.threads = o.common.threads,
                                      .store = o.store.empty() ? study::HitStore{} : study::hits_in_folder(o.store, e),
                                      .done = [&](double share) { progress->at(std::size_t(1000 * share)); },
                                      .stop = [&] { return guard.raised(); }});
    progress.reset();
    std::vector<io::FileContent> files{{o.out, study::backbone_text(e, r)}};
    if (!o.raw.empty())
        files.push_back({o.raw, study::record_text(r.records[std::size_t(o.raw_hit - 1)], o.raw_seconds)});
    io::write_files(files);
    nlohmann::json result = study::experiment_json(r);
    result["file"] = o.out;
    o.common.report("experiment", result, [&] { return study::experiment_text(r) + o.out + "\n"; });
}

}  // namespace

void add_experiment(CLI::App& app) {
    const auto [command, o] = add_command<ExperimentOptions>(
        app, "experiment", "A virtual hammer test: backbones of a simulated joint, with noise",
        "Example:\n  faying experiment examples/brake_reuss/experiment.toml --out backbones.csv --store hits");
    command->add_option("file", o->file, "experiment file (TOML)")->required();
    command->add_option("--out", o->out, "the backbone file (.csv)")->required();
    command->add_option("--raw", o->raw, "write the record of one hit (.csv)");
    command->add_option("--raw-hit", o->raw_hit, "which hit")->check(above_zero);
    command->add_option("--raw-seconds", o->raw_seconds, "how much of it")->check(above_zero);
    command->add_option("--store", o->store,
                        "folder for the records of finished hits; the same command takes them up again");
    runs(*command, o, run_experiment);
}

}  // namespace faying::app
