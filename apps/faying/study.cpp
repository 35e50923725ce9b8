// faying study: many laws fitted to one measurement, ranked; resumable.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/sparse/ranks.hpp"
#include "faying/study/evaluation_log.hpp"
#include "faying/study/report_data.hpp"
#include "interrupt.hpp"
#include "study_run.hpp"
#include "version.hpp"

namespace faying::app {

namespace {

/// The line on the terminal: variant, generation, rate, time left.
class Line {
 public:
    void operator()(const study::RunStatus& s) {
        progress_.at(std::size_t(1000 * s.share),
                     fmt::format("{}/{} {}, {}, {:.3g}/s", std::min(s.finished + 1, s.variants), s.variants, s.variant,
                                 s.phase, s.rate),
                     s.seconds_left);
    }

 private:
    core::Progress progress_{"study", 1000};
};

std::optional<study::StudyResult> run_study(const study::Study& plan, const StudyRun& r) {
    const InterruptGuard guard;
    Line line;
    study::RunOptions options;
    options.code_version = faying_version;
    options.command = fmt::format("faying {} {}", r.command, std::filesystem::path(plan.path).filename().string());
    options.stop = [&] { return guard.raised(); };
    options.progress = [&](const auto& status) { line(status); };
    options.log = [](const std::string& text) {
        core::tell(fmt::format("{}{}\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", text));
    };
    try {
        return study::run_study(plan, r.files, r.common.threads, options);
    } catch (const study::Stopped& stopped) {
        throw Interrupted(stopped.what());
    }
}

void run(const study::Study& plan, const StudyRun& r) {
    if (!sparse::launched() || sparse::rank() == 0)
        for (const auto& note : plan.notes) core::tell(fmt::format("faying: {}: {}\n", plan.path, note));
    const auto result = run_study(plan, r);
    if (!result) return;
    nlohmann::json data;
    if (r.common.json) {
        data = study::report_data({r.files.store, study::Access::read});
        data["ranking"] = nlohmann::json::array();
        for (const auto* v : result->ranked()) data["ranking"].push_back(v->name);
        data["store"] = r.files.store;
        data["fronts"] = r.files.fronts;
    }
    r.common.report(r.command, data, [&] {
        auto text = r.text(*result);
        if (!result->compared.empty()) text += result->compared + "\n";
        for (const auto& note : plan.notes) text += fmt::format("note: {}\n", note);
        return text + fmt::format("{}, {}/\n", r.files.store, r.files.fronts);
    });
    if (!result->any_front())
        throw core::NotConverged(fmt::format("{}: no parameter set of any variant converged", r.command),
                                 std::numeric_limits<double>::quiet_NaN());
}

/// Bad input is the same on every rank: only the first says so.
void on_all_ranks(const std::function<void()>& body) {
    try {
        body();
    } catch (const core::BadInput&) {
        if (!sparse::launched() || sparse::rank() == 0) throw;
        std::exit(2);  // rank 0 says it
    }
}

}  // namespace

void add_study_command(CLI::App& app, StudyRun run_options, const char* description, const char* footer) {
    auto r = std::make_shared<StudyRun>(std::move(run_options));
    auto file = std::make_shared<std::string>();
    auto* command = app.add_subcommand(r->command, description);
    command->footer(footer);
    command->add_option("file", *file, "study file (TOML)")->required();
    command->add_option("--out", r->files.store, "the evaluation store (default: the file's name with .db)");
    command->add_option("--fronts", r->files.fronts,
                        "folder for fronts, ranking and model files (default: the store's name with _fronts)");
    add_common(*command, r->common);
    command->callback([r, file] {
        if (r->instead && r->instead(*file, *r)) return;
        r->files = study::study_files(*file, r->files);
        on_all_ranks([&] {
            const auto plan = study::read_study(*file);
            if (r->check) r->check(plan);
            run(plan, *r);
        });
    });
}

void add_study(CLI::App& app) {
    StudyRun run;
    run.command = "study";
    run.text = study::ranking_text;
    add_study_command(
        app, std::move(run), "Many laws fitted to one measurement and ranked; resumable",
        "Example:\n  faying study examples/brake_reuss/study.toml --out beam.db\n  mpirun -n 4 faying study "
        "examples/brake_reuss/all26.toml\nStopped or killed, the same command goes on where it was.");
}

}  // namespace faying::app
