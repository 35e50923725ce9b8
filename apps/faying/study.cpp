// faying study: many laws fitted to one measurement, ranked; resumable. faying fit: a study of one law, or parameters of
// a model to measured responses.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/results/response_fit.hpp"
#include "faying/sparse/ranks.hpp"
#include "faying/study/report_data.hpp"
#include "faying/study/run.hpp"
#include "show.hpp"
#include "version.hpp"

namespace faying::app {

namespace {

struct StudyRun {
    Common common;
    std::string command;
    study::StudyFiles files;
    std::function<std::string(const study::StudyResult& result)> text = {};
    std::function<void(const study::Study& plan)> check = {};  ///< refuses, with BadInput, what the command is not for
    /// Takes a file that is no study, and says so; before anything else.
    std::function<bool(const std::string& file, const StudyRun& run)> instead = {};
};

std::optional<study::StudyResult> searched(const study::Study& plan, const StudyRun& r) {
    const InterruptGuard guard;
    core::Progress line("study", 1000);  // variant, generation, rate, time left
    study::RunOptions options;
    options.code_version = faying_version;
    options.command = fmt::format("faying {} {}", r.command, std::filesystem::path(plan.path).filename().string());
    options.stop = [&] { return guard.raised(); };
    options.progress = [&](const study::RunStatus& s) {
        line.at(std::size_t(1000 * s.share),
                fmt::format("{}/{} {}, {}, {:.3g}/s", std::min(s.finished + 1, s.variants), s.variants, s.variant,
                            s.phase, s.rate),
                s.seconds_left);
    };
    options.log = [](const std::string& text) {
        core::tell(fmt::format("{}{}\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", text));
    };
    return study::run_study(plan, r.files, r.common.threads, options);
}

void run_study(const study::Study& plan, const StudyRun& r) {
    if (!sparse::launched() || sparse::rank() == 0)
        for (const auto& note : plan.notes) core::tell(fmt::format("faying: {}: {}\n", plan.path, note));
    const auto result = searched(plan, r);
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

/// The subcommand `run.command`: a study file is run or gone on with, its fronts are written.
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
            run_study(plan, *r);
        });
    });
}

/// Least squares of measured forced responses; `--out` is then a table of measured and modelled points.
bool fit_responses(const std::string& file, const StudyRun& r) {
    if (!results::is_response_fit(file)) return false;
    if (!r.files.fronts.empty()) throw core::BadInput("--fronts", "does not go with measured responses");
    const io::OutputFiles files{.csv = r.files.store};
    files.check();
    auto request = results::read_response_fit(file);
    const auto most = std::size_t(2 * request.iterations);
    const auto run = with_progress("fit", most, [&](const auto& done) {
        return results::fit_responses(std::move(request), [&](std::size_t n) { done(std::min(n, most)); });
    });
    files.write(files.csv.empty() ? io::Table() : table(run), [](bool) { return io::Figure(); });
    r.common.report("fit", r.common.json ? json(run) : nlohmann::json(), [&] { return text(run); });
    run.require_converged();
    return true;
}

}  // namespace

void add_study(CLI::App& app) {
    StudyRun run;
    run.command = "study";
    run.text = study::ranking_text;
    add_study_command(
        app, std::move(run), "Many laws fitted to one measurement and ranked; resumable",
        "Example:\n  faying study examples/brake_reuss/study.toml --out beam.db\n  mpirun -n 4 faying study "
        "examples/brake_reuss/all26.toml\nStopped or killed, the same command goes on where it was.");
}

void add_fit(CLI::App& app) {
    StudyRun run;
    run.command = "fit";
    run.text = study::front_text;
    run.instead = fit_responses;
    run.check = [](const study::Study& plan) {
        if (plan.variants.size() != 1)
            throw core::BadInput(plan.path,
                                 fmt::format("has {} variants; fit takes one, study takes many", plan.variants.size()));
        if (plan.search.method == study::Method::both)
            throw core::BadInput(plan.path, "fit takes one method, nsga2 or boundary-intersection; study takes both");
    };
    add_study_command(app, std::move(run), "One law fitted to a measured backbone: its Pareto front; resumable",
                      "Example:\n  faying fit examples/brake_reuss/fit.toml\nThe file is a study's with one variant "
                      "and one method; or one "
                      "with [[response]] tables, measured forced\nresponses, to which parameters of a model are fitted "
                      "by least squares "
                      "(--out then is a table of points).");
}

}  // namespace faying::app
